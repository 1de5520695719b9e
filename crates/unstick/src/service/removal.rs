//! Taking affinity out, or writing `None`.

use unstick_yaml::{Content, NodeId, Value};

use super::{Deferred, MergeUse, Planner, SitePlan, Told, Use, Uses, message};
use crate::affinity::{KEY, NONE, State};
use crate::policy::Action;

/// What becomes of one `sessionAffinity` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
    BecomesNone,
}

impl Planner<'_, '_> {
    /// Plans the actions `remove` and `none`.
    pub(super) fn plan_removal(&mut self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        let spec = self.sites[index].spec;
        let obstacle = self.obstacle(index, spec);
        let foreign = self.foreign_merge(index, uses);
        let fates = self.fates(index, uses, foreign);
        for (found, fate) in uses.keys.iter().zip(&fates) {
            match (&obstacle, fate) {
                (_, Fate::Stays) => self.tell(plan, index, stays(found, foreign), found),
                (Some(told), _) => self.tell(plan, index, told.clone(), found),
                (None, Fate::Goes) => {
                    plan.changes.remove(found.mapping, found.index);
                    self.tell(plan, index, goes(found, foreign), found);
                }
                (None, Fate::BecomesNone) => self.write_none(index, found, foreign, plan),
            }
        }
        self.plan_configs(index, uses, obstacle.as_ref(), plan);
        self.plan_merges(index, uses, foreign, &fates, obstacle.as_ref(), plan);
    }

