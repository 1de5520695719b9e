//! Advice beside the findings: when it is given, and what it needs from other files.

use crate::support::{folder, read, run_in};

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  \
                       sessionAffinity: ClientIP\n  ports: [{name: a, port: 80}, {name: b, port: 81}]\n";
const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    \
                          metadata:\n      labels: {app: web}\n";
const GOOGLE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations: \
                      {cloud.google.com/network-tier: Standard}\nspec:\n  type: LoadBalancer\n  sessionAffinity: \
                      ClientIP\n  ports: [{name: a, port: 80}, {name: b, port: 81}]\n";

#[test]
fn check_gives_all_advice() {
    let folder = folder(&[("svc.yaml", GOOGLE)]);
    let out = run_in(folder.path(), &["check", "--all", "."], b"");
    for heading in ["warning[sticky]", "warning[sticky-multi-port]", "warning[gce-recreates]", "info[timeout-default]"]
    {
        assert!(out.out().contains(heading), "{heading} is not in {}", out.out());
    }
}

#[test]
fn diff_and_fix_tell_what_the_change_will_do_and_no_more() {
    for command in ["diff", "fix"] {
        let folder = folder(&[("svc.yaml", GOOGLE)]);
        let ran = run_in(folder.path(), &[command, "."], b"");
        assert!(ran.stderr.contains("warning[gce-recreates]"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("[sticky-multi-port]") && ran.stderr.contains("1 noted"), "{}", ran.stderr);
        let ran = run_in(folder.path(), &[command, "--ignore", "gce-recreates", "."], b"");
        assert!(!ran.stderr.contains("gce-recreates"), "{}", ran.stderr);
        assert_eq!(read(&folder, "svc.yaml").contains("ClientIP"), command == "diff");
    }
}

#[test]
fn advice_crosses_files_and_standard_input() {
    let folder = folder(&[("a/svc.yaml", SERVICE), ("b/deployment.yaml", DEPLOYMENT)]);
    let fires = |arguments: &[&str], input: &str| {
        let ran = run_in(folder.path(), &[&["check", "--all"], arguments].concat(), input.as_bytes());
        ran.out().contains("info[sticky-single-replica]")
    };
    assert!(
        fires(&["."], "") && fires(&["a", "b"], "") && fires(&["b", "-"], SERVICE) && fires(&["-", "a"], DEPLOYMENT)
    );
    assert!(!fires(&["a"], "") && !fires(&["-"], SERVICE));
    assert!(!fires(&["--ignore", "sticky-single-replica", "."], ""));
    #[cfg(unix)]
    assert!(fires(&["/dev/stdin", "b"], SERVICE) && fires(&["a", "/dev/stdin"], DEPLOYMENT));
}

#[test]
fn a_patch_that_will_fail_is_told_with_its_service() {
    let kustomization = "resources: [svc.yaml]\npatches:\n- target: {kind: Service}\n  patch: |\n    - op: remove\n      \
                         path: /spec/sessionAffinity\n";
    let folder = folder(&[("kustomization.yaml", kustomization), ("svc.yaml", SERVICE)]);
    let ran = run_in(folder.path(), &["check", "--fail-on", "error", "."], b"");
    assert_eq!(ran.code, 1, "{}", ran.out());
    assert!(
        ran.out().starts_with(
            "./kustomization.yaml\nerror[patch-will-fail]: this remove will fail: sessionAffinity of Service web is taken out\n  --> \
             ./kustomization.yaml:6:13\n"
        ),
        "{}",
        ran.out()
    );
    assert_eq!(run_in(folder.path(), &["check", "--fail-on", "error", "--action", "none", "."], b"").code, 0);
}

#[test]
fn a_kept_service_is_an_exception_unless_something_is_wrong_with_it() {
    let kept = |service: &str| service.replace("name: web\n", "name: web\n  annotations: {unstick.dev/keep: needed}\n");
    let wrong =
        kept(SERVICE).replace("  ports", "  sessionAffinityConfig: {clientIP: {timeoutSeconds: 999999}}\n  ports");
    let folder = folder(&[("svc.yaml", &kept(SERVICE)), ("wrong.yaml", &wrong)]);
    let ran = run_in(folder.path(), &["check", "--all", "svc.yaml"], b"");
    assert_eq!(ran.code, 0, "{}", ran.out());
    assert!(ran.out().contains("info[sticky-multi-port]"), "{}", ran.out());
    let ran = run_in(folder.path(), &["check", "wrong.yaml"], b"");
    assert!(ran.code == 1 && ran.out().contains("\nerror[timeout-out-of-range]"), "{}", ran.out());
}
