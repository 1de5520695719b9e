//! What becomes of the affinity entries of one Service spec.

use unstick_yaml::{Span, Template};

use crate::affinity::{CLIENT_IP, NONE};
use crate::decision::Decision;
use crate::policy::{Action, Knobs};
use crate::{Outcome, Policy, Rule, Severity};

use super::entry::{EntryValue, TemplateEntry};
use super::expression;
use super::standing::Remark;

const HARD_CODED_BRANCH: &str = "hard-coded ClientIP in one branch of the value: it becomes None there";

/// A `ClientIP` that is written in a value.
struct Word {
    span: Span,
    /// The token of the action that it stands in, as a string.
    action: Option<usize>,
}

/// What becomes of one entry.
#[derive(Debug, Clone)]
pub(crate) enum Fate {
    /// It goes.
    Remove(Remark),
    /// Parts of its value are replaced.
    Rewrite(Vec<(Span, Vec<u8>)>, Remark),
    /// A values key decides: the values are looked at.
    Knob,
    /// It stays as it is.
    Stay(Remark),
}

impl Fate {
    pub(crate) const fn edits(&self) -> bool {
        matches!(self, Self::Remove(_) | Self::Rewrite(..))
    }
}

/// What decides over the entries of one spec.
pub(crate) struct Judge<'a> {
    pub text: &'a [u8],
    pub template: &'a Template,
    pub policy: &'a Policy,
    pub decision: &'a Decision,
}

fn changed(rule: Rule, severity: Severity, message: &str) -> Remark {
    Remark::new(rule, severity, Outcome::Changed, message)
}

fn kept(rule: Rule, message: impl Into<String>) -> Remark {
    Remark::new(rule, Severity::Info, Outcome::Kept, message)
}

