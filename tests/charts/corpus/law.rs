//! The law: what the fixed chart renders is what the filter makes of what the original rendered.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::chart::{self, Chart};
use super::sets::{self, Affinity, Setting};
use crate::bench;
use crate::helm::{self, Helm};
use crate::manifest::{self, Manifest, Relation};
use crate::unstick::{self, KEEP, Policy, STRIP, STRIP_ALL, STRIP_TO_NONE};

/// A values set.
pub(crate) struct Set {
    pub name: &'static str,
    pub affinity: Affinity,
    pub values: Value,
}

/// Documents that no edit of a template makes as the filter does: chart, end of the template's path, argument.
const ARGUED: &[(&str, &str, &str)] = &[
    (
        "redpanda-data__helm-charts__connectors",
        "templates/entry-point.yaml",
        "its Services are made of Go dictionaries; the key is reported",
    ),
    (
        "soneta__helm-charts__soneta",
        "templates/configmap-appsettings.yaml",
        "a string in it holds what the Service's define prints, and so loses the key as well",
    ),
];

/// What came of one chart.
#[derive(Default)]
pub(crate) struct Tally {
    pub sets: usize,
    pub services: usize,
    pub exact: usize,
    pub blank_lines: usize,
    pub flipped: usize,
    pub argued: usize,
    pub failures: Vec<String>,
}

#[test]
fn fixed_charts_render_what_the_filter_makes_of_the_originals() {
    let Some(corpus) = bench::corpus("fixed_charts_render_what_the_filter_makes_of_the_originals") else { return };
    let helms = helm::all();
    let Some(newest) = helms.last() else { return };
    let names = chart::names(&corpus);
    let results = bench::parallel(&names, |name| {
        let mut chart = Chart::prepare(&corpus, name);
        let settled = chart.settle(newest);
        let tally = settled.map(|()| judge(&chart, &helms));
        (name.clone(), chart.stubs.clone(), tally)
    });
    let mut failures = String::new();
    let mut total = Tally::default();
    let mut charts = 0;
    for (name, stubs, tally) in results {
        let stubs = if stubs.is_empty() { String::new() } else { format!("; empty in place of {}", stubs.join(", ")) };
        match tally {
            Err(words) => println!("{name}: does not render{stubs}: {}", words.lines().next().unwrap_or_default()),
            Ok(tally) => {
                println!(
                    "{name}: {} renderings, {} Services, {} equal, {} but for blank lines, {} argued, {} guards turned{stubs}",
                    tally.sets, tally.services, tally.exact, tally.blank_lines, tally.argued, tally.flipped
                );
                charts += 1;
                total.sets += tally.sets;
                total.services += tally.services;
                total.exact += tally.exact;
                total.blank_lines += tally.blank_lines;
                for failure in &tally.failures {
                    let _ = writeln!(failures, "{name}: {failure}");
                }
            }
        }
    }
    println!(
        "{charts} of {} charts, {} renderings, {} Services, {} equal, {} but for blank lines",
        names.len(),
        total.sets,
        total.services,
        total.exact,
        total.blank_lines
    );
    assert!(failures.is_empty(), "\n{failures}");
    assert!(charts + 2 >= names.len() && total.services > 500, "{charts} charts, {} Services", total.services);
}

fn judge(chart: &Chart, helms: &[Helm]) -> Tally {
    let original = chart.original();
    let newest = &helms[helms.len() - 1];
    let keys = sets::affinity_keys(&original, chart.base.as_deref());
    let flips = turned(chart, newest, &keys);
    let mut tally = Tally { flipped: flips.len(), ..Tally::default() };
    let sets = values_sets(&keys, &flips);
    let mut originals = BTreeMap::new();
    for policy in [STRIP_ALL, STRIP, STRIP_TO_NONE, KEEP] {
        let fixed = chart.copy(&original, &format!("fixed-{}-{}", policy.knobs, policy.shared.concat()));
        let ran = unstick::fix(&fixed, policy);
        if !matches!(ran.code, Some(0 | 2)) {
            tally.failures.push(format!("{}: fix ends with {:?}: {}", policy.name, ran.code, ran.stderr.trim()));
        }
        for (index, set) in sets.iter().enumerate() {
            for helm in helms.iter().filter(|helm| is_wanted(set, policy, helm.name == newest.name)) {
                let render = || chart.render(helm, &original, &set.values);
                let before = originals.entry((index, helm.name)).or_insert_with(render);
                // What never rendered cannot lose anything.
                let Ok(before) = before else { continue };
                let case = Case { chart, helm, before, fixed: &fixed, policy, values: &set.values };
                if let Err(words) = case.judge(&mut tally) {
                    let place = format!("{}, {}, {}", policy.name, set.name, helm.name);
                    tally.failures.push(format!("{place}: {words}"));
                }
            }
        }
    }
    tally
}

/// All sets where nothing else is said; in short runs, the older Helm and the other policies get fewer.
fn is_wanted(set: &Set, policy: Policy, newest: bool) -> bool {
    if policy == KEEP {
        // A user's own values still make Services sticky.
        return newest && matches!(set.affinity, Affinity::Untouched | Affinity::None);
    }
    if bench::long() || policy == STRIP_ALL && newest {
        return true;
    }
    let few = ["defaults", "sticky with config", "None", "guards turned, sticky with config"];
    if policy == STRIP_ALL { few.contains(&set.name) } else { newest && few[1..].contains(&set.name) }
}

