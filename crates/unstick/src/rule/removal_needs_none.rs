use unstick_yaml::NodeId;

use crate::Rule;
use crate::advice::{Remark, Subject};
use crate::affinity::KEY;

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

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
const HELM_RELEASE: &str = "meta.helm.sh/release-name";

/// Who owns the field in the API server's bookkeeping.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    manager: String,
    /// By server-side apply, which gives the field up by leaving it out.
    applies: bool,
}

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    if !subject.is_service() || !subject.is_removed() || !is_live(subject) {
        return None;
    }
    let last_applied = subject.annotation(LAST_APPLIED);
    let remembered = last_applied.is_some_and(|text| text.contains(&format!("\"{KEY}\"")));
    let reason = match owners(subject) {
        Some(owners) => reason_of(&owners, remembered)?,
        None if remembered || subject.annotation(HELM_RELEASE).is_some() => return None,
        None if last_applied.is_some() => "the last apply did not set the field".into(),
        None => "no apply remembers that it set the field".into(),
    };
    Some(subject.remark(
        Rule::RemovalNeedsNone,
        format!("taking the line out would leave the live Service sticky: {reason}"),
        "use --action none, which resets it in any case",
    ))
}

/// Tells whether the manifest is a dump: only the API server writes these.
fn is_live(subject: &mut Subject<'_, '_>) -> bool {
    let Some(metadata) = subject.metadata() else { return false };
    ["uid", "resourceVersion", "managedFields"].into_iter().any(|key| subject.lookup.value(metadata, key).is_some())
}

/// Returns the field's owners; `None` where there is no bookkeeping of it.
fn owners(subject: &mut Subject<'_, '_>) -> Option<Vec<Owner>> {
    let metadata = subject.metadata()?;
    let managed = subject.lookup.value(metadata, "managedFields")?;
    let outline = subject.outline;
    let owns = |item: NodeId| {
        let spec = outline.value(outline.value(item, "fieldsV1")?, "f:spec")?;
        outline.value(spec, "f:sessionAffinity")
    };
    let items = outline.items(managed).iter().filter_map(|item| outline.resolve(item.value));
    let owners = items.filter(|item| owns(*item).is_some()).map(|item| Owner {
        manager: outline.text(item, "manager").unwrap_or("(no name)").to_owned(),
        applies: outline.text(item, "operation") == Some("Apply"),
    });
    let owners: Vec<Owner> = owners.collect();
    (!owners.is_empty()).then_some(owners)
}

/// Tells why leaving the field out does not reset it, if so.
fn reason_of(owners: &[Owner], remembered: bool) -> Option<String> {
    match owners {
        [owner] if owner.applies || remembered => None,
        // Helm compares with its own record of the release.
        [owner] if owner.manager == "helm" => None,
        [owner] => Some(format!("{} set the field, and no apply remembers it", owner.manager)),
        owners => {
            let names: Vec<&str> = owners.iter().map(|owner| owner.manager.as_str()).collect();
            Some(format!("{} own the field together", names.join(" and ")))
        }
    }
}
