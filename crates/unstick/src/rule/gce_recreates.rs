use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "gce-recreates", Warning;
    /// On Google Cloud the change deletes and recreates the load balancer: a short outage.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `LoadBalancer` whose affinity the policy changes and which Google's
    /// provider serves through a target pool: they carry an annotation of `cloud.google.com` or
    /// `networking.gke.io`, have no `loadBalancerClass`, are not internal and are not based on a backend
    /// service (`cloud.google.com/l4-rbs`).
    ///
    /// ## Why it matters
    ///
    /// A target pool's affinity cannot be changed. The provider deletes the forwarding rule and the pool
    /// and makes new ones. Connections break, and the address changes if it was not reserved.
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
    ///     cloud.google.com/network-tier: Standard
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
    ///   annotations:
    ///     cloud.google.com/network-tier: Standard
    ///     unstick.dev/keep: until the maintenance window
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   sessionAffinity: ClientIP
    ///   ports:
    ///   - port: 443
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Until a time at which a short outage does no harm; reserve the address first.
    ///
    /// ## Sources
    ///
    /// - kubernetes/cloud-provider-gcp, `providers/gce/gce_loadbalancer_external.go`,
    ///   `targetPoolNeedsRecreation`
}

/// Google Cloud's annotations begin so.
const PREFIXES: &[&str] = &["cloud.google.com/", "networking.gke.io/"];

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    subject.annotation_with(PREFIXES)?;
    let is = |value: Option<&str>, wanted: &str| value.is_some_and(|value| value.eq_ignore_ascii_case(wanted));
    let internal = is(subject.annotation("networking.gke.io/load-balancer-type"), "internal")
        || is(subject.annotation("cloud.google.com/load-balancer-type"), "internal");
    // Those have a backend service, whose affinity is updated in place.
    let in_place = is(subject.annotation("cloud.google.com/l4-rbs"), "enabled")
        || is(subject.annotation("networking.gke.io/l4-strong-session-affinity"), "enabled");
    if internal || in_place || !subject.is_released() || !subject.is_plain_load_balancer() {
        return None;
    }
    Some(subject.remark(
        Rule::GceRecreates,
        "the change makes Google Cloud delete the load balancer and create it anew: a short outage",
        "reserve its address first, and choose the time; unstick.dev/keep leaves it until then",
    ))
}
