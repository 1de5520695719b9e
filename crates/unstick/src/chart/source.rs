//! The plan of one template: findings and edits, proven twice.

use std::collections::BTreeMap;

use unstick_yaml::{Edit, EditSet, Refusal, Removal, RemovalPlan, Span, Template, TemplateOutline};

use crate::decision::Decision;
use crate::policy::Comments;
use crate::{Finding, Outcome, Policy, Resource, Rule, Severity};

use super::ChartSet;
use super::comment;
use super::entry::{self, TemplateEntry};
use super::fate::{Fate, Judge};
use super::flow;
use super::outlines::Outlines;
use super::standing::{self, Remark, ServiceObject, Standing};
use super::witness;

/// What becomes of one template.
#[derive(Debug, Default)]
pub(crate) struct SourcePlan {
    /// What is told of its entries.
    pub findings: Vec<Finding>,
    /// The edits.
    pub edits: EditSet,
    /// All entries, with what they belong to.
    pub entries: Vec<PlannedEntry>,
}

/// One entry and what becomes of it.
#[derive(Debug, Clone)]
pub(crate) struct PlannedEntry {
    pub entry: TemplateEntry,
    /// The Services that it is printed into; empty where it is in none.
    pub services: Vec<ServiceObject>,
    /// What becomes of it; `None` where it is in no Service.
    pub fate: Option<Fate>,
    /// The entries of one spec share it.
    group: usize,
}

const LOOSENS: &str = "the chart takes more values than before: those that made its condition or its value fail";

/// More rounds than this of taking out what was refused are not made.
const MAX_ROUNDS: usize = 8;

/// Plans one template of a chart.
pub(crate) fn plan(set: &ChartSet<'_>, outlines: &Outlines, policy: &Policy, file: usize) -> SourcePlan {
    let (Some(template), Some(outline)) = (&set.templates[file], &outlines.files[file]) else {
        return SourcePlan::default();
    };
    let text = set.files[file].bytes;
    let planner = Planner { set, outlines, policy, file, text, template, outline };
    planner.plan()
}

struct Planner<'a> {
    set: &'a ChartSet<'a>,
    outlines: &'a Outlines,
    policy: &'a Policy,
    file: usize,
    text: &'a [u8],
    template: &'a Template,
    outline: &'a TemplateOutline,
}