    /// Returns the last merge key whose stickiness is not taken out where it is written.
    fn foreign_merge<'u>(&self, index: usize, uses: &'u Uses) -> Option<&'u MergeUse> {
        let last = uses.merges.iter().rfind(|merge| merge.state.is_some() && !self.is_changed_at_home(index, merge))?;
        last.state.as_ref().is_some_and(State::is_sticky).then_some(last)
    }

    /// Tells whether the mapping that the merge key names is another Service's spec that loses its affinity as well.
    fn is_changed_at_home(&self, index: usize, merge: &MergeUse) -> bool {
        merge.direct
            && self.sharing.own_site(merge.target).is_some_and(|own| {
                self.decisions[own].agrees(&self.decisions[index])
                    && self.sharing.stranger(self.outline, merge.target, own, self.decisions).is_none()
            })
    }

    /// Decides for each `sessionAffinity` line.
    fn fates(&self, index: usize, uses: &Uses, foreign: Option<&MergeUse>) -> Vec<Fate> {
        let decision = &self.decisions[index];
        let last = uses.keys.len().saturating_sub(1);
        let last_sticky = uses.keys.last().is_some_and(|key| key.state.is_sticky());
        let guard = foreign.and_then(|merge| uses.keys.iter().rposition(|key| key.order > merge.order));
        let fate = |(at, key): (usize, &Use)| match foreign {
            // The explicit line below the merge key has to stay as None; the lines before it are overridden.
            Some(_) if guard == Some(at) && key.state.is_sticky() => Fate::BecomesNone,
            Some(_) if guard == Some(at) && key.state == State::Unset => Fate::BecomesNone,
            Some(_) if guard == Some(at) => Fate::Stays,
            Some(_) if guard.is_none() || key.state.is_sticky() => Fate::Goes,
            Some(_) => Fate::Stays,
            None if decision.action == Action::None && at == last => {
                if key.state.is_sticky() {
                    Fate::BecomesNone
                } else {
                    Fate::Stays
                }
            }
            None if decision.action == Action::None => {
                if key.state.is_sticky() || last_sticky {
                    Fate::Goes
                } else {
                    Fate::Stays
                }
            }
            None if key.state.is_sticky() => Fate::Goes,
            None if key.state == State::None && decision.include_none => Fate::Goes,
            None => Fate::Stays,
        };
        uses.keys.iter().enumerate().map(fate).collect()
    }

    fn plan_configs(&self, index: usize, uses: &Uses, obstacle: Option<&Told>, plan: &mut SitePlan) {
        let sticky = uses.is_sticky();
        for found in &uses.configs {
            if !sticky && found.state == State::Unset {
                self.tell(plan, index, message::kept_null_config(), found);
            } else if let Some(told) = obstacle {
                self.tell(plan, index, told.clone(), found);
            } else {
                plan.changes.remove(found.mapping, found.index);
                let told = if sticky { message::removed_config() } else { message::removed_orphan() };
                self.tell(plan, index, told, found);
            }
        }
    }

    /// Writes `None` below a foreign merge key where no line does it yet, and speaks of the merge keys.
    fn plan_merges(
        &self,
        index: usize,
        uses: &Uses,
        foreign: Option<&MergeUse>,
        fates: &[Fate],
        obstacle: Option<&Told>,
        plan: &mut SitePlan,
    ) {
        let spec = self.sites[index].spec;
        for merge in &uses.merges {
            let is_foreign = foreign.is_some_and(|foreign| foreign.order == merge.order);
            let guarded = is_foreign && uses.keys.iter().zip(fates).any(|(key, _)| key.order > merge.order);
            let sticky = merge.state.as_ref().is_some_and(State::is_sticky);
            let mut later = uses.keys.iter().zip(fates).filter(|(key, _)| key.order > merge.order);
            let overridden = later.any(|(_, fate)| *fate == Fate::Stays);
            let (told, depends_on) = if is_foreign && !guarded {
                match obstacle {
                    Some(told) => (told.clone(), None),
                    None => {
                        plan.changes.insert(spec, Some(merge.index), KEY, Value::String(NONE.into()));
                        (message::none_below_merge(), Some(index))
                    }
                }
            } else if sticky && !overridden && self.is_changed_at_home(index, merge) {
                (message::merge_changed_at_anchor(), self.sharing.own_site(merge.target))
            } else {
                (message::merge_without_effect(), None)
            };
            let field = Some(self.sites[index].path.clone());
            self.push(plan, index, told, merge.entry.span(), field, depends_on);
        }
    }

    /// Rewrites one value to `None`: in place, or at its anchor if all who use it want the same.
    fn write_none(&self, index: usize, found: &Use, foreign: Option<&MergeUse>, plan: &mut SitePlan) {
        let told = if foreign.is_some() { message::none_against_merge() } else { message::rewritten_to_none() };
        self.rewrite_value(index, found, NONE, told, message::rewritten_at_anchor(), plan);
    }

    /// Gives a key's value a new text, minding its anchor or alias.
    pub(super) fn rewrite_value(
        &self,
        index: usize,
        found: &Use,
        text: &str,
        told: Told,
        told_at_anchor: Told,
        plan: &mut SitePlan,
    ) {
        let value = found.entry.value;
        let new = Value::String(text.into());
        if let Content::Alias { target: Some(target), .. } = self.outline.node(value).content {
            let own = self.sharing.value_site(target).filter(|own| self.is_value_agreed(*own, target, index));
            if let Some(own_site) = own {
                plan.deferred.push(Deferred {
                    alias: value,
                    anchored: target,
                    own_site,
                    value: new,
                    here: self.draft_of(index, told, found, Some(index)),
                    at_anchor: self.draft_of(index, told_at_anchor, found, Some(own_site)),
                });
            } else {
                plan.changes.rewrite(value, new);
                self.tell(plan, index, told, found);
            }
            return;
        }
        if self.sharing.stranger(self.outline, value, index, self.decisions).is_some() {
            plan.changes.rewrite_detached(value, new);
        } else {
            plan.changes.rewrite(value, new);
        }
        self.tell(plan, index, told, found);
    }

    fn is_value_agreed(&self, own: usize, target: NodeId, index: usize) -> bool {
        self.decisions[own].agrees(&self.decisions[index])
            && self.sharing.stranger(self.outline, target, own, self.decisions).is_none()
    }
}

fn goes(found: &Use, foreign: Option<&MergeUse>) -> Told {
    match &found.state {
        _ if foreign.is_some() => message::moved_below_merge(),
        State::Sticky(value) => message::removed_key(value),
        State::None => message::removed_none(),
        _ => message::removed_duplicate(),
    }
}

fn stays(found: &Use, foreign: Option<&MergeUse>) -> Told {
    if foreign.is_some() { message::kept_against_merge() } else { message::kept_not_sticky(&found.state) }
}
