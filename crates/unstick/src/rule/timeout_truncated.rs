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
