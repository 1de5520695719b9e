//! Knobs that go: from values.yaml with their comments, and from values.schema.json.

use std::collections::{BTreeMap, BTreeSet};

use unstick_yaml::{ChangeSet, Content, NodeId};

use crate::affinity::CONFIG;
use crate::policy::Comments;
use crate::{Finding, Outcome, Rule, Severity};

use super::super::amendment::AmendmentPart;
use super::super::path::{Step, ValuesPath};
use super::super::remark::Gone;
use super::super::resolve::{Manner, Read};
use super::super::schema::{Property, SchemaFile};
use super::super::values::ValuesFile;
use super::message::dotted;
use super::{KnobPlan, Part, Planner, Role, Target, cut_to_name};

/// A key that nothing needs any more, with the places that set and describe it.
struct Going {
    targets: Vec<Target>,
    properties: Vec<(usize, Property)>,
}

impl Planner<'_> {
    /// Takes the keys out that only removed lines read.
    pub(super) fn strip(&self, plan: &mut KnobPlan, parts: &mut BTreeMap<usize, Vec<Part>>) {
        let mut going: Vec<Going> = Vec::new();
        let mut staying: Vec<(usize, Property)> = Vec::new();
        for (path, config) in self.candidates() {
            let targets = self.targets(&path, config);
            let properties = properties(self, &path);
            let obstacle = self.needed(&path).or_else(|| targets.iter().find_map(|target| self.stuck(target)));
            let obstacle = obstacle.or_else(|| required_elsewhere(&properties));
            let Some(reason) = obstacle else {
                going.push(Going { targets, properties });
                continue;
            };
            staying.extend(properties);
            for target in targets {
                self.tell_staying(plan, &target, &reason);
            }
        }
        self.keep_filled(plan, &mut going, &mut staying);
        for Going { targets, .. } in &going {
            for target in targets {
                self.take_out(parts, target);
            }
        }
        self.strip_examples(parts);
        self.strip_schemas(plan, parts, &going, &staying);
    }

    /// Returns the paths that removed lines read or that nothing reads, and whether each is a config's.
    fn candidates(&self) -> Vec<(ValuesPath, bool)> {
        let mut all: Vec<(ValuesPath, bool)> = Vec::new();
        let edited = self.uses.iter().filter(|used| used.role == Role::Edited);
        for used in edited {
            let paths = used.resolution.paths.iter().map(cut_to_name);
            all.extend(paths.map(|path| (path, used.planned.entry.config)));
        }
        let read = self.gone.iter().filter(|read| matches!(read.manner, Manner::Test | Manner::Whole));
        all.extend(read.map(|read| {
            let path = cut_to_name(&read.path);
            let config = path.last_key() == Some(CONFIG);
            (path, config)
        }));
        all.extend(self.dead_paths());
        let mut seen = BTreeSet::new();
        all.retain(|(path, _)| path.last_key().is_some() && seen.insert(path.clone()));
        // A guard of the whole object is no key of ours: only what nothing else reads comes into question.
        all.retain(|(path, _)| self.is_ours(path) || self.reader(path).is_none());
        all
    }

    /// Tells whether a path is one that an entry's value comes from.
    fn is_ours(&self, path: &ValuesPath) -> bool {
        let mut paths = self.uses.iter().flat_map(|used| &used.resolution.paths);
        paths.any(|own| cut_to_name(own) == *path)
    }

    /// Returns why the key under a path must stay, whatever its place in the values.
    fn needed(&self, path: &ValuesPath) -> Option<String> {
        if let Some(reason) = self.fixed(path) {
            return Some(reason);
        }
        if let Some(read) = self.reader(path) {
            return Some(format!("{} reads it too", self.set.files[read.file].path));
        }
        if let Some((file, _)) = self.set.faults.first() {
            return Some(format!("{} cannot be read and may need it", self.set.files[*file].path));
        }
        let key = path.last_key()?;
        self.templated_text(key).map(|file| format!("{} holds a template that names it", self.set.files[file].path))
    }

    /// Returns a read of the key under a path that stays.
    pub(super) fn reader(&self, path: &ValuesPath) -> Option<&Read> {
        let levels: Vec<ValuesPath> = path.instances(self.set).into_iter().flatten().collect();
        self.reads.iter().find(|read| {
            levels.iter().any(|level| {
                let is_parent = read.path.steps.len() + 1 == level.steps.len();
                level.is_above(&read.path)
                    || match read.manner {
                        Manner::Whole => read.path.is_above(level),
                        Manner::Walk => is_parent && read.path.is_above(level),
                        Manner::Test | Manner::Scope => false,
                    }
            })
        })
    }

    /// Returns a file beside the templates that holds a template which names the key: in a string of the values, or as
    /// a text of its own.
    fn templated_text(&self, key: &str) -> Option<usize> {
        let names = |text: &[u8]| {
            let needle = format!(".{key}");
            memchr::memmem::find(text, b"{{").is_some() && memchr::memmem::find(text, needle.as_bytes()).is_some()
        };
        let in_values = |values: &ValuesFile| {
            let scalar = |node: &unstick_yaml::Node| match &node.content {
                Content::Scalar { value, .. } => names(value.as_bytes()),
                _ => false,
            };
            values.outline.nodes.iter().any(scalar)
        };
        let mut values = (0..self.set.charts.len()).filter_map(|chart| self.values.get(chart));
        if let Some(values) = values.find(|values| in_values(values)) {
            return Some(values.file);
        }
        let known = |file: usize| {
            let path = self.set.files[file].path;
            let name = path.rsplit('/').next().unwrap_or(path);
            name.ends_with(".md") || name.ends_with(".gotmpl") || name.contains("values")
        };
        (0..self.set.files.len())
            .find(|file| self.set.templates[*file].is_none() && !known(*file) && names(self.set.text(*file)))
    }

    /// Returns why one place in a values.yaml cannot be taken out.
    fn stuck(&self, target: &Target) -> Option<String> {
        if target.hit.shared {
            return Some("other keys share it through an anchor, or it is written twice".into());
        }
        if target.hit.entry.is_none() {
            return Some("it is an item of a list".into());
        }
        None
    }

    fn tell_staying(&self, plan: &mut KnobPlan, target: &Target, reason: &str) {
        let Some(file) = self.file(&target.hit) else { return };
        let message = format!("{} stays: {reason}", dotted(&target.hit.keys));
        let mut finding = self.finding(target, Rule::FollowUp, Outcome::Noted, message);
        finding.severity = Severity::Warning;
        plan.findings.entry(file).or_default().push(finding);
    }

    /// Keeps the keys of mappings that would be empty then, where a template asks whether they are.
    fn keep_filled(&self, plan: &mut KnobPlan, going: &mut Vec<Going>, staying: &mut Vec<(usize, Property)>) {
        let mut counts: BTreeMap<(usize, NodeId), usize> = BTreeMap::new();
        for target in going.iter().flat_map(|going| &going.targets) {
            if let Some((mapping, _)) = target.hit.entry {
                *counts.entry((target.hit.chart, mapping)).or_default() += 1;
            }
        }
        let empties = |target: &Target| {
            let Some((mapping, _)) = target.hit.entry else { return false };
            let Some(outline) = self.outline(&target.hit) else { return false };
            outline.entries(mapping).len() == counts[&(target.hit.chart, mapping)]
                && (target.path.steps.len() < 2 || self.asks_for(&target.path))
        };
        let (kept, rest): (Vec<Going>, Vec<Going>) =
            std::mem::take(going).into_iter().partition(|going| going.targets.iter().any(empties));
        *going = rest;
        for Going { targets, properties } in kept {
            for target in &targets {
                self.tell_staying(plan, target, "the mapping around it would be empty, and a template asks for it");
            }
            staying.extend(properties);
        }
    }

    /// Tells whether a template asks if the mapping above a key holds anything.
    fn asks_for(&self, path: &ValuesPath) -> bool {
        let above = ValuesPath { chart: path.chart, steps: path.steps[..path.steps.len() - 1].to_vec() };
        let levels: Vec<ValuesPath> = above.instances(self.set).into_iter().flatten().collect();
        self.reads.iter().any(|read| levels.iter().any(|level| read.path.meets(level)))
    }

    /// Takes one key out of its values.yaml.
    pub(super) fn take_out(&self, parts: &mut BTreeMap<usize, Vec<Part>>, target: &Target) {
        let (Some(file), Some((mapping, at))) = (self.file(&target.hit), target.hit.entry) else { return };
        let mut amendment = AmendmentPart::default();
        amendment.changes.remove(mapping, at);
        if let Some(outline) = self.outline(&target.hit).filter(|_| self.policy.comments == Comments::Owned) {
            let names = self.names();
            let gone = Gone { text: self.set.text(file), outline, mapping, index: at, names: &names };
            amendment.comments = gone.comments();
        }
        let rule = if target.state.is_sticky() && !target.config { Rule::StickyByDefault } else { Rule::DeadValue };
        let message = format!("nothing reads {} now: it is taken out", dotted(&target.hit.keys));
        let finding = self.finding(target, rule, Outcome::Changed, message);
        parts.entry(file).or_default().push(Part { amendment, findings: vec![finding] });
    }

    fn strip_schemas(
        &self,
        plan: &mut KnobPlan,
        parts: &mut BTreeMap<usize, Vec<Part>>,
        going: &[Going],
        staying: &[(usize, Property)],
    ) {
        let mut done: Vec<(usize, (NodeId, usize))> = Vec::new();
        for (chart, property) in going.iter().flat_map(|going| &going.properties) {
            let Some(schema) = &self.schemas[*chart] else { continue };
            let id = (*chart, property.entry);
            if done.contains(&id) {
                continue;
            }
            done.push(id);
            let needed = staying.iter().any(|(other, kept)| (*other, kept.entry) == id);
            let reason = match (needed, property.shared, property.closed) {
                (true, _, _) => Some("other keys that stay are described by it"),
                (_, true, _) => Some("other parts of the schema refer to it"),
                (_, _, true) => Some("the schema takes no other keys, so users' own values with it would fail"),
                _ => None,
            };
            let changes = schema_changes(property, reason.is_none());
            let finding = schema_finding(schema, property, reason);
            match changes.is_empty() {
                true => plan.findings.entry(schema.file).or_default().push(finding),
                false => {
                    let amendment = AmendmentPart { changes, comments: Vec::new() };
                    parts.entry(schema.file).or_default().push(Part { amendment, findings: vec![finding] });
                }
            }
        }
    }
}