impl Planner<'_> {
    fn plan(&self) -> SourcePlan {
        let mut plan = SourcePlan::default();
        let mut groups: BTreeMap<Vec<(usize, usize)>, usize> = BTreeMap::new();
        for entry in entry::find(self.file, self.text, self.template, self.outline) {
            match standing::find(self.set, self.outlines, &entry) {
                Standing::Other(remark) => {
                    plan.findings.push(self.finding(&entry, None, remark));
                    plan.entries.push(PlannedEntry { entry, services: Vec::new(), fate: None, group: usize::MAX });
                }
                Standing::Services(services) => {
                    let mut places: Vec<(usize, usize)> = services.iter().map(|service| service.place).collect();
                    places.sort_unstable();
                    let count = groups.len();
                    let group = *groups.entry(places).or_insert(count);
                    plan.entries.push(PlannedEntry { entry, services, fate: None, group });
                }
            }
        }
        for group in 0..groups.len() {
            self.decide(&mut plan, group);
        }
        self.make(&mut plan);
        plan
    }

    /// Decides over the entries of one spec.
    fn decide(&self, plan: &mut SourcePlan, group: usize) {
        let members: Vec<usize> = (0..plan.entries.len()).filter(|at| plan.entries[*at].group == group).collect();
        let Some(first) = members.first() else { return };
        let decision = self.decision(&plan.entries[*first].services);
        let decision = match decision {
            Ok(decision) => decision,
            Err(remark) => {
                for at in members {
                    plan.entries[at].fate = Some(Fate::Stay(remark.clone()));
                }
                return;
            }
        };
        let judge = Judge { text: self.text, template: self.template, policy: self.policy, decision: &decision };
        let (keys, configs): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|at| !plan.entries[*at].entry.config);
        let fates: Vec<Fate> = keys.iter().map(|at| judge.key(&plan.entries[*at].entry)).collect();
        for at in configs {
            plan.entries[at].fate = Some(judge.config(&plan.entries[at].entry, &fates));
        }
        for (at, fate) in keys.into_iter().zip(fates) {
            plan.entries[at].fate = Some(fate);
        }
    }

    /// Returns what the policy says of all Services that share the lines.
    fn decision(&self, services: &[ServiceObject]) -> Result<Decision, Remark> {
        let path = self.set.files[self.file].path;
        let mut agreed: Option<Decision> = None;
        for service in services {
            let decision = service.decide(self.policy, path)?;
            match &agreed {
                Some(other) if !other.agrees(&decision) => {
                    let message = "several Services share these lines and the policy treats them differently";
                    return Err(Remark::refused(Rule::Template, message));
                }
                Some(_) => {}
                None => agreed = Some(decision),
            }
        }
        agreed.ok_or_else(|| Remark::refused(Rule::Template, "where these lines are printed is not known"))
    }

    /// Makes the edits; what cannot be shown to be right stays, with all of its spec.
    fn make(&self, plan: &mut SourcePlan) {
        let mut refused: BTreeMap<usize, String> = BTreeMap::new();
        let mut removal = RemovalPlan::default();
        for round in 0..=MAX_ROUNDS {
            let going: Vec<usize> = self.going(plan, &refused, false);
            removal = self.template.plan_removal(self.text, &self.removals(plan, &going));
            let fresh: Vec<(usize, Refusal)> =
                going.iter().zip(&removal.refused).filter_map(|(at, reason)| Some((*at, (*reason)?))).collect();
            if fresh.is_empty() {
                break;
            }
            for (at, reason) in fresh {
                self.refuse(plan, &mut refused, at, &reason.to_string());
            }
            if round == MAX_ROUNDS {
                self.refuse_all(plan, &mut refused);
                removal = RemovalPlan::default();
            }
        }
        let edits = self.with_members(plan, &mut refused, removal.edits.clone());
        let edits = edits.and_then(|edits| self.with_rewrites(plan, &refused, edits));
        let edits = edits.filter(|edits| edits.is_empty() || witness::agrees(self.text, self.template, edits));
        plan.edits = edits.unwrap_or_else(|| {
            self.refuse_all(plan, &mut refused);
            removal = RemovalPlan::default();
            EditSet::new()
        });
        self.tell(plan, &refused, &removal);
    }

    /// Refuses one entry; without its config a key that stays would have another timeout, so that stays too.
    fn refuse(&self, plan: &SourcePlan, refused: &mut BTreeMap<usize, String>, at: usize, reason: &str) {
        refused.entry(at).or_insert_with(|| reason.to_owned());
        if plan.entries[at].entry.config {
            return;
        }
        for (other, planned) in plan.entries.iter().enumerate() {
            if planned.group == plan.entries[at].group && planned.entry.config {
                refused.entry(other).or_insert_with(|| "its sessionAffinity stays".to_owned());
            }
        }
    }

    fn refuse_all(&self, plan: &SourcePlan, refused: &mut BTreeMap<usize, String>) {
        for (at, planned) in plan.entries.iter().enumerate() {
            if planned.fate.as_ref().is_some_and(Fate::edits) {
                refused.entry(at).or_insert_with(|| "the edited template would read differently".to_owned());
            }
        }
    }

    fn going(&self, plan: &SourcePlan, refused: &BTreeMap<usize, String>, flow: bool) -> Vec<usize> {
        let goes = |at: &usize| {
            let planned = &plan.entries[*at];
            planned.entry.flow == flow && matches!(planned.fate, Some(Fate::Remove(_))) && !refused.contains_key(at)
        };
        (0..plan.entries.len()).filter(goes).collect()
    }

    /// Adds the edits that take entries out of specs in braces, and refuses those that have no safe form.
    fn with_members(
        &self,
        plan: &SourcePlan,
        refused: &mut BTreeMap<usize, String>,
        mut edits: EditSet,
    ) -> Option<EditSet> {
        let going = self.going(plan, refused, true);
        for spec in going.chunk_by(|a, b| plan.entries[*a].entry.node == plan.entries[*b].entry.node) {
            let node = plan.entries[spec[0]].entry.node;
            let spans: Vec<Span> = spec.iter().map(|at| plan.entries[*at].entry.span).collect();
            match flow::removal(self.text, self.template, self.outline, node, &spans, self.policy.comments) {
                Some(removal) => edits.merge(&removal).ok()?,
                None => {
                    spec.iter().for_each(|at| self.refuse(plan, refused, *at, "there is no safe edit in its braces"))
                }
            }
        }
        Some(edits)
    }

    fn removals(&self, plan: &SourcePlan, going: &[usize]) -> Vec<Removal> {
        let owned = self.policy.comments == Comments::Owned;
        let nodes: Vec<usize> = going.iter().map(|at| plan.entries[*at].entry.node).collect();
        let removal = |at: &usize| {
            let entry = &plan.entries[*at].entry;
            let comments =
                owned.then(|| comment::owned_above(self.text, self.template, self.outline, entry.node, &nodes));
            let end = comment::deeper_below(self.text, self.template, self.outline, entry);
            Removal {
                entry: Span::new(self.line_break_before(entry).unwrap_or(entry.span.start), end),
                column: self.outline.nodes[entry.node].column,
                behind_block_scalar: self.is_behind_block_scalar(entry.node),
                comments: comments.flatten(),
            }
        };
        going.iter().map(removal).collect()
    }

    /// Returns the start of a `nindent N ""` that stands directly before the key to begin its line.
    fn line_break_before(&self, entry: &TemplateEntry) -> Option<usize> {
        let token = self.template.token_at(entry.key.start)?.checked_sub(1)?;
        let action = self.template.action(token).filter(|action| action.span.end == entry.key.start)?;
        action.indentation(self.text).filter(|indentation| indentation.alone).map(|_| action.span.start)
    }

    /// Tells whether a block scalar stands before an entry in the same mapping, in any branch.
    fn is_behind_block_scalar(&self, node: usize) -> bool {
        let first = self.outline.nodes[node].parent.unwrap_or(0);
        let opens = |at: usize| matches!(self.text.get(self.outline.nodes[at].value.start), Some(b'|' | b'>'));
        (first..node).any(|at| !self.outline.nodes[at].value.is_empty() && opens(at))
    }

    /// Adds the rewrites; `None` where one lies in what goes, as with a key inside another's value.
    fn with_rewrites(
        &self,
        plan: &SourcePlan,
        refused: &BTreeMap<usize, String>,
        mut edits: EditSet,
    ) -> Option<EditSet> {
        for (at, planned) in plan.entries.iter().enumerate() {
            let (Some(Fate::Rewrite(parts, _)), false) = (&planned.fate, refused.contains_key(&at)) else {
                continue;
            };
            for (span, text) in parts {
                edits.insert(Edit::replacement(*span, text.clone())).ok()?;
            }
        }
        Some(edits)
    }

    /// Tells what became of each entry of a Service.
    fn tell(&self, plan: &mut SourcePlan, refused: &BTreeMap<usize, String>, removal: &RemovalPlan) {
        for at in 0..plan.entries.len() {
            let planned = &plan.entries[at];
            let Some(fate) = planned.fate.clone() else { continue };
            let remark = match (&fate, refused.get(&at)) {
                (Fate::Remove(_) | Fate::Rewrite(..), Some(reason)) => {
                    Remark::refused(Rule::Template, format!("left as it is: {reason}"))
                }
                (Fate::Remove(remark) | Fate::Rewrite(_, remark), None) => {
                    self.with_kept_block(remark, planned, removal)
                }
                (Fate::Stay(remark), _) => remark.clone(),
                (Fate::Knob, _) => continue,
            };
            if remark.outcome == Outcome::Refused {
                plan.entries[at].fate = Some(Fate::Stay(remark.clone()));
            }
            let planned = &plan.entries[at];
            let finding = self.finding(&planned.entry, planned.services.first(), remark);
            plan.findings.push(finding);
        }
    }

    /// Says where an emptied block had to stay.
    fn with_kept_block(&self, remark: &Remark, planned: &PlannedEntry, removal: &RemovalPlan) -> Remark {
        let mut holder = planned.entry.holder;
        while let Some((block, _)) = holder {
            let own = &self.template.blocks[block];
            if removal.kept_blocks.iter().any(|opener| own.span.start == opener.start) {
                let help = "the block around it is empty now and stays: its condition may fail or set something, or its \
                            trim markers shape other lines";
                return remark.clone().with_help(help);
            }
            holder = own.holder;
        }
        match self.loosens(planned, removal) {
            true => remark.clone().with_help(LOOSENS),
            false => remark.clone(),
        }
    }

    /// Tells whether something goes with an entry that fails for some values.
    fn loosens(&self, planned: &PlannedEntry, removal: &RemovalPlan) -> bool {
        if !matches!(planned.fate, Some(Fate::Remove(_))) {
            return false;
        }
        let mut tokens: Vec<usize> = planned.entry.value.actions().to_vec();
        let mut holder = planned.entry.holder;
        while let Some((block, _)) = holder {
            let own = &self.template.blocks[block];
            if removal.edits.as_slice().iter().any(|edit| edit.span.encloses(own.span)) {
                tokens.extend(own.branches.iter().map(|branch| branch.header));
            }
            holder = own.holder;
        }
        tokens.into_iter().any(|token| self.template.may_fail(self.text, token))
    }

    /// Makes the finding for an entry.
    fn finding(&self, entry: &TemplateEntry, service: Option<&ServiceObject>, remark: Remark) -> Finding {
        finding(entry, service, remark)
    }
}

/// Makes the finding for an entry.
pub(crate) fn finding(entry: &TemplateEntry, service: Option<&ServiceObject>, remark: Remark) -> Finding {
    let name = entry.name();
    let resource: Option<Resource> =
        service.map(|service| service.object.resource.clone()).or(remark.resource.map(|resource| *resource));
    let field = service.map(|_| format!("spec.{name}")).or(remark.field);
    let severity = if remark.outcome == Outcome::Refused { Severity::Error } else { remark.severity };
    Finding {
        rule: remark.rule,
        severity,
        outcome: remark.outcome,
        span: entry.span,
        document: 0,
        resource,
        field,
        message: remark.message,
        help: remark.help,
    }
}
