//! What becomes of the affinity entries of one Service spec.

use unstick_yaml::{Operand, Span, Template};

use crate::affinity::{CLIENT_IP, NONE};
use crate::decision::Decision;
use crate::policy::{Action, Knobs};
use crate::{Outcome, Policy, Rule, Severity};

use super::entry::{EntryValue, TemplateEntry};
use super::standing::Remark;

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
            EntryValue::Action { token } => self.templated(entry, Some(*token)),
            EntryValue::Mixed { .. } => self.templated(entry, None),
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
    fn templated(&self, entry: &TemplateEntry, token: Option<usize>) -> Fate {
        let literals = self.literals(entry);
        match self.decision.action {
            Action::Keep => Fate::Stay(kept(Rule::Sticky, format!("kept: {}", self.decision.reason))),
            Action::ClientIp => Fate::Stay(refused_client_ip()),
            Action::Remove if self.policy.knobs == Knobs::Strip => {
                Fate::Remove(changed(Rule::Sticky, Severity::Warning, "sessionAffinity is taken out of the template"))
            }
            Action::None if token.is_some_and(|token| self.is_never_sticky(token)) => {
                Fate::Stay(kept(Rule::NotSticky, "not sticky: the expression gives None for ClientIP"))
            }
            Action::None if self.policy.knobs == Knobs::Strip && token.is_none() && literals.is_empty() => {
                let parts = self.in_each_branch(entry, literals);
                let message = "sessionAffinity becomes None where it would be ClientIP";
                match parts.is_empty() {
                    true => Fate::Stay(kept(Rule::NotSticky, "not sticky: no branch gives ClientIP")),
                    false => Fate::Rewrite(parts, changed(Rule::Sticky, Severity::Warning, message)),
                }
            }
            Action::None if self.policy.knobs == Knobs::Strip && token.is_some() && literals.is_empty() => match token
                .and_then(|token| self.ternary(token))
            {
                Some(edit) => Fate::Rewrite(
                    vec![edit],
                    changed(Rule::Sticky, Severity::Warning, "sessionAffinity becomes None where it would be ClientIP"),
                ),
                None => Fate::Stay(Remark::refused(Rule::Template, "the expression cannot be read: left as it is")),
            },
            Action::Remove if !literals.is_empty() && self.decision.include_none => Fate::Remove(changed(
                Rule::HardCoded,
                Severity::Warning,
                "sessionAffinity is taken out of the template",
            )),
            Action::Remove | Action::None if !literals.is_empty() => Fate::Rewrite(
                self.in_each_branch(entry, literals),
                changed(
                    Rule::HardCoded,
                    Severity::Warning,
                    "hard-coded ClientIP in one branch of the value: it becomes None there",
                ),
            ),
            _ => Fate::Knob,
        }
    }

    /// Writes None for each word, and with `strip` for what the value's other actions would print as ClientIP.
    fn in_each_branch(&self, entry: &TemplateEntry, words: Vec<Span>) -> Vec<(Span, Vec<u8>)> {
        let mut parts: Vec<(Span, Vec<u8>)> = words.into_iter().map(|span| (span, NONE.as_bytes().to_vec())).collect();
        if self.policy.knobs == Knobs::Strip {
            let others = entry.value.actions().iter().filter(|token| !self.is_never_sticky(**token));
            let others: Vec<(Span, Vec<u8>)> = others.filter_map(|token| self.ternary(*token)).collect();
            let free = |part: &(Span, Vec<u8>)| !parts.iter().any(|(span, _)| part.0.encloses(*span));
            let others: Vec<(Span, Vec<u8>)> = others.into_iter().filter(free).collect();
            parts.extend(others);
        }
        parts.sort_unstable();
        parts
    }

    /// Returns each `ClientIP` that is written in the value: as text between actions, or as a string inside one.
    fn literals(&self, entry: &TemplateEntry) -> Vec<Span> {
        let value = Span::new(entry.key.end, entry.span.end);
        let first = self.template.tokens.partition_point(|token| token.span().end <= value.start);
        let tokens = (first..self.template.tokens.len())
            .take_while(|token| self.template.tokens[*token].span().start < value.end);
        let mut spans = Vec::new();
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
                let in_comparison = action.is_some_and(|action| self.compares(action));
                if action.is_none() || quoted && !in_comparison {
                    spans.push(span);
                }
            }
        }
        spans
    }

    /// Tells whether an action compares values: a word in it may be what it compares with.
    fn compares(&self, action: &unstick_yaml::Action) -> bool {
        let expression = unstick_yaml::parse_expression(self.text, action.pipeline(self.text));
        expression.is_ok_and(|expression| {
            expression.pipeline.functions().iter().any(|name| matches!(*name, "eq" | "ne" | "has" | "contains"))
        })
    }

    /// Tells whether an action has the form that [`Self::ternary`] writes.
    fn is_never_sticky(&self, token: usize) -> bool {
        let Some(action) = self.template.action(token) else { return false };
        let Ok(expression) = unstick_yaml::parse_expression(self.text, action.pipeline(self.text)) else {
            return false;
        };
        let is = |operand: &Operand, word: &str| matches!(operand, Operand::String(text) if text == word);
        match &expression.pipeline.commands[0].operands[..] {
            [Operand::Function(ternary), none, Operand::Group(..), Operand::Group(test, _)] => {
                let tests = matches!(&test.commands[..], [command] if matches!(&command.operands[..],
                    [Operand::Function(eq), Operand::Group(..), word] if eq == "eq" && is(word, CLIENT_IP)));
                ternary == "ternary" && is(none, NONE) && tests
            }
            _ => false,
        }
    }

    /// Writes the action so that it prints None for ClientIP and all other values as before.
    fn ternary(&self, token: usize) -> Option<(Span, Vec<u8>)> {
        let action = self.template.action(token)?;
        let span = action.pipeline(self.text);
        let expression = unstick_yaml::parse_expression(self.text, span).ok()?;
        if expression.declaration.is_some() {
            return None;
        }
        let whole = expression.pipeline.span;
        let source = String::from_utf8_lossy(whole.slice(self.text)).into_owned();
        let (value, quote) = match source.rsplit_once('|').map(|(value, last)| (value.trim(), last.trim())) {
            Some((value, last @ ("quote" | "squote"))) => (value.to_owned(), format!(" | {last}")),
            _ => (source, String::new()),
        };
        let text = format!("ternary \"{NONE}\" ({value}) (eq (toString ({value})) \"{CLIENT_IP}\"){quote}");
        Some((whole, text.into_bytes()))
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
