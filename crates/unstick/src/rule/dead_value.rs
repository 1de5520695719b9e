describe! {
    "dead-value", Info;
    /// A chart's value about affinity is read by no template.
    ///
    /// ## What it does
    ///
    /// Finds keys of `values.yaml` that are named for affinity and that no template of the chart reads.
    ///
    /// ## Why it matters
    ///
    /// Whoever sets the value believes that it does something.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// service:
    ///   port: 80
    ///   sessionAffinity: None
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// service:
    ///   port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where a sub-chart that is not here reads it.
    ///
    /// ## Sources
    ///
    /// - [Values files](https://helm.sh/docs/chart_template_guide/values_files/) in Helm's documentation
}
