//! The npm package's WASM module: compiled, given its JavaScript bindings, and optimised, into `js/wasm`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::{root, target};
use crate::install;
use crate::npm;
use crate::wasm::Module;

const MODULE: Module = Module {
    package: "unstick-web-wasm",
    profile: &["lto=\"fat\"", "opt-level=\"s\"", "panic=\"abort\"", "strip=\"debuginfo\""],
};

/// What the compiler emits for this target beyond the first version of WASM, as `wasm-opt` calls it.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Builds the package's module and scripts, and returns its folder.
pub(crate) fn build() -> Result<PathBuf, String> {
    let compiled = MODULE.build()?;
    let js = root().join("js");
    npm::install(&js)?;
    let folder = target().join("web");
    bind(&compiled, &folder)?;
    let bound = folder.join("unstick_bg.wasm");
    let optimised = folder.join("unstick_opt.wasm");
    optimise(&js, &bound, &optimised)?;
    place(&folder, &optimised, &js.join("wasm"))?;
    npm::run(&js, &["run", "build"], &[])?;
    report(&[("compiled", &compiled), ("with bindings", &bound), ("optimised", &optimised)])?;
    Ok(js)
}

/// Checks the package's source and runs its tests, some of them in Chromium.
pub(crate) fn test(environment: &[(&str, String)]) -> Result<(), String> {
    let js = root().join("js");
    let chromium = install::chromium()?.display().to_string();
    let mut environment = environment.to_vec();
    environment.push(("UNSTICK_CHROMIUM", chromium));
    npm::run(&js, &["run", "lint"], &environment)?;
    npm::run(&js, &["test"], &environment)
}

fn bind(module: &Path, folder: &Path) -> Result<(), String> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(["run", "--quiet", "--locked", "--package", "xtask-bindings", "--"]);
    command.arg(module).arg(folder).arg("unstick");
    succeed(&mut command)
}

fn optimise(js: &Path, from: &Path, to: &Path) -> Result<(), String> {
    let mut command = Command::new("node");
    command.arg(js.join("node_modules/binaryen/bin/wasm-opt")).arg("-Oz").args(FEATURES);
    command.arg(from).arg("-o").arg(to);
    succeed(&mut command)
}

/// Lays out what the package is made from; files that are the same are not written, so that watchers stay calm.
fn place(made: &Path, module: &Path, folder: &Path) -> Result<(), String> {
    let at = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
    for (from, name) in [
        (made.join("unstick.js"), "unstick.js"),
        (made.join("unstick.d.ts"), "unstick.d.ts"),
        (module.to_owned(), "unstick_bg.wasm"),
    ] {
        fs::copy(&from, folder.join(name)).map_err(|error| at(&from, error))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(licence), root().join("js").join(licence))
            .map_err(|error| at(Path::new(licence), error))?;
    }
    let mut command = Command::new("node");
    succeed(command.arg(root().join("js/scripts/inline.mjs")).arg(folder))
}

fn report(files: &[(&str, &Path)]) -> Result<(), String> {
    let mut command = Command::new("node");
    command.arg(root().join("js/scripts/sizes.mjs"));
    for (name, path) in files {
        command.arg(format!("{name}={}", path.display()));
    }
    succeed(&mut command)
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} cannot be run: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} ended with {status}")) }
}
