use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "octavia-not-updated", Warning;
    /// OpenStack's load balancer stays sticky after the change: its pool is not updated.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `LoadBalancer` whose affinity the policy changes and which carry an
    /// annotation that begins with `loadbalancer.openstack.org/`, or
    /// `service.beta.kubernetes.io/openstack-internal-load-balancer`.
    ///
    /// ## Why it matters
    ///
    /// The provider sets the pool's persistence when it creates the pool. Later it compares the protocol
    /// and the method of balancing only. The Service says `None`, and Octavia goes on pinning clients to
    /// nodes.
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
    ///     loadbalancer.openstack.org/proxy-protocol: "true"
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
    ///     loadbalancer.openstack.org/proxy-protocol: "true"
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   sessionAffinity: None
    ///   ports:
    ///   - port: 443
    /// ```
    ///
    /// ## When to keep it
    ///
    /// It is not a reason to keep affinity: delete the pool's persistence with `openstack loadbalancer pool
    /// unset --session-persistence POOL`, or create the Service anew.
    ///
    /// ## Sources
    ///
    /// - kubernetes/cloud-provider-openstack, `pkg/openstack/loadbalancer.go`, `buildPoolCreateOpt` and
    ///   `ensureOctaviaPool`
}

/// OpenStack's annotations begin so.
const PREFIXES: &[&str] =
    &["loadbalancer.openstack.org/", "service.beta.kubernetes.io/openstack-internal-load-balancer"];

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    subject.annotation_with(PREFIXES)?;
    if !subject.is_released() || !subject.is_plain_load_balancer() {
        return None;
    }
    Some(subject.remark(
        Rule::OctaviaNotUpdated,
        "the change does not reach OpenStack's load balancer: its pool goes on pinning clients to nodes",
        "openstack loadbalancer pool unset --session-persistence POOL, or create the Service anew",
    ))
}
