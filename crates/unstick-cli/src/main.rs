//! The `unstick` command.

fn main() {}
