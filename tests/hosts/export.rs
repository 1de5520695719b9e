//! Exported kustomize patches, through the real kustomize: they work with the key and without it.

use crate::support::{Home, KUSTOMIZE};

const SERVICES: &str = "apiVersion: v1
kind: Service
metadata:
  name: web
  labels: {tier: front}
spec:
  sessionAffinity: ClientIP
  sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}}
  ports: [{port: 80}]
---
apiVersion: v1
kind: Service
metadata:
  name: plain
spec:
  ports: [{port: 81}]
---
apiVersion: v1
kind: Service
metadata:
  name: kept
  annotations: {unstick.dev/keep: dashboards}
spec:
  sessionAffinity: ClientIP
  ports: [{port: 82}]
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: other
spec:
  template: {}
";

fn build(policy: &str, resources: &str) -> String {
    let Some(kustomize) = KUSTOMIZE.find() else { return String::new() };
    let home = Home::new();
    home.write("policy.yaml", &format!("apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {policy}\n"));
    let exported = home.filter(&["export", "--to", "kustomize-patch", "--policy", "policy.yaml"], "");
    assert!(exported.success, "{}", exported.stderr);
    home.write("base/services.yaml", resources);
    home.write("base/kustomization.yaml", &format!("resources: [services.yaml]\n{}", exported.stdout));
    let ran = home.run(&kustomize, &["build", "base"], &[], "");
    assert!(ran.success, "{}\n{}", ran.stderr, exported.stdout);
    ran.stdout
}

#[test]
fn remove_works_with_the_key_and_without_it() {
    let output = build("{action: remove}", SERVICES);
    if output.is_empty() {
        return;
    }
    assert_eq!(output.matches("sessionAffinity: ClientIP").count(), 1, "the kept one: {output}");
    assert!(!output.contains("sessionAffinityConfig") && output.contains("name: plain"), "{output}");
    assert!(output.contains("kind: Service\nmetadata:\n  name: other\nspec:\n  template: {}"), "{output}");
}

#[test]
fn none_names_and_labels_are_carried_over() {
    let output =
        build("{action: keep, rules: [{match: {labels: tier=front, names: ['w*', x]}, action: none}]}", SERVICES);
    if output.is_empty() {
        return;
    }
    assert_eq!(output.matches("sessionAffinity: None").count(), 1, "{output}");
    assert_eq!(output.matches("sessionAffinity: ClientIP").count(), 1, "{output}");
}

#[test]
fn what_cannot_be_expressed_is_an_error() {
    let home = Home::new();
    let ran = home.filter(&["export", "--to", "kustomize-patch", "--except", "web"], "");
    assert!(!ran.success && ran.stdout.is_empty(), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("cannot express an exception by name") && ran.stderr.contains("unstick.dev/keep"),
        "{}",
        ran.stderr
    );
}
