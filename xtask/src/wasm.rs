//! Crates built for `wasm32-unknown-unknown`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::{root, target};
use crate::install;

const TRIPLE: &str = "wasm32-unknown-unknown";

/// What is asked of Debian where no rustup is to be had.
const DEBIAN: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// A crate that a WASM host loads.
pub(crate) struct Module {
    /// The crate's name.
    pub package: &'static str,
    /// Settings of the release profile, as TOML.
    pub profile: &'static [&'static str],
}

impl Module {
    /// Builds the module and returns its path.
    pub(crate) fn build(&self) -> Result<PathBuf, String> {
        if has_target() || add_target() { self.with_rustup() } else { self.with_debian() }
    }

    fn with_rustup(&self) -> Result<PathBuf, String> {
        self.run(&mut self.cargo(Path::new("cargo")))
    }

    /// Builds with Debian's compiler, whose standard library has to be built along.
    fn with_debian(&self) -> Result<PathBuf, String> {
        let is_missing = |path: &str| !Path::new(path).is_file();
        if ["/usr/bin/cargo", "/usr/bin/rustc", "/usr/bin/wasm-ld-22"].into_iter().any(is_missing) {
            println!("{TRIPLE} cannot be added with rustup: installing {}", DEBIAN.join(", "));
            install::with_apt(DEBIAN)?;
        }
        let mut command = self.cargo(Path::new("/usr/bin/cargo"));
        command.arg("-Zbuild-std=std,panic_abort");
        command.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22");
        self.run(&mut command)
    }

    fn cargo(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(root()).args(["build", "--release", "--locked", "--target", TRIPLE]);
        command.args(["--package", self.package]);
        for setting in self.profile {
            command.arg("--config").arg(format!("profile.release.{setting}"));
        }
        // Its own folder, so that neither build throws the other's work away.
        command.arg("--target-dir").arg(target().join("wasm"));
        command
    }

    fn run(&self, command: &mut Command) -> Result<PathBuf, String> {
        let program = command.get_program().to_string_lossy().into_owned();
        let status = command.status().map_err(|error| format!("{program} cannot be run: {error}"))?;
        if !status.success() {
            return Err(format!("building {} with {program} ended with {status}", self.package));
        }
        let file = format!("{}.wasm", self.package.replace('-', "_"));
        Ok(target().join("wasm").join(TRIPLE).join("release").join(file))
    }
}

/// Tells whether the compiler in use has the target's standard library.
fn has_target() -> bool {
    let mut command = Command::new("rustc");
    let output = command.args(["--print", "target-libdir", "--target", TRIPLE]).output();
    let Ok(output) = output else { return false };
    fs::read_dir(String::from_utf8_lossy(&output.stdout).trim()).is_ok_and(|mut files| files.next().is_some())
}

fn add_target() -> bool {
    let status = Command::new("rustup").args(["target", "add", TRIPLE]).status();
    status.is_ok_and(|status| status.success()) && has_target()
}
