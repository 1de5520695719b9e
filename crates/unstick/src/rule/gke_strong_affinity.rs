use crate::Rule;
use crate::advice::{Remark, Subject, Timeout};

describe! {
    "gke-strong-affinity", Error;
    /// GKE's strong affinity needs `ClientIP` and a timeout of 60 to 57600 seconds.
    ///
    /// ## What it does
    ///
    /// Finds Services of type `LoadBalancer` with the annotation
    /// `networking.gke.io/l4-strong-session-affinity: enabled` that are sticky and that the policy changes,
    /// or whose timeout is out of that range.
    ///
    /// ## Why it matters
    ///
    /// GKE's controller refuses such a Service with a user error. Its load balancer is then no longer kept
    /// in step with the cluster: new nodes get no traffic.
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
    ///   annotations:
    ///     networking.gke.io/l4-strong-session-affinity: enabled
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   sessionAffinity: ClientIP
    ///   ports:
    ///   - port: 443
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
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   ports:
    ///   - port: 443
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where strong affinity was asked for on purpose: give the Service the annotation `unstick.dev/keep`.
    /// Else take the annotation out together with the affinity.
    ///
    /// ## Sources
    ///
    /// - kubernetes/ingress-gce, `pkg/l4/resources/l4netlb.go` and `pkg/utils/utils.go`
    /// - kubernetes/ingress-gce, `pkg/annotations/service.go`
}

const STRONG: &str = "networking.gke.io/l4-strong-session-affinity";
/// The timeouts that strong affinity takes, in seconds.
const RANGE: std::ops::RangeInclusive<i64> = 60..=57_600;

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    if subject.annotation(STRONG) != Some("enabled") || !subject.is_plain_load_balancer() {
        return None;
    }
    if subject.is_released() {
        return Some(subject.remark(
            Rule::GkeStrongAffinity,
            format!("GKE refuses the Service after the change: {STRONG} asks for ClientIP"),
            "take the annotation out as well, or keep the Service with unstick.dev/keep",
        ));
    }
    let Timeout::Seconds(seconds, span) = subject.timeout() else { return None };
    (!RANGE.contains(&seconds)).then(|| {
        let message = format!("GKE refuses a timeout of {seconds} seconds with {STRONG}");
        let help = "write 60 to 57600 seconds, or take the annotation out";
        let remark = subject.remark(Rule::GkeStrongAffinity, message, help);
        Remark { span, field: crate::advice::TIMEOUT_FIELD, ..remark }
    })
}
