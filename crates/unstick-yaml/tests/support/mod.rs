//! Shared by the tests of the readers; not every test file uses all of it.

#[allow(dead_code)]
pub mod dump;
pub mod invariants;
