describe! {
    "follow-up", Info;
    /// Another file of the chart speaks of a value or a line that goes, and has to follow.
    ///
    /// ## What it does
    ///
    /// Lists unit tests, README rows, README templates and schemas of a chart that name what was changed.
    /// They are not edited.
    ///
    /// ## Why it matters
    ///
    /// A test that asserts on the old line fails, and a README that lists a value which is gone misleads
    /// its readers.
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
    /// # tests/service_test.yaml
    /// suite: service
    /// tests:
    /// - asserts:
    ///   - equal: {path: spec.sessionAffinity, value: ClientIP}
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
    /// # tests/service_test.yaml
    /// suite: service
    /// tests:
    /// - asserts:
    ///   - equal: {path: spec.type, value: ClusterIP}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the file speaks of something else by that name.
    ///
    /// ## Sources
    ///
    /// - [helm-unittest/helm-unittest](https://github.com/helm-unittest/helm-unittest), `DOCUMENT.md`
}
