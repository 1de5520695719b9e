describe! {
    "embedded-default-sticky", Warning;
    /// This custom resource is sticky unless it says `None`: taking the key out changes nothing.
    ///
    /// ## What it does
    ///
    /// Finds custom resources of ToolHive whose `spec.sessionAffinity` is `ClientIP` or absent. With
    /// `embedded: edit`, the action `remove` writes `None` there in the place of `ClientIP`.
    ///
    /// ## Why it matters
    ///
    /// The resource's schema has `ClientIP` as its default. Whoever takes the line out, by hand or with
    /// another tool, gets the same sticky Service back.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: toolhive.stacklok.dev/v1alpha1
    /// kind: MCPServer
    /// metadata:
    ///   name: tools
    /// spec:
    ///   image: example.com/mcp:1
    ///   sessionAffinity: ClientIP
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: toolhive.stacklok.dev/v1alpha1
    /// kind: MCPServer
    /// metadata:
    ///   name: tools
    /// spec:
    ///   image: example.com/mcp:1
    ///   sessionAffinity: None
    /// ```
    ///
    /// ## When to keep it
    ///
    /// For servers that hold a session in memory, which is why the default is what it is.
    ///
    /// ## Sources
    ///
    /// - [stacklok/toolhive#3994](https://github.com/stacklok/toolhive/issues/3994), and the resources'
    ///   schemas there
}