fn values_sets(keys: &[sets::Keys], flips: &[Setting]) -> Vec<Set> {
    let set = |name, affinity: Affinity, flips: &[Setting]| {
        let settings = affinity.settings(keys);
        Set { name, affinity, values: sets::tree(flips.iter().chain(&settings)) }
    };
    vec![
        set("defaults", Affinity::Untouched, &[]),
        set("sticky", Affinity::Sticky, &[]),
        set("sticky with config", Affinity::StickyWithConfig, &[]),
        set("None", Affinity::None, &[]),
        set("None with config", Affinity::NoneWithConfig, &[]),
        set("empty with config", Affinity::EmptyWithConfig, &[]),
        set("guards turned", Affinity::Untouched, flips),
        set("guards turned, sticky with config", Affinity::StickyWithConfig, flips),
        set("guards turned, None", Affinity::None, flips),
    ]
}

/// Returns as many turned guards as the chart still renders with, and without losing a key.
fn turned(chart: &Chart, helm: &Helm, keys: &[sets::Keys]) -> Vec<Setting> {
    let all = sets::flips(&chart.original(), |text| bench::long() || text.contains("sessionAffinity"));
    let sticky = Affinity::StickyWithConfig.settings(keys);
    let count = |flips: &[Setting]| {
        let values = sets::tree(flips.iter().chain(&sticky));
        let rendered = chart.render(helm, &chart.original(), &values).ok()?;
        Some(rendered.matches("sessionAffinity").count())
    };
    let least = count(&[]);
    let mut kept = Vec::new();
    keep_working(&all, &mut kept, &|flips| count(flips) >= least);
    kept
}

fn keep_working(more: &[Setting], kept: &mut Vec<Setting>, works: &impl Fn(&[Setting]) -> bool) {
    if more.is_empty() {
        return;
    }
    let all = [kept.as_slice(), more].concat();
    if works(&all) {
        *kept = all;
    } else if more.len() > 1 {
        let (first, second) = more.split_at(more.len() / 2);
        keep_working(first, kept, works);
        keep_working(second, kept, works);
    }
}

/// One rendering of a chart and of its fixed copy.
struct Case<'a> {
    chart: &'a Chart,
    helm: &'a Helm,
    before: &'a str,
    fixed: &'a Path,
    policy: Policy,
    values: &'a Value,
}

impl Case<'_> {
    fn judge(&self, tally: &mut Tally) -> Result<(), String> {
        let after = self.chart.render(self.helm, self.fixed, self.values);
        let after = after.map_err(|words| format!("the fixed chart does not render: {words}"))?;
        tally.sets += 1;
        let (expected, got) = unstick::sides(self.before, &after, self.policy)?;
        if self.policy == KEEP && count_none(self.before) > count_none(&after) {
            return Err("a None that a user's values set is gone".into());
        }
        let (expected, got) = (manifest::sorted(&expected), manifest::sorted(&got));
        if expected.len() != got.len() {
            return Err(format!("{} documents became {}", expected.len(), got.len()));
        }
        let mut words = String::new();
        let mut again = None;
        for (index, (expected, got)) in expected.iter().zip(&got).enumerate() {
            if expected.source != got.source {
                let _ = write!(words, "\n  {} came in place of {}", got.source, expected.source);
                continue;
            }
            let mut relation = manifest::relation(&expected.text, &got.text);
            if relation == Relation::Different {
                let again = again.get_or_insert_with(|| self.filtered_again());
                if again.get(index).is_some_and(|again| same_but_random(&expected.text, &again.text, &got.text)) {
                    relation = Relation::Equal;
                }
            }
            let argued = relation == Relation::Different && self.is_argued(expected, got);
            tally.argued += usize::from(argued);
            if manifest::is_service(&expected.text) {
                tally.services += 1;
                tally.exact += usize::from(relation == Relation::Equal);
                tally.blank_lines += usize::from(relation == Relation::BlankLines);
            }
            if relation == Relation::Different && !argued {
                let difference = manifest::difference(&expected.text, &got.text);
                let _ = write!(words, "\n  {}\n{difference}", expected.source);
            }
        }
        if words.is_empty() { Ok(()) } else { Err(words) }
    }

    /// Tells whether the document need not be as the filter would make it; a Service must be so in all but affinity.
    fn is_argued(&self, expected: &Manifest, got: &Manifest) -> bool {
        let end =
            |(chart, source, _): &&(&str, &str, &str)| *chart == self.chart.name && expected.source.ends_with(source);
        if !ARGUED.iter().any(|entry| end(&entry)) {
            return false;
        }
        !manifest::is_service(&expected.text)
            || unstick::sides(&got.text, &got.text, self.policy)
                .is_ok_and(|(filtered, _)| manifest::relation(&expected.text, &filtered) < Relation::Different)
    }

    /// Renders the original once more, to know what is random in it.
    fn filtered_again(&self) -> Vec<Manifest> {
        let again = self.chart.render(self.helm, &self.chart.original(), self.values).unwrap_or_default();
        unstick::sides(&again, "", self.policy).map(|(again, _)| manifest::sorted(&again)).unwrap_or_default()
    }
}

fn count_none(text: &str) -> usize {
    text.lines().filter(|line| line.trim() == "sessionAffinity: None").count()
}

/// Tells whether a text is as expected on all lines that stay the same from one rendering to the next.
fn same_but_random(expected: &str, again: &str, got: &str) -> bool {
    let filled = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    };
    let (expected, again, got) = (filled(expected), filled(again), filled(got));
    expected.len() == again.len()
        && expected.len() == got.len()
        && expected != again
        && expected.iter().zip(&again).zip(&got).all(|((expected, again), got)| expected != again || expected == got)
}
