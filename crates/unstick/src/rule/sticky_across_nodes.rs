use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "sticky-across-nodes", Warning;
    /// Each node remembers for itself: a client that comes in by another node gets another pod.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `LoadBalancer` or `NodePort` whose `externalTrafficPolicy` is not
    /// `Local`.
    ///
    /// ## Why it matters
    ///
    /// Every node keeps its own memory of clients. With the policy `Cluster` a load balancer may hand
    /// connections of one client to any node, and each node picks a pod anew, so that the client is pinned
    /// once per node and not once per Service. A node that forwards to a pod elsewhere also replaces the
    /// client's address by its own: pods do not see who is pinned.
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
    ///   type: LoadBalancer
    ///   externalTrafficPolicy: Cluster
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
    ///   type: LoadBalancer
    ///   externalTrafficPolicy: Cluster
    ///   selector: {app: web}
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the load balancer itself always sends a client to the same node, as Azure's and Google's do
    /// while the set of nodes stays the same, or where only clients inside the cluster matter.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/proxy/iptables/proxier.go`: the memory is the node's own
    /// - [metallb/metallb#2475](https://github.com/metallb/metallb/issues/2475): not sticky with the policy
    ///   Cluster
    /// - [Source IP](https://kubernetes.io/docs/tutorials/services/source-ip/) in the Kubernetes
    ///   documentation
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let kind = subject.service_type();
    let local = subject.spec_text("externalTrafficPolicy") == Some("Local");
    if local || !subject.is_proxied() || !matches!(kind, "LoadBalancer" | "NodePort") {
        return None;
    }
    Some(subject.remark(
        Rule::StickyAcrossNodes,
        format!("sticky for each node alone: by way of another node of this {kind} a client gets another pod"),
        "let a cookie of the ingress keep clients, or set externalTrafficPolicy: Local with a load balancer that does",
    ))
}
