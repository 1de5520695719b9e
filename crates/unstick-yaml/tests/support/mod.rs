//! Shared by the tests of the readers; no test file uses all of it.
#![allow(dead_code)]

pub mod data;
pub mod dump;
pub mod generator;
pub mod invariants;
