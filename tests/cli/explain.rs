//! `unstick check --explain`.

use crate::support::{CLEAN, STICKY, run};

#[test]
fn sticky_services_are_explained_after_the_findings() {
    let kept = STICKY.replace("name: web\n", "name: kept\n  annotations: {unstick.dev/keep: dashboards}\n");
    let kept = kept.replace("ports: []", "ports: [{name: http, port: 80, nodePort: 30080}]");
    let ran = run(&["check", "--explain", "-"], format!("{STICKY}---\n{CLEAN}---\n{kept}"));
    let out = ran.out();
    assert_eq!(ran.code, 1);
    let (findings, explanations) = out.split_once("<stdin>:6: Service web (ClusterIP)\n").expect("explained");
    assert!(findings.contains("warning[sticky]"), "{out}");
    assert!(explanations.contains("10800 seconds (3 hours, the default)"), "{out}");
    let (_, second) = explanations.split_once("Service kept (ClusterIP)\n").expect("explained");
    assert!(second.contains("- http, 80/TCP, to the pods' port 80; on every node port 30080\n"), "{out}");
    assert!(second.contains("It stays so: annotated unstick.dev/keep: dashboards.\n"), "{out}");
    assert_eq!(out.matches("kube-proxy does it in one of these ways").count(), 1, "{out}");
}

#[test]
fn nothing_sticky_needs_no_explanation() {
    let ran = run(&["check", "--explain", "-"], CLEAN);
    assert_eq!((ran.code, ran.out()), (0, ""));
}

#[test]
fn switching_a_rule_off_leaves_the_explanation_true() {
    let ran = run(&["check", "--explain", "--ignore", "sticky", "-"], STICKY);
    assert!(ran.out().contains("The policy switches it off"), "{}", ran.out());
}

#[test]
fn other_formats_have_no_place_for_it() {
    let ran = run(&["check", "--explain", "--format", "json", "-"], STICKY);
    assert_eq!((ran.code, ran.out()), (2, ""));
    assert!(ran.stderr.contains("= help: leave --format out"), "{}", ran.stderr);
}
