//! What to do with which Service.

use fast_glob::glob_match;
use serde::{Deserialize, Serialize};

use crate::site::Site;
use crate::{LabelSelector, Resource};

mod fault;
mod reader;
mod severity;
mod value;

pub use fault::{PolicyError, SERVICE_TYPES};
pub use reader::PolicyReadError;
pub use severity::{Level, Severities};

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
    /// KRM functions: change nothing, and fail where something would change.
    pub validate: bool,
    /// Exceptions, the first match wins.
    pub rules: Vec<PolicyRule>,
    /// Rules whose findings matter more or less than by default, or are not told.
    pub severity: Severities,
}

/// One exception of a [`Policy`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "a rule with match and action")]
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
    /// Labels of the object.
    pub labels: LabelSelector,
    /// Values of `spec.type`; a Service without one is a `ClusterIP`.
    pub types: Vec<String>,
    /// Globs of the file's path.
    pub files: Vec<String>,
}

impl Policy {
    /// Tells whether [`Policy::only`] and [`Policy::except`] leave the object in.
    #[must_use]
    pub fn selects(&self, resource: &Resource) -> bool {
        let named = |globs: &[String]| globs.iter().any(|glob| matches_name(glob, resource));
        (self.only.is_empty() || named(&self.only)) && !named(&self.except)
    }

    /// Tells whether a Service without the key may get one, so that texts without any occurrence matter too.
    pub(crate) fn may_insert(&self) -> bool {
        let by_rule = |rule: &PolicyRule| rule.action == Action::ClientIp && !rule.matches.names.is_empty();
        self.action == Action::ClientIp && !self.only.is_empty() || self.rules.iter().any(by_rule)
    }
}

/// The longest timeout that the API server takes, a day (`core/v1/types.go` of kubernetes/api, `ClientIPConfig`).
pub const MAX_TIMEOUT_SECONDS: u32 = 86_400;

impl Match {
    /// Tells whether all conditions hold for a site of the file at `path`.
    pub(crate) fn holds(&self, site: &Site, path: Option<&str>) -> bool {
        let any =
            |globs: &[String], test: &dyn Fn(&str) -> bool| globs.is_empty() || globs.iter().any(|glob| test(glob));
        let service_type = site.facts.service_type.as_deref().unwrap_or("ClusterIP");
        any(&self.names, &|glob| matches_name(glob, &site.resource))
            && any(&self.namespaces, &|glob| {
                site.resource.namespace.as_deref().is_some_and(|namespace| glob_match(glob, namespace))
            })
            && self.labels.matches(&site.facts.labels)
            && any(&self.types, &|wanted| wanted == service_type)
            && any(&self.files, &|glob| path.is_some_and(|path| glob_match(glob, path)))
    }
}

/// Tells whether a glob matches `name`, or `namespace/name` where the glob holds a slash.
fn matches_name(glob: &str, resource: &Resource) -> bool {
    let Some(name) = resource.name.as_deref() else { return false };
    if glob.contains('/') {
        let namespace = resource.namespace.as_deref().unwrap_or("default");
        return glob_match(glob, format!("{namespace}/{name}"));
    }
    glob_match(glob, name)
}
