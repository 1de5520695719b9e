describe! {
    "sticky-by-default", Warning;
    /// A chart's value makes a Service sticky unless the user says otherwise.
    ///
    /// ## What it does
    ///
    /// Finds a key of `values.yaml` with a sticky default that ends in a Service's affinity. It is set to
    /// `None`; with `knobs: strip` the key goes.
    ///
    /// ## Why it matters
    ///
    /// Most users take a chart's defaults as they are, and do not know that clients are pinned. On AWS the
    /// load balancer never comes.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// # values.yaml
    /// service:
    ///   sessionAffinity: ClientIP
    /// # templates/service.yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: {{ .Release.Name }}
    /// spec:
    ///   sessionAffinity: {{ .Values.service.sessionAffinity }}
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// # values.yaml
    /// service:
    ///   sessionAffinity: None
    /// # templates/service.yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: {{ .Release.Name }}
    /// spec:
    ///   sessionAffinity: {{ .Values.service.sessionAffinity }}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the application needs it, and the README says so.
    ///
    /// ## Sources
    ///
    /// - [cilium/cilium#32646](https://github.com/cilium/cilium/issues/32646): a default that broke load
    ///   balancers
    /// - [coder/enterprise-helm#272](https://github.com/coder/enterprise-helm/pull/272): one that was taken
    ///   back
}
