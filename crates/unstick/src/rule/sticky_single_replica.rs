use crate::Rule;
use crate::advice::{Pods, Remark, Subject, texts};

describe! {
    "sticky-single-replica", Info;
    /// A sticky Service has one pod to send clients to.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services whose selector matches, in the same namespace of the same input, exactly one
    /// workload, which asks for one replica and which no autoscaler of the input scales. Deployments,
    /// StatefulSets, ReplicaSets, ReplicationControllers and bare Pods are counted; a DaemonSet is taken
    /// for many pods.
    ///
    /// ## Why it matters
    ///
    /// With one pod there is nothing to choose. The setting waits until somebody raises the replicas, and
    /// then decides without being asked how they share the load.
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
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   replicas: 1
    ///   selector:
    ///     matchLabels: {app: web}
    ///   template:
    ///     metadata:
    ///       labels: {app: web}
    ///     spec:
    ///       containers:
    ///       - {name: web, image: example.com/web:1}
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
    ///   ports:
    ///   - port: 80
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   replicas: 1
    ///   selector:
    ///     matchLabels: {app: web}
    ///   template:
    ///     metadata:
    ///       labels: {app: web}
    ///     spec:
    ///       containers:
    ///       - {name: web, image: example.com/web:1}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the number of replicas is set elsewhere, by an overlay or by hand.
    ///
    /// ## Sources
    ///
    /// - kubernetes/api, `apps/v1/types.go`: replicas default to 1
    /// - [Session affinity](https://kubernetes.io/docs/reference/networking/virtual-ips/#session-affinity)
    ///   in the Kubernetes documentation
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    if !subject.is_proxied() {
        return None;
    }
    let selector = subject.lookup.value(subject.site.spec, "selector")?;
    let Pods::One(kind, name) = subject.survey.pods(subject.resource(), &texts(subject.outline, selector)) else {
        return None;
    };
    Some(subject.remark(
        Rule::StickySingleReplica,
        format!("pointless so far: {kind} {name}, which it selects, has one replica"),
        "take affinity out, so that more replicas share the load when they come",
    ))
}
