use crate::Rule;
use crate::advice::{Remark, Subject, defaults_to_client_ip};

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

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    if !defaults_to_client_ip(subject.site) {
        return None;
    }
    let message = match subject.value {
        Some(_) => "sticky without this line too: the resource's schema has ClientIP as its default",
        None => "sticky, though nothing says so: the resource's schema has ClientIP as its default",
    };
    Some(subject.remark(
        Rule::EmbeddedDefaultSticky,
        message,
        "write sessionAffinity: None to switch it off; --embedded edit does so where the key is there",
    ))
}
