//! The rules: one for each thing that unstick can say of affinity.

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rule {
    /// A Service is sticky.
    Sticky,
    /// A config stands beside no sticky value and has no effect.
    OrphanConfig,
    /// The value is explicitly not sticky: `None`, null or `""`.
    NotSticky,
    /// The value is no string, so Kubernetes would reject it.
    UnknownValue,
    /// Affinity of a custom resource that embeds a Service spec.
    Embedded,
    /// The same key with another meaning.
    OtherMeaning,
    /// A property of a schema.
    SchemaProperty,
    /// The bookkeeping of a live object.
    ManagedFields,
    /// Inside a string: prose, JSON or YAML text, an annotation.
    InString,
    /// In a comment.
    InComment,
    /// The key in a place where no Service spec is.
    Misplaced,
    /// A Service inside an object that we do not know.
    NestedService,
    /// `kind: Service` without `apiVersion`.
    NoApiVersion,
    /// A Helm template.
    Template,
    /// A chart's template writes ClientIP itself.
    HardCoded,
    /// A chart's values are sticky unless users say otherwise.
    StickyByDefault,
    /// A values key that no template reads.
    DeadValue,
    /// A Service spec that comes from somewhere unstick cannot follow.
    OpaqueSpec,
    /// Something beside the templates that speaks of the field and needs a look after a change.
    FollowUp,
    /// A document that cannot be read.
    Unreadable,
    /// Settings that cannot be used.
    BadPolicy,
}

impl Rule {
    /// All rules, in the order of the documentation.
    pub const ALL: &[Self] = &[
        Self::Sticky,
        Self::OrphanConfig,
        Self::NotSticky,
        Self::UnknownValue,
        Self::Embedded,
        Self::OtherMeaning,
        Self::SchemaProperty,
        Self::ManagedFields,
        Self::InString,
        Self::InComment,
        Self::Misplaced,
        Self::NestedService,
        Self::NoApiVersion,
        Self::Template,
        Self::HardCoded,
        Self::StickyByDefault,
        Self::DeadValue,
        Self::OpaqueSpec,
        Self::FollowUp,
        Self::Unreadable,
        Self::BadPolicy,
    ];

    /// Returns the name used in reports and options.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Sticky => "sticky",
            Self::OrphanConfig => "orphan-config",
            Self::NotSticky => "not-sticky",
            Self::UnknownValue => "unknown-value",
            Self::Embedded => "embedded",
            Self::OtherMeaning => "other-meaning",
            Self::SchemaProperty => "schema-property",
            Self::ManagedFields => "managed-fields",
            Self::InString => "in-string",
            Self::InComment => "in-comment",
            Self::Misplaced => "misplaced",
            Self::NestedService => "nested-service",
            Self::NoApiVersion => "no-api-version",
            Self::Template => "template",
            Self::HardCoded => "hard-coded",
            Self::StickyByDefault => "sticky-by-default",
            Self::DeadValue => "dead-value",
            Self::OpaqueSpec => "opaque-spec",
            Self::FollowUp => "follow-up",
            Self::Unreadable => "unreadable",
            Self::BadPolicy => "bad-policy",
        }
    }
}
