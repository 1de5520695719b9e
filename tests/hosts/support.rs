//! The real tools, each in a home of its own.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The command under test.
pub(crate) const UNSTICK: &str = env!("CARGO_BIN_EXE_unstick");

/// A tool that a test needs: on the path, or where a variable says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    pub name: &'static str,
    pub variable: &'static str,
    /// How a person gets it.
    pub way: &'static str,
}

pub(crate) const HELM3: Tool = Tool { name: "helm3", variable: "UNSTICK_HELM3", way: "cargo xtask peers builds it" };
pub(crate) const HELM4: Tool = Tool { name: "helm4", variable: "UNSTICK_HELM4", way: "cargo xtask peers builds it" };
pub(crate) const KUSTOMIZE: Tool =
    Tool { name: "kustomize", variable: "UNSTICK_KUSTOMIZE", way: "cargo xtask peers builds it" };
pub(crate) const EXTISM_PYTHON: Tool = Tool {
    name: "python3 with the package extism",
    variable: "UNSTICK_EXTISM_PYTHON",
    way: "cargo xtask peers installs it",
};
pub(crate) const HELM_WASM: Tool =
    Tool { name: "Helm's WASM plugin", variable: "UNSTICK_HELM_WASM", way: "cargo xtask wasm-helm builds it" };
pub(crate) const PRE_COMMIT: Tool =
    Tool { name: "pre-commit", variable: "UNSTICK_PRE_COMMIT", way: "cargo xtask peers installs it" };
pub(crate) const KUBECTL: Tool = Tool { name: "kubectl", variable: "UNSTICK_KUBECTL", way: "install kubectl" };
pub(crate) const KPT: Tool = Tool { name: "kpt", variable: "UNSTICK_KPT", way: "install kpt" };

impl Tool {
    /// Returns the tool's path, or says that the test is skipped; where `UNSTICK_REQUIRE_HOSTS` is set, a missing tool
    /// is a failure.
    pub(crate) fn find(self) -> Option<PathBuf> {
        let named = std::env::var_os(self.variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        let on_path = || {
            let path = std::env::var_os("PATH")?;
            std::env::split_paths(&path).map(|folder| folder.join(self.name)).find(|file| file.is_file())
        };
        let found = named.or_else(on_path);
        if found.is_none() {
            let words = format!("{} is missing: {}, or set {}", self.name, self.way, self.variable);
            assert!(std::env::var_os("UNSTICK_REQUIRE_HOSTS").is_none(), "{words}");
            eprintln!("SKIPPED: {words}");
        }
        found
    }
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

/// A folder that tools take for the home of their user.
pub(crate) struct Home {
    pub folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file below the home.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("readable")
    }

    /// Runs a tool in the home, with `unstick` on its path.
    pub(crate) fn run(&self, tool: &Path, arguments: &[&str], environment: &[(&str, &str)], input: &str) -> Ran {
        let bin = self.path().join("bin");
        if !bin.exists() {
            fs::create_dir(&bin).expect("a folder");
            link(Path::new(UNSTICK), &bin.join("unstick"));
            link(Path::new(UNSTICK), &bin.join("kubectl-unstick"));
        }
        let mut child = Command::new(tool)
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", tool.display()));
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().expect("the tool ends");
        writer.join().expect("the input is written");
        Ran {
            success: output.status.success(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs the filter itself.
    pub(crate) fn filter(&self, arguments: &[&str], input: &str) -> Ran {
        self.run(Path::new(UNSTICK), arguments, &[], input)
    }
}

/// Makes a file's second name; a copy where links are not to be had.
fn link(from: &Path, to: &Path) {
    if fs::hard_link(from, to).is_err() {
        fs::copy(from, to).expect("copied");
    }
}

/// Copies a folder of the tests.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hosts").join(name)
}

/// Counts sticky lines; prose in a ConfigMap is no such line.
pub(crate) fn sticky(text: &str) -> usize {
    let line = |line: &&str| {
        let line = line.trim();
        line == "sessionAffinity: ClientIP" || line.contains("\"sessionAffinity\": \"ClientIP\"")
    };
    text.lines().filter(line).count()
}

/// A manifest of more than nine megabytes that ends in a sticky Service.
pub(crate) fn large() -> String {
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  text: |\n";
    let line = format!("    {}\n", "x".repeat(120));
    let body = line.repeat(1000);
    let mut text = String::new();
    for index in 0..80 {
        text += &format!("---\n{}{body}", config.replace("name: c", &format!("name: c{index}")));
    }
    text + "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: last\nspec:\n  sessionAffinity: ClientIP\n  ports: []\n"
}
