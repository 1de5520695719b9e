describe! {
    "orphan-config", Warning;
    /// A config without `ClientIP` has no effect: the API server drops it.
    ///
    /// ## What it does
    ///
    /// Finds a `sessionAffinityConfig` on a Service that is not sticky. A null config is left: in a patch
    /// it deletes the live one.
    ///
    /// ## Why it matters
    ///
    /// The API server throws the config away without an error when it fills in defaults. What it says of a
    /// timeout is not true, and tools that compare the manifest with the live object see a difference for
    /// ever.
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
    ///   sessionAffinityConfig:
    ///     clientIP:
    ///       timeoutSeconds: 600
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
    /// In a patch or an overlay whose base sets `ClientIP`.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/apis/core/v1/defaults.go`, `SetDefaults_Service`
}
