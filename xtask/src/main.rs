//! Project tasks: `cargo xtask test` runs every check; the others build what it needs.

use std::process::ExitCode;

mod dependencies;
mod folders;
mod helm_plugin;
mod helm_wasm;
mod install;
mod npm;
mod peers;
mod step;
mod wasm;
mod web;
mod words;

use peers::Variable;
use step::Steps;

const USAGE: &str = "usage: cargo xtask test          run every check
       cargo xtask peers         build the pinned host tools, and print the variables that tests read
       cargo xtask helm-plugin   build Helm 4's plugin into target/helm-plugin
       cargo xtask wasm-helm     build Helm 4's WASM plugin into target/helm-wasm
       cargo xtask wasm          build the npm package in js: its WASM module and its scripts";

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("peers") => print(peers::build()),
        Some("helm-plugin") => print(helm_plugin()),
        Some("wasm-helm") => print(helm_wasm()),
        Some("wasm") => print(web()),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn helm_plugin() -> Result<Vec<Variable>, String> {
    Ok(vec![("UNSTICK_HELM_PLUGIN", helm_plugin::build()?)])
}

fn helm_wasm() -> Result<Vec<Variable>, String> {
    Ok(vec![("UNSTICK_HELM_WASM", helm_wasm::build()?)])
}

fn web() -> Result<Vec<Variable>, String> {
    Ok(vec![("UNSTICK_NPM_PACKAGE", web::build()?)])
}

fn print(built: Result<Vec<Variable>, String>) -> ExitCode {
    match built {
        Ok(variables) => {
            for (name, path) in variables {
                println!("{name}={}", path.display());
            }
            ExitCode::SUCCESS
        }
        Err(words) => {
            eprintln!("error: {words}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> ExitCode {
    let mut steps = Steps::default();
    steps.run("install what is missing", install::packages);
    let mut variables = Vec::new();
    for (name, build) in [
        ("host tools", peers::build as fn() -> Result<Vec<Variable>, String>),
        ("Helm's plugin", helm_plugin),
        ("Helm's WASM plugin", helm_wasm),
        ("npm package", web),
    ] {
        steps.run(name, || {
            variables.extend(build()?);
            Ok(())
        });
    }
    let all = ["--workspace", "--all-targets"];
    steps.cargo("format", &["fmt", "--all", "--check"], &[]);
    steps.cargo("clippy", &[&["clippy"], &all[..], &["--", "-D", "warnings"]].concat(), &[]);
    let mut environment: Vec<(&str, String)> =
        variables.iter().map(|(name, path)| (*name, path.display().to_string())).collect();
    environment.push(("UNSTICK_REQUIRE_HOSTS", "1".into()));
    steps.cargo("tests", &["test", "--workspace"], &environment);
    steps.run("npm package's tests", || web::test(&environment));
    steps.cargo("documentation", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings".into())]);
    steps.run("dependencies", dependencies::check);
    steps.run("words", words::check);
    steps.cargo_with("README's first command", &["run", "--release", "--", "diff", "examples/longhorn"], &[], Some(1));
    let smoke = ["run", "--release", "--manifest-path", "fuzz/Cargo.toml", "--bin", "smoke", "--", "--seconds", "20"];
    steps.cargo("fuzz smoke", &smoke, &[]);
    steps.finish()
}
