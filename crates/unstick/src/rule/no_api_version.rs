describe! {
    "no-api-version", Warning;
    /// `kind: Service` without an `apiVersion`: nobody can tell what it is.
    ///
    /// ## What it does
    ///
    /// Finds affinity in a document of kind `Service` that names no API version. It is not edited.
    ///
    /// ## Why it matters
    ///
    /// Knative and others have a kind of the same name, and kubectl refuses the document. It is a fragment,
    /// or a mistake.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   sessionAffinity: ClientIP
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
    /// Where another tool adds the version; then run unstick on what that tool makes.
    ///
    /// ## Sources
    ///
    /// - [Kubernetes objects](https://kubernetes.io/docs/concepts/overview/working-with-objects/) in the
    ///   Kubernetes documentation: the required fields
}
