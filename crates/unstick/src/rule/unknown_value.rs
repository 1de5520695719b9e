use crate::Rule;
use crate::advice::{Remark, Subject};
use crate::affinity::CLIENT_IP;

describe! {
    "unknown-value", Error;
    /// The API server rejects the value: it takes `ClientIP` and `None` and nothing else.
    ///
    /// ## What it does
    ///
    /// Finds a `sessionAffinity` that is no string, such as `yes`, `5` or a mapping, and refuses to edit
    /// beside it, as nobody can know what was meant. `check` also names strings that the API server does
    /// not take, such as `clientip`; those count as sticky and are edited.
    ///
    /// ## Why it matters
    ///
    /// The Service cannot be created or updated. In a file that is applied with others, the rest goes in
    /// and this one does not.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {app: web}
    ///   sessionAffinity: true
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {app: web}
    ///   sessionAffinity: None
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Never in a manifest that is applied. A value such as `${AFFINITY}` that another tool fills in is
    /// none of these: it counts as sticky.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/apis/core/validation/validation.go`, `ValidateService`
}

/// Looks at strings; what is no string is refused where the edits are planned.
pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let value = subject.value.as_deref().filter(|value| *value != CLIENT_IP)?;
    // Anything else may be a placeholder that another tool fills in.
    let is_word = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_word.then(|| {
        subject.remark(
            Rule::UnknownValue,
            format!("the API server rejects {value}: it takes ClientIP and None, in these letters"),
            "write None, or take the line out; ClientIP where clients must be kept",
        )
    })
}
