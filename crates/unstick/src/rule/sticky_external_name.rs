use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "sticky-external-name", Warning;
    /// An ExternalName Service is sticky: it has no effect, as there is only a DNS name.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `ExternalName`.
    ///
    /// ## Why it matters
    ///
    /// Such a Service is an alias in DNS. Its traffic never passes kube-proxy, which skips it. The API
    /// server takes the field without a word, and does not clear it when a Service becomes an ExternalName.
    ///
    /// ## Example
    ///
    /// Before:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: payments
    /// spec:
    ///   type: ExternalName
    ///   externalName: payments.example.com
    ///   sessionAffinity: ClientIP
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: payments
    /// spec:
    ///   type: ExternalName
    ///   externalName: payments.example.com
    /// ```
    ///
    /// ## When to keep it
    ///
    /// There is no reason to.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubernetes, `pkg/registry/core/service/strategy.go`: a change of type leaves the
    ///   affinity as it is
    /// - kubernetes/kubernetes, `pkg/api/service/warnings.go`: no warning for this type
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    (subject.is_service() && subject.service_type() == "ExternalName").then(|| {
        subject.remark(
            Rule::StickyExternalName,
            "without effect: an ExternalName Service is a DNS name, and no traffic passes through it",
            "take affinity out",
        )
    })
}
