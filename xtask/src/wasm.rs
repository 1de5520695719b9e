//! Helm's WASM plugin: the crate in `plugin-wasm/helm`, built for `wasm32-unknown-unknown`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::{root, target};
use crate::install;

const TRIPLE: &str = "wasm32-unknown-unknown";
const PACKAGE: &str = "unstick-helm-wasm";

/// What is asked of Debian where no rustup is to be had.
const DEBIAN: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// Builds the plugin's folder, `plugin.yaml` beside `plugin.wasm`, and returns it.
pub(crate) fn build() -> Result<PathBuf, String> {
    let built = if has_target() || add_target() { with_rustup()? } else { with_debian()? };
    let folder = target().join("helm-wasm/unstick-wasm");
    assemble(&built, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let size = fs::metadata(folder.join("plugin.wasm")).map_err(|error| error.to_string())?.len();
    println!("{}: {size} bytes", folder.join("plugin.wasm").display());
    Ok(folder)
}

fn assemble(built: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::copy(built, folder.join("plugin.wasm"))?;
    fs::copy(root().join("plugin-wasm/helm/plugin.yaml"), folder.join("plugin.yaml"))?;
    Ok(())
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

fn with_rustup() -> Result<PathBuf, String> {
    run(&mut cargo(Path::new("cargo")))
}

/// Builds with Debian's compiler, whose standard library has to be built along.
fn with_debian() -> Result<PathBuf, String> {
    let is_missing = |path: &str| !Path::new(path).is_file();
    if ["/usr/bin/cargo", "/usr/bin/rustc", "/usr/bin/wasm-ld-22"].into_iter().any(is_missing) {
        println!("{TRIPLE} cannot be added with rustup: installing {}", DEBIAN.join(", "));
        install::with_apt(DEBIAN)?;
    }
    let mut command = cargo(Path::new("/usr/bin/cargo"));
    command.arg("-Zbuild-std=std,panic_abort");
    command.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22");
    run(&mut command)
}

fn cargo(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).args(["build", "--release", "--locked", "--target", TRIPLE, "--package", PACKAGE]);
    command.args(["--config", "profile.release.lto=\"fat\"", "--config", "profile.release.strip=\"symbols\""]);
    // Its own folder, so that neither build throws the other's work away.
    command.arg("--target-dir").arg(target().join("wasm"));
    command
}

fn run(command: &mut Command) -> Result<PathBuf, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} cannot be run: {error}"))?;
    if !status.success() {
        return Err(format!("building {PACKAGE} with {program} ended with {status}"));
    }
    Ok(target().join("wasm").join(TRIPLE).join("release/unstick_helm_wasm.wasm"))
}
