describe! {
    "embedded", Warning;
    /// A custom resource embeds a Service spec with affinity in it.
    ///
    /// ## What it does
    ///
    /// Finds the two keys where a custom resource of a known operator holds a Service's spec. It is only
    /// reported; with `embedded: edit` (`--embedded edit`) it is treated like a Service.
    ///
    /// ## Why it matters
    ///
    /// The operator copies the spec into a Service, which is then as sticky as any other. An edit of that
    /// Service would not last: the operator writes its own again.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: rabbitmq.com/v1beta1
    /// kind: RabbitmqCluster
    /// metadata:
    ///   name: queue
    /// spec:
    ///   override:
    ///     service:
    ///       spec:
    ///         sessionAffinity: ClientIP
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: rabbitmq.com/v1beta1
    /// kind: RabbitmqCluster
    /// metadata:
    ///   name: queue
    /// spec:
    ///   override:
    ///     service:
    ///       spec: {}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the operator needs it, as coil's Egress does with more than one replica. Such resources are
    /// kept in any case.
    ///
    /// ## Sources
    ///
    /// - The table in `crates/unstick/src/embedded.rs`, each row with the schema or code in which the path
    ///   was read
}
