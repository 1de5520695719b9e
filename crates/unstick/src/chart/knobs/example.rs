//! Commented entries of keys that no template reads any more, wherever they stand in a values.yaml.

use std::collections::BTreeMap;

use unstick_yaml::Span;

use crate::affinity::NAMES;
use crate::policy::Comments;
use crate::{Finding, Outcome, Rule, Severity};

use super::super::amendment::AmendmentPart;
use super::super::remark::commented_entries;
use super::{Part, Planner, Role};

impl Planner<'_> {
    /// Takes commented entries of the two names out of the values of charts whose entries all go.
    pub(super) fn strip_examples(&self, parts: &mut BTreeMap<usize, Vec<Part>>) {
        if self.policy.comments == Comments::Keep {
            return;
        }
        for chart in 0..self.set.charts.len() {
            let Some(values) = self.values.get(chart) else { continue };
            let mut own = self.uses.iter().filter(|used| self.set.owners[used.file] == Some(chart)).peekable();
            if own.peek().is_none() || own.any(|used| used.role != Role::Edited) {
                continue;
            }
            let text = self.set.text(values.file);
            let file = parts.entry(values.file).or_default();
            let taken: Vec<Span> = file.iter().flat_map(|part| part.amendment.comments.clone()).collect();
            for span in commented_entries(text, &values.outline, NAMES) {
                if !taken.iter().any(|other| other.start < span.end && span.start < other.end) {
                    let amendment = AmendmentPart { comments: vec![span], ..AmendmentPart::default() };
                    file.push(Part { amendment, findings: vec![finding(text, span)] });
                }
            }
        }
    }
}

fn finding(text: &[u8], span: Span) -> Finding {
    let line = span.slice(text).trim_ascii_end().len();
    let indent = span.slice(text).iter().take_while(|byte| **byte == b' ').count();
    Finding {
        rule: Rule::DeadValue,
        severity: Severity::Info,
        outcome: Outcome::Changed,
        span: Span::new(span.start + indent, span.start + line),
        document: 0,
        resource: None,
        field: None,
        message: "a commented example of a key that is taken out goes along".into(),
        help: None,
    }
}
