//! The words of a site's findings.

use super::Told;
use crate::affinity::{State, template_parameter};
use crate::embedded::{EmbeddedSpec, Trait};
use crate::{Outcome, Rule, Severity};

fn told(rule: Rule, severity: Severity, outcome: Outcome, message: impl Into<String>) -> Told {
    Told { rule, severity, outcome, message: message.into(), help: None }
}

fn refused(rule: Rule, message: &str, help: &str) -> Told {
    Told { help: Some(help.into()), ..told(rule, Severity::Error, Outcome::Refused, message) }
}

pub(super) fn removed_key(value: &str) -> Told {
    let told = told(Rule::Sticky, Severity::Warning, Outcome::Changed, "sticky: sessionAffinity is taken out");
    match template_parameter(value) {
        Some(name) => {
            let help = format!("the template's parameter {name} may have no other use now");
            Told { help: Some(help), ..told }
        }
        None => told,
    }
}

pub(super) fn removed_none() -> Told {
    told(Rule::NotSticky, Severity::Info, Outcome::Changed, "not sticky: the explicit None is taken out, as asked")
}

pub(super) fn removed_duplicate() -> Told {
    told(Rule::Sticky, Severity::Warning, Outcome::Changed, "sessionAffinity stands here twice: this one is taken out")
}

pub(super) fn rewritten_to_none() -> Told {
    told(Rule::Sticky, Severity::Warning, Outcome::Changed, "sticky: sessionAffinity becomes None")
}

pub(super) fn rewritten_at_anchor() -> Told {
    told(
        Rule::Sticky,
        Severity::Warning,
        Outcome::Changed,
        "sticky through an alias: the value becomes None at its anchor",
    )
}

pub(super) fn removed_config() -> Told {
    told(Rule::Sticky, Severity::Warning, Outcome::Changed, "sessionAffinityConfig is taken out with its key")
}

pub(super) fn removed_orphan() -> Told {
    told(
        Rule::OrphanConfig,
        Severity::Warning,
        Outcome::Changed,
        "a config without ClientIP has no effect: sessionAffinityConfig is taken out",
    )
}

pub(super) fn kept_null_config() -> Told {
    told(
        Rule::NotSticky,
        Severity::Info,
        Outcome::Kept,
        "a null config deletes the live one where this is a patch: it stays",
    )
}

pub(super) fn kept_not_sticky(state: &State) -> Told {
    let message =
        if *state == State::None { "not sticky: the value is None" } else { "not sticky: the value is empty" };
    told(Rule::NotSticky, Severity::Info, Outcome::Kept, message)
}

pub(super) fn kept_against_merge() -> Told {
    told(Rule::NotSticky, Severity::Info, Outcome::Kept, "this None overrides what the merge key brings in: it stays")
}

pub(super) fn none_below_merge() -> Told {
    told(
        Rule::Sticky,
        Severity::Warning,
        Outcome::Changed,
        "sticky through a merge key that others use too: an explicit None is written below it",
    )
}

pub(super) fn none_against_merge() -> Told {
    told(
        Rule::Sticky,
        Severity::Warning,
        Outcome::Changed,
        "sticky, and so is what the merge key brings in: sessionAffinity becomes None",
    )
}

pub(super) fn moved_below_merge() -> Told {
    told(
        Rule::Sticky,
        Severity::Warning,
        Outcome::Changed,
        "the merge key below overrides this line: it is taken out, and None is written below the merge key",
    )
}

pub(super) fn merge_changed_at_anchor() -> Told {
    told(
        Rule::Sticky,
        Severity::Warning,
        Outcome::Changed,
        "sticky through a merge key: the Service that it names changes in the same way",
    )
}

pub(super) fn merge_without_effect() -> Told {
    told(Rule::NotSticky, Severity::Info, Outcome::Kept, "what the merge key brings in does not decide here")
}

pub(super) fn refused_merge() -> Told {
    refused(
        Rule::Sticky,
        "sticky through a merge key, which cannot be changed for this Service alone",
        "write sessionAffinity into this spec by hand, below the merge key",
    )
}

pub(super) fn unknown_value() -> Told {
    refused(
        Rule::UnknownValue,
        "the value is no string, so the API server rejects it: left as it is",
        "write ClientIP or None, or take the line out",
    )
}

pub(super) fn beside_unknown_value() -> Told {
    refused(
        Rule::UnknownValue,
        "left as it is, beside a sessionAffinity that is no string",
        "mend the other line first",
    )
}

pub(super) fn shared() -> Told {
    refused(
        Rule::Sticky,
        "an anchor shares these lines with an alias elsewhere, which would change as well: left as they are",
        "give the other user a copy of its own, or select both with the same policy",
    )
}

pub(super) fn kept_key(state: &State, reason: &str) -> Told {
    match state {
        State::Sticky(_) => told(Rule::Sticky, Severity::Info, Outcome::Kept, format!("sticky, and kept: {reason}")),
        state => kept_not_sticky(state),
    }
}

pub(super) fn kept_config(sticky: bool, reason: &str) -> Told {
    if sticky {
        told(Rule::Sticky, Severity::Info, Outcome::Kept, format!("kept with its key: {reason}"))
    } else {
        told(Rule::OrphanConfig, Severity::Info, Outcome::Kept, format!("a config without ClientIP, kept: {reason}"))
    }
}

pub(super) fn kept_through_alias(sticky: bool, reason: &str) -> Told {
    let state = if sticky { State::Sticky(String::new()) } else { State::None };
    kept_key(&state, reason)
}

pub(super) fn not_sticky_through_alias() -> Told {
    told(Rule::NotSticky, Severity::Info, Outcome::Kept, "not sticky: what the alias brings in is not ClientIP")
}

pub(super) fn changed_at_anchor() -> Told {
    told(
        Rule::Sticky,
        Severity::Warning,
        Outcome::Changed,
        "sticky through an alias: changed where the anchor is, as all its users are treated alike",
    )
}

pub(super) fn refused_through_alias() -> Told {
    refused(
        Rule::Sticky,
        "sticky through an alias whose anchor others use too: left as it is",
        "write this Service's spec out, or put the affinity outside the anchor",
    )
}

pub(super) fn client_ip_written(detail: &str) -> Told {
    told(Rule::Sticky, Severity::Warning, Outcome::Changed, detail)
}

pub(super) fn client_ip_already() -> Told {
    told(Rule::Sticky, Severity::Info, Outcome::Kept, "sticky, as the policy asks")
}

pub(super) fn refused_shape() -> Told {
    refused(
        Rule::Sticky,
        "the config's shape leaves no safe place for the timeout: left as it is",
        "write sessionAffinityConfig.clientIP.timeoutSeconds by hand",
    )
}

pub(super) fn embedded(row: &EmbeddedSpec, severity: Severity) -> Told {
    let (message, help) = match row.trait_ {
        Trait::Plain => (
            "a custom resource that embeds a Service spec: only reported".to_owned(),
            Some("use --embedded edit to treat it like a Service".to_owned()),
        ),
        Trait::DefaultsToClientIp => (
            "a custom resource that is sticky unless it says None: only reported".to_owned(),
            Some("use --embedded edit to write None".to_owned()),
        ),
        Trait::Needed => (format!("its controller needs stickiness ({}): kept", row.source), None),
        Trait::ControllerWritten => ("written by a controller: change the Service that it copies".to_owned(), None),
    };
    let outcome = if row.trait_ == Trait::Needed { Outcome::Kept } else { Outcome::Noted };
    let severity = if row.trait_ == Trait::Needed { Severity::Info } else { severity };
    Told { help, ..told(Rule::Embedded, severity, outcome, message) }
}
