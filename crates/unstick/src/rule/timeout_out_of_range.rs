describe! {
    "timeout-out-of-range", Error;
    /// The API server rejects the timeout: it takes whole seconds from 1 to 86400.
    ///
    /// ## What it does
    ///
    /// Finds a sticky Service, or a custom resource that embeds one, whose `timeoutSeconds` is below 1,
    /// above 86400, or no whole number.
    ///
    /// ## Why it matters
    ///
    /// The Service cannot be created or updated. A day is the longest; to be sticky for ever is not on
    /// offer.
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
    ///       timeoutSeconds: 604800
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
    ///       timeoutSeconds: 3600
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Never.
    ///
    /// ## Sources
    ///
    /// - kubernetes/api, `core/v1/types.go`, `ClientIPConfig`
    /// - kubernetes/kubernetes, `pkg/apis/core/validation/validation.go`
}
