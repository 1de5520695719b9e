describe! {
    "sticky", Warning;
    /// A Service is sticky: its `sessionAffinity` is `ClientIP`.
    ///
    /// ## What it does
    ///
    /// Finds every Service whose `spec.sessionAffinity` is set to anything but `None`, null or an empty
    /// text, in its own lines, through an alias or through a merge key. What becomes of it is up to the
    /// policy: by default the key and its config are taken out.
    ///
    /// ## Why it matters
    ///
    /// `ClientIP` pins each client address to one pod, for three hours by default and again with every new
    /// connection. All clients behind one proxy or NAT gateway count as one. The pin is kept per Service
    /// port and per node, not in the cluster as a whole, so that it does not even hold what it promises
    /// where there are several nodes. Pinned clients stay on pods that are slow or not ready, and new pods
    /// get no traffic after a rollout. Some load balancers refuse such a Service.
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
    ///     clientIP: {timeoutSeconds: 10800}
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
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the pods hold state for a client that no other pod can serve, and nothing at a higher level (a
    /// cookie of the ingress, a shared store) can do it: web interfaces that log users out, pairs of
    /// Prometheus servers behind one dashboard, egress gateways. Give the Service the annotation
    /// `unstick.dev/keep` with the reason, or write a rule into the policy.
    ///
    /// ## Sources
    ///
    /// - [Session affinity](https://kubernetes.io/docs/reference/networking/virtual-ips/#session-affinity)
    ///   in the Kubernetes documentation
    /// - kubernetes/api, `core/v1/types.go`, `ServiceSpec`
    /// - [longhorn/longhorn#7399](https://github.com/longhorn/longhorn/issues/7399): four Services were
    ///   sticky for no reason
    /// - [kubernetes/kubernetes#110302](https://github.com/kubernetes/kubernetes/issues/110302): clients
    ///   pinned to a pod that is not ready
}
