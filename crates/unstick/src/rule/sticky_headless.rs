use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "sticky-headless", Warning;
    /// A headless Service is sticky: it has no effect, as clients find the pods themselves.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `ClusterIP` whose `clusterIP` is `None`.
    ///
    /// ## Why it matters
    ///
    /// No proxy stands between a client and the pods of a headless Service, so that nothing could remember
    /// the client. The API server takes the field and answers with a warning that it is ignored. Whoever
    /// reads the manifest believes otherwise.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: db
    /// spec:
    ///   clusterIP: None
    ///   selector: {app: db}
    ///   sessionAffinity: ClientIP
    ///   ports:
    ///   - port: 5432
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: db
    /// spec:
    ///   clusterIP: None
    ///   selector: {app: db}
    ///   ports:
    ///   - port: 5432
    /// ```
    ///
    /// ## When to keep it
    ///
    /// There is no reason to.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/api/service/warnings.go`
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    subject.is_headless().then(|| {
        subject.remark(
            Rule::StickyHeadless,
            "without effect: clients of a headless Service go to the pods themselves",
            "take affinity out",
        )
    })
}
