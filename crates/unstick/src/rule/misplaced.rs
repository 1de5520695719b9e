describe! {
    "misplaced", Warning;
    /// The key stands where no Service spec is, and means nothing there.
    ///
    /// ## What it does
    ///
    /// Finds the key at the wrong depth of a Service, in the spec of a pod, or in an object that unstick
    /// does not know. In a Service or a workload it is a warning, elsewhere it is for information.
    ///
    /// ## Why it matters
    ///
    /// The API server drops unknown fields, or rejects the object where field validation is strict. The
    /// Service is not sticky, and whoever wrote the line believes that it is.
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
    /// sessionAffinity: ClientIP
    /// spec:
    ///   selector: {app: web}
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
    /// Where the object is a custom resource with a field of that name. Tell us of it: it belongs into the
    /// table of known ones.
    ///
    /// ## Sources
    ///
    /// - [Field validation](https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation)
    ///   in the Kubernetes documentation
    /// - kubernetes/api, `core/v1/types.go`: `PodSpec` has no such field
}
