use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "sticky-azure-service-gateway", Info;
    /// Azure refuses the load balancer where the cluster uses its Service Gateway.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `LoadBalancer` that carry an annotation which begins with
    /// `service.beta.kubernetes.io/azure-`, have no `loadBalancerClass`, and are not internal. Whether the
    /// cluster uses Service Gateway cannot be told from a manifest: the rule is for information.
    ///
    /// ## Why it matters
    ///
    /// With Service Gateway, the provider sends traffic to pods directly and has nothing that could keep a
    /// client on one. It refuses the Service with `UnsupportedSessionAffinity`. Without it, the load
    /// balancer's rule is set to spread by source address, so that affinity also decides which node a
    /// client comes in by.
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
    ///     service.beta.kubernetes.io/azure-dns-label-name: shop
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
    ///     service.beta.kubernetes.io/azure-dns-label-name: shop
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   ports:
    ///   - port: 443
    /// ```
    ///
    /// ## When to keep it
    ///
    /// In clusters without Service Gateway, where you need it for other reasons.
    ///
    /// ## Sources
    ///
    /// - kubernetes-sigs/cloud-provider-azure,
    ///   `pkg/provider/servicegateway/difftracker/resource_helpers.go`
    /// - kubernetes-sigs/cloud-provider-azure, `pkg/provider/azure_loadbalancer.go`
}

/// Azure's annotations begin so.
const PREFIX: &str = "service.beta.kubernetes.io/azure-";
const INTERNAL: &str = "service.beta.kubernetes.io/azure-load-balancer-internal";

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    subject.annotation_with(&[PREFIX])?;
    let internal = subject.annotation(INTERNAL).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if internal || !subject.is_plain_load_balancer() {
        return None;
    }
    Some(subject.remark(
        Rule::StickyAzureServiceGateway,
        "Azure refuses this load balancer where the cluster uses Service Gateway",
        "take affinity out before the cluster moves to Service Gateway",
    ))
}
