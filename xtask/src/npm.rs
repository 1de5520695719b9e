//! npm, for the packages under `js`.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Installs what a package's lock file lists, unless that was done.
pub(crate) fn install(package: &Path) -> Result<(), String> {
    let lock = package.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    // Written last, so that an installation that broke off is made anew.
    let done = package.join("node_modules/.installed");
    if fs::read(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(package, &["ci", "--no-audit", "--no-fund"], &[])?;
    fs::write(&done, wanted).map_err(|error| format!("{}: {error}", done.display()))
}

/// Runs npm in a package's folder.
pub(crate) fn run(package: &Path, arguments: &[&str], environment: &[(&str, String)]) -> Result<(), String> {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(package).args(arguments).envs(environment.iter().map(|(name, value)| (name, value)));
    let status = command.status();
    let status = status.map_err(|error| format!("npm cannot be run ({error}): install Node 20 or later"))?;
    if status.success() { Ok(()) } else { Err(format!("npm {} ended with {status}", arguments.join(" "))) }
}
