//! The case folders under `cases`: tiny charts whose edited templates must render as stated there.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use yaml_rust2::YamlLoader;

use crate::bench;
use crate::corpus::sets;
use crate::helm::{self, Helm};
use crate::manifest::{self, Relation};
use crate::umbrella::{self, Made, Part};
use crate::unstick::{self, Policy, STRIP, STRIP_ALL, STRIP_TO_NONE};

/// One folder, read.
struct Case {
    name: String,
    folder: PathBuf,
    outcome: Outcome,
    policies: Vec<Policy>,
    /// Texts that the fixed templates must still hold.
    keeps: Vec<String>,
    sets: Vec<Value>,
    /// Some sets must fail, so it is rendered by itself.
    alone: bool,
}

/// What must come of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The same bytes as the filter makes of what the original renders.
    Exact,
    /// The same but for blank lines.
    BlankLines,
    /// The same but for blank lines and comments.
    Comments,
    /// The same but for blank lines and spaces at the end of lines; or refused for their sake.
    TrailingSpaces,
    /// Not a byte of the chart changes; there is nothing to say.
    Untouched,
    /// Not a byte of the chart changes, and a finding says why.
    Refused,
}

impl Case {
    fn read(folder: PathBuf) -> Self {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let text = bench::read(&folder.join("case.yaml"));
        let documents = YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told = sets::from_yaml(&documents[0]);
        let outcome = match told["outcome"].as_str() {
            Some("exact") => Outcome::Exact,
            Some("blank-lines") => Outcome::BlankLines,
            Some("comments") => Outcome::Comments,
            Some("trailing-spaces") => Outcome::TrailingSpaces,
            Some("untouched") => Outcome::Untouched,
            Some("refused") => Outcome::Refused,
            other => panic!("{name}: no outcome {other:?}"),
        };
        let words = |key: &str| -> Vec<String> {
            let words = told[key].as_array().cloned().unwrap_or_default();
            words.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
        };
        let policy = |word: &String| match word.as_str() {
            "strip-all" => STRIP_ALL,
            "strip" => STRIP,
            "none" => STRIP_TO_NONE,
            other => panic!("{name}: no policy {other}"),
        };
        let mut policies: Vec<Policy> = words("policies").iter().map(policy).collect();
        if policies.is_empty() {
            policies.push(STRIP_ALL);
        }
        let sets = told["sets"].as_array().cloned().unwrap_or_else(|| vec![json!({})]);
        let alone = told["alone"].as_bool().unwrap_or(false);
        Self { keeps: words("keeps"), name, folder, outcome, policies, sets, alone }
    }

    /// Copies the case as a chart.
    fn copy(&self, to: &Path) -> PathBuf {
        let chart = to.join(&self.name);
        bench::copy(&self.folder.join("templates"), &chart.join("templates"));
        bench::write(&chart.join("Chart.yaml"), umbrella::chart_file(&self.name));
        chart
    }

    /// Fixes the copy and says what is wrong with its templates.
    fn fix(&self, chart: &Path, policy: Policy) -> Vec<String> {
        let mut wrong = Vec::new();
        let before = self.templates(&self.folder);
        let findings = unstick::check(chart, policy).stdout;
        let ran = unstick::fix(chart, policy);
        let after = self.templates(chart);
        let unchanged = before == after;
        let refused = unchanged && findings.contains("\"outcome\": \"refused\"");
        let may_refuse = matches!(self.outcome, Outcome::Refused | Outcome::TrailingSpaces);
        if ran.code != Some(0) && !(refused && may_refuse) {
            wrong.push(format!("fix ends with {:?}: {}", ran.code, ran.stderr.trim()));
        }
        match self.outcome {
            Outcome::Untouched | Outcome::Refused if !unchanged => wrong.push(format!("changed:\n{after}")),
            Outcome::Untouched => {}
            Outcome::Refused if !findings.contains("\"rule\"") => wrong.push("no finding speaks of it".into()),
            Outcome::Refused => {}
            Outcome::TrailingSpaces if refused => {}
            _ if unchanged => wrong.push("not changed".into()),
            _ => {
                let gone = self.keeps.iter().filter(|kept| !after.contains(*kept));
                wrong.extend(gone.map(|kept| format!("{kept} is gone")));
                if policy == STRIP_ALL && names_key(&after) {
                    wrong.push(format!("the key is still there:\n{after}"));
                }
            }
        }
        wrong
    }

    fn templates(&self, chart: &Path) -> String {
        bench::files(&chart.join("templates")).iter().map(|file| bench::read(file)).collect()
    }

