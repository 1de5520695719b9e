//! Keys of the two names in a values.yaml that decide over no entry.

use std::collections::{BTreeMap, HashSet};

use unstick_yaml::{Content, NodeId, Span};

use crate::affinity::{CONFIG, KEY, State};
use crate::{Finding, Outcome, Rule, Severity};

use super::super::path::{Step, ValuesPath, step};
use super::super::resolve::Manner;
use super::super::values::{Hit, ValuesFile};
use super::message::dotted;
use super::{KnobPlan, Part, Planner, Target};

impl Planner<'_> {
    /// Tells of each key of the two names that was not told of before.
    pub(super) fn tell_dead(&self, plan: &mut KnobPlan, parts: &BTreeMap<usize, Vec<Part>>) {
        let told = told(plan, parts);
        for chart in 0..self.set.charts.len() {
            let Some(values) = self.values.get(chart) else { continue };
            for target in named(values, chart) {
                if !told.contains(&(values.file, self.span(&target.hit))) {
                    self.tell_one(plan, values.file, &target);
                }
            }
        }
    }

    fn tell_one(&self, plan: &mut KnobPlan, file: usize, target: &Target) {
        let name = dotted(&target.hit.keys);
        let absent = self.absent(&target.path);
        if self.is_dead(&target.path) {
            let message = format!("no template reads {name}: it has no effect");
            let mut finding = self.finding(target, Rule::DeadValue, Outcome::Noted, message);
            finding.severity = Severity::Info;
            finding.help = Some("take it out, or give it the name that the templates read".into());
            plan.findings.entry(file).or_default().push(finding);
            return;
        }
        let finding = self.passed_on(target, &name, absent);
        plan.findings.entry(file).or_default().push(finding);
    }

    /// Returns the paths of keys of the two names that no template can read, and whether each is a config's.
    pub(super) fn dead_paths(&self) -> Vec<(ValuesPath, bool)> {
        let charts = (0..self.set.charts.len()).filter_map(|chart| Some((chart, self.values.get(chart)?)));
        let targets = charts.flat_map(|(chart, values)| named(values, chart));
        targets.filter(|target| self.is_dead(&target.path)).map(|target| (target.path, target.config)).collect()
    }

    fn is_dead(&self, path: &ValuesPath) -> bool {
        self.absent(path).is_none() && self.set.faults.is_empty() && self.reader(path).is_none()
    }

    /// Tells of a key that is read in a way that was not followed to an entry.
    fn passed_on(&self, target: &Target, name: &str, absent: Option<&str>) -> Finding {
        let (rule, message) = match (absent, self.reader(&target.path)) {
            (Some(chart), _) => {
                (Rule::OpaqueSpec, format!("{name} belongs to the chart {chart}, which is not unpacked here"))
            }
            (None, Some(read)) => {
                let path = self.set.files[read.file].path;
                let message = match read.manner {
                    Manner::Whole if read.path.steps.len() < target.path.steps.len() => {
                        format!("{path} hands {} on as a whole, with {name} in it", read.path)
                    }
                    _ => format!("{path} reads {name}, but not as the value of a Service's field"),
                };
                (Rule::OpaqueSpec, message)
            }
            (None, None) => (Rule::OpaqueSpec, format!("whether a template reads {name} cannot be told")),
        };
        let mut finding = self.finding(target, rule, Outcome::Noted, message);
        if target.state.is_sticky() && !target.config {
            finding.help = Some(format!("set {name} to None, if it is meant for a Service"));
        }
        finding
    }

    /// Returns the name of the sub-chart that a key is meant for, where that is not at hand.
    fn absent(&self, path: &ValuesPath) -> Option<&str> {
        let Step::Key(first) = path.steps.first()? else { return None };
        let absent = &self.set.charts[path.chart].absent;
        if first == "global" {
            return absent.first().map(String::as_str);
        }
        absent.iter().find(|prefix| *prefix == first).map(String::as_str)
    }
}

/// Returns what was told of, by file.
fn told(plan: &KnobPlan, parts: &BTreeMap<usize, Vec<Part>>) -> HashSet<(usize, Span)> {
    let findings =
        plan.findings.iter().flat_map(|(file, findings)| findings.iter().map(|finding| (*file, finding.span)));
    let parts = parts
        .iter()
        .flat_map(|(file, parts)| parts.iter().flat_map(|part| &part.findings).map(|finding| (*file, finding.span)));
    findings.chain(parts).collect()
}

/// Returns the entries of the two names, with their paths.
fn named(values: &ValuesFile, chart: usize) -> Vec<Target> {
    let outline = &values.outline;
    let mut found = Vec::new();
    let mut open: Vec<(NodeId, Vec<String>)> = outline.root.map(|root| (root, Vec::new())).into_iter().collect();
    while let Some((node, keys)) = open.pop() {
        let members = outline.members(node);
        let listed = matches!(outline.node(node).content, Content::Sequence { .. });
        for (at, entry) in members.iter().enumerate() {
            let key = match (listed, outline.key(entry)) {
                (true, _) => format!("[{at}]"),
                (false, Some(key)) => key.to_owned(),
                (false, None) => continue,
            };
            let keys = [keys.clone(), vec![key]].concat();
            let is_named = !listed && matches!(outline.key(entry), Some(KEY | CONFIG));
            if is_named {
                let config = outline.key(entry) == Some(CONFIG);
                let hit = Hit { chart, entry: Some((node, at)), value: entry.value, keys: keys.clone(), shared: false };
                let path = ValuesPath { chart, steps: keys.iter().map(|key| step(key)).collect() };
                found.push(Target { hit, path, state: State::read(outline, entry.value), config });
            }
            open.push((entry.value, keys));
        }
    }
    found.sort_by_key(|target| target.hit.entry);
    found
}
