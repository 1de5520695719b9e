//! Every line of the corpus's table ends as the table says, or there is an argument why not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::bench;
use crate::unstick::{self, STRIP_ALL};

/// Lines where the table is not followed: path, line, argument.
const ARGUED: &[(&str, usize, &str)] = &[
    ("redis/values.schema.json", 901, IN_PROPERTY),
    ("redis/values.schema.json", 1604, IN_PROPERTY),
    ("redis/values.schema.json", 2218, IN_PROPERTY),
    ("redis/values.schema.json", 2316, IN_PROPERTY),
];

const IN_PROPERTY: &str = "the description stands in a property that goes, two lines above it in the table";

/// What `check` says of one file.
struct Told {
    text: String,
    /// First line, last line, outcome.
    findings: Vec<(usize, usize, String)>,
    /// Byte ranges.
    edits: Vec<(usize, usize)>,
}

/// One row of the table.
struct Row<'a> {
    path: &'a str,
    line: usize,
    kind: &'a str,
    action: &'a str,
}

#[test]
fn every_row_of_the_table_ends_as_stated() {
    let Some(corpus) = bench::corpus("every_row_of_the_table_ends_as_stated") else { return };
    let table = bench::read(&corpus.join("OCCURRENCES.tsv"));
    let rows: Vec<Row<'_>> = table.lines().filter(|line| line.starts_with("charts/")).map(row).collect();
    let mut charts: Vec<&str> = rows.iter().filter_map(|row| row.path.split('/').nth(1)).collect();
    charts.dedup();
    let told: BTreeMap<String, Told> =
        bench::parallel(&charts, |chart| told(&corpus, chart)).into_iter().flatten().collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = String::new();
    for row in &rows {
        let result = told.get(row.path).map_or_else(|| silent(row), |told| judge(row, told));
        let argued = ARGUED.iter().any(|(path, line, _)| row.path.ends_with(path) && row.line == *line);
        match result {
            Ok(words) if !argued => *counts.entry(format!("{}: {words}", row.action)).or_default() += 1,
            Ok(_) => {
                let _ = writeln!(failures, "{}:{} needs no argument any more", row.path, row.line);
            }
            Err(_) if argued => *counts.entry(format!("{}: argued", row.action)).or_default() += 1,
            Err(words) => {
                let _ = writeln!(failures, "{}:{} ({}, {}): {words}", row.path, row.line, row.kind, row.action);
            }
        }
    }
    for (words, count) in &counts {
        println!("{count:4} {words}");
    }
    assert!(rows.len() > 200, "only {} rows", rows.len());
    assert!(failures.is_empty(), "\n{failures}");
}

fn row(line: &str) -> Row<'_> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    Row { path: next(), line: next().parse().expect("a line number"), kind: next(), action: next() }
}

fn told(corpus: &Path, chart: &str) -> Vec<(String, Told)> {
    let ran = unstick::check(&corpus.join("charts").join(chart), STRIP_ALL);
    let report: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{chart}: {error}\n{}\n{}", ran.stdout, ran.stderr));
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or_default()).unwrap_or_default();
    let mut files = Vec::new();
    for file in report["files"].as_array().into_iter().flatten() {
        let path = Path::new(file["path"].as_str().unwrap_or_default());
        let Ok(inside) = path.strip_prefix(corpus) else { continue };
        let findings = file["findings"].as_array().into_iter().flatten();
        let edits = file["edits"].as_array().into_iter().flatten();
        let told = Told {
            text: bench::read(path),
            findings: findings
                .map(|finding| {
                    let outcome = finding["outcome"].as_str().unwrap_or_default().to_owned();
                    (number(&finding["start"]["line"]), number(&finding["end"]["line"]), outcome)
                })
                .collect(),
            edits: edits.map(|edit| (number(&edit["span"]["start"]), number(&edit["span"]["end"]))).collect(),
        };
        files.push((inside.to_string_lossy().into_owned(), told));
    }
    files
}

fn silent(row: &Row<'_>) -> Result<&'static str, String> {
    if row.action == "leave" { Ok("left") } else { Err("nothing is said of the file".into()) }
}

fn judge(row: &Row<'_>, told: &Told) -> Result<&'static str, String> {
    let edited = told.edits.iter().any(|edit| touches(&told.text, row.line, *edit));
    let found: Vec<&str> = told
        .findings
        .iter()
        .filter(|(from, to, _)| (*from..=*to).contains(&row.line))
        .map(|(.., outcome)| &**outcome)
        .collect();
    let wrong = |words: &str| Err(format!("{words}: edited {edited}, findings [{}]", found.join(", ")));
    match row.action {
        "edit" if row.kind == "guard" || row.kind == "config-body" => {
            if edited {
                Ok("edited")
            } else {
                wrong("not edited")
            }
        }
        "edit" if edited && found.contains(&"changed") => Ok("edited"),
        "edit" => wrong("not edited"),
        "follow" if edited => Ok("edited"),
        "follow" if found.is_empty() => wrong("silent"),
        "follow" => Ok("noted"),
        "leave" if edited => wrong("edited"),
        "leave" => Ok("left"),
        "report" if edited || found.is_empty() => wrong("not only reported"),
        "report" => Ok("reported"),
        other => Err(format!("the table says {other:?}")),
    }
}

/// Tells whether a byte range holds something of a line that is no white space.
fn touches(text: &str, line: usize, (start, end): (usize, usize)) -> bool {
    let from: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let content = text[from..].lines().next().unwrap_or_default();
    let first = from + content.len() - content.trim_start().len();
    let last = from + content.trim_end().len();
    start < last && first < end
}
