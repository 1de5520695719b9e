//! JSON reports, by version.

pub mod v1;
