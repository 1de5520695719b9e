//! From one source text and a policy to findings and edits.

use unstick_yaml::EditSet;

use crate::{Finding, Outcome, Policy};

/// One source text, in memory.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Path used for file globs and reports, with `/` between its parts; `None` for a stream.
    pub path: Option<&'a str>,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// What was found in one text, and the edits that the policy asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Every occurrence of affinity, in source order.
    pub findings: Vec<Finding>,
    /// The edits; none of them touches a byte of a finding that is not [`Outcome::Changed`].
    pub edits: EditSet,
    /// A document could not be read and names affinity: the text must not be passed on as if it had been handled.
    pub blocked: bool,
}

impl Plan {
    /// Makes the plan for one text.
    #[must_use]
    pub fn new(source: Source<'_>, policy: &Policy) -> Self {
        let _ = (source, policy);
        Self::default()
    }

    /// Returns the text with the plan's edits made.
    #[must_use]
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        self.edits.apply(bytes)
    }

    /// Returns how many findings have that outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.findings.iter().filter(|finding| finding.outcome == outcome).count()
    }
}
