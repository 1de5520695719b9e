//! Hosts, with the real tools: what they hand over, what comes back, and how failures show.

mod charts;
mod drills;
mod export;
mod extism;
mod helm3;
mod helm4;
mod host;
mod kpt;
mod kubectl;
mod kustomize;
mod patch;
mod recipes;
mod support;
