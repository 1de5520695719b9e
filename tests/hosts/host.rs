//! The five hosts behind one face: manifests go in, and what the host makes of them comes out.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::helm4;
use crate::support::{HELM3, HELM4, Home, KPT, KUBECTL, KUSTOMIZE, Ran, Tool, UNSTICK};

/// A tool that hands manifests to a program and goes on with what the program answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Helm3,
    Helm4,
    Kustomize,
    /// The legacy exec plugin of `kubectl kustomize`.
    Kubectl,
    Kpt,
}

pub(crate) const HOSTS: [Host; 5] = [Host::Helm3, Host::Helm4, Host::Kustomize, Host::Kubectl, Host::Kpt];

impl Host {
    pub(crate) fn tool(self) -> Tool {
        match self {
            Self::Helm3 => HELM3,
            Self::Helm4 => HELM4,
            Self::Kustomize => KUSTOMIZE,
            Self::Kubectl => KUBECTL,
            Self::Kpt => KPT,
        }
    }

    fn is_helm(self) -> bool {
        matches!(self, Self::Helm3 | Self::Helm4)
    }
}

/// What the host reads: manifests, and the chart that they were rendered from where there is one.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    manifests: String,
    /// Helm's words for it.
    chart: Option<Vec<String>>,
}

impl Input {
    pub(crate) fn manifests(text: &str) -> Self {
        Self { manifests: text.to_owned(), chart: None }
    }

    /// A chart with values set; hosts that know no charts get what Helm 3 makes of it.
    pub(crate) fn chart(helm3: &Path, chart: &Path, values: &str) -> Self {
        let chart = chart.to_str().expect("UTF-8");
        // Helms that Go built from their module say that they are made for Kubernetes 1.20.
        let words = ["template", "r", chart, "--kube-version", "v1.33.0", "--no-hooks", "--set", values];
        let rendered = Home::new().run(helm3, &words, &[], "");
        assert!(rendered.success, "{chart}: {}", rendered.stderr);
        Self { manifests: rendered.stdout, chart: Some(words.map(str::to_owned).to_vec()) }
    }
}

/// How the program is called.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Call<'a> {
    /// A script in place of the command under test.
    pub script: Option<&'a str>,
    /// A line of the policy's `spec`.
    pub policy: Option<&'a str>,
    pub flags: &'a [&'a str],
    pub environment: &'a [(&'a str, &'a str)],
}

/// A host with its input at hand.
pub(crate) struct Stage<'a> {
    host: Host,
    tool: PathBuf,
    input: &'a Input,
    /// The home of the run before; the next run gets a new one.
    home: Home,
}

impl<'a> Stage<'a> {
    /// Returns nothing where the host is missing, and the test is to be skipped.
    pub(crate) fn open(host: Host, input: &'a Input) -> Option<Self> {
        Some(Self { host, tool: host.tool().find()?, input, home: Home::new() })
    }

