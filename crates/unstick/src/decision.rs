//! What the policy says of one site.

use crate::embedded::Trait;
use crate::policy::{Action, Embedded, Policy};
use crate::site::{Site, SiteKind};

/// What is to be done at one site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The action; embedded specs may have another than the policy's.
    pub action: Action,
    /// Seconds of stickiness for [`Action::ClientIp`].
    pub timeout: Option<u32>,
    /// A rule names the Service, so that an absent key is written too.
    pub named: bool,
    /// Act on an explicit `None` too.
    pub include_none: bool,
    /// Why it is kept, with [`Action::Keep`].
    pub reason: String,
    /// The site is only reported, whatever it holds.
    pub report_only: bool,
}

impl Decision {
    /// Decides for one site of the text at `path`.
    pub(crate) fn new(policy: &Policy, site: &Site, path: Option<&str>) -> Self {
        let mut decision = Self::of_policy(policy, site, path);
        if let SiteKind::Embedded(row) = site.kind {
            decision.report_only = row.trait_ == Trait::Needed || policy.embedded == Embedded::Report;
            if row.trait_ == Trait::Needed {
                decision.keep("its controller needs it");
            } else if row.trait_ == Trait::DefaultsToClientIp && decision.action == Action::Remove {
                // Without the key the resource is sticky again.
                decision.action = Action::None;
            }
        }
        decision
    }

    fn of_policy(policy: &Policy, site: &Site, path: Option<&str>) -> Self {
        let mut decision = Self {
            action: policy.action,
            timeout: policy.timeout_seconds,
            named: !policy.only.is_empty(),
            include_none: policy.include_none,
            reason: "the policy keeps it".into(),
            report_only: false,
        };
        let resource = &site.resource;
        if !policy.selects(resource) {
            decision.keep("it is not selected");
        } else if let Some(reason) = &site.facts.keep {
            let reason = reason.trim();
            let words = if reason.is_empty() { "no reason given" } else { reason };
            decision.keep(&format!("annotated unstick.dev/keep: {words}"));
        } else if let Some(rule) = policy.rules.iter().find(|rule| rule.matches.holds(site, path)) {
            decision.action = rule.action;
            decision.timeout = rule.timeout_seconds.or(policy.timeout_seconds);
            decision.named = !rule.matches.names.is_empty();
            decision.reason = rule.reason.clone().unwrap_or_else(|| "a rule of the policy keeps it".into());
        }
        decision
    }

    fn keep(&mut self, reason: &str) {
        self.action = Action::Keep;
        reason.clone_into(&mut self.reason);
    }

    /// Tells whether both sites are treated alike, so that one edit can serve both.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.action == other.action
            && self.timeout == other.timeout
            && self.include_none == other.include_none
            && self.report_only == other.report_only
    }
}
