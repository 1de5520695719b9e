describe! {
    "bad-policy", Error;
    /// The settings of a KRM function cannot be used.
    ///
    /// ## What it does
    ///
    /// Tells what is wrong with the `functionConfig` of a ResourceList: an unknown field, a value out of
    /// range, another kind. Nothing is edited and the function fails.
    ///
    /// ## Why it matters
    ///
    /// A misspelt setting that is passed over would do something else than was asked for.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: config.kubernetes.io/v1
    /// kind: ResourceList
    /// functionConfig:
    ///   apiVersion: unstick.dev/v1
    ///   kind: SessionAffinityPolicy
    ///   spec:
    ///     acton: none
    /// items: []
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: config.kubernetes.io/v1
    /// kind: ResourceList
    /// functionConfig:
    ///   apiVersion: unstick.dev/v1
    ///   kind: SessionAffinityPolicy
    ///   spec:
    ///     action: none
    /// items: []
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Never.
    ///
    /// ## Sources
    ///
    /// - kubernetes-sigs/kustomize, `cmd/config/docs/api-conventions/functions-spec.md`
}
