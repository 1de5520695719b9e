//! kustomize: an exec KRM function as transformer and as validator.

use std::fs;
use std::path::Path;

use crate::support::{Home, KUSTOMIZE, Ran, UNSTICK, large, sticky};

const SERVICES: &str = "# The front.
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - port: 80
  sessionAffinity: ClientIP
  sessionAffinityConfig:
    clientIP:
      timeoutSeconds: 600
---
apiVersion: v1
kind: Service
metadata:
  name: plain
spec:
  ports:
  - port: 81
";

/// Writes a function's config with the annotation that names the executable.
fn function(kind: &str, settings: &str) -> String {
    let (api, settings) = match kind {
        "ConfigMap" => ("v1", format!("data:\n{settings}")),
        _ => ("unstick.dev/v1", format!("spec:\n{settings}")),
    };
    format!(
        "apiVersion: {api}\nkind: {kind}\nmetadata:\n  name: unstick\n  annotations:\n    config.kubernetes.io/function: \
         |\n      exec:\n        path: ./unstick\n{settings}"
    )
}

fn base(field: &str, function: &str) -> Home {
    let home = Home::new();
    home.write("base/services.yaml", SERVICES);
    home.write("base/function.yaml", function);
    home.write("base/kustomization.yaml", &format!("resources: [services.yaml]\n{field}: [function.yaml]\n"));
    fs::copy(UNSTICK, home.path().join("base/unstick")).expect("copied");
    home
}

fn build(home: &Home, kustomize: &Path) -> Ran {
    home.run(kustomize, &["build", "--enable-alpha-plugins", "--enable-exec", "base"], &[], "")
}

#[test]
fn a_transformer_gives_what_the_filter_gives() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    for kind in ["SessionAffinityPolicy", "ConfigMap"] {
        let home = base("transformers", &function(kind, "  action: remove\n"));
        let ran = build(&home, &kustomize);
        assert!(ran.success, "{}", ran.stderr);
        home.write("base/kustomization.yaml", "resources: [services.yaml]\n");
        let plain = build(&home, &kustomize).stdout;
        assert_eq!((sticky(&plain), sticky(&ran.stdout)), (1, 0));
        assert_eq!(ran.stdout, home.filter(&[], &plain).stdout, "{kind}");
    }
}

#[test]
fn settings_of_both_kinds_are_obeyed() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    let rules = "  action: keep\n  rules:\n  - match: {names: [\"w*\"]}\n    action: none\n";
    let ran = build(&base("transformers", &function("SessionAffinityPolicy", rules)), &kustomize);
    assert!(ran.success && ran.stdout.contains("sessionAffinity: None"), "{}{}", ran.stdout, ran.stderr);
    let ran = build(&base("transformers", &function("ConfigMap", "  action: none\n  only: w*\n")), &kustomize);
    assert!(ran.success && ran.stdout.contains("sessionAffinity: None"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_validator_fails_on_findings_and_passes_without() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    let home = base("validators", &function("SessionAffinityPolicy", "  validate: true\n"));
    let ran = build(&home, &kustomize);
    assert!(!ran.success && ran.stderr.contains("the policy does not allow this"), "{}", ran.stderr);
    let clean = home.filter(&[], SERVICES).stdout;
    home.write("base/services.yaml", &clean);
    let ran = build(&home, &kustomize);
    assert!(ran.success && ran.stdout.contains("name: web") && ran.stdout.contains("name: plain"), "{}", ran.stderr);
}

#[test]
fn failures_fail_the_build_and_say_why() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    let bad = base("transformers", &function("SessionAffinityPolicy", "  acton: none\n"));
    let ran = build(&bad, &kustomize);
    assert!(!ran.success && ran.stdout.is_empty() && ran.stderr.contains("did you mean action?"), "{}", ran.stderr);
    let refused = base("transformers", &function("SessionAffinityPolicy", "  action: remove\n"));
    refused.write("base/services.yaml", &SERVICES.replace("sessionAffinity: ClientIP", "sessionAffinity: 5"));
    let ran = build(&refused, &kustomize);
    assert!(!ran.success && ran.stdout.is_empty() && ran.stderr.contains("unknown-value"), "{}", ran.stderr);
    let flag = function("SessionAffinityPolicy", "  action: remove\n")
        .replace("./unstick\n", "./unstick\n        args: [--nonsense]\n");
    let ran = build(&base("transformers", &flag), &kustomize);
    assert!(!ran.success && ran.stderr.contains("--nonsense"), "{}", ran.stderr);
    let report = flag.replace("--nonsense", "--report, nowhere/r.json");
    let ran = build(&base("transformers", &report), &kustomize);
    assert!(!ran.success && ran.stderr.contains("cannot be written"), "{}", ran.stderr);
}

#[test]
fn nine_megabytes_and_no_resources_pass() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    let home = base("transformers", &function("SessionAffinityPolicy", "  action: remove\n"));
    home.write("base/services.yaml", &large());
    let ran = build(&home, &kustomize);
    assert!(ran.success && ran.stdout.len() > 9_000_000, "{} bytes, {}", ran.stdout.len(), ran.stderr);
    assert_eq!(sticky(&ran.stdout), 0);
    home.write("base/services.yaml", "# nothing\n");
    let ran = build(&home, &kustomize);
    assert!(sticky(&ran.stdout) == 0 && !ran.stdout.contains("kind:"), "{}{}", ran.stdout, ran.stderr);
}

/// Operations, and whether kustomize takes them once affinity is gone.
const OPERATIONS: [(&str, bool); 9] = [
    ("{op: remove, path: /spec/sessionAffinity}", false),
    ("{op: remove, path: /spec/sessionAffinityConfig}", false),
    ("{op: test, path: /spec/sessionAffinity, value: ClientIP}", false),
    ("{op: move, from: /spec/sessionAffinity, path: /metadata/labels}", false),
    ("{op: add, path: /spec/sessionAffinityConfig/clientIP/timeoutSeconds, value: 60}", false),
    ("{op: replace, path: /spec/sessionAffinityConfig/clientIP/timeoutSeconds, value: 60}", false),
    ("{op: replace, path: /spec/sessionAffinity, value: None}", true),
    ("{op: add, path: /spec/sessionAffinity, value: None}", true),
    ("{op: copy, from: /spec/sessionAffinity, path: /metadata/labels}", true),
];

#[test]
fn patches_fail_where_check_says_so() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    for (operation, works) in OPERATIONS {
        let home = Home::new();
        home.write("services.yaml", SERVICES);
        let patch = format!("patches:\n- target: {{kind: Service, name: web}}\n  patch: |\n    - {operation}\n");
        home.write("kustomization.yaml", &format!("resources: [services.yaml]\n{patch}"));
        let unstick = |command: &[&str]| home.run(Path::new(UNSTICK), command, &[], "");
        let told = unstick(&["check", "--select", "patch-will-fail", "--fail-on", "error", "."]);
        assert_eq!(told.success, works, "{operation}: {}{}", told.stdout, told.stderr);
        assert!(unstick(&["fix", "."]).success, "{operation}");
        let built = home.run(&kustomize, &["build", "."], &[], "");
        assert_eq!(built.success, works, "{operation}: {}", built.stderr);
    }
}
