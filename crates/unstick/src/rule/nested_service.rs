describe! {
    "nested-service", Info;
    /// A whole Service stands inside an object that unstick does not know.
    ///
    /// ## What it does
    ///
    /// Finds a Service with affinity inside a kind that is no known wrapper. `List`, `Template`,
    /// `ManifestWork`, Crossplane's `Object` and others are known: their Services are edited.
    ///
    /// ## Why it matters
    ///
    /// Some controller may create the Service. Whether its text may be edited there depends on that
    /// controller.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: example.com/v1
    /// kind: Bundle
    /// metadata:
    ///   name: shop
    /// spec:
    ///   parts:
    ///   - apiVersion: v1
    ///     kind: Service
    ///     metadata:
    ///       name: web
    ///     spec:
    ///       sessionAffinity: ClientIP
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: example.com/v1
    /// kind: Bundle
    /// metadata:
    ///   name: shop
    /// spec:
    ///   parts:
    ///   - apiVersion: v1
    ///     kind: Service
    ///     metadata:
    ///       name: web
    ///     spec: {}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Until you know what the controller does with it.
    ///
    /// ## Sources
    ///
    /// - The wrappers in `crates/unstick/src/site.rs`
}
