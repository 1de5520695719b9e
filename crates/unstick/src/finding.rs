//! What was seen in a text, and what becomes of it.

use unstick_yaml::Span;

use crate::rule::Rule;

/// One occurrence of affinity, or one document that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that made it.
    pub rule: Rule,
    /// How much it matters.
    pub severity: Severity,
    /// What becomes of it.
    pub outcome: Outcome,
    /// The bytes it speaks of, in the original text.
    pub span: Span,
    /// Zero-based index of the document in the text.
    pub document: usize,
    /// The object that holds it, where it is known.
    pub resource: Option<Resource>,
    /// Path of the field from the object's root, such as `spec.sessionAffinity`.
    pub field: Option<String>,
    /// One sentence: what is there, and what was done or why nothing was.
    pub message: String,
    /// The way out, where there is something to do.
    pub help: Option<String>,
}

/// What becomes of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The plan edits it.
    Changed,
    /// It stays because the policy, its value or its meaning says so.
    Kept,
    /// The policy wants an edit that could not be shown safe; it stays.
    Refused,
    /// It is no Service's field, or not ours to edit; told so that nothing is silent.
    Noted,
}

impl Outcome {
    /// Returns the word used in reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Kept => "kept",
            Self::Refused => "refused",
            Self::Noted => "noted",
        }
    }
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// For information.
    Info,
    /// Worth a look.
    Warning,
    /// Must be dealt with.
    Error,
}

impl Severity {
    /// Returns the word used in reports; the same as in a KRM result.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The identity of a Kubernetes object, as written in its manifest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Resource {
    /// `apiVersion`; empty where the manifest has none.
    pub api_version: String,
    /// `kind`; empty where the manifest has none.
    pub kind: String,
    /// `metadata.namespace`.
    pub namespace: Option<String>,
    /// `metadata.name`; also `metadata.generateName` where there is no name.
    pub name: Option<String>,
}
