//! `helm template`, with a home of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::hosts::{HELM3, HELM4};

/// A Helm to render with.
#[derive(Debug, Clone)]
pub(crate) struct Helm {
    pub name: &'static str,
    pub path: PathBuf,
}

/// Returns the Helms at hand: pinned versions 3 and 4.
pub(crate) fn all() -> Vec<Helm> {
    [HELM3, HELM4].into_iter().filter_map(|tool| Some(Helm { name: tool.name, path: tool.find()? })).collect()
}

fn home() -> &'static Path {
    static HOME: OnceLock<TempDir> = OnceLock::new();
    HOME.get_or_init(|| tempfile::tempdir().expect("a folder")).path()
}

impl Helm {
    /// Renders a chart; an error is what Helm says.
    pub(crate) fn template(&self, chart: &Path, values: &[&Path], more: &[&str]) -> Result<String, String> {
        let output = self.run(chart, values, more);
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }

    /// Renders a chart that holds a template which is no YAML: Helm then hands over the bytes that each template made,
    /// before it splits and sorts them.
    pub(crate) fn raw(&self, chart: &Path, values: &[&Path]) -> Result<String, String> {
        let output = self.run(chart, values, &["--debug"]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if stderr.contains("YAML parse error") && !output.stdout.is_empty() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(stderr.trim().to_owned())
    }

    fn run(&self, chart: &Path, values: &[&Path], more: &[&str]) -> std::process::Output {
        let mut command = Command::new(&self.path);
        command.args(["template", "r"]).arg(chart).args(["--kube-version", "1.31.0"]).args(more);
        for file in values {
            command.arg("--values").arg(file);
        }
        command
            .env_clear()
            .env("HOME", home())
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
    }
}
