//! Many generated templates in one chart, rendered and judged together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use yaml_rust2::YamlLoader;

use super::sets;
use super::writer::Sample;
use crate::bench;
use crate::helm::Helm;
use crate::manifest::{self, Relation};
use crate::umbrella::{self, Made, Part};
use crate::unstick::{self, KEEP, Policy};

/// What came of one template.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Renderings that were compared.
    pub compared: usize,
    /// Renderings that nobody can read, before any edit.
    pub unread: usize,
    pub blank_lines: usize,
    /// The key is edited.
    pub edited: bool,
    /// Why something was refused.
    pub refused: BTreeSet<String>,
    /// The first rendering that is not as it should be.
    pub violation: Option<Violation>,
}

#[derive(Debug)]
pub(crate) struct Violation {
    pub set: usize,
    pub expected: String,
    pub got: String,
    pub fixed: String,
    pub words: &'static str,
}

/// Where a batch is worked on.
struct Folders {
    folder: TempDir,
    original: PathBuf,
    fixed: PathBuf,
}

fn template(sample: &Sample) -> String {
    format!("templates/g{}.yaml", sample.seed)
}

fn helpers(sample: &Sample) -> String {
    format!("templates/_g{}.tpl", sample.seed)
}

impl Folders {
    fn new(samples: &[Sample]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let original = folder.path().join("original");
        bench::write(&original.join("Chart.yaml"), umbrella::chart_file("gen"));
        for sample in samples {
            bench::write(&original.join(template(sample)), &sample.template);
            if !sample.helpers.is_empty() {
                bench::write(&original.join(helpers(sample)), &sample.helpers);
            }
        }
        let fixed = folder.path().join("fixed");
        bench::copy(&original, &fixed);
        Self { folder, original, fixed }
    }

    fn render(&self, helm: &Helm, chart: &Path, name: &str, sets: &[Value]) -> Result<Made, String> {
        let parts = [Part { name: "gen", folder: chart.to_owned(), sets }];
        umbrella::render(helm, &self.folder.path().join(name), &parts)
    }
}

/// Judges templates; an error is the whole batch's.
pub(crate) fn judge(samples: &[Sample], helm: &Helm, policy: Policy) -> Result<Vec<Verdict>, String> {
    let folders = Folders::new(samples);
    let mut sets = sets::all();
    if policy == KEEP {
        sets.retain(sets::is_off);
    }
    let refusals = refusals(&folders.original, policy);
    let ran = unstick::fix(&folders.fixed, policy);
    if !matches!(ran.code, Some(0 | 2)) {
        return Err(format!("fix ends with {:?}: {}", ran.code, ran.stderr));
    }
    let before = folders.render(helm, &folders.original, "before", &sets);
    let before = before.map_err(|words| format!("the originals do not render: {words}"))?;
    let after = folders.render(helm, &folders.fixed, "after", &sets);
    let after = after.map_err(|words| format!("the fixed templates do not render: {words}"))?;
    let keys: Vec<(usize, usize)> =
        (0..samples.len()).flat_map(|sample| (0..sets.len()).map(move |set| (sample, set))).collect();
    let piece = |made: &Made, (sample, set): (usize, usize)| {
        let key = ("gen".to_owned(), set, template(&samples[sample]));
        made.get(&key).cloned().unwrap_or_else(|| "\n".into())
    };
    let texts: Vec<String> = keys.iter().map(|key| piece(&before, *key)).collect();
    let results: Vec<String> = keys.iter().map(|key| piece(&after, *key)).collect();
    let expected = filter_each(&texts, policy.comparing())?;
    // Where something was refused, all else must still be as it was.
    let filtered = filter_each(&results, policy.comparing())?;
    let mut verdicts: Vec<Verdict> = samples.iter().map(|_| Verdict::default()).collect();
    for (sample, verdict) in samples.iter().zip(&mut verdicts) {
        for file in [template(sample), helpers(sample)] {
            verdict.refused.extend(refusals.get(&file).into_iter().flatten().cloned());
            let read = |chart: &Path| std::fs::read(chart.join(&file)).unwrap_or_default();
            verdict.edited |= read(&folders.original) != read(&folders.fixed);
        }
    }
    for (index, (sample, set)) in keys.into_iter().enumerate() {
        let verdict = &mut verdicts[sample];
        let expected = &expected[index];
        if expected.refused || !is_whole(&texts[index]) {
            verdict.unread += 1;
            continue;
        }
        verdict.compared += 1;
        let as_it_is = policy.comparing_is_enough() && verdict.refused.is_empty();
        let got = if as_it_is { &results[index] } else { &filtered[index].text };
        let still_sticky = verdict.refused.is_empty() && filtered[index].sticky;
        let normal = |text: &str| without_end_blanks(&unstick::normal(text, policy));
        let (expected, got) = (normal(&expected.text), normal(got));
        let words = match same(&expected, &got) {
            Ok(()) if still_sticky => "a Service is still sticky",
            Ok(()) => {
                verdict.blank_lines += usize::from(expected != got);
                continue;
            }
            Err(words) => words,
        };
        if verdict.violation.is_none() {
            let fixed = [template(&samples[sample]), helpers(&samples[sample])];
            let fixed = fixed.iter().map(|file| folders.fixed.join(file)).filter(|file| file.is_file());
            let fixed = fixed.map(|file| bench::read(&file)).collect::<Vec<_>>().join("\n=====\n");
            verdict.violation = Some(Violation { set, expected, got, fixed, words });
        }
    }
    Ok(verdicts)
}

