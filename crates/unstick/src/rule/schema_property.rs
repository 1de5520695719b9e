describe! {
    "schema-property", Info;
    /// A schema describes the field: a CustomResourceDefinition, or a JSON Schema.
    ///
    /// ## What it does
    ///
    /// Lists the two names where they stand under `properties` or in an OpenAPI schema.
    ///
    /// ## Why it matters
    ///
    /// A schema says what may be set, not what is set. Taking a property out would make others' manifests
    /// invalid.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata:
    ///   name: gateways.example.com
    /// spec:
    ///   versions:
    ///   - name: v1
    ///     schema:
    ///       openAPIV3Schema:
    ///         properties:
    ///           sessionAffinity:
    ///             type: string
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata:
    ///   name: gateways.example.com
    /// spec:
    ///   versions:
    ///   - name: v1
    ///     schema:
    ///       openAPIV3Schema:
    ///         properties: {}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Always.
    ///
    /// ## Sources
    ///
    /// - [Custom
    ///   resources](https://kubernetes.io/docs/concepts/extend-kubernetes/api-extension/custom-resources/)
    ///   in the Kubernetes documentation
}
