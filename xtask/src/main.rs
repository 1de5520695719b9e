//! Project tasks: `cargo xtask test` runs every check.

fn main() {}
