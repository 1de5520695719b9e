use crate::Rule;
use crate::advice::{Remark, Subject, Timeout};
use crate::policy::MAX_TIMEOUT_SECONDS;

describe! {
    "timeout-truncated", Warning;
    /// Some networks cut the timeout to 65535 seconds, about 18 hours.
    ///
    /// ## What it does
    ///
    /// Finds a timeout above 65535 that the API server still takes, that is, up to 86400.
    ///
    /// ## Why it matters
    ///
    /// OVN and Open vSwitch hold the timeout in 16 bits. OVN-Kubernetes and Antrea therefore cut it to
    /// 65535 without telling, and OVN-Kubernetes takes 86400 for "for ever". The same manifest is sticky
    /// for another time in another cluster.
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
    ///       timeoutSeconds: 86400
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
    ///       timeoutSeconds: 65535
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// In clusters whose network keeps the whole value, such as those with kube-proxy or Cilium.
    ///
    /// ## Sources
    ///
    /// - ovn-kubernetes/ovn-kubernetes, `go-controller/pkg/ovn/controller/services/loadbalancer.go`
    /// - antrea-io/antrea, `docs/design/ovs-pipeline.md` and `docs/antrea-proxy.md`
}

/// The longest timeout that fits into 16 bits.
const MAX_IN_16_BITS: i64 = 65_535;

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let Timeout::Seconds(seconds, span) = subject.timeout() else { return None };
    if seconds <= MAX_IN_16_BITS || seconds > i64::from(MAX_TIMEOUT_SECONDS) {
        return None;
    }
    let message = format!("OVN-Kubernetes and Antrea cut a timeout of {seconds} seconds to {MAX_IN_16_BITS}");
    let help = format!("write at most {MAX_IN_16_BITS}, or know that your network keeps the whole");
    Some(Remark { span, field: crate::advice::TIMEOUT_FIELD, ..subject.remark(Rule::TimeoutTruncated, message, help) })
}
