describe! {
    "in-string", Info;
    /// A text names the field: an annotation, JSON or YAML in a string, prose.
    ///
    /// ## What it does
    ///
    /// Lists strings, keys with longer names, anchors and tags that hold one of the two names.
    ///
    /// ## Why it matters
    ///
    /// Text in strings is not edited: what reads it is unknown. Where it is a manifest, as in a ConfigMap
    /// or an annotation of `kubectl apply`, somebody may create a sticky Service from it.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: manifests
    /// data:
    ///   service: |
    ///     apiVersion: v1
    ///     kind: Service
    ///     spec:
    ///       sessionAffinity: ClientIP
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: manifests
    /// data:
    ///   service: |
    ///     apiVersion: v1
    ///     kind: Service
    ///     spec: {}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where it is prose, or another tool's own.
    ///
    /// ## Sources
    ///
    /// - [Declarative
    ///   management](https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/) in the
    ///   Kubernetes documentation, on the annotation that `kubectl apply` keeps
}
