//! The rules: one for each thing that unstick can say of affinity, each with its page in a file of its own.

use serde::{Deserialize, Serialize};

use crate::Severity;
use crate::suggestion::suggest;

/// Writes a rule's id, severity and page; the page is the doc comment itself.
macro_rules! describe {
    ($id:literal, $severity:ident; $(#[doc = $line:literal])+) => {
        pub(super) const ID: &str = $id;
        pub(super) const SEVERITY: crate::Severity = crate::Severity::$severity;
        $(#[doc = $line])+
        pub(super) const PAGE: &str = concat!($($line, "\n"),+);
    };
}

mod bad_policy;
mod dead_value;
mod embedded;
pub(crate) mod embedded_default_sticky;
mod follow_up;
pub(crate) mod gce_recreates;
pub(crate) mod gke_strong_affinity;
mod hard_coded;
mod in_comment;
mod in_string;
mod managed_fields;
mod misplaced;
mod nested_service;
mod no_api_version;
mod not_sticky;
pub(crate) mod octavia_not_updated;
mod opaque_spec;
mod orphan_config;
mod other_meaning;
pub(crate) mod patch_will_fail;
pub(crate) mod removal_needs_none;
mod schema_property;
mod sticky;
pub(crate) mod sticky_across_nodes;
pub(crate) mod sticky_aws_load_balancer;
pub(crate) mod sticky_azure_service_gateway;
mod sticky_by_default;
pub(crate) mod sticky_external_name;
pub(crate) mod sticky_headless;
pub(crate) mod sticky_multi_port;
pub(crate) mod sticky_single_replica;
mod template;
pub(crate) mod timeout_default;
pub(crate) mod timeout_out_of_range;
pub(crate) mod timeout_truncated;
pub(crate) mod unknown_value;
mod unreadable;

/// Writes the list of rules once: what it says of a rule comes from the rule's file.
macro_rules! rules {
    ($($(#[doc = $short:literal])+ $rule:ident = $file:ident,)+) => {
        /// What a finding is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $short])+ $rule,)+
        }

        impl Rule {
            /// All rules, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// The names of all rules, in the same order.
            pub const IDS: &[&str] = &[$($file::ID,)+];

            /// Returns the name used in reports and options.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$rule => $file::ID,)+
                }
            }

            /// Returns how much a finding of the rule matters, where the policy and the case say nothing else.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$rule => $file::SEVERITY,)+
                }
            }

            /// Returns the lines of the rule's doc comment, each with the blank that follows the slashes.
            const fn source(self) -> &'static str {
                match self {
                    $(Self::$rule => $file::PAGE,)+
                }
            }
        }
    };
}

rules! {
    /// A Service is sticky.
    Sticky = sticky,
    /// A sticky Service with several ports.
    StickyMultiPort = sticky_multi_port,
    /// A sticky Service that clients reach by way of any node.
    StickyAcrossNodes = sticky_across_nodes,
    /// A sticky load balancer that AWS refuses.
    StickyAwsLoadBalancer = sticky_aws_load_balancer,
    /// A sticky load balancer that Azure's Service Gateway refuses.
    StickyAzureServiceGateway = sticky_azure_service_gateway,
    /// A sticky headless Service.
    StickyHeadless = sticky_headless,
    /// A sticky Service that is a DNS name only.
    StickyExternalName = sticky_external_name,
    /// A sticky Service with one pod.
    StickySingleReplica = sticky_single_replica,
    /// A config stands beside no sticky value and has no effect.
    OrphanConfig = orphan_config,
    /// The value is explicitly not sticky: `None`, null or `""`.
    NotSticky = not_sticky,
    /// The value is none that the API server takes.
    UnknownValue = unknown_value,
    /// A timeout that the API server rejects.
    TimeoutOutOfRange = timeout_out_of_range,
    /// A timeout that some networks cut.
    TimeoutTruncated = timeout_truncated,
    /// Sticky without a timeout.
    TimeoutDefault = timeout_default,
    /// The key in a place where no Service spec is.
    Misplaced = misplaced,
    /// Affinity of a custom resource that embeds a Service spec.
    Embedded = embedded,
    /// A custom resource that is sticky by default.
    EmbeddedDefaultSticky = embedded_default_sticky,
    /// The same key with another meaning.
    OtherMeaning = other_meaning,
    /// A property of a schema.
    SchemaProperty = schema_property,
    /// The bookkeeping of a live object.
    ManagedFields = managed_fields,
    /// Inside a string: prose, JSON or YAML text, an annotation.
    InString = in_string,
    /// In a comment.
    InComment = in_comment,
    /// A Service inside an object that we do not know.
    NestedService = nested_service,
    /// `kind: Service` without `apiVersion`.
    NoApiVersion = no_api_version,
    /// A Helm template that cannot be edited safely.
    Template = template,
    /// A document that cannot be read.
    Unreadable = unreadable,
    /// Settings that cannot be used.
    BadPolicy = bad_policy,
    /// A live Service that plain removal would not reset.
    RemovalNeedsNone = removal_needs_none,
    /// A change that recreates Google Cloud's load balancer.
    GceRecreates = gce_recreates,
    /// A change that OpenStack's load balancer does not follow.
    OctaviaNotUpdated = octavia_not_updated,
    /// Strong affinity of GKE, which needs `ClientIP`.
    GkeStrongAffinity = gke_strong_affinity,
    /// A JSON patch of the key that fails where the key is gone.
    PatchWillFail = patch_will_fail,
    /// A sticky value written out in a chart's template.
    HardCoded = hard_coded,
    /// A sticky default in a chart's values.
    StickyByDefault = sticky_by_default,
    /// A chart's value that no template reads.
    DeadValue = dead_value,
    /// A chart that writes a whole spec from values.
    OpaqueSpec = opaque_spec,
    /// Another file of a chart that has to follow.
    FollowUp = follow_up,
}

impl Rule {
    /// Returns what the rule is about, in one sentence.
    ///
    /// ```
    /// use unstick::Rule;
    /// assert_eq!(Rule::Sticky.summary(), "A Service is sticky: its `sessionAffinity` is `ClientIP`.");
    /// ```
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.source().lines().next().unwrap_or_default().trim_start()
    }

    /// Returns the rule's page as Markdown: the summary, then sections under headings of the second level.
    ///
    /// ```
    /// use unstick::Rule;
    /// let page = Rule::StickyHeadless.page();
    /// assert!(page.contains("\n## Why it matters\n") && page.ends_with('\n'));
    /// ```
    #[must_use]
    pub fn page(self) -> String {
        let lines = self.source().lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.flat_map(|line| [line, "\n"]).collect()
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

/// A name that no rule has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule {id}; {}", suggest(id, Rule::IDS))]
pub struct UnknownRule {
    /// The name.
    pub id: String,
}

impl std::str::FromStr for Rule {
    type Err = UnknownRule;

    /// Finds the rule with that id.
    ///
    /// ```
    /// use unstick::Rule;
    /// assert_eq!("sticky-headless".parse(), Ok(Rule::StickyHeadless));
    /// let error = "sticky-headles".parse::<Rule>().unwrap_err();
    /// assert_eq!(error.to_string(), "there is no rule sticky-headles; did you mean sticky-headless?");
    /// ```
    fn from_str(id: &str) -> Result<Self, UnknownRule> {
        let rule = Self::ALL.iter().find(|rule| rule.id() == id);
        rule.copied().ok_or_else(|| UnknownRule { id: id.to_owned() })
    }
}
