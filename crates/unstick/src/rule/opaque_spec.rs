describe! {
    "opaque-spec", Warning;
    /// A chart writes a Service's spec from values as a whole: what is in it cannot be told.
    ///
    /// ## What it does
    ///
    /// Finds templates that write a Service's spec, or a part that may hold affinity, by `toYaml`, `tpl` or
    /// a library chart, so that no line of the template names the key.
    ///
    /// ## Why it matters
    ///
    /// No edit of the template can take affinity out, short of taking the whole spec. What users put into
    /// their values decides.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// # templates/service.yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: {{ .Release.Name }}
    /// spec:
    ///   {{- toYaml .Values.service.spec | nindent 2 }}
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// # templates/service.yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: {{ .Release.Name }}
    /// spec:
    ///   type: {{ .Values.service.type }}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the chart means to let users write all of it. Run unstick on what it renders, as a
    /// post-renderer.
    ///
    /// ## Sources
    ///
    /// - [The toYaml
    ///   function](https://helm.sh/docs/chart_template_guide/function_list/#type-conversion-functions) in
    ///   Helm's documentation
}
