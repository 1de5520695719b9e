//! Checks against real manifests and charts, where they are at hand.
//!
//! The folder is named by `UNSTICK_CORPUS`, else it is `../shared/corpus` beside the repository; without it the tests say
//! that they were left out.

#[path = "support/frame.rs"]
mod frame;
#[path = "support/judge.rs"]
mod judge;
#[path = "support/position.rs"]
mod position;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use judge::Answer;
use unstick::{Action, Finding, Outcome, Plan, Policy};

struct Corpus {
    root: PathBuf,
}

impl Corpus {
    /// Returns the corpus, or says that the test is left out.
    fn find(test: &str) -> Option<Self> {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
        let root = std::env::var_os("UNSTICK_CORPUS").map_or_else(beside, PathBuf::from);
        if root.join("OCCURRENCES.tsv").is_file() {
            return Some(Self { root });
        }
        eprintln!("LEFT OUT: {test} needs the corpus, and there is none at {}", root.display());
        None
    }

    fn read(&self, path: &str) -> Vec<u8> {
        let path = self.root.join(path);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Lists the files below `folders` that may be read without a template engine, by path.
    fn plain_files(&self, folders: &[&str]) -> Vec<(String, Vec<u8>)> {
        let mut open: Vec<PathBuf> = folders.iter().map(|folder| self.root.join(folder)).collect();
        let mut files = Vec::new();
        while let Some(folder) = open.pop() {
            let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            for path in entries.flatten().map(|entry| entry.path()) {
                let is_data = path.extension().is_some_and(|ext| ext == "yaml" || ext == "yml" || ext == "json");
                if path.is_dir() {
                    open.push(path);
                } else if is_data && let Ok(name) = path.strip_prefix(&self.root) {
                    let name = name.display().to_string();
                    let bytes = self.read(&name);
                    if !bytes.windows(2).any(|pair| pair == b"{{") {
                        files.push((name, bytes));
                    }
                }
            }
        }
        files.sort();
        files
    }
}

fn include_none() -> Policy {
    Policy { include_none: true, ..Policy::default() }
}

#[test]
fn gold_manifest_comes_out_as_people_wrote_it() {
    let Some(corpus) = Corpus::find("gold_manifest_comes_out_as_people_wrote_it") else { return };
    let before = corpus.read("gold/longhorn/before/deploy/longhorn.yaml");
    let after = corpus.read("gold/longhorn/after/deploy/longhorn.yaml");
    let plan = frame::plan(&before, "longhorn.yaml", &Policy::default());
    assert!(plan.apply(&before) == after, "the longhorn manifest differs from what people committed");
    assert_eq!(plan.count(Outcome::Changed), 4);
}

/// People changed more than the key in these, so only what became of the key is compared. The files are of 2015 and name a
/// version that Kubernetes no longer serves: as they are, they must be left alone.
#[test]
fn gold_json_loses_the_key_and_nothing_else() {
    let Some(corpus) = Corpus::find("gold_json_loses_the_key_and_nothing_else") else { return };
    for name in ["frontend_service.json", "redis-master-service.json", "redis-slave-service.json"] {
        let before = corpus.read(&format!("gold/guestbook-json/before/{name}"));
        let after = corpus.read(&format!("gold/guestbook-json/after/{name}"));
        assert!(occurrences(&after).is_empty(), "{name}: people left the key");
        let plan = frame::plan(&before, name, &include_none());
        assert!(plan.edits.is_empty() && plan.count(Outcome::Noted) == 1, "{name}: {:?}", plan.findings);

        let before = String::from_utf8(before).expect("UTF-8").replace("\"v1beta3\"", "\"v1\"").into_bytes();
        let plan = frame::plan(&before, name, &include_none());
        let result = plan.apply(&before);
        assert!(occurrences(&result).is_empty(), "{name}: {}", String::from_utf8_lossy(&result));
        assert_eq!(judge::answered(&before, Answer::Either), judge::read(&result), "{name}");
        let removed = before.len() - result.len();
        assert!(removed < 45, "{name}: {removed} bytes went");
    }
}

/// One row of `OCCURRENCES.tsv`.
struct Row<'a> {
    path: &'a str,
    line: usize,
    kind: &'a str,
    action: &'a str,
    text: &'a str,
}

#[test]
fn every_row_of_the_table_is_answered() {
    let Some(corpus) = Corpus::find("every_row_of_the_table_is_answered") else { return };
    let table = String::from_utf8_lossy(&corpus.read("OCCURRENCES.tsv")).into_owned();
    let mut rows = 0;
    let mut disagreements = String::new();
    for line in table.lines().filter(|line| line.starts_with("manifests/")) {
        let mut fields = line.splitn(5, '\t');
        let mut next = || fields.next().unwrap_or("");
        let row = Row {
            path: next(),
            line: next().parse().expect("a line number"),
            kind: next(),
            action: next(),
            text: next(),
        };
        rows += 1;
        if let Err(reason) = check_row(&corpus, &row) {
            let _ = writeln!(disagreements, "{}:{} ({}, {}): {reason}", row.path, row.line, row.kind, row.action);
        }
    }
    assert!(rows > 60, "only {rows} rows");
    assert!(disagreements.is_empty(), "\n{disagreements}");
}

