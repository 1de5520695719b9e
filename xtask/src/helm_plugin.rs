//! Helm 4's plugin: the command for this machine beside its `plugin.yaml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::{root, target};

/// Builds the plugin's folder and returns it.
pub(crate) fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(["build", "--release", "--locked", "--package", "unstick-cli"]);
    let status = command.status().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("building the command ended with {status}"));
    }
    let binary = target().join("release").join(format!("unstick{}", std::env::consts::EXE_SUFFIX));
    let folder = target().join("helm-plugin/unstick");
    assemble(&binary, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn assemble(binary: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder.join("bin"))?;
    fs::copy(root().join("plugin-helm/plugin.yaml"), folder.join("plugin.yaml"))?;
    let name = format!("bin/unstick-{}-{}{}", os(), arch(), std::env::consts::EXE_SUFFIX);
    fs::copy(binary, folder.join(name))?;
    Ok(())
}

/// The system's name in Go's words, which `plugin.yaml` uses.
fn os() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    }
}

fn arch() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}
