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
    /// # values.yaml
    /// service:
    ///   port: 80
    ///   sessionAffinity: None
    /// # templates/service.yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: {{ .Release.Name }}
    /// spec:
    ///   ports:
    ///   - port: {{ .Values.service.port }}
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// # values.yaml
    /// service:
    ///   port: 80
    /// # templates/service.yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: {{ .Release.Name }}
    /// spec:
    ///   ports:
    ///   - port: {{ .Values.service.port }}
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
