use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "sticky-multi-port", Warning;
    /// Affinity is kept for each port alone: a client may sit on different pods per port.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services with two or more ports. Headless and ExternalName Services are left out:
    /// affinity has no effect there.
    ///
    /// ## Why it matters
    ///
    /// kube-proxy chooses a pod, and remembers it, for each Service port by itself. A client that uses two
    /// ports of one Service may therefore be on one pod with the first port and on another with the second,
    /// each for hours. An application that logs in on one port and works on another breaks for some clients
    /// and not for others.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: mail
    /// spec:
    ///   selector: {app: mail}
    ///   sessionAffinity: ClientIP
    ///   ports:
    ///   - {name: imap, port: 143}
    ///   - {name: smtp, port: 25}
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: mail
    /// spec:
    ///   selector: {app: mail}
    ///   ports:
    ///   - {name: imap, port: 143}
    ///   - {name: smtp, port: 25}
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where each port is sticky for its own sake and the ports need not agree on a pod.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/proxy/iptables/proxier.go`: one list of recent clients per endpoint of
    ///   a Service port
    /// - [Session affinity](https://kubernetes.io/docs/reference/networking/virtual-ips/#session-affinity)
    ///   in the Kubernetes documentation
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let ports = subject.ports();
    if ports < 2 || !subject.is_proxied() {
        return None;
    }
    Some(subject.remark(
        Rule::StickyMultiPort,
        format!("sticky on {ports} ports, each for itself: a client may be on another pod with every port"),
        "do not count on one pod for all ports; a Service per port says the same more clearly",
    ))
}
