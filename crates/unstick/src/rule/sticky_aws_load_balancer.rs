use crate::Rule;
use crate::advice::{Remark, Subject};

describe! {
    "sticky-aws-load-balancer", Error;
    /// AWS refuses the load balancer: its cloud provider takes no `ClientIP`.
    ///
    /// ## What it does
    ///
    /// Finds sticky Services of type `LoadBalancer` that AWS's cloud provider would serve: they carry an
    /// annotation that begins with `service.beta.kubernetes.io/aws-load-balancer-`, have no
    /// `loadBalancerClass`, and do not ask for the AWS Load Balancer Controller (type `external` or
    /// `nlb-ip`).
    ///
    /// ## Why it matters
    ///
    /// The provider ends with `unsupported load balancer affinity: ClientIP` for any value but `None`. The
    /// Service stays pending, and nothing but an event tells of it.
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
    ///   annotations:
    ///     service.beta.kubernetes.io/aws-load-balancer-type: nlb
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   sessionAffinity: ClientIP
    ///   ports:
    ///   - port: 443
    /// ```
    ///
    /// After:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata:
    ///   name: web
    ///   annotations:
    ///     service.beta.kubernetes.io/aws-load-balancer-type: nlb
    /// spec:
    ///   type: LoadBalancer
    ///   selector: {app: web}
    ///   ports:
    ///   - port: 443
    /// ```
    ///
    /// ## When to keep it
    ///
    /// Never with this provider. Network load balancers of the AWS Load Balancer Controller ignore the
    /// field; they are made sticky by the annotation `aws-load-balancer-target-group-attributes`.
    ///
    /// ## Sources
    ///
    /// - kubernetes/cloud-provider-aws, `pkg/providers/v1/aws.go`, `EnsureLoadBalancer`
    /// - kubernetes-sigs/aws-load-balancer-controller, `docs/guide/service/annotations.md`
    /// - [cilium/cilium#32646](https://github.com/cilium/cilium/issues/32646): a chart's default left load
    ///   balancers pending
    /// - [kubernetes/kubernetes#13892](https://github.com/kubernetes/kubernetes/issues/13892)
}

/// The annotations of AWS's load balancers begin so.
const PREFIX: &str = "service.beta.kubernetes.io/aws-load-balancer-";
const KIND: &str = "service.beta.kubernetes.io/aws-load-balancer-type";

pub(crate) fn check(subject: &mut Subject<'_, '_>) -> Option<Remark> {
    let annotation = subject.annotation_with(&[PREFIX])?;
    // Those are the AWS Load Balancer Controller's, which ignores the field.
    let of_controller = matches!(subject.annotation(KIND), Some("external" | "nlb-ip"));
    if of_controller || !subject.is_plain_load_balancer() {
        return None;
    }
    Some(subject.remark(
        Rule::StickyAwsLoadBalancer,
        format!("AWS makes no load balancer for a sticky Service ({annotation} says that it is on AWS)"),
        "take affinity out; the AWS Load Balancer Controller has stickiness of its own, by annotation",
    ))
}
