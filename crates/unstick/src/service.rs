//! What becomes of one site: its affinity, its config, and what reaches it through aliases and merge keys.

use unstick_yaml::{ChangeSet, Entry, NodeId, Outline, Span, Value};

use crate::affinity::{CONFIG, KEY, State};
use crate::decision::Decision;
use crate::merge::{Lookup, is_merge, merged};
use crate::policy::Action;
use crate::sharing::Sharing;
use crate::site::{Site, SiteKind};
use crate::{Finding, Outcome, Rule, Severity};

mod client_ip;
mod message;
mod removal;

/// What becomes of one site.
#[derive(Debug, Default)]
pub(crate) struct SitePlan {
    /// What shall be different in the document.
    pub changes: ChangeSet,
    /// What is told.
    pub drafts: Vec<Draft>,
    /// Keys that the drafts speak of.
    pub claimed: Vec<NodeId>,
    /// Values that are aliases: they change at their anchor if the anchor's own site writes the same there.
    pub deferred: Vec<Deferred>,
}

/// A value that is an alias of another site's value.
#[derive(Debug)]
pub(crate) struct Deferred {
    alias: NodeId,
    anchored: NodeId,
    own_site: usize,
    value: Value,
    /// The finding where the alias itself is rewritten.
    here: Draft,
    /// The finding where the anchor is.
    at_anchor: Draft,
}

/// Decides for the deferred values, once all sites have their plans.
pub(crate) fn settle(plans: &mut [SitePlan]) {
    for index in 0..plans.len() {
        for deferred in std::mem::take(&mut plans[index].deferred) {
            let written =
                plans.get(deferred.own_site).is_some_and(|own| own.changes.rewrites_in_place(deferred.anchored));
            if written {
                plans[index].drafts.push(deferred.at_anchor);
            } else {
                plans[index].changes.rewrite(deferred.alias, deferred.value);
                plans[index].drafts.push(deferred.here);
            }
        }
    }
}

/// A finding that holds only if the changes of `depends_on` can be made.
#[derive(Debug)]
pub(crate) struct Draft {
    pub finding: Finding,
    /// Index of the site whose changes make it true; `None` where nothing needs to change.
    pub depends_on: Option<usize>,
}

/// Everything that a site's plan is made from.
pub(crate) struct Planner<'a, 'o> {
    pub outline: &'o Outline,
    pub lookup: &'a mut Lookup<'o>,
    pub sites: &'a [Site],
    pub decisions: &'a [Decision],
    pub sharing: &'a Sharing,
    pub document: usize,
}

/// One of the two keys, in the spec's own lines or in a merge mapping written in place.
#[derive(Debug, Clone)]
struct Use {
    mapping: NodeId,
    index: usize,
    entry: Entry,
    order: usize,
    state: State,
}

/// A merge key whose alias brings affinity in.
#[derive(Debug, Clone)]
struct MergeUse {
    index: usize,
    entry: Entry,
    order: usize,
    target: NodeId,
    state: Option<State>,
    /// The key stands in the target's own lines.
    direct: bool,
}

/// All that bears on one spec, in source order.
#[derive(Debug, Default)]
struct Uses {
    keys: Vec<Use>,
    configs: Vec<Use>,
    merges: Vec<MergeUse>,
    count: usize,
}

impl Uses {
    /// Returns what counts: the later line wins, merge keys included.
    fn effective(&self) -> Option<&State> {
        let keys = self.keys.iter().map(|key| (key.order, &key.state));
        let merges = self.merges.iter().filter_map(|merge| Some((merge.order, merge.state.as_ref()?)));
        keys.chain(merges).max_by_key(|(order, _)| *order).map(|(_, state)| state)
    }

    fn is_sticky(&self) -> bool {
        self.effective().is_some_and(State::is_sticky)
    }

    fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.configs.is_empty() && self.merges.is_empty()
    }
}

