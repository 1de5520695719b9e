//! The command under test.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::hosts::UNSTICK;

/// Settings, as they are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Policy {
    pub name: &'static str,
    /// For charts and for the filter.
    pub shared: &'static [&'static str],
    /// `strip` or `keep`.
    pub knobs: &'static str,
}

pub(crate) const STRIP_ALL: Policy = Policy { name: "strip, None too", shared: &["--include-none"], knobs: "strip" };
pub(crate) const STRIP: Policy = Policy { name: "strip", shared: &[], knobs: "strip" };
pub(crate) const STRIP_TO_NONE: Policy =
    Policy { name: "strip, action none", shared: &["--action", "none"], knobs: "strip" };
pub(crate) const KEEP: Policy = Policy { name: "keep", shared: &[], knobs: "keep" };

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Edits a chart in place.
pub(crate) fn fix(chart: &Path, policy: Policy) -> Ran {
    if std::env::var_os("UNSTICK_TEST_NO_FIX").is_some() {
        // Shows that the tests can fail.
        return Ran { code: Some(0), stdout: String::new(), stderr: String::new() };
    }
    let arguments = [&["fix", "--knobs", policy.knobs], policy.shared].concat();
    run(&arguments, Some(chart), "")
}

/// Runs what a chart rendered through the filter.
fn filter(text: &str, policy: Policy) -> Ran {
    run(policy.shared, None, text)
}

/// Runs texts through the filter, of which some cannot be read; returns them with the JSON report.
pub(crate) fn filter_leniently(text: &str, policy: Policy) -> (String, serde_json::Value) {
    let report = tempfile::NamedTempFile::new().expect("a file");
    let path = report.path().to_str().expect("UTF-8");
    let ran = run(&[policy.shared, &["--lenient", "--quiet", "--report", path]].concat(), None, text);
    let report = std::fs::read_to_string(report.path()).expect("a report");
    (ran.stdout, serde_json::from_str(&report).expect("JSON"))
}

/// Returns what a fixed chart ought to render, given what the original renders, and what it did render, in a form in
/// which the two can be compared.
///
/// With `STRIP_ALL` and `STRIP_TO_NONE` the fixed chart must do all that the filter does. Without being told to act on
/// `None`, stripping a knob takes `None` away as well, and a knob that is kept may leave `None` or a config without effect:
/// there, no Service may be sticky, and what the filter makes of both sides must be the same.
pub(crate) fn sides(before: &str, after: &str, policy: Policy) -> Result<(String, String), String> {
    let expected = normal(&filtered(before, policy.comparing())?, policy);
    if policy.comparing_is_enough() {
        return Ok((expected, normal(after, policy)));
    }
    let (_, report) = filter_leniently(after, policy);
    if let Some(at) = sticky_at(&report).next() {
        let before: Vec<&str> = after[..at].lines().rev().take(12).collect();
        return Err(format!(
            "a Service is still sticky, behind\n{}",
            before.into_iter().rev().collect::<Vec<_>>().join("\n")
        ));
    }
    Ok((expected, normal(&filtered(after, policy.comparing())?, policy)))
}

impl Policy {
    /// The policy of the filter that both sides are compared with.
    pub(crate) fn comparing(self) -> Self {
        if self.comparing_is_enough() { self } else { STRIP_ALL }
    }

    /// Tells whether the fixed chart's output is compared as it is.
    pub(crate) fn comparing_is_enough(self) -> bool {
        self == STRIP_ALL || self == STRIP_TO_NONE
    }
}

/// Returns where the report says that a Service is sticky, as byte offsets.
pub(crate) fn sticky_at(report: &serde_json::Value) -> impl Iterator<Item = usize> {
    let findings = report["files"][0]["findings"].as_array().into_iter().flatten();
    findings.filter(|finding| finding["rule"] == "sticky").filter_map(offset)
}

/// Returns where a finding begins.
pub(crate) fn offset(finding: &serde_json::Value) -> Option<usize> {
    finding["span"]["start"].as_u64().and_then(|at| usize::try_from(at).ok())
}

fn filtered(text: &str, policy: Policy) -> Result<String, String> {
    let ran = filter(text, policy);
    if ran.code == Some(0) { Ok(ran.stdout) } else { Err(format!("the filter refuses: {}", ran.stderr.trim())) }
}

/// Takes differences out that mean nothing to Kubernetes and that no template edit can avoid.
///
/// A mapping that is empty for some values renders as null, where the filter writes `{}`. Where a key goes from a template,
/// it goes whatever its value, and its comment with it; the filter leaves a key that is null or an empty string.
pub(crate) fn normal(text: &str, policy: Policy) -> String {
    let text = text.replace("spec: {}", "spec:");
    if policy == STRIP_TO_NONE {
        return text;
    }
    let means_nothing = |line: &str| {
        let line = line.trim();
        let value = line.strip_prefix("sessionAffinity:").or_else(|| line.strip_prefix("sessionAffinityConfig:"));
        let value = value.map(|value| value.split(" #").next().unwrap_or_default().trim());
        value.is_some_and(|value| matches!(value, "" | "\"\"" | "''" | "null" | "~"))
            || line.starts_with('#') && line.contains("sessionAffinity")
    };
    let mut lines = text.split_inclusive('\n').peekable();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        // A key with deeper lines below it is not null.
        let is_parent = lines.peek().is_some_and(|next| indent(next) > indent(line) && !next.trim().is_empty());
        if is_parent || !means_nothing(line) {
            kept.push_str(line);
        }
    }
    kept
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Lists the findings of a chart as JSON.
pub(crate) fn check(chart: &Path, policy: Policy) -> Ran {
    let arguments = [&["check", "--format", "json", "--all", "--knobs", policy.knobs], policy.shared].concat();
    run(&arguments, Some(chart), "")
}

/// Prints the values that switch affinity off; with `all`, all switches.
pub(crate) fn values(chart: &Path, all: bool) -> Ran {
    run(if all { &["values", "--all"] } else { &["values"] }, Some(chart), "")
}

fn run(arguments: &[&str], path: Option<&Path>, input: &str) -> Ran {
    let mut child = Command::new(UNSTICK)
        .args(arguments)
        .args(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("unstick runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("unstick ends");
    writer.join().expect("the input is written");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
