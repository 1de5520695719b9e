//! The command as people run it: bytes on its streams, files on disk, exit codes.

mod advice;
mod charts;
mod explain;
mod files;
mod filter;
#[cfg(unix)]
mod links;
mod patch;
mod policies;
mod precedence;
mod report;
mod rules;
mod schema;
#[cfg(unix)]
mod streams;
mod support;
mod values;