    /// A file that the last run left.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.home.path().join(name)).ok()
    }

    /// Runs the host alone.
    pub(crate) fn plain(&mut self) -> Ran {
        self.home = Home::new();
        match self.host {
            Host::Helm3 | Host::Helm4 => self.helm(&[], &[]),
            Host::Kustomize | Host::Kubectl => {
                self.base(None);
                self.build(&[])
            }
            Host::Kpt => Ran { success: true, stdout: self.input.manifests.clone(), stderr: String::new() },
        }
    }

    /// Runs the host with the program in it; the output of one that edits files is what they hold.
    pub(crate) fn run(&mut self, call: &Call) -> Ran {
        self.home = Home::new();
        let program = match call.script {
            Some(script) => self.executable("program", script),
            None => UNSTICK.into(),
        };
        match self.host {
            Host::Helm3 => self.run_helm(program.to_str().expect("UTF-8"), call),
            Host::Helm4 => {
                let name = self.install_plugin(&program, call);
                self.run_helm(name, call)
            }
            Host::Kustomize => {
                self.base(Some(&function(call)));
                fs::copy(&program, self.home.path().join("base/unstick")).expect("copied");
                self.build(call.environment)
            }
            Host::Kubectl => {
                self.base(Some(&legacy(call)));
                let folder = self.home.path().join(".config/kustomize/plugin/unstick.dev/v1/sessionaffinitypolicy");
                fs::create_dir_all(&folder).expect("a folder");
                fs::copy(&program, folder.join("SessionAffinityPolicy")).expect("copied");
                self.build(call.environment)
            }
            Host::Kpt => self.eval(&program, call),
        }
    }

    /// Returns what the host makes of its own stream, filtered by the command outside of it.
    pub(crate) fn expected(&mut self) -> String {
        let passed = self.run(&Call { script: Some("tee \"$HOME/kept\""), ..Call::default() });
        assert!(passed.success, "{:?}: {}", self.host, passed.stderr);
        let kept = self.read("kept").expect("a stream");
        let arguments: &[&str] = if self.host.is_helm() { &["--host", "helm"] } else { &[] };
        let filtered = self.home.filter(arguments, &kept);
        assert!(filtered.success, "{:?}: {}", self.host, filtered.stderr);
        let keeper = Home::new();
        let file = keeper.write("filtered", &filtered.stdout);
        let script = format!("cat > /dev/null\ncat {}", file.display());
        let ran = self.run(&Call { script: Some(&script), ..Call::default() });
        assert!(ran.success, "{:?}: {}", self.host, ran.stderr);
        ran.stdout
    }

    /// Asserts that a failed run left nothing that can be applied, and every file as it was.
    pub(crate) fn check_failed(&self, ran: &Ran, what: &str) {
        assert!(!ran.success, "{:?}, {what}: {}", self.host, ran.stdout);
        if self.host == Host::Kpt {
            assert!(ran.stdout == self.input.manifests, "{what}: the package was changed: {}", ran.stdout);
        } else {
            assert!(ran.stdout.trim().is_empty(), "{:?}, {what}: {}", self.host, ran.stdout);
        }
    }

    fn executable(&self, name: &str, script: &str) -> PathBuf {
        let path = self.home.write(name, &format!("#!/bin/bash\nset -euo pipefail\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        path
    }

    fn helm(&self, more: &[&str], environment: &[(&str, &str)]) -> Ran {
        if let Some(chart) = &self.input.chart {
            let words: Vec<&str> = chart.iter().map(String::as_str).chain(more.iter().copied()).collect();
            return self.home.run(&self.tool, &words, environment, "");
        }
        self.home.write("in/Chart.yaml", "apiVersion: v2\nname: in\nversion: 0.1.0\n");
        self.home.write("in/templates/all.yaml", "{{ .Values.manifests }}\n");
        // Helm takes no chart with files of more than five megabytes, but any file with values.
        let lines: String = self.input.manifests.lines().map(|line| format!("  {line}\n")).collect();
        self.home.write("values.yaml", &format!("manifests: |2\n{lines}"));
        let words = [&["template", "r", "in", "--no-hooks", "--values", "values.yaml"], more].concat();
        self.home.run(&self.tool, &words, environment, "")
    }

    fn run_helm(&self, renderer: &str, call: &Call) -> Ran {
        let mut words = vec!["--post-renderer", renderer];
        if let Some(policy) = call.policy {
            self.home.write("policy.yaml", &config(policy, ""));
            words.extend(["--post-renderer-args", "--policy", "--post-renderer-args", "policy.yaml"]);
        }
        words.extend(call.flags.iter().flat_map(|flag| ["--post-renderer-args", flag]));
        self.helm(&words, call.environment)
    }

    /// Installs the plugin as it is shipped, or one like it around a script, and returns its name.
    fn install_plugin(&self, program: &Path, call: &Call) -> &'static str {
        let (folder, name) = if call.script.is_some() {
            let manifest = format!(
                "apiVersion: v1\ntype: postrenderer/v1\nname: script\nversion: 0.1.0\nruntime: \
                 subprocess\nruntimeConfig:\n  platformCommand:\n  - command: {}\n    args: [--host, helm]\n",
                program.display()
            );
            let path = self.home.write("src/script/plugin.yaml", &manifest);
            (path.parent().expect("a folder").to_owned(), "script")
        } else {
            (helm4::plugin(&self.home), "unstick")
        };
        let installed = self.home.run(&self.tool, &["plugin", "install", folder.to_str().expect("UTF-8")], &[], "");
        assert!(installed.success, "{}", installed.stderr);
        name
    }

    fn base(&self, transformer: Option<&str>) {
        self.home.write("base/manifests.yaml", &self.input.manifests);
        let mut kustomization = "resources: [manifests.yaml]\n".to_owned();
        if let Some(transformer) = transformer {
            self.home.write("base/unstick.yaml", transformer);
            kustomization += "transformers: [unstick.yaml]\n";
        }
        self.home.write("base/kustomization.yaml", &kustomization);
    }

    fn build(&self, environment: &[(&str, &str)]) -> Ran {
        let words: &[&str] = match self.host {
            Host::Kustomize => &["build", "--enable-alpha-plugins", "--enable-exec", "base"],
            _ => &["kustomize", "--enable-alpha-plugins", "base"],
        };
        self.home.run(&self.tool, words, environment, "")
    }

    fn eval(&self, program: &Path, call: &Call) -> Ran {
        self.home.write("in/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: in\n");
        self.home.write("in/manifests.yaml", &self.input.manifests);
        let command = [&[program.to_str().expect("UTF-8")], call.flags].concat().join(" ");
        // Without this, kpt shows the first four lines of what a program says.
        let mut words = vec!["fn", "eval", "in", "--truncate-output=false", "--exec", &command];
        if let Some(policy) = call.policy {
            self.home.write("policy.yaml", &config(policy, ""));
            words.extend(["--fn-config", "policy.yaml"]);
        }
        let ran = self.home.run(&self.tool, &words, call.environment, "");
        let files = fs::read_dir(self.home.path().join("in")).expect("readable").count();
        assert_eq!(files, 2, "a file was added, renamed or deleted: {}", ran.stderr);
        Ran { stdout: self.read("in/manifests.yaml").expect("readable"), ..ran }
    }
}

/// A policy file.
fn config(spec: &str, more: &str) -> String {
    format!(
        "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nmetadata:\n  name: unstick\n{more}spec:\n  {spec}\n"
    )
}

/// The config of an exec function.
fn function(call: &Call) -> String {
    let annotation = format!(
        "  annotations:\n    config.kubernetes.io/function: |\n      exec:\n        path: ./unstick\n        args: [{}]\n",
        call.flags.join(", ")
    );
    config(call.policy.unwrap_or("action: remove"), &annotation)
}

/// The config of a legacy plugin, which can name further words for the command.
fn legacy(call: &Call) -> String {
    let words = if call.flags.is_empty() { String::new() } else { format!("argsOneLiner: {}\n", call.flags.join(" ")) };
    config(call.policy.unwrap_or("action: remove"), "") + &words
}
