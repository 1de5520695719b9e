describe! {
    "template", Error;
    /// A template names the field in a way that cannot be edited safely.
    ///
    /// ## What it does
    ///
    /// Finds affinity in documents with Go template actions that are read as plain manifests, or in a
    /// chart's template where no edit could be shown to do what it should.
    ///
    /// ## Why it matters
    ///
    /// Which lines a template writes depends on values. An edit that looks right may take away too much, or
    /// stop the chart from rendering; so it is not made.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// {{- if .Values.service.enabled }}
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   sessionAffinity: {{ .Values.service.affinity }}
    /// {{- end }}
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// {{- if .Values.service.enabled }}
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   type: ClusterIP
    /// {{- end }}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where you run unstick on the rendered manifests, as a post-renderer or behind `helm template`.
    ///
    /// ## Sources
    ///
    /// - [Chart template guide](https://helm.sh/docs/chart_template_guide/) in Helm's documentation
}
