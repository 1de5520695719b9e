//! Programs that the tests call.

use std::path::PathBuf;
use std::process::Command;

/// Installs `git`, `jq` and `patch` where they are missing: with apt-get as root, else says so.
pub(crate) fn packages() -> Result<(), String> {
    let missing: Vec<&str> = ["git", "jq", "patch"].into_iter().filter(|name| !is_there(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("missing: {}", missing.join(", "));
    with_apt(&missing)
}

/// Returns Chromium's path, installed where it is missing; `UNSTICK_CHROMIUM` names another one.
pub(crate) fn chromium() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("UNSTICK_CHROMIUM").filter(|path| !path.is_empty()) {
        return Ok(named.into());
    }
    if find("chromium").is_none() {
        with_apt(&["chromium"])?;
    }
    find("chromium").ok_or_else(|| "chromium is not on the path: install it, or set UNSTICK_CHROMIUM".into())
}

/// Installs Debian packages.
pub(crate) fn with_apt(packages: &[&str]) -> Result<(), String> {
    if !is_there("apt-get") {
        return Err(format!("install these packages: {}", packages.join(", ")));
    }
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

fn apt(arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("apt-get").args(arguments).status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("apt-get {} ended with {status}", arguments.join(" "))) }
}

/// Tells whether a program is on the path.
pub(crate) fn is_there(name: &str) -> bool {
    find(name).is_some()
}

/// Returns a program's place on the path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
