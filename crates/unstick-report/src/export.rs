//! The policy in the words of other engines, which enforce it where unstick does not run.

use unstick::{Action, Match, Policy};

mod admission;
mod clause;
mod gatekeeper;
mod glob;
mod kustomize;
mod kyverno;

use clause::Clause;

/// An engine that can enforce a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Patches of a `kustomization.yaml`.
    KustomizePatch,
    /// The post-renderer of a Flux HelmRelease.
    Flux,
    /// A Kyverno ClusterPolicy.
    Kyverno,
    /// Kubernetes' own MutatingAdmissionPolicy.
    MutatingAdmissionPolicy,
    /// Kubernetes' own ValidatingAdmissionPolicy.
    ValidatingAdmissionPolicy,
    /// A Gatekeeper Assign.
    Gatekeeper,
}

impl Target {
    /// Returns the name used in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KustomizePatch => "kustomize-patch",
            Self::Flux => "flux",
            Self::Kyverno => "kyverno",
            Self::MutatingAdmissionPolicy => "mutating-admission-policy",
            Self::ValidatingAdmissionPolicy => "validating-admission-policy",
            Self::Gatekeeper => "gatekeeper",
        }
    }
}

/// A policy that an engine cannot express.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} cannot express {what}", target.name())]
pub struct ExportError {
    /// The engine.
    pub target: Target,
    /// The part of the policy.
    pub what: String,
    /// The way out.
    pub help: &'static str,
}

/// Returns the policy as manifests for `target`, ending in a line break.
///
/// Names, namespaces, labels, types and the annotation `unstick.dev/keep` are carried over as far as the engine has
/// words for them. The shapes follow the engines' published types; in a cluster `remove` and `none` are the same, as
/// the API server writes `None` for an absent key (`pkg/apis/core/v1/defaults.go` of kubernetes/kubernetes).
///
/// ```
/// use unstick::Policy;
/// use unstick_report::{Target, export};
/// let manifests = export(&Policy::default(), Target::KustomizePatch)?;
/// assert!(manifests.contains("sessionAffinity: null"));
/// # Ok::<(), unstick_report::ExportError>(())
/// ```
///
/// # Errors
///
/// [`ExportError`] for the first part of the policy that the engine has no words for: nothing is left out silently.
pub fn export(policy: &Policy, target: Target) -> Result<String, ExportError> {
    let clauses = Clause::all(policy);
    let exporter = Exporter { target };
    exporter.refuse_files(policy)?;
    if clauses.is_empty() {
        return Err(exporter.refuse("a policy that keeps everything", "there is nothing to enforce: choose an action"));
    }
    let body = match target {
        Target::KustomizePatch => kustomize::patches(exporter, &clauses),
        Target::Flux => kustomize::flux(exporter, &clauses),
        Target::Kyverno => kyverno::cluster_policy(exporter, &clauses),
        Target::MutatingAdmissionPolicy => admission::mutating(exporter, &clauses),
        Target::ValidatingAdmissionPolicy => admission::validating(exporter, &clauses),
        Target::Gatekeeper => gatekeeper::assigns(exporter, &clauses),
    }?;
    Ok(format!(
        "# Made by: unstick export --to {}\n# Change the policy and make it anew, rather than this text.\n{body}",
        target.name()
    ))
}

#[derive(Debug, Clone, Copy)]
struct Exporter {
    target: Target,
}

impl Exporter {
    fn refuse(self, what: impl Into<String>, help: &'static str) -> ExportError {
        ExportError { target: self.target, what: what.into(), help }
    }

    fn refuse_files(self, policy: &Policy) -> Result<(), ExportError> {
        if policy.rules.iter().any(|rule| !rule.matches.files.is_empty()) {
            return Err(self.refuse("a rule that matches files", "match names, namespaces or labels instead"));
        }
        Ok(())
    }

    fn refuse_types(self, selection: &Match) -> Result<(), ExportError> {
        if selection.types.is_empty() {
            return Ok(());
        }
        Err(self.refuse("a match on spec.type", "use an admission policy or Kyverno, or match labels"))
    }

    /// Returns the seconds for `clientIP`; an engine cannot leave an old timeout as it is.
    fn seconds(self, clause: &Clause<'_>) -> Result<Option<u32>, ExportError> {
        match (clause.action, clause.timeout) {
            (Action::ClientIp, None) => {
                Err(self.refuse("clientIP without a timeout", "name the timeout: it is written with the value"))
            }
            (Action::ClientIp, seconds) => Ok(seconds),
            _ => Ok(None),
        }
    }
}

/// Indents every line that is not empty.
fn indent(text: &str, columns: usize) -> String {
    let margin = " ".repeat(columns);
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{margin}{line}\n") }).collect()
}

/// Returns a YAML scalar in single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
