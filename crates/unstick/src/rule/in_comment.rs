describe! {
    "in-comment", Info;
    /// A comment names the field.
    ///
    /// ## What it does
    ///
    /// Lists comments that hold one of the two names. A comment directly above a removed key goes with it
    /// if it speaks of nothing else.
    ///
    /// ## Why it matters
    ///
    /// A comment may be a switched-off line that comes back, or an explanation that is no longer true.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {app: web}
    ///   # sessionAffinity: ClientIP
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {app: web}
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where it explains why the Service is not sticky.
    ///
    /// ## Sources
    ///
    /// - `--comments` in the command's help
}
