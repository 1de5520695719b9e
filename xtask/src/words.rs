//! Words that do not belong in the project: paths of one machine, hosts of package registries.

use std::process::Command;

/// Searches all tracked files but lock files.
pub(crate) fn check() -> Result<(), String> {
    // Taken apart, so that this file does not find itself.
    let words = [
        ["/wo", "rk/"],
        ["registry.npm", "js.org"],
        ["index.crates", ".io"],
        ["static.crates", ".io"],
        ["proxy.gol", "ang.org"],
        ["deb.deb", "ian.org"],
        ["files.python", "hosted.org"],
    ];
    let mut command = Command::new("git");
    command.args(["grep", "-nIF"]);
    for word in words {
        command.args(["-e", &word.concat()]);
    }
    let output = command.args(["--", ".", ":!*.lock"]).output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(1) => Ok(()),
        _ => Err(String::from_utf8_lossy(&output.stdout).into_owned()),
    }
}
