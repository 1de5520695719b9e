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
