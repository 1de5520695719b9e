//! Programs that the tests call.

use std::path::Path;
use std::process::Command;

/// Installs `git` and `patch` where they are missing: with apt-get as root, else says so.
pub(crate) fn packages() -> Result<(), String> {
    let missing: Vec<&str> = ["git", "patch"].into_iter().filter(|name| !is_there(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("missing: {}", missing.join(", "));
    if !is_there("apt-get") {
        return Err(format!("install these packages: {}", missing.join(", ")));
    }
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], &missing[..]].concat())
}

fn apt(arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("apt-get").args(arguments).status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("apt-get {} ended with {status}", arguments.join(" "))) }
}

/// Tells whether a program is on the path.
pub(crate) fn is_there(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(name).is_file())
}
