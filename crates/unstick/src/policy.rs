//! What to do with which Service.

use serde::{Deserialize, Serialize};

/// What is done with a Service's affinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// Take the sticky key and its config out.
    #[default]
    Remove,
    /// Write `None` and take the config out: the rewrite that is safe on live objects.
    None,
    /// Write `ClientIP`, with the policy's timeout.
    #[serde(rename = "clientIP")]
    ClientIp,
    /// Leave it.
    Keep,
}

/// What is done with affinity inside custom resources that embed a Service spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Embedded {
    /// Report it only.
    #[default]
    Report,
    /// Treat it like a Service's.
    Edit,
}

/// What is done with a comment block directly above a removed key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Comments {
    /// It goes with the key if it names the key and no sibling key.
    #[default]
    Owned,
    /// It always stays.
    Keep,
}

/// What is done with a chart's own values keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Knobs {
    /// They stay; a sticky default becomes `None`.
    #[default]
    Keep,
    /// They go, from the templates and the values.
    Strip,
}

/// The settings of one run: which Services change, and how.
///
/// The first rule that matches a Service decides its action, else [`Policy::action`] does.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Policy {
    /// What is done where no rule matches.
    pub action: Action,
    /// Seconds of stickiness written with [`Action::ClientIp`], 1 to 86400.
    pub timeout_seconds: Option<u32>,
    /// Act on an explicit `None` too.
    pub include_none: bool,
    /// Charts: what becomes of values keys.
    pub knobs: Knobs,
    /// Custom resources that embed a Service spec.
    pub embedded: Embedded,
    /// Comment blocks above a removed key.
    pub comments: Comments,
    /// Only Services whose `name`, or `namespace/name`, matches one of these globs; all if empty.
    pub only: Vec<String>,
    /// Never Services that match one of these globs; wins over `only`.
    pub except: Vec<String>,
    /// Exceptions, the first match wins.
    pub rules: Vec<PolicyRule>,
}

/// One exception of a [`Policy`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyRule {
    /// Which Services.
    #[serde(default, rename = "match")]
    pub matches: Match,
    /// What is done with them.
    pub action: Action,
    /// Seconds of stickiness, with [`Action::ClientIp`]; the policy's where absent.
    #[serde(default)]
    pub timeout_seconds: Option<u32>,
    /// Why; carried into the report.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Conditions of a [`PolicyRule`]; all that are given must hold, and an empty list holds always.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Match {
    /// Globs of `metadata.name`, or `namespace/name` where the glob holds a slash.
    pub names: Vec<String>,
    /// Globs of `metadata.namespace`.
    pub namespaces: Vec<String>,
    /// Values of `spec.type`; a Service without one is a `ClusterIP`.
    pub types: Vec<String>,
    /// Globs of the file's path.
    pub files: Vec<String>,
}