impl Judge<'_> {
    /// Decides over a `sessionAffinity`.
    pub(crate) fn key(&self, entry: &TemplateEntry) -> Fate {
        match &entry.value {
            EntryValue::Literal { text, span } => self.literal(text, *span),
            EntryValue::Mapping { .. } => {
                Fate::Stay(Remark::refused(Rule::UnknownValue, "the value stands on other lines: left as it is"))
            }
            EntryValue::Action { .. } | EntryValue::Mixed { .. } => self.templated(entry),
        }
    }

    fn literal(&self, value: &str, span: Span) -> Fate {
        let sticky = !(value.is_empty() || value == NONE || matches!(value, "~" | "null"));
        match self.decision.action {
            Action::Keep if sticky => {
                Fate::Stay(kept(Rule::Sticky, format!("sticky, and kept: {}", self.decision.reason)))
            }
            Action::Remove if sticky => Fate::Remove(changed(
                Rule::HardCoded,
                Severity::Warning,
                "hard-coded ClientIP: sessionAffinity is taken out",
            )),
            Action::None if sticky => Fate::Rewrite(
                vec![(EntryValue::inner(self.text, span), NONE.as_bytes().to_vec())],
                changed(Rule::HardCoded, Severity::Warning, "hard-coded ClientIP: sessionAffinity becomes None"),
            ),
            Action::ClientIp if sticky => Fate::Stay(kept(Rule::Sticky, "sticky, as the policy asks")),
            Action::ClientIp => Fate::Stay(refused_client_ip()),
            Action::Remove if self.decision.include_none && value == NONE => Fate::Remove(changed(
                Rule::NotSticky,
                Severity::Info,
                "not sticky: the explicit None is taken out, as asked",
            )),
            _ if value == NONE => Fate::Stay(kept(Rule::NotSticky, "not sticky: the value is None")),
            _ => Fate::Stay(kept(Rule::NotSticky, "not sticky: the value is empty")),
        }
    }

    /// Decides over a value that only a rendering knows.
    fn templated(&self, entry: &TemplateEntry) -> Fate {
        let strips = self.policy.knobs == Knobs::Strip;
        let words = self.words(entry);
        let becomes_none = |parts, message: &str, rule| Fate::Rewrite(parts, changed(rule, Severity::Warning, message));
        match self.decision.action {
            Action::Keep => Fate::Stay(kept(Rule::Sticky, format!("kept: {}", self.decision.reason))),
            Action::ClientIp => Fate::Stay(refused_client_ip()),
            Action::Remove if strips => {
                Fate::Remove(changed(Rule::Sticky, Severity::Warning, "sessionAffinity is taken out of the template"))
            }
            Action::None if strips => match self.in_each_branch(entry, &words) {
                None => Fate::Stay(Remark::refused(Rule::Template, "the expression cannot be read: left as it is")),
                Some(parts) if parts.is_empty() => {
                    Fate::Stay(kept(Rule::NotSticky, "not sticky: nothing in the value gives ClientIP"))
                }
                Some(parts) if words.is_empty() => {
                    becomes_none(parts, "sessionAffinity becomes None where it would be ClientIP", Rule::Sticky)
                }
                Some(parts) => becomes_none(parts, HARD_CODED_BRANCH, Rule::HardCoded),
            },
            Action::Remove if !words.is_empty() && self.decision.include_none => Fate::Remove(changed(
                Rule::HardCoded,
                Severity::Warning,
                "sessionAffinity is taken out of the template",
            )),
            Action::Remove | Action::None if !words.is_empty() => {
                let parts = words.into_iter().map(|word| (word.span, NONE.as_bytes().to_vec())).collect();
                becomes_none(parts, HARD_CODED_BRANCH, Rule::HardCoded)
            }
            Action::None if entry.value.actions().iter().all(|token| self.is_never_sticky(*token)) => {
                Fate::Stay(kept(Rule::NotSticky, "not sticky: nothing in the value gives ClientIP"))
            }
            _ => Fate::Knob,
        }
    }

    fn is_never_sticky(&self, token: usize) -> bool {
        self.template.action(token).is_some_and(|action| expression::is_never_sticky(self.text, action))
    }

    /// Writes None for each word, and for what the value's actions would print as ClientIP; `None` where one cannot be
    /// read.
    fn in_each_branch(&self, entry: &TemplateEntry, words: &[Word]) -> Option<Vec<(Span, Vec<u8>)>> {
        let plain = words.iter().filter(|word| word.action.is_none());
        let mut parts: Vec<(Span, Vec<u8>)> = plain.map(|word| (word.span, NONE.as_bytes().to_vec())).collect();
        for token in entry.value.actions().iter().filter(|token| !self.is_never_sticky(**token)) {
            let own: Vec<Span> =
                words.iter().filter(|word| word.action == Some(*token)).map(|word| word.span).collect();
            parts.extend(expression::without_client_ip(self.text, self.template.action(*token)?, &own)?);
        }
        parts.sort_unstable();
        Some(parts)
    }

    /// Returns each `ClientIP` that is written in the value: as text between actions, or as a string inside one.
    fn words(&self, entry: &TemplateEntry) -> Vec<Word> {
        let value = Span::new(entry.key.end, entry.span.end);
        let first = self.template.tokens.partition_point(|token| token.span().end <= value.start);
        let tokens = (first..self.template.tokens.len())
            .take_while(|token| self.template.tokens[*token].span().start < value.end);
        let mut words = Vec::new();
        for token in tokens {
            let own = self.template.tokens[token].span();
            let within = Span::new(own.start.max(value.start), own.end.min(value.end));
            let action = self.template.action(token);
            // A header compares with the word; only what is printed can be it.
            if action.is_some_and(|action| !action.prints()) {
                continue;
            }
            for at in memchr::memmem::find_iter(within.slice(self.text), CLIENT_IP) {
                let span = Span::new(within.start + at, within.start + at + CLIENT_IP.len());
                let around = (self.text.get(span.start.wrapping_sub(1)), self.text.get(span.end));
                let quoted = matches!(around, (Some(b'"'), Some(b'"')) | (Some(b'`'), Some(b'`')));
                let in_comparison = action.is_some_and(|action| expression::compares(self.text, action));
                if action.is_none() || quoted && !in_comparison {
                    words.push(Word { span, action: action.map(|_| token) });
                }
            }
        }
        words
    }

    /// Decides over a `sessionAffinityConfig`, when its keys are decided.
    pub(crate) fn config(&self, entry: &TemplateEntry, keys: &[Fate]) -> Fate {
        let literal = entry.value.actions().is_empty();
        let strips = self.policy.knobs == Knobs::Strip;
        let goes = |message: &str| Fate::Remove(changed(Rule::Sticky, Severity::Warning, message));
        match self.decision.action {
            Action::Keep => {
                return Fate::Stay(kept(Rule::Sticky, format!("kept with its key: {}", self.decision.reason)));
            }
            Action::ClientIp => return Fate::Stay(refused_client_ip()),
            Action::Remove | Action::None => {}
        }
        let may_be_sticky = |fate: &Fate| match fate {
            Fate::Knob => true,
            Fate::Stay(remark) => remark.outcome == Outcome::Refused || remark.rule == Rule::Sticky,
            Fate::Rewrite(..) | Fate::Remove(_) => false,
        };
        if keys.iter().any(may_be_sticky) {
            return match keys.iter().any(|fate| matches!(fate, Fate::Knob)) {
                true => Fate::Knob,
                false => Fate::Stay(kept(Rule::Sticky, "kept with its key")),
            };
        }
        if keys.iter().any(Fate::edits) {
            return goes("sessionAffinityConfig is taken out with its key");
        }
        if strips || literal {
            let message = "a config without ClientIP has no effect: sessionAffinityConfig is taken out";
            return Fate::Remove(changed(Rule::OrphanConfig, Severity::Warning, message));
        }
        Fate::Knob
    }
}

fn refused_client_ip() -> Remark {
    Remark::refused(Rule::Template, "the action clientIP is not written into templates: left as it is")
}
