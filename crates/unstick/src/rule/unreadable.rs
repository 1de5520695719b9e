describe! {
    "unreadable", Error;
    /// A document that names the field cannot be read.
    ///
    /// ## What it does
    ///
    /// Tells of a document with a fault in its YAML or JSON, or in another encoding than UTF-8. One that
    /// names affinity is refused: a filter passes nothing on, `fix` leaves the file alone. One that does
    /// not name it passes through.
    ///
    /// ## Why it matters
    ///
    /// What cannot be read cannot be shown to be free of affinity, and an edit beside a fault may do
    /// anything.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web
    /// spec:
    ///   sessionAffinity: ClientIP
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: web}
    /// spec:
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where it is no manifest at all: name the files that are. `--lenient` makes the exit code 0 all the
    /// same.
    ///
    /// ## Sources
    ///
    /// - [YAML 1.2.2](https://yaml.org/spec/1.2.2/)
}
