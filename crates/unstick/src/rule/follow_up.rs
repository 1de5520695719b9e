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
    /// suite: service
    /// tests:
    /// - asserts:
    ///   - equal: {path: spec.sessionAffinity, value: ClientIP}
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// suite: service
    /// tests:
    /// - asserts:
    ///   - notExists: {path: spec.sessionAffinity}
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
