use crate::Rule;
use crate::advice::{Remark, Subject, Timeout};
use crate::policy::MAX_TIMEOUT_SECONDS;

describe! {
    "timeout-out-of-range", Error;
    /// The API server rejects the timeout: it takes whole seconds from 1 to 86400.
    ///
    /// ## What it does
    ///
    /// Finds a sticky Service, or a custom resource that embeds one, whose `timeoutSeconds` is below 1,
    /// above 86400, or no whole number.
    ///
    /// ## Why it matters
    ///
    /// The Service cannot be created or updated. A day is the longest; to be sticky for ever is not on
    /// offer.
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
    ///   sessionAffinity: ClientIP
    ///   sessionAffinityConfig:
    ///     clientIP:
    ///       timeoutSeconds: 604800
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
    ///   sessionAffinity: ClientIP
    ///   sessionAffinityConfig:
    ///     clientIP:
    ///       timeoutSeconds: 3600
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Never.
    ///
    /// ## Sources
    ///
    /// - kubernetes/api, `core/v1/types.go`, `ClientIPConfig`
    /// - kubernetes/kubernetes, `pkg/apis/core/validation/validation.go`
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let (span, message) = match subject.timeout() {
        Timeout::Seconds(seconds, span) if !(1..=i64::from(MAX_TIMEOUT_SECONDS)).contains(&seconds) => {
            (span, format!("the API server rejects a timeout of {seconds} seconds"))
        }
        Timeout::Wrong(span) => (span, "the API server rejects a timeout that is no whole number".into()),
        _ => return None,
    };
    let help = format!("write whole seconds from 1 to {MAX_TIMEOUT_SECONDS}, a day, without quotes");
    Some(Remark { span, field: crate::advice::TIMEOUT_FIELD, ..subject.remark(Rule::TimeoutOutOfRange, message, help) })
}
