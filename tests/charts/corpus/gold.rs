//! What people committed when they took affinity out of a chart.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::bench;
use crate::unstick::{self, KEEP, Policy, STRIP_ALL};

/// The files of a folder, by path.
type Files = BTreeMap<String, Vec<u8>>;

struct Pair {
    before: PathBuf,
    after: PathBuf,
}

impl Pair {
    fn find(test: &str, name: &str) -> Option<Self> {
        let folder = bench::corpus(test)?.join("gold").join(name);
        Some(Self { before: folder.join("before"), after: folder.join("after") })
    }
}

fn files(folder: &Path) -> Files {
    let name = |path: &PathBuf| path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
    let read = |path: PathBuf| (name(&path), std::fs::read(&path).expect("readable"));
    bench::files(folder).into_iter().map(read).collect()
}

/// Fixes a copy of a folder; where it is no chart, it is made one.
fn fixed(folder: &Path, policy: Policy) -> Files {
    let copy = TempDir::new().expect("a folder");
    bench::copy(folder, copy.path());
    let chart = if copy.path().join("chart").is_dir() { copy.path().join("chart") } else { copy.path().to_owned() };
    let description = chart.join("Chart.yaml");
    let is_chart = description.is_file();
    if !is_chart {
        bench::write(&description, "apiVersion: v2\nname: gold\nversion: 0.1.0\n");
    }
    let ran = unstick::fix(&chart, policy);
    assert_eq!(ran.code, Some(0), "{}: {}", folder.display(), ran.stderr);
    let mut files = files(copy.path());
    if !is_chart {
        files.retain(|name, _| !name.ends_with("Chart.yaml"));
    }
    files
}

fn templates(files: &Files) -> Files {
    let template = |(name, _): &(&String, &Vec<u8>)| name.contains("templates/");
    files.iter().filter(template).map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
}

/// Returns the texts of the files whose paths end so, one behind the other.
fn texts(files: &Files, end: &str) -> String {
    let chosen = files.iter().filter(|(name, _)| name.ends_with(end));
    chosen.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect()
}

#[test]
fn longhorn_comes_out_as_people_wrote_it() {
    let Some(pair) = Pair::find("longhorn_comes_out_as_people_wrote_it", "longhorn") else { return };
    let (got, wanted) = (fixed(&pair.before.join("chart"), KEEP), files(&pair.after.join("chart")));
    assert_eq!(got.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (name, bytes) in &wanted {
        assert!(got[name] == *bytes, "{name} differs from what people committed");
    }
    assert_ne!(files(&pair.before.join("chart")), wanted);
}

#[test]
fn grafana_comes_out_as_people_wrote_it() {
    let Some(pair) = Pair::find("grafana_comes_out_as_people_wrote_it", "grafana-revert") else { return };
    let (got, wanted) = (fixed(&pair.before, STRIP_ALL), files(&pair.after));
    for name in ["templates/service.yaml", "templates/_helpers.tpl", "values.yaml"] {
        assert!(got[name] == wanted[name], "{name} differs from what people committed");
    }
}

/// People wrote the key into a condition, or mended its guard: without the key both are the same.
#[test]
fn keys_that_people_rewrote_leave_the_same_templates() {
    for name in ["soneta-conditional", "grafana-typo-guard"] {
        let Some(pair) = Pair::find("keys_that_people_rewrote_leave_the_same_templates", name) else { return };
        let before = texts(&templates(&fixed(&pair.before, STRIP_ALL)), ".yaml");
        let after = texts(&templates(&fixed(&pair.after, STRIP_ALL)), ".yaml");
        assert!(!before.is_empty(), "{name} has no templates");
        assert_eq!(before, after, "{name}");
    }
}

/// The last line of a file with CRLF; people took another line and the last line end along.
#[test]
fn openldap_loses_the_line_and_nothing_else() {
    let Some(pair) = Pair::find("openldap_loses_the_line_and_nothing_else", "openldap-headless") else { return };
    let before = texts(&files(&pair.before), ".yaml");
    let line = "  sessionAffinity: None\r\n";
    assert!(before.ends_with(line));
    assert_eq!(texts(&fixed(&pair.before, STRIP_ALL), ".yaml"), before.replace(line, ""));
}

/// People changed much else in suitecrm, so only the lines that went are compared: none that they kept.
#[test]
fn suitecrm_loses_only_what_people_took_out() {
    let Some(pair) = Pair::find("suitecrm_loses_only_what_people_took_out", "suitecrm") else { return };
    let (before, got, after) = (files(&pair.before), fixed(&pair.before, STRIP_ALL), files(&pair.after));
    for end in ["svc.yaml", "values.yaml"] {
        let (before, got, after) = (texts(&before, end), texts(&got, end), texts(&after, end));
        let gone = gone(&before, &got);
        assert!(gone.iter().any(|line| line.contains("sessionAffinity")), "{end}: {gone:?}");
        for line in gone {
            assert!(!after.lines().any(|kept| kept == line), "{end}: people kept {line:?}");
        }
        assert!(!got.contains("sessionAffinity:"), "{end}:\n{got}");
    }
}

/// Pairs that move, guard or add the key: on both sides it goes, and all else stays.
#[test]
fn other_pairs_lose_the_key_and_no_other_line() {
    for name in
        ["anchore-parametrise", "argo-cd-unguard", "kong-guard", "kube-prometheus-stack-config", "scdf-retarget"]
    {
        let Some(pair) = Pair::find("other_pairs_lose_the_key_and_no_other_line", name) else { return };
        for folder in [&pair.before, &pair.after] {
            let (old, new) = (files(folder), fixed(folder, STRIP_ALL));
            for (file, bytes) in &templates(&old) {
                let (old, new) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&new[file]));
                assert!(!new.contains("sessionAffinity"), "{name}/{file}:\n{new}");
                for line in gone(&old, &new) {
                    let belongs = ["sessionAffinity", "clientIP:", "timeoutSeconds:", "end }}", "{{ . }}"];
                    assert!(belongs.iter().any(|word| line.contains(word)), "{name}/{file} lost {line:?}");
                }
            }
        }
    }
}

/// Returns the lines that are not in the new text; what is in it must stand there in the old order.
fn gone<'a>(old: &'a str, new: &str) -> Vec<&'a str> {
    let mut gone = Vec::new();
    let mut rest = new.lines().peekable();
    for line in old.lines() {
        if rest.peek() == Some(&line) {
            rest.next();
        } else {
            gone.push(line);
        }
    }
    assert_eq!(rest.next(), None, "a line came, or lines changed their order");
    gone
}
