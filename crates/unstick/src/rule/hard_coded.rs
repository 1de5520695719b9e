describe! {
    "hard-coded", Warning;
    /// A chart's template makes a Service sticky, and no value switches it off.
    ///
    /// ## What it does
    ///
    /// Finds a sticky value that is written out in a template of a chart.
    ///
    /// ## Why it matters
    ///
    /// Users of the chart cannot choose. They fork it, patch what it renders, or live with pinned clients.
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
    ///   sessionAffinity: ClientIP
    ///   type: ClusterIP
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
    ///   type: ClusterIP
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the application cannot work otherwise, whatever the cluster. Say so in the chart's README.
    ///
    /// ## Sources
    ///
    /// - [longhorn/longhorn#7399](https://github.com/longhorn/longhorn/issues/7399)
    /// - [cilium/cilium#32646](https://github.com/cilium/cilium/issues/32646)
}
