use crate::advice::{Fate, Operation, Presence, Survey};
use crate::affinity::{CONFIG, KEY};
use crate::{Finding, Outcome, Rule, Severity};

describe! {
    "patch-will-fail", Error;
    /// A JSON patch removes or replaces the key, and may fail where the key is gone.
    ///
    /// ## What it does
    ///
    /// Finds operations of a JSON6902 patch that need `/spec/sessionAffinity` or
    /// `/spec/sessionAffinityConfig` to be there, such as `remove` and `test`: in files of patches, and
    /// inside kustomizations, Flux Kustomizations and HelmReleases, and Argo CD Applications. It is an
    /// error where a Service of the input loses the field, or has none; a warning where the Service is
    /// not in the input. Where a Service of the input keeps the field, nothing is told. `replace` weighs
    /// one step less: kustomize and kubectl write the field where the standard wants an error.
    ///
    /// ## Why it matters
    ///
    /// Such an operation needs something to work on. `kustomize build` ends with an error, and Flux stops
    /// to reconcile, as soon as the base or the chart no longer sets the key.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: kustomize.config.k8s.io/v1beta1
    /// kind: Kustomization
    /// resources: [service.yaml]
    /// patches:
    /// - target: {kind: Service, name: web}
    ///   patch: |
    ///     - op: remove
    ///       path: /spec/sessionAffinity
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: kustomize.config.k8s.io/v1beta1
    /// kind: Kustomization
    /// resources: [service.yaml]
    /// patches:
    /// - target: {kind: Service, name: web}
    ///   patch: |
    ///     - op: add
    ///       path: /spec/sessionAffinity
    ///       value: None
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Until the base has changed; then take the patch out, or use `add`, which works in both cases.
    ///
    /// ## Sources
    ///
    /// - [RFC 6902](https://www.rfc-editor.org/rfc/rfc6902#section-4): the target of these operations must
    ///   exist
    /// - [longhorn/longhorn#7399](https://github.com/longhorn/longhorn/issues/7399): a chart that stopped
    ///   setting the key
}

const HELP: &str = "take the operation out, or write add with the value None, which works in both cases";
const HELP_ON_CONFIG: &str = "take the operation out together with the field";

/// Looks at the operations of one document.
pub(crate) fn check(survey: &Survey, path: Option<&str>, document: usize, operations: Vec<Operation>) -> Vec<Finding> {
    let path = path.unwrap_or_default();
    operations.into_iter().filter_map(|operation| finding(survey, path, document, operation)).collect()
}

fn finding(survey: &Survey, path: &str, document: usize, operation: Operation) -> Option<Finding> {
    let field = if operation.on_config { CONFIG } else { KEY };
    let word = &operation.word;
    let forgiven = operation.is_forgiven();
    let (severity, message) = match survey.fate(&operation, path) {
        Fate::Works => return None,
        Fate::Fails(name, Presence::Absent) if forgiven => {
            (Severity::Warning, format!("this {word} has nothing to replace: Service {name} has no {field}"))
        }
        Fate::Fails(name, _) if forgiven => (
            Severity::Warning,
            format!("this {word} will have nothing to replace: {field} of Service {name} is taken out"),
        ),
        Fate::Fails(name, Presence::Absent) => {
            (Severity::Error, format!("this {word} fails: Service {name} has no {field}"))
        }
        Fate::Fails(name, _) => {
            (Severity::Error, format!("this {word} will fail: {field} of Service {name} is taken out"))
        }
        Fate::Unknown if forgiven => {
            (Severity::Info, format!("this {word} has nothing to replace where what it patches sets no {field}"))
        }
        Fate::Unknown => {
            (Severity::Warning, format!("this {word} fails as soon as what it patches sets no {field} any more"))
        }
    };
    Some(Finding {
        rule: Rule::PatchWillFail,
        severity,
        outcome: Outcome::Noted,
        span: operation.span,
        document,
        resource: operation.resource,
        field: None,
        message,
        help: Some(if operation.on_config { HELP_ON_CONFIG } else { HELP }.into()),
    })
}
