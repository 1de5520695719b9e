describe! {
    "other-meaning", Info;
    /// The key of this kind means something else and is not touched.
    ///
    /// ## What it does
    ///
    /// Lists keys named `sessionAffinity` of kinds where they are no Service's field: Google's
    /// BackendConfig and backend policies, Flagger's Canary, Knative's Service and others, or a `Service`
    /// of another API group.
    ///
    /// ## Why it matters
    ///
    /// A search for the name finds them, and an edit would change a load balancer's cookie or a rollout.
    /// They are told so that nobody has to wonder.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: cloud.google.com/v1
    /// kind: BackendConfig
    /// metadata:
    ///   name: web
    /// spec:
    ///   sessionAffinity:
    ///     affinityType: GENERATED_COOKIE
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: cloud.google.com/v1
    /// kind: BackendConfig
    /// metadata:
    ///   name: web
    /// spec: {}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Always, as far as this tool is concerned: such a setting is its owner's to change.
    ///
    /// ## Sources
    ///
    /// - The table in `crates/unstick/src/foreign.rs`, each row with the place in which the meaning was
    ///   read
}
