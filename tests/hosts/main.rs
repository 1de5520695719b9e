//! Hosts, with the real tools: what they hand over, what comes back, and how failures show.

mod export;
mod extism;
mod helm3;
mod helm4;
mod kpt;
mod kubectl;
mod kustomize;
mod patch;
mod recipes;
mod support;
