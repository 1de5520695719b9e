//! The recipes of `docs/hosts`, run as they stand there, and the files that other tools read from the project's root.

mod charts;
mod container;
mod functions;
mod page;
mod workflow;
