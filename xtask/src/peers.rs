//! The tools that hosts are tried with, at pinned versions, built once into `target/peers`.

use std::path::PathBuf;
use std::process::Command;

/// A tool that the Go toolchain builds.
struct Tool {
    variable: &'static str,
    name: &'static str,
    binary: &'static str,
    module: &'static str,
    version: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool {
        variable: "UNSTICK_HELM3",
        name: "helm",
        binary: "helm",
        module: "helm.sh/helm/v3/cmd/helm",
        version: "v3.22.0",
    },
    Tool {
        variable: "UNSTICK_HELM4",
        name: "helm",
        binary: "helm",
        module: "helm.sh/helm/v4/cmd/helm",
        version: "v4.3.2",
    },
    Tool {
        variable: "UNSTICK_KUSTOMIZE",
        name: "kustomize",
        binary: "kustomize",
        module: "sigs.k8s.io/kustomize/kustomize/v5",
        version: "v5.8.2",
    },
];

/// Builds what is missing and returns the variables that tests read.
pub(crate) fn build() -> Result<Vec<(&'static str, PathBuf)>, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let root = std::env::current_dir().map_err(|error| error.to_string())?.join(target).join("peers");
    let mut found = Vec::new();
    for tool in TOOLS {
        let folder = root.join(format!("{}-{}", tool.name, tool.version));
        let binary = folder.join(tool.binary);
        if !binary.is_file() {
            println!("building {}@{}", tool.module, tool.version);
            let module = format!("{}@{}", tool.module, tool.version);
            let status = Command::new("go").args(["install", &module]).env("GOBIN", &folder).status();
            let status = status.map_err(|error| format!("go cannot be run ({error}): install the Go toolchain"))?;
            if !status.success() {
                return Err(format!("go install {module} ended with {status}"));
            }
        }
        found.push((tool.variable, binary));
    }
    Ok(found)
}
