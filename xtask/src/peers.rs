//! The tools that hosts are tried with, at pinned versions, built once into `target/peers`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::target;
use crate::install;

/// A variable that tests read, and the path it holds.
pub(crate) type Variable = (&'static str, PathBuf);

/// A tool that the Go toolchain builds.
struct Tool {
    variable: &'static str,
    name: &'static str,
    module: &'static str,
    version: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool { variable: "UNSTICK_HELM3", name: "helm", module: "helm.sh/helm/v3/cmd/helm", version: "v3.22.0" },
    Tool { variable: "UNSTICK_HELM4", name: "helm", module: "helm.sh/helm/v4/cmd/helm", version: "v4.3.2" },
    Tool {
        variable: "UNSTICK_KUSTOMIZE",
        name: "kustomize",
        module: "sigs.k8s.io/kustomize/kustomize/v5",
        version: "v5.8.2",
    },
];

/// Tools that are taken as they are, from the path or where their variable says.
const LOCATED: &[(&str, &str)] = &[("UNSTICK_KUBECTL", "kubectl"), ("UNSTICK_KPT", "kpt")];

/// A Python package, in an environment of its own.
struct Package {
    variable: &'static str,
    folder: &'static str,
    requirement: &'static str,
    /// What is taken from the environment's programs.
    program: &'static str,
}

const PACKAGES: &[Package] = &[
    Package {
        variable: "UNSTICK_EXTISM_PYTHON",
        folder: "extism-venv",
        requirement: "extism==1.1.1",
        program: "python",
    },
    Package {
        variable: "UNSTICK_PRE_COMMIT",
        folder: "pre-commit-venv",
        requirement: "pre-commit==4.7.0",
        program: "pre-commit",
    },
];

/// Builds what is missing and returns the variables that tests read.
///
/// A tool that can only be located and is not there gets no variable: the test that needs it says so.
pub(crate) fn build() -> Result<Vec<Variable>, String> {
    let root = target().join("peers");
    let mut found = Vec::new();
    for tool in TOOLS {
        found.push((tool.variable, go_tool(tool, &root)?));
    }
    for package in PACKAGES {
        found.push((package.variable, python_package(package, &root)?));
    }
    for (variable, name) in LOCATED {
        let named = std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        match named.or_else(|| install::find(name)) {
            Some(path) => found.push((variable, path)),
            None => eprintln!("{name} is not on the path: install it, or set {variable}"),
        }
    }
    Ok(found)
}

fn go_tool(tool: &Tool, root: &Path) -> Result<PathBuf, String> {
    let folder = root.join(format!("{}-{}", tool.name, tool.version));
    let binary = folder.join(format!("{}{}", tool.name, std::env::consts::EXE_SUFFIX));
    if !binary.is_file() {
        let module = format!("{}@{}", tool.module, tool.version);
        println!("building {module}");
        run(Command::new("go").args(["install", &module]).env("GOBIN", &folder), "install the Go toolchain")?;
    }
    Ok(binary)
}

fn python_package(package: &Package, root: &Path) -> Result<PathBuf, String> {
    let folder = root.join(package.folder);
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let program = |name: &str| programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // Written last, so that an installation that broke off is made anew; another version is too.
    let done = folder.join("requirement");
    if !std::fs::read_to_string(&done).is_ok_and(|text| text == package.requirement) {
        println!("installing {}", package.requirement);
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), "install Python 3 with venv")?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package.requirement];
        run(Command::new(program("python")).args(pip), "see pip's words")?;
        std::fs::write(&done, package.requirement).map_err(|error| format!("{}: {error}", done.display()))?;
    }
    Ok(program(package.program))
}

fn run(command: &mut Command, advice: &str) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program} cannot be run ({error}): {advice}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} ended with {status}: {advice}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folders::root;

    #[test]
    fn pages_name_the_pinned_versions() {
        for page in ["README.md", "docs/hosts/README.md"] {
            let text = std::fs::read_to_string(root().join(page)).expect("readable");
            for tool in TOOLS {
                let version = format!("| {}", tool.version.trim_start_matches('v'));
                assert!(text.contains(&version), "{page} has no {version}, of {}", tool.variable);
            }
        }
        let index = std::fs::read_to_string(root().join("docs/hosts/README.md")).expect("readable");
        let (_, version) = PACKAGES[1].requirement.split_once("==").expect("a version");
        assert!(index.contains(&format!("| {version} |")), "no {version} of pre-commit");
    }
}
