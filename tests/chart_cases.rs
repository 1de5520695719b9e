//! The chart cases of `chart-cases/`, through the library: a chart, its options, what it becomes, what is told.
//!
//! Each case also runs with CRLF line ends in all files, and is planned a second time after the fix.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use unstick::{ChartFile, ChartPlan, Policy};
use unstick_yaml::LineIndex;

type Files = BTreeMap<String, Vec<u8>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/chart-cases")
}

fn read_folder(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_str().expect("UTF-8").replace('\\', "/");
                files.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

fn plan(files: &Files, policy: &Policy) -> ChartPlan {
    let list: Vec<ChartFile<'_>> = files.iter().map(|(path, bytes)| ChartFile { path, bytes }).collect();
    ChartPlan::new(&list, policy)
}

fn apply(files: &Files, plan: &ChartPlan) -> Files {
    files.iter().zip(&plan.files).map(|((path, bytes), plan)| (path.clone(), plan.apply(bytes))).collect()
}

fn report(files: &Files, plan: &ChartPlan) -> String {
    let mut report = String::new();
    for ((path, bytes), plan) in files.iter().zip(&plan.files) {
        let lines = LineIndex::new(bytes);
        for finding in &plan.findings {
            let line = lines.position(bytes, finding.span.start).line;
            let _ = writeln!(report, "{path}\t{line}\t{}\t{}", finding.outcome.word(), finding.rule.id());
        }
    }
    report
}

/// Returns the occurrences of the name that neither a finding nor an edit covers.
fn silent(files: &Files, plan: &ChartPlan) -> Vec<String> {
    let mut silent = Vec::new();
    for ((path, bytes), plan) in files.iter().zip(&plan.files) {
        for at in find_all(bytes, b"sessionAffinity") {
            let covered = plan.findings.iter().any(|finding| finding.span.contains(at))
                || plan.edits.as_slice().iter().any(|edit| edit.span.contains(at));
            if !covered {
                silent.push(format!("{path}: byte {at} is told nowhere"));
            }
        }
    }
    silent
}

fn find_all<'a>(bytes: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let at = bytes.windows(word.len()).enumerate().filter(move |(_, window)| *window == word).map(|(at, _)| at);
    at.filter(move |at| at.checked_sub(1).is_none_or(|before| !bytes[before].is_ascii_alphanumeric()))
}

fn with_crlf(files: &Files) -> Files {
    let convert = |bytes: &Vec<u8>| bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
    files.iter().map(|(path, bytes)| (path.clone(), convert(bytes))).collect()
}

fn differences(expected: &Files, got: &Files) -> Vec<String> {
    let show =
        |bytes: Option<&Vec<u8>>| bytes.map_or("(none)".into(), |bytes| String::from_utf8_lossy(bytes).into_owned());
    let names: std::collections::BTreeSet<&String> = expected.keys().chain(got.keys()).collect();
    let differs = names.into_iter().filter(|name| expected.get(*name) != got.get(*name));
    differs
        .map(|name| format!("{name}: expected\n{}\ngot\n{}", show(expected.get(name)), show(got.get(name))))
        .collect()
}

fn check(folder: &Path) -> Vec<String> {
    let files = read_folder(&folder.join("chart"));
    let options = fs::read(folder.join("options.json"));
    let policy: Policy =
        options.map_or_else(|_| Policy::default(), |text| serde_json::from_slice(&text).expect("a policy"));
    let mut expected = files.clone();
    expected.extend(read_folder(&folder.join("fixed")));
    let planned = plan(&files, &policy);
    let fixed = apply(&files, &planned);
    let mut failures = differences(&expected, &fixed);
    failures.extend(silent(&files, &planned));
    let told = report(&files, &planned);
    let wanted = folder.join("report.tsv");
    if std::env::var_os("UNSTICK_BLESS").is_some() {
        fs::write(&wanted, &told).expect("written");
    }
    let wanted = fs::read_to_string(&wanted).unwrap_or_default();
    if told != wanted {
        failures.push(format!("report: expected\n{wanted}\ngot\n{told}"));
        for (path, plan) in files.keys().zip(&planned.files) {
            failures.extend(plan.findings.iter().map(|finding| format!("{path}: {}", finding.message)));
        }
    }
    let again = apply(&fixed, &plan(&fixed, &policy));
    failures.extend(differences(&fixed, &again).into_iter().map(|text| format!("twice is not once: {text}")));
    let crlf = with_crlf(&files);
    let fixed_crlf = apply(&crlf, &plan(&crlf, &policy));
    failures.extend(differences(&with_crlf(&expected), &fixed_crlf).into_iter().map(|text| format!("CRLF: {text}")));
    failures
}

#[test]
fn all_chart_cases() {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root()).expect("the cases").map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|folder| folder.join("chart").is_dir());
    folders.sort();
    assert!(folders.len() >= 30, "only {} cases", folders.len());
    let mut failed = 0;
    for folder in &folders {
        let failures = check(folder);
        if !failures.is_empty() {
            failed += 1;
            println!("{}:\n  {}", folder.file_name().unwrap_or_default().display(), failures.join("\n  "));
        }
    }
    assert_eq!(failed, 0, "of {} cases", folders.len());
}
