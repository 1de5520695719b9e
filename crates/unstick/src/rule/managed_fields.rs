describe! {
    "managed-fields", Info;
    /// The API server's bookkeeping names the field.
    ///
    /// ## What it does
    ///
    /// Lists the names inside `metadata.managedFields` of a dump.
    ///
    /// ## Why it matters
    ///
    /// Such an entry says who set the field, not what it is. It tells who may have to give it up: see
    /// `removal-needs-none`.
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
    ///   managedFields:
    ///   - manager: helm
    ///     operation: Update
    ///     fieldsV1:
    ///       f:spec:
    ///         f:sessionAffinity: {}
    /// spec:
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
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Always. Leave it out of manifests that you apply: `kubectl get` shows it only on request.
    ///
    /// ## Sources
    ///
    /// - [Server-side apply](https://kubernetes.io/docs/reference/using-api/server-side-apply/) in the
    ///   Kubernetes documentation
}
