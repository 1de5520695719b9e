//! Knobs that stay: a sticky default becomes None.

use std::collections::BTreeMap;

use unstick_yaml::{ChangeSet, Content, Value};

use crate::affinity::{NONE, State};
use crate::{Finding, Outcome, Rule};

use super::super::amendment::AmendmentPart;
use super::super::path::{Step, step};
use super::super::schema::SchemaFile;
use super::message::{dotted, state_words};
use super::{KnobPlan, Part, Planner, Role, Target};

impl Planner<'_> {
    /// Sets the sticky defaults of all keys that decide over entries to None.
    pub(super) fn keep(&self, plan: &mut KnobPlan, parts: &mut BTreeMap<usize, Vec<Part>>) {
        for target in self.knobs() {
            let Some(file) = self.file(&target.hit) else { continue };
            match self.keep_one(&target) {
                (Some(amendment), finding) => {
                    parts.entry(file).or_default().push(Part { amendment, findings: vec![finding] });
                }
                (None, finding) => plan.findings.entry(file).or_default().push(finding),
            }
        }
    }

    /// Returns each place in a values.yaml that decides over an entry, once.
    fn knobs(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for used in self.uses.iter().filter(|used| matches!(used.role, Role::Knob | Role::Edited)) {
            for path in &used.resolution.paths {
                for target in self.targets(path, used.planned.entry.config) {
                    if !targets.iter().any(|known| known.hit == target.hit) {
                        targets.push(target);
                    }
                }
            }
        }
        targets
    }

    /// Returns the change that a key asks for, if it can be made, and what is told of it.
    fn keep_one(&self, target: &Target) -> (Option<AmendmentPart>, Finding) {
        let name = dotted(&target.hit.keys);
        if target.config {
            let message = format!("{name} has an effect only where its sessionAffinity is ClientIP");
            return (None, self.finding(target, Rule::OrphanConfig, Outcome::Kept, message));
        }
        let value = match &target.state {
            State::Sticky(value) => value,
            State::Unknown => {
                let message = format!("{name} is no string: what the templates make of it was not looked at");
                return (None, self.finding(target, Rule::UnknownValue, Outcome::Noted, message));
            }
            state => {
                let message = format!("{name} is {} by default", state_words(state));
                return (None, self.finding(target, Rule::NotSticky, Outcome::Kept, message));
            }
        };
        if let Some(reason) = self.obstacle(target, value) {
            let message = format!("{name} is sticky by default, and stays: {reason}");
            let mut finding = self.finding(target, Rule::StickyByDefault, Outcome::Refused, message);
            finding.help = Some(format!("set {name} to None by hand"));
            return (None, finding);
        }
        let mut changes = ChangeSet::new();
        changes.rewrite(target.hit.value, Value::String(NONE.to_owned()));
        let message = format!("{name} makes Services sticky by default: it becomes None");
        let amendment = AmendmentPart { changes, comments: Vec::new() };
        (Some(amendment), self.finding(target, Rule::StickyByDefault, Outcome::Changed, message))
    }

    /// Returns why a sticky default cannot be changed.
    fn obstacle(&self, target: &Target, value: &str) -> Option<String> {
        if target.hit.shared {
            return Some("other keys share it through an anchor, or it is written twice".into());
        }
        if value.contains("{{") {
            return Some("it is a template itself".into());
        }
        let plain = self.outline(&target.hit).is_some_and(|outline| {
            let node = outline.node(target.hit.value);
            matches!(node.content, Content::Scalar { .. }) && node.anchor.is_none()
        });
        if !plain {
            return Some("it carries an anchor".into());
        }
        let schema = self.schemas[target.hit.chart].as_ref();
        let steps: Vec<Step> = target.hit.keys.iter().map(|key| step(key)).collect();
        let takes = |schema: &SchemaFile| schema.find(&steps).iter().all(|property| schema.takes(property, NONE));
        if !schema.is_none_or(takes) {
            return Some("values.schema.json does not take None".into());
        }
        self.fixed(&target.path)
    }
}
