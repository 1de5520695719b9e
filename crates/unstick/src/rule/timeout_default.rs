use crate::Rule;
use crate::advice::{Remark, Subject, Timeout};
use crate::affinity::CLIENT_IP;

describe! {
    "timeout-default", Info;
    /// The Service is sticky without a timeout, which means three hours.
    ///
    /// ## What it does
    ///
    /// Finds a sticky Service that does not say for how long: without
    /// `sessionAffinityConfig.clientIP.timeoutSeconds`.
    ///
    /// ## Why it matters
    ///
    /// The API server fills in 10800 seconds. The time starts anew with every connection, so that a client
    /// that comes back within three hours never leaves its pod. Few applications need that long; most that
    /// need stickiness need minutes.
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
    ///       timeoutSeconds: 600
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where three hours are right. Write them out, so that readers know that they were meant.
    ///
    /// ## Sources
    ///
    /// - kubernetes/api, `core/v1/types.go`, `DefaultClientIPServiceAffinitySeconds`
    /// - kubernetes/kubernetes, `pkg/apis/core/v1/defaults.go`, `SetDefaults_Service`
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let is_sticky = subject.value.as_deref() == Some(CLIENT_IP);
    if !is_sticky || !subject.is_proxied() || subject.timeout() != Timeout::Absent {
        return None;
    }
    Some(subject.remark(
        Rule::TimeoutDefault,
        "sticky for three hours after each connection, as no timeout is set",
        "set sessionAffinityConfig.clientIP.timeoutSeconds if it has to be sticky",
    ))
}
