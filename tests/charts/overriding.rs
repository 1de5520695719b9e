//! `unstick values`, judged by what Helm renders with it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench;
use crate::corpus::{Chart, chart_names, sets};
use crate::helm::{self, Helm};
use crate::unstick::{self, Ran, STRIP, filter_leniently, sticky_at};

/// Returns how many sticky Services a rendering holds.
fn sticky(rendered: &str) -> usize {
    let (_, report) = filter_leniently(rendered, STRIP);
    sticky_at(&report).count()
}

/// Cases in which a Service stays sticky although every one is reached: the policy would be needed to know.
const KEPT: &[&str] = &["kept-by-annotation"];

#[test]
fn no_service_of_the_chart_cases_is_sticky_with_the_values_unless_it_is_told() {
    let helms = helm::all();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/chart-cases");
    let mut charts: Vec<PathBuf> =
        fs::read_dir(root).expect("cases").map(|entry| entry.expect("a case").path()).collect();
    charts.retain(|case| !KEPT.iter().any(|name| case.ends_with(name)));
    charts.sort();
    let failures: Vec<String> = bench::parallel(&charts, |case| judge_case(&case.join("chart"), &helms)).concat();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(charts.len() > 60, "only {} cases", charts.len());
}

fn judge_case(chart: &Path, helms: &[Helm]) -> Vec<String> {
    let Ran { code, stdout, .. } = unstick::values(chart, false);
    let mut failures = Vec::new();
    for helm in helms {
        let Ok(before) = helm.template(chart, &[], &[]) else { continue };
        match with(helm, chart, None, &[], &stdout) {
            Err(words) => failures.push(format!("{}: {}: {words}", chart.display(), helm.name)),
            // What is not followed stands in a comment.
            Ok(after) if code == Some(0) && !stdout.contains("\n# - ") && sticky(&after) > 0 => {
                failures.push(format!("{}: {}: still sticky with\n{stdout}", chart.display(), helm.name));
            }
            Ok(after) if sticky(&after) > sticky(&before) => {
                failures.push(format!("{}: {}: more Services are sticky", chart.display(), helm.name));
            }
            Ok(_) => {}
        }
    }
    failures
}

/// Renders a chart with its base values and more.
fn with(helm: &Helm, chart: &Path, base: Option<&Path>, more: &[&str], values: &str) -> Result<String, String> {
    let file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
    fs::write(file.path(), values).expect("written");
    let files: Vec<&Path> = base.into_iter().chain([file.path()]).collect();
    helm.template(chart, &files, more)
}

#[test]
fn the_switches_of_the_corpus_switch() {
    let Some(corpus) = bench::corpus("the_switches_of_the_corpus_switch") else { return };
    let Some(helm) = helm::all().pop() else { return };
    let results = bench::parallel(&chart_names(&corpus), |name| {
        let mut chart = Chart::prepare(&corpus, name);
        (name.clone(), chart.settle(&helm).and_then(|()| judge_switches(&chart, &helm)))
    });
    let mut switched = 0;
    let mut failures = String::new();
    for (name, result) in results {
        match result {
            Ok(count) => switched += count,
            Err(words) => {
                println!("{name}: {}", words.lines().next().unwrap_or_default());
                if words.starts_with("still") {
                    failures.push_str(&format!("{name}: {words}\n"));
                }
            }
        }
    }
    println!("{switched} Services made sticky and switched off");
    assert!(failures.is_empty(), "\n{failures}");
    assert!(switched >= 20, "only {switched} Services");
}

/// Makes all switches of a chart sticky, then switches them off; returns how many Services that concerned.
fn judge_switches(chart: &Chart, helm: &Helm) -> Result<usize, String> {
    let original = chart.original();
    let all = unstick::values(&original, true).stdout;
    let sticky_values = all.replace(": None\n", ": ClientIP\n");
    if sticky_values == all {
        return Ok(0);
    }
    let base = chart.base.as_deref();
    let on = with(helm, &original, base, &chart.arguments, &sticky_values)?;
    let off = with(helm, &original, base, &chart.arguments, &all)?;
    let nothing = chart.render(helm, &original, &Value::Object(serde_json::Map::new()))?;
    // What was sticky before, and is not reached, is told.
    let written = if unstick::values(&original, false).code == Some(1) { sticky(&nothing) } else { 0 };
    match sticky(&off) > written {
        true => Err(format!("still {} sticky Services with\n{all}", sticky(&off))),
        false => Ok(sticky(&on) - sticky(&off)),
    }
}

#[test]
fn a_fix_that_keeps_knobs_leaves_nothing_to_set() {
    let Some(corpus) = bench::corpus("a_fix_that_keeps_knobs_leaves_nothing_to_set") else { return };
    let failures = bench::parallel(&chart_names(&corpus), |name| {
        let chart = Chart::prepare(&corpus, name);
        let copy = chart.copy(&chart.original(), "fixed");
        unstick::fix(&copy, unstick::KEEP);
        let yaml = unstick::values(&copy, false).stdout;
        let documents = yaml_rust2::YamlLoader::load_from_str(&yaml).expect("YAML");
        let left = sets::from_yaml(&documents[0]);
        (left != Value::Object(serde_json::Map::new())).then(|| format!("{name}: {yaml}"))
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