    /// Compares what one template made before and after.
    fn compare(&self, before: Option<&String>, after: Option<&String>, policy: Policy) -> Option<String> {
        let before = before.map(String::as_str).unwrap_or_default();
        let after = after.map(String::as_str).unwrap_or_default();
        if matches!(self.outcome, Outcome::Untouched | Outcome::Refused) {
            return (before != after).then(|| manifest::difference(before, after));
        }
        let (expected, got) = match unstick::sides(before, after, policy) {
            Ok(sides) => sides,
            Err(words) => return Some(words),
        };
        let normal = |text: &str| match self.outcome {
            Outcome::Comments => text
                .lines()
                .filter(|line| !line.trim_start().starts_with('#'))
                .fold(String::new(), |text, line| text + line + "\n"),
            Outcome::TrailingSpaces => text.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n"),
            _ => text.to_owned(),
        };
        if self.outcome == Outcome::TrailingSpaces && before == after {
            return None;
        }
        let relation = manifest::relation(&normal(&expected), &normal(&got));
        let most = if self.outcome == Outcome::Exact { Relation::Equal } else { Relation::BlankLines };
        (relation > most).then(|| format!("{relation:?}\n{}", manifest::difference(&expected, &got)))
    }
}

/// Tells whether a template still has the key, other than in a comment.
fn names_key(templates: &str) -> bool {
    templates.lines().any(|line| line.contains("sessionAffinity") && !line.trim_start().starts_with('#'))
}

#[test]
fn edited_templates_render_as_stated() {
    let helms = helm::all();
    if helms.is_empty() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/charts/cases");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("cases").flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let cases: Vec<Case> = folders.into_iter().map(Case::read).collect();
    let mut failures = String::new();
    let mut compared = 0;
    for policy in [STRIP_ALL, STRIP, STRIP_TO_NONE] {
        let chosen: Vec<&Case> = cases.iter().filter(|case| case.policies.contains(&policy)).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let fixed = folder.path().join("fixed");
        for (case, wrong) in bench::parallel(&chosen, |case| (case.name.clone(), case.fix(&case.copy(&fixed), policy)))
        {
            for words in wrong {
                let _ = writeln!(failures, "{case} ({}): {words}", policy.name);
            }
        }
        for helm in &helms {
            let place = format!("{}, {}", policy.name, helm.name);
            for case in chosen.iter().filter(|case| case.alone) {
                compared += render_alone(case, helm, folder.path(), policy, &place, &mut failures);
            }
            let together: Vec<&Case> = chosen.iter().copied().filter(|case| !case.alone).collect();
            let originals = render_together(&together, helm, folder.path(), None);
            let results = render_together(&together, helm, folder.path(), Some(&fixed));
            let (originals, results) = match (originals, results) {
                (Ok(originals), Ok(results)) => (originals, results),
                (Err(words), _) => panic!("the originals do not render: {words}"),
                (_, Err(words)) => {
                    let _ = writeln!(failures, "{place}: fixed charts do not render: {words}");
                    continue;
                }
            };
            for case in together {
                for (key, before) in originals.iter().filter(|((name, ..), _)| *name == case.name) {
                    compared += 1;
                    if let Some(words) = case.compare(Some(before), results.get(key), policy) {
                        let _ = writeln!(failures, "{} ({place}, set {}): {words}", case.name, key.1);
                    }
                }
            }
        }
    }
    println!("{} cases, {compared} renderings compared", cases.len());
    assert!(failures.is_empty(), "\n{failures}");
    assert!(cases.len() >= 64 && compared > 300, "{} cases, {compared} renderings", cases.len());
}

fn render_together(cases: &[&Case], helm: &Helm, folder: &Path, fixed: Option<&PathBuf>) -> Result<Made, String> {
    let umbrella = folder.join(format!("umbrella-{}-{}", helm.name, fixed.is_some()));
    let part = |case: &&'_ Case| {
        let folder = fixed.map_or_else(|| case.folder.clone(), |fixed| fixed.join(&case.name));
        (case.name.clone(), folder, case.sets.clone())
    };
    let owned: Vec<(String, PathBuf, Vec<Value>)> = cases.iter().map(part).collect();
    let parts: Vec<Part<'_>> =
        owned.iter().map(|(name, folder, sets)| Part { name, folder: folder.clone(), sets }).collect();
    umbrella::render(helm, &umbrella, &parts)
}

/// Renders a case with each of its sets by itself; those that fail must still fail, unless it
/// is told that more values are taken.
fn render_alone(case: &Case, helm: &Helm, folder: &Path, policy: Policy, place: &str, failures: &mut String) -> usize {
    let original = case.copy(&folder.join("original"));
    let fixed = folder.join("fixed").join(&case.name);
    let told = unstick::check(&original, policy).stdout.contains("more values");
    for (index, set) in case.sets.iter().enumerate() {
        let values = folder.join("set.yaml");
        bench::write(&values, set.to_string());
        let before = helm.template(&original, &[&values], &[]);
        let after = helm.template(&fixed, &[&values], &[]);
        let words = match (&before, &after) {
            (Ok(before), Ok(after)) => case.compare(Some(before), Some(after), policy),
            (Err(_), Err(_)) => None,
            (Ok(_), Err(words)) => Some(format!("does not render any more: {words}")),
            (Err(_), Ok(_)) if told => None,
            (Err(words), Ok(_)) => Some(format!("takes values that it took not before: {words}")),
        };
        if let Some(words) = words {
            let _ = writeln!(failures, "{} ({place}, set {index}): {words}", case.name);
        }
    }
    case.sets.len()
}
