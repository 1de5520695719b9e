describe! {
    "removal-needs-none", Warning;
    /// Taking the line out of a manifest would not reset this live Service: it needs an explicit `None`.
    ///
    /// ## What it does
    ///
    /// Looks at sticky Services of a dump (`kubectl get service -o yaml`, best with
    /// `--show-managed-fields`) that the policy removes affinity from. It fires where the bookkeeping shows
    /// more than one owner of the field, or one that set it by an update which no apply remembers; and,
    /// without bookkeeping, where the annotation of `kubectl apply` is missing or does not name the field.
    /// Services that Helm installed are left out where there is no bookkeeping: Helm compares with its own
    /// record.
    ///
    /// ## Why it matters
    ///
    /// `kubectl apply` deletes only what its last apply had set, and server-side apply only what no other
    /// manager owns. The manifest looks clean, the apply succeeds, and the Service stays sticky without a
    /// word. An explicit `None` is either written or refused loudly.
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
    ///   namespace: shop
    ///   uid: 5c0cbd1c-0000-4000-8000-000000000001
    ///   resourceVersion: "42"
    /// spec:
    ///   selector: {app: web}
    ///   sessionAffinity: ClientIP
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
    ///   namespace: shop
    ///   uid: 5c0cbd1c-0000-4000-8000-000000000001
    ///   resourceVersion: "42"
    /// spec:
    ///   selector: {app: web}
    ///   sessionAffinity: None
    ///   ports:
    ///   - port: 80
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Where the Service is deleted and created anew.
    ///
    /// ## Sources
    ///
    /// - kubernetes/kubectl, `pkg/cmd/apply/apply.go`
    /// - [Server-side apply](https://kubernetes.io/docs/reference/using-api/server-side-apply/) in the
    ///   Kubernetes documentation
    /// - [helm/helm#9063](https://github.com/helm/helm/issues/9063): changes made outside the chart stay
    /// - [kubernetes/kubernetes#99003](https://github.com/kubernetes/kubernetes/issues/99003): owners that
    ///   stay behind
}