fn check_row(corpus: &Corpus, row: &Row<'_>) -> Result<(), String> {
    let text = corpus.read(row.path);
    let plan = frame::plan(&text, row.path, &Policy::default());
    let found: Vec<&Finding> = plan.findings.iter().filter(|finding| covers(&text, finding, row.line)).collect();
    let outcomes: Vec<Outcome> = found.iter().map(|finding| finding.outcome).collect();
    let told = || {
        let words = found.iter().map(|finding| format!("{} {}", finding.rule.id(), finding.outcome.word()));
        words.collect::<Vec<_>>().join(", ")
    };
    let wanted = |outcome: Outcome| {
        if outcomes.contains(&outcome) { Ok(()) } else { Err(format!("not {}, but [{}]", outcome.word(), told())) }
    };
    match row.action {
        "edit" if row.text.contains("None") => {
            wanted(Outcome::Kept)?;
            let plan = frame::plan(&text, row.path, &include_none());
            let changed = |finding: &Finding| covers(&text, finding, row.line) && finding.outcome == Outcome::Changed;
            if plan.findings.iter().any(changed) { Ok(()) } else { Err("not changed with includeNone".into()) }
        }
        "edit" => wanted(Outcome::Changed),
        "report" => wanted(Outcome::Noted).or_else(|_| wanted(Outcome::Refused)),
        "leave" if outcomes.contains(&Outcome::Changed) => Err(format!("changed: [{}]", told())),
        "leave" => Ok(()),
        other => Err(format!("the table says {other:?}")),
    }
}

/// Tells whether the finding begins on that line, or is a longer text that holds it.
fn covers(text: &[u8], finding: &Finding, line: usize) -> bool {
    let first = position::line_and_column(text, finding.span.start).0;
    let last = position::line_and_column(text, finding.span.end.saturating_sub(1)).0;
    first == line || finding.outcome == Outcome::Noted && (first..=last).contains(&line)
}

#[test]
fn data_stay_the_same_minus_the_fields() {
    let Some(corpus) = Corpus::find("data_stay_the_same_minus_the_fields") else { return };
    let mut failures = String::new();
    let (mut judged, mut unread, mut edited) = (0, 0, 0);
    for (path, text) in corpus.plain_files(&["manifests", "charts", "gold"]) {
        for (action, answer) in [(Action::Remove, Answer::Remove), (Action::None, Answer::None)] {
            let policy = Policy { action, ..Policy::default() };
            let plan = frame::plan(&text, &path, &policy);
            let result = plan.apply(&text);
            for law in frame::broken_laws(&text, &path, &policy, &plan) {
                let _ = writeln!(failures, "{path} ({action:?}): {law}");
            }
            if is_json(&text) && !is_json(&result) {
                let _ = writeln!(failures, "{path} ({action:?}): was strict JSON and is no more");
            }
            edited += usize::from(!plan.edits.is_empty());
            let Some(wanted) = judge::answered(&text, answer) else {
                unread += 1;
                continue;
            };
            judged += 1;
            let got = if answer == Answer::None { judge::answered(&result, answer) } else { judge::read(&result) };
            if got.as_ref() != Some(&wanted) {
                let _ = writeln!(failures, "{path} ({action:?}): the data differ");
            }
            if sticky(&result) && plan.count(Outcome::Refused) == 0 {
                let _ = writeln!(failures, "{path} ({action:?}): a Service is still sticky, and nothing says so");
            }
        }
    }
    println!("{judged} judged, {edited} of them edited, {unread} that yaml-rust2 cannot read");
    assert!(judged > 100 && edited > 10, "only {judged} judged, {edited} edited");
    assert!(failures.is_empty(), "\n{failures}");
}

fn sticky(text: &[u8]) -> bool {
    judge::services(text).is_some_and(|services| services.iter().any(|(_, sticky)| *sticky))
}

fn is_json(text: &[u8]) -> bool {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<serde_json::Value>();
    values.all(|value| value.is_ok()) && text.trim_ascii_start().starts_with(b"{")
}

#[test]
fn no_occurrence_is_passed_over() {
    let Some(corpus) = Corpus::find("no_occurrence_is_passed_over") else { return };
    let mut failures = String::new();
    let mut seen = 0;
    for (path, text) in corpus.plain_files(&["manifests", "charts", "gold"]) {
        let plan = frame::plan(&text, &path, &Policy::default());
        for (start, end) in occurrences(&text) {
            seen += 1;
            if !is_told(&plan, start, end) {
                let (line, column) = position::line_and_column(&text, start);
                let _ = writeln!(failures, "{path}:{line}:{column}: nothing speaks of it");
            }
        }
    }
    assert!(seen > 100, "only {seen} occurrences");
    assert!(failures.is_empty(), "\n{failures}");
}

fn is_told(plan: &Plan, start: usize, end: usize) -> bool {
    let spans = plan.findings.iter().map(|finding| finding.span);
    spans.chain(plan.edits.as_slice().iter().map(|edit| edit.span)).any(|span| span.start <= start && end <= span.end)
}

/// Returns where either name stands as a whole word.
fn occurrences(text: &[u8]) -> Vec<(usize, usize)> {
    const NAME: &[u8] = b"sessionAffinity";
    const REST: &[u8] = b"Config";
    let is_word = |at: Option<usize>| {
        at.and_then(|at| text.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut found = Vec::new();
    for (start, window) in text.windows(NAME.len()).enumerate() {
        if window != NAME {
            continue;
        }
        let end = start + NAME.len();
        let end = if text[end..].starts_with(REST) { end + REST.len() } else { end };
        if !is_word(start.checked_sub(1)) && !is_word(Some(end)) {
            found.push((start, end));
        }
    }
    found
}
