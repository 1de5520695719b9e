//! Project tasks: `cargo xtask test` runs every check, `cargo xtask peers` builds the tools that hosts are tried with.

use std::process::ExitCode;

mod dependencies;
mod install;
mod peers;
mod step;
mod words;

use step::Steps;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("peers") => match peers::build() {
            Ok(found) => {
                for (variable, path) in found {
                    println!("{variable}={}", path.display());
                }
                ExitCode::SUCCESS
            }
            Err(words) => {
                eprintln!("error: {words}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!(
                "usage: cargo xtask test    run every check\n       cargo xtask peers   build the pinned host tools"
            );
            ExitCode::from(2)
        }
    }
}

fn test() -> ExitCode {
    let mut steps = Steps::default();
    steps.run("install what is missing", install::packages);
    let mut peers = Vec::new();
    steps.run("host tools", || {
        peers = peers::build()?;
        Ok(())
    });
    let all = ["--workspace", "--all-targets"];
    steps.cargo("format", &["fmt", "--all", "--check"], &[]);
    steps.cargo("clippy", &[&["clippy"], &all[..], &["--", "-D", "warnings"]].concat(), &[]);
    let mut environment: Vec<(&str, String)> =
        peers.iter().map(|(variable, path)| (*variable, path.display().to_string())).collect();
    environment.push(("UNSTICK_REQUIRE_HOSTS", "1".into()));
    steps.cargo("tests", &["test", "--workspace"], &environment);
    steps.cargo("documentation", &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings".into())]);
    steps.run("dependencies", dependencies::check);
    steps.run("words", words::check);
    steps.cargo_with("README's first command", &["run", "--release", "--", "diff", "examples/longhorn"], &[], Some(1));
    let smoke = ["run", "--release", "--manifest-path", "fuzz/Cargo.toml", "--bin", "smoke", "--", "--seconds", "20"];
    steps.cargo("fuzz smoke", &smoke, &[]);
    steps.finish()
}
