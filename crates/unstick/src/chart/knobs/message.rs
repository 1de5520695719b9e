//! What is told of entries that values keys decide.

use std::fmt::Write as _;

use crate::affinity::State;
use crate::{Finding, Outcome, Rule, Severity};

use super::super::source;
use super::super::standing::Remark;
use super::super::values::Default;
pub(super) use super::super::values::dotted;
use super::{KnobPlan, Planner, Role, Use, reason};

impl Planner<'_> {
    /// Tells of each entry that a values key decides; those that are edited were told of before.
    pub(super) fn tell_entries(&self, plan: &mut KnobPlan) {
        for used in self.uses.iter().filter(|used| used.role == Role::Knob) {
            let finding = self.entry_finding(used);
            plan.findings.entry(used.file).or_default().push(finding);
        }
    }

    fn entry_finding(&self, used: &Use<'_>) -> Finding {
        let remark = if used.planned.entry.config { self.config_remark(used) } else { self.key_remark(used) };
        source::finding(&used.planned.entry, used.planned.services.first(), remark)
    }

    fn config_remark(&self, used: &Use<'_>) -> Remark {
        let message = match self.keys(used) {
            Some(keys) => {
                format!("{keys} in the values decides; it has no effect where sessionAffinity is not ClientIP")
            }
            None => "kept with its key; it has no effect where sessionAffinity is not ClientIP".to_owned(),
        };
        Remark::new(Rule::OrphanConfig, Severity::Info, Outcome::Kept, message)
    }

    fn key_remark(&self, used: &Use<'_>) -> Remark {
        let resolution = &used.resolution;
        let Some(keys) = self.keys(used) else {
            let words = resolution.opaque.as_ref().map_or_else(|| "no values key is read".to_owned(), reason);
            let message = format!("where this value comes from cannot be told: {words}");
            let help = "look at the rendered manifests, or run unstick on them, as a post-renderer";
            return Remark::new(Rule::OpaqueSpec, Severity::Warning, Outcome::Noted, message).with_help(help);
        };
        let defaults: Vec<Default> =
            resolution.paths.iter().flat_map(|path| self.values.defaults(self.set, path)).collect();
        let mut message = format!("{keys} in the values decides");
        // Helm takes the first that is set.
        let sticky = defaults.iter().find(|default| default.state.is_sticky());
        let rule = match sticky {
            Some(default) => {
                let _ = write!(message, ": sticky by default through {}", dotted(&default.keys));
                Rule::StickyByDefault
            }
            None => {
                message.push_str(": not sticky by default");
                Rule::NotSticky
            }
        };
        if let Some(opacity) = &resolution.opaque {
            let _ = write!(message, "; it may come from elsewhere too: {}", reason(opacity));
        }
        let help = "users who made it sticky in their own values take it out there";
        Remark::new(rule, Severity::Info, Outcome::Kept, message).with_help(help)
    }

    /// Names the keys that an entry reads, as users of the outermost chart write them.
    pub(super) fn keys(&self, used: &Use<'_>) -> Option<String> {
        let paths = used.resolution.paths.iter().flat_map(|path| path.outermost(self.set));
        let mut names: Vec<String> = paths.map(|path| path.to_string()).collect();
        names.dedup();
        let more = names.len().saturating_sub(MAX_NAMED);
        names.truncate(MAX_NAMED);
        let mut words = names.join(" or ");
        if more > 0 {
            let _ = write!(words, " or {more} more");
        }
        (!words.is_empty()).then_some(words)
    }
}

/// Keys named in one message.
const MAX_NAMED: usize = 4;

/// Says what a value is.
pub(super) fn state_words(state: &State) -> &'static str {
    match state {
        State::Unset => "not set",
        State::None => "None",
        State::Sticky(_) => "sticky",
        State::Unknown => "no string",
    }
}