impl<'o> Planner<'_, 'o> {
    /// Plans site `index`.
    pub(crate) fn plan(&mut self, index: usize) -> SitePlan {
        let site = &self.sites[index];
        let mut uses = Uses::default();
        self.collect(site.spec, None, &mut uses);
        let mut plan = SitePlan::default();
        if site.via.is_some() {
            self.plan_through_alias(index, &uses, &mut plan);
            return plan;
        }
        plan.claimed.extend(uses.keys.iter().chain(&uses.configs).filter_map(|found| found.entry.key));
        let decision = &self.decisions[index];
        if decision.report_only {
            self.report(index, &uses, &mut plan);
        } else if uses.keys.iter().any(|key| key.state == State::Unknown) {
            self.refuse_unknown(index, &uses, &mut plan);
        } else {
            match decision.action {
                Action::Keep => self.keep(index, &uses, &mut plan),
                Action::Remove | Action::None => self.plan_removal(index, &uses, &mut plan),
                Action::ClientIp => self.plan_client_ip(index, &uses, &mut plan),
            }
        }
        plan
    }

    /// Gathers the two keys and the merge keys; `top` is the merge entry of the spec that holds `mapping` in place.
    fn collect(&mut self, mapping: NodeId, top: Option<usize>, uses: &mut Uses) {
        let outline = self.outline;
        for (index, entry) in outline.entries(mapping).iter().enumerate() {
            let found = |state| Use { mapping, index, entry: *entry, order: uses.count, state };
            match outline.key(entry) {
                Some(KEY) => uses.keys.push(found(State::read(outline, entry.value))),
                Some(CONFIG) => uses.configs.push(found(config_state(outline, entry.value))),
                _ if is_merge(outline, entry) => {
                    for part in merged(outline, entry) {
                        match part.alias {
                            Some(_) => self.collect_merge(top.unwrap_or(index), entry, part.mapping, uses),
                            None => self.collect(part.mapping, Some(top.unwrap_or(index)), uses),
                        }
                        uses.count += 1;
                    }
                }
                _ => {}
            }
            uses.count += 1;
        }
    }

    fn collect_merge(&mut self, index: usize, entry: &Entry, target: NodeId, uses: &mut Uses) {
        let key = self.lookup.get(target, KEY);
        if key.is_none() && self.lookup.get(target, CONFIG).is_none() {
            return;
        }
        uses.merges.push(MergeUse {
            index,
            entry: *entry,
            order: uses.count,
            target,
            state: key.map(|found| State::read(self.outline, found.value)),
            direct: key.is_none_or(|found| found.mapping == target),
        });
    }

    /// Only reports what an embedded spec holds.
    fn report(&self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        let SiteKind::Embedded(row) = self.sites[index].kind else { return };
        for found in uses.keys.iter().chain(&uses.configs) {
            let severity = if found.state.is_sticky() { Severity::Warning } else { Severity::Info };
            self.tell(plan, index, message::embedded(row, severity), found);
        }
    }

    fn refuse_unknown(&self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        for found in &uses.keys {
            let told =
                if found.state == State::Unknown { message::unknown_value() } else { message::beside_unknown_value() };
            self.tell(plan, index, told, found);
        }
        for found in &uses.configs {
            self.tell(plan, index, message::beside_unknown_value(), found);
        }
    }

    fn keep(&self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        let sticky = uses.is_sticky();
        for found in &uses.keys {
            self.tell(plan, index, message::kept_key(&found.state, &self.decisions[index].reason), found);
        }
        for found in &uses.configs {
            self.tell(plan, index, message::kept_config(sticky, &self.decisions[index].reason), found);
        }
        for merge in &uses.merges {
            let effective = merge.state.as_ref() == uses.effective() && merge.state.is_some();
            let told = if effective {
                message::kept_through_alias(sticky, &self.decisions[index].reason)
            } else {
                message::merge_without_effect()
            };
            let field = Some(self.sites[index].path.clone());
            self.push(plan, index, told, merge.entry.span(), field, None);
        }
    }

    /// Speaks of a spec that is an alias, or comes through one: it changes only where it is written.
    fn plan_through_alias(&self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        let site = &self.sites[index];
        let decision = &self.decisions[index];
        if uses.is_empty() || decision.report_only {
            return;
        }
        let Some(alias) = site.via else { return };
        let span = self.outline.node(alias).span;
        let written = self.sharing.own_site(site.spec).filter(|own| {
            self.decisions[*own].agrees(decision)
                && self.sharing.stranger(self.outline, site.spec, *own, self.decisions).is_none()
        });
        let sticky = uses.is_sticky();
        let (told, depends_on) = if decision.action == Action::Keep {
            (message::kept_through_alias(sticky, &decision.reason), None)
        } else if !sticky {
            (message::not_sticky_through_alias(), None)
        } else if let Some(own) = written {
            (message::changed_at_anchor(), Some(own))
        } else {
            (message::refused_through_alias(), None)
        };
        self.push(plan, index, told, span, Some(site.path.clone()), depends_on);
    }

    /// Adds a finding on one of the two keys.
    fn tell(&self, plan: &mut SitePlan, index: usize, told: Told, found: &Use) {
        let depends_on = (told.outcome == Outcome::Changed).then_some(index);
        self.tell_depending(plan, index, told, found, depends_on);
    }

    fn tell_depending(&self, plan: &mut SitePlan, index: usize, told: Told, found: &Use, depends_on: Option<usize>) {
        plan.drafts.push(self.draft_of(index, told, found, depends_on));
    }

    fn draft_of(&self, index: usize, told: Told, found: &Use, depends_on: Option<usize>) -> Draft {
        let name = self.outline.key(&found.entry).unwrap_or(KEY);
        let field = format!("{}.{name}", self.sites[index].path);
        self.draft(index, told, found.entry.span(), Some(field), depends_on)
    }

    fn push(
        &self,
        plan: &mut SitePlan,
        index: usize,
        told: Told,
        span: Span,
        field: Option<String>,
        depends_on: Option<usize>,
    ) {
        plan.drafts.push(self.draft(index, told, span, field, depends_on));
    }

    fn draft(&self, index: usize, told: Told, span: Span, field: Option<String>, depends_on: Option<usize>) -> Draft {
        let finding = Finding {
            rule: told.rule,
            severity: told.severity,
            outcome: told.outcome,
            span,
            document: self.document,
            resource: Some(self.sites[index].resource.clone()),
            field,
            message: told.message,
            help: told.help,
        };
        Draft { finding, depends_on }
    }

    /// Tells why the site's own lines must not be edited, if so.
    fn obstacle(&self, index: usize, node: NodeId) -> Option<Told> {
        self.sharing.stranger(self.outline, node, index, self.decisions).map(|_| message::shared())
    }
}

/// The words of a finding.
#[derive(Debug, Clone)]
struct Told {
    rule: Rule,
    severity: Severity,
    outcome: Outcome,
    message: String,
    help: Option<String>,
}

/// Reads a config's value: null counts as unset, all else as set.
fn config_state(outline: &Outline, id: NodeId) -> State {
    let is_null = outline.resolve(id).is_some_and(|id| outline.is_null(id));
    if is_null { State::Unset } else { State::Sticky(String::new()) }
}