/// Returns a document without the blanks at its end: Helm drops them, the filter does not.
fn without_end_blanks(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

/// Tells whether two renderings are the same but for blank lines that no block scalar holds.
fn same(expected: &str, got: &str) -> Result<(), &'static str> {
    match manifest::relation(expected, got) {
        Relation::Equal => Ok(()),
        Relation::Different => Err("lines differ"),
        Relation::BlankLines => {
            let data = |text: &str| YamlLoader::load_from_str(text).ok();
            match (data(expected), data(got)) {
                (Some(expected), Some(got)) if expected != got => Err("blank lines that hold data differ"),
                _ => Ok(()),
            }
        }
    }
}

/// Tells whether what a template made can be read, and the key is no part of another word there: a template that glues
/// lines together for some values makes nothing that could be compared. Helm takes `---` from what is glued to it, but
/// only after these texts.
fn is_whole(text: &str) -> bool {
    if text
        .lines()
        .any(|line| line.strip_prefix("---").is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace())))
    {
        return false;
    }
    let glued = |(at, _): (usize, &str)| text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '}');
    !text.match_indices("sessionAffinity").any(glued) && YamlLoader::load_from_str(text).is_ok()
}

/// What the filter made of one text.
struct Filtered {
    text: String,
    sticky: bool,
    /// It cannot be read, or something in it is refused.
    refused: bool,
}

/// Runs many texts through the filter at once.
fn filter_each(texts: &[String], policy: Policy) -> Result<Vec<Filtered>, String> {
    let mut stream = String::new();
    let mut starts = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        starts.push(stream.len());
        let _ = write!(stream, "---\n# Source: {index}\n{text}");
    }
    let (output, report) = unstick::filter_leniently(&stream, policy);
    let piece = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    let findings = report["files"][0]["findings"].as_array().into_iter().flatten();
    let refused: BTreeSet<usize> = findings
        .filter(|finding| finding["outcome"] == "refused")
        .filter_map(|finding| unstick::offset(finding).map(piece))
        .collect();
    let sticky: BTreeSet<usize> = unstick::sticky_at(&report).map(piece).collect();
    let made = manifest::split(&output);
    if made.len() != texts.len() {
        return Err(format!("the filter made {} documents of {}", made.len(), texts.len()));
    }
    let made = made.into_iter().enumerate();
    let filtered = |(index, made): (usize, manifest::Manifest)| Filtered {
        text: made.text,
        sticky: sticky.contains(&index),
        refused: refused.contains(&index),
    };
    Ok(made.map(filtered).collect())
}

/// Returns why `check` refuses anything in each file.
fn refusals(chart: &Path, policy: Policy) -> BTreeMap<String, BTreeSet<String>> {
    let ran = unstick::check(chart, policy);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in report["files"].as_array().into_iter().flatten() {
        let path = Path::new(file["path"].as_str().unwrap_or_default());
        let Ok(inside) = path.strip_prefix(chart) else { continue };
        for finding in file["findings"].as_array().into_iter().flatten() {
            if finding["outcome"] == "refused" {
                let words = finding["message"].as_str().unwrap_or_default().to_owned();
                found.entry(inside.to_string_lossy().into_owned()).or_default().insert(words);
            }
        }
    }
    found
}
