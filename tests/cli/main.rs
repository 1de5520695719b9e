//! The command as people run it: bytes on its streams, files on disk, exit codes.

mod files;
mod filter;
mod support;
