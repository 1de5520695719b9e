//! How much each rule matters, as a policy says it.

use std::collections::BTreeMap;

use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::{Finding, Outcome, Rule, Severity};

/// How much a rule matters, or that it is not told at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The rule is not told.
    Off,
    /// For information.
    #[serde(alias = "note")]
    Info,
    /// Worth a look.
    Warning,
    /// Must be dealt with.
    Error,
}

/// The rules whose severity a policy sets; all others keep their own.
///
/// Written as a mapping, or as one text with commas: `sticky-headless=error,timeout-default=off`.
///
/// ```
/// use unstick::{Level, Policy, Rule};
/// let text = b"apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {severity: {timeout-default: off}}\n";
/// assert_eq!(Policy::read(text)?.severity.level(Rule::TimeoutDefault), Some(Level::Off));
/// # Ok::<(), unstick::PolicyReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Severities {
    levels: BTreeMap<Rule, Level>,
}

impl Severities {
    /// Returns the level that was set for a rule.
    #[must_use]
    pub fn level(&self, rule: Rule) -> Option<Level> {
        self.levels.get(&rule).copied()
    }

    /// Sets a rule's level.
    pub fn set(&mut self, rule: Rule, level: Level) {
        self.levels.insert(rule, level);
    }

    /// Switches all rules off but these, which get their own severity back where they were off.
    ///
    /// ```
    /// use unstick::{Level, Rule, Severities};
    /// let mut severities = Severities::default();
    /// severities.set(Rule::Sticky, Level::Error);
    /// severities.select(&[Rule::Sticky]);
    /// assert_eq!(severities.level(Rule::Sticky), Some(Level::Error));
    /// assert_eq!(severities.level(Rule::Misplaced), Some(Level::Off));
    /// ```
    pub fn select(&mut self, rules: &[Rule]) {
        for rule in Rule::ALL {
            if !rules.contains(rule) {
                self.levels.insert(*rule, Level::Off);
            } else if self.level(*rule) == Some(Level::Off) {
                self.levels.remove(rule);
            }
        }
    }

    /// Tells whether a rule is not told.
    #[must_use]
    pub fn is_off(&self, rule: Rule) -> bool {
        self.level(rule) == Some(Level::Off)
    }

    /// Sets the severities of findings, and takes out those of rules that are off.
    ///
    /// What was changed or refused stays in any case, and so does an exception's severity: a kept finding is for
    /// information, a refused one is an error.
    pub(crate) fn apply(&self, findings: &mut Vec<Finding>) {
        if self.levels.is_empty() {
            return;
        }
        findings.retain(|finding| {
            matches!(finding.outcome, Outcome::Changed | Outcome::Refused) || !self.is_off(finding.rule)
        });
        for finding in
            findings.iter_mut().filter(|finding| matches!(finding.outcome, Outcome::Changed | Outcome::Noted))
        {
            finding.severity = self.level(finding.rule).and_then(Level::severity).unwrap_or(finding.severity);
        }
    }
}

impl Level {
    /// Returns the severity; `None` where the rule is off.
    #[must_use]
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl<'de> Deserialize<'de> for Severities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SeveritiesVisitor)
    }
}

struct SeveritiesVisitor;

impl<'de> Visitor<'de> for SeveritiesVisitor {
    type Value = Severities;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a mapping of rules to off, info, warning or error")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Severities, E> {
        Ok(Severities::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Severities, A::Error> {
        let mut severities = Severities::default();
        while let Some(id) = map.next_key::<String>()? {
            let rule = id.parse().map_err(de::Error::custom)?;
            severities.set(rule, map.next_value()?);
        }
        Ok(severities)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Severities, E> {
        let mut severities = Severities::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (rule, level) =
                pair.split_once('=').ok_or_else(|| E::custom(format!("{pair} names no level: write {pair}=off")))?;
            let rule = rule.trim_end().parse().map_err(E::custom)?;
            let level = de::value::StrDeserializer::<E>::new(level.trim_start());
            severities.set(rule, Level::deserialize(level)?);
        }
        Ok(severities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;

    fn read(severity: &str) -> Result<Severities, String> {
        let head = "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec:\n  severity: ";
        let policy = Policy::read(format!("{head}{severity}\n").as_bytes());
        policy.map(|policy| policy.severity).map_err(|error| error.message)
    }

    #[test]
    fn reads_mappings_and_texts() {
        let mapping = read("{sticky-headless: error, timeout-default: off, in-comment: note}");
        assert_eq!(mapping, read("sticky-headless=error, timeout-default = off,in-comment=info,"));
        let severities = mapping.unwrap();
        assert_eq!(severities.level(Rule::StickyHeadless), Some(Level::Error));
        assert!(severities.is_off(Rule::TimeoutDefault) && !severities.is_off(Rule::Sticky));
        assert_eq!(read(""), Ok(Severities::default()));
    }

    #[test]
    fn names_what_it_does_not_know() {
        let fault = |text: &str| read(text).unwrap_err();
        assert_eq!(fault("{sticky-headles: off}"), "there is no rule sticky-headles; did you mean sticky-headless?");
        assert_eq!(fault("{sticky: of}"), "of is not known here; did you mean off?");
        assert_eq!(fault("stickyy=off"), "there is no rule stickyy; did you mean sticky?");
        assert_eq!(fault("sticky=of"), "of is not known here; did you mean off?");
        assert_eq!(fault("sticky"), "sticky names no level: write sticky=off");
        assert!(fault("[sticky]").contains("a mapping of rules to off, info, warning or error"));
    }
}
