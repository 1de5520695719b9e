describe! {
    "not-sticky", Info;
    /// The Service says that it is not sticky: `None`, null or an empty text.
    ///
    /// ## What it does
    ///
    /// Lists values that switch affinity off, so that every mention of the key is accounted for. They stay,
    /// unless the policy says `includeNone`.
    ///
    /// ## Why it matters
    ///
    /// It is the API server's own default, written out. An explicit `None` is the safe way to switch
    /// affinity off on a live Service whose field others may own, and the only way where a custom resource
    /// is sticky by default.
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
    ///   sessionAffinity: None
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
    /// Always, unless you want manifests without defaults.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/apis/core/v1/defaults.go`, `SetDefaults_Service`
}
