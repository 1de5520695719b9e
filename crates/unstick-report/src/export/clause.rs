//! A policy taken apart: which Services, but not which, and what is done with them.

use unstick::{Action, LabelRequirement, LabelTest, Match, Policy};

/// One action with the Services that it is for.
#[derive(Debug, Clone)]
pub(super) struct Clause<'p> {
    pub action: Action,
    pub timeout: Option<u32>,
    /// What the rule asks for; nothing for the policy's own action.
    pub selection: Match,
    /// The policy's `only`.
    pub only: &'p [String],
    /// What is decided before: earlier rules, and the policy's `except`.
    pub exceptions: Vec<Match>,
    /// Why, as the rule says.
    pub reason: Option<&'p str>,
}

impl<'p> Clause<'p> {
    /// Returns the policy's clauses in order, those that keep left out.
    pub(super) fn all(policy: &'p Policy) -> Vec<Self> {
        let mut clauses = Vec::new();
        let mut exceptions: Vec<Match> = Vec::new();
        if !policy.except.is_empty() {
            exceptions.push(Match { names: policy.except.clone(), ..Match::default() });
        }
        for rule in &policy.rules {
            clauses.push(Self {
                action: rule.action,
                timeout: rule.timeout_seconds.or(policy.timeout_seconds),
                selection: rule.matches.clone(),
                only: &policy.only,
                exceptions: exceptions.clone(),
                reason: rule.reason.as_deref(),
            });
            exceptions.push(rule.matches.clone());
        }
        let catches_all = policy.rules.iter().any(|rule| rule.matches == Match::default());
        if !catches_all {
            clauses.push(Self {
                action: policy.action,
                timeout: policy.timeout_seconds,
                selection: Match::default(),
                only: &policy.only,
                exceptions,
                reason: None,
            });
        }
        clauses.retain(|clause| clause.action != Action::Keep);
        clauses
    }

    /// Returns the name of the clause's object: the first has none behind the base.
    pub(super) fn object_name(&self, index: usize) -> String {
        if index == 0 { "unstick-services".into() } else { format!("unstick-services-{}", index + 1) }
    }
}

/// Returns the opposite of an exception that is one label requirement and nothing else.
pub(super) fn negated_label(exception: &Match) -> Option<LabelRequirement> {
    let only_labels = exception.names.is_empty() && exception.namespaces.is_empty() && exception.types.is_empty();
    let [LabelRequirement { key, test }] = &exception.labels.requirements[..] else { return None };
    let test = match test {
        LabelTest::In(values) => LabelTest::NotIn(values.clone()),
        LabelTest::NotIn(values) => LabelTest::In(values.clone()),
        LabelTest::Exists => LabelTest::Absent,
        LabelTest::Absent => LabelTest::Exists,
        LabelTest::Above(_) | LabelTest::Below(_) => return None,
    };
    // "Not among" also holds for an absent label, "among" does not: only one direction is exact.
    let exact = !matches!(test, LabelTest::In(_));
    (only_labels && exact).then(|| LabelRequirement { key: key.clone(), test })
}

/// Returns a requirement as `matchExpressions` has it; `None` for comparisons, which it has not.
pub(super) fn match_expression(requirement: &LabelRequirement) -> Option<String> {
    let LabelRequirement { key, test } = requirement;
    let quoted = |values: &[String]| values.iter().map(|value| super::quoted(value)).collect::<Vec<_>>().join(", ");
    let rest = match test {
        LabelTest::In(values) => format!("operator: In, values: [{}]", quoted(values)),
        LabelTest::NotIn(values) => format!("operator: NotIn, values: [{}]", quoted(values)),
        LabelTest::Exists => "operator: Exists".into(),
        LabelTest::Absent => "operator: DoesNotExist".into(),
        LabelTest::Above(_) | LabelTest::Below(_) => return None,
    };
    Some(format!("{{key: {}, {rest}}}", super::quoted(key)))
}
