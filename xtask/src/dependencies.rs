//! Licences, sources and minimum versions of everything that is built in.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::folders::root;

/// Licences that go with MIT OR Apache-2.0.
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Unlicense",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "MIT-0",
    "Unicode-3.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "MPL-2.0",
];

/// The lock files of the npm packages.
const LOCKS: &[&str] = &["js/package-lock.json"];

/// Checks every package of the workspace's graph, and of the npm packages' lock files.
pub(crate) fn check() -> Result<(), String> {
    let mut faults = cargo_faults()?;
    for lock in LOCKS {
        faults.extend(npm_faults(&root().join(lock))?.into_iter().map(|fault| format!("{lock}: {fault}")));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}

fn cargo_faults() -> Result<Vec<String>, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .map_err(|error| error.to_string())?;
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let ours = packages.iter().find(|package| package["name"] == "unstick").ok_or("unstick is not listed")?;
    let stated = version(ours["rust_version"].as_str().unwrap_or_default());
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or("?");
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_allowed(licence) {
            faults.push(format!("{name}: licence {licence:?}"));
        }
        if package["source"].as_str().is_some_and(|source| source.starts_with("git+")) {
            faults.push(format!("{name}: taken from git"));
        }
        let needed = package["rust_version"].as_str().unwrap_or_default();
        if version(needed) > stated {
            faults.push(format!("{name}: needs Rust {needed}"));
        }
    }
    println!("{} packages", packages.len());
    Ok(faults)
}

/// Returns what is wrong with a lock file of npm: licences, scripts that run at installation, download addresses.
fn npm_faults(lock: &Path) -> Result<Vec<String>, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", lock.display());
    let text = fs::read(lock).map_err(|error| at(&error))?;
    let lock: Value = serde_json::from_slice(&text).map_err(|error| at(&error))?;
    let packages = lock["packages"].as_object().ok_or_else(|| at(&"no packages are listed"))?;
    let mut faults = Vec::new();
    for (name, package) in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        let is_linked = package["link"] == true;
        if !is_linked && !is_allowed(licence) {
            faults.push(format!("{name}: licence {licence:?}"));
        }
        if package["hasInstallScript"] == true {
            faults.push(format!("{name}: runs a script at installation"));
        }
        if package["resolved"].as_str().is_some_and(|address| address.contains("://")) {
            faults.push(format!("{name}: a download address"));
        }
    }
    println!("{} npm packages", packages.len());
    Ok(faults)
}

/// Tells whether a licence expression can be met: one side of each OR, both sides of each AND.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| part.split(" OR ").any(|licence| LICENCES.contains(&licence.trim())))
}

fn version(text: &str) -> (u32, u32, u32) {
    let mut numbers = text.split('.').map(|part| part.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}