/// Returns the properties that describe a path, in the schemas of its chart and of those above.
fn properties(planner: &Planner<'_>, path: &ValuesPath) -> Vec<(usize, Property)> {
    let mut all: Vec<(usize, Property)> = Vec::new();
    for level in path.instances(planner.set).into_iter().flatten() {
        let Some(schema) = &planner.schemas[level.chart] else { continue };
        let steps: Vec<Step> = level.steps.clone();
        for property in schema.find(&steps) {
            if !all.iter().any(|(chart, known)| *chart == level.chart && known.entry == property.entry) {
                all.push((level.chart, property));
            }
        }
    }
    all
}

/// Returns why a schema asks for the key in a way that cannot be changed here.
fn required_elsewhere(properties: &[(usize, Property)]) -> Option<String> {
    let stuck = properties.iter().any(|(_, property)| property.required.is_some() && property.shared);
    stuck.then(|| "values.schema.json requires it, in a part that others refer to".into())
}

fn schema_changes(property: &Property, goes: bool) -> ChangeSet {
    let mut changes = ChangeSet::new();
    if goes {
        changes.remove(property.entry.0, property.entry.1);
    }
    match (property.only_required, property.required) {
        (Some((object, member)), _) => changes.remove(object, member),
        (None, Some((list, item))) => changes.remove(list, item),
        (None, None) => {}
    }
    changes
}

fn schema_finding(schema: &SchemaFile, property: &Property, reason: Option<&str>) -> Finding {
    let outline = schema.outline();
    let entry = outline.members(property.entry.0)[property.entry.1];
    let (outcome, message) = match reason {
        None => (Outcome::Changed, "the property of a key that is taken out goes".to_owned()),
        Some(reason) => (Outcome::Kept, format!("the property stays: {reason}")),
    };
    let field = outline.key(&entry).map(str::to_owned);
    debug_assert!(matches!(outline.node(property.entry.0).content, Content::Mapping { .. }));
    Finding {
        rule: Rule::SchemaProperty,
        severity: Severity::Info,
        outcome,
        span: entry.span(),
        document: 0,
        resource: None,
        field,
        message,
        help: None,
    }
}
