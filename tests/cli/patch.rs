//! `unstick patch`.

use crate::support::{CLEAN, STICKY, folder, run, run_in};

#[test]
fn commands_are_data_and_the_rest_is_said_elsewhere() {
    let ran = run(&["patch"], STICKY);
    let patch = r#"kubectl patch service/web --type strategic --patch '{"spec":{"sessionAffinity":"None","sessionAffinityConfig":null}}'"#;
    assert_eq!(
        ran.out(),
        format!("# web: sticky for 10800 seconds (3 hours, the default); the policy switches it off\n{patch}\n")
    );
    let way = "; nothing was sent: review the commands, then run them with sh\n";
    assert_eq!((ran.code, ran.stderr), (0, format!("1 Service to patch, 0 sticky and kept{way}")));
    let clean = run(&["patch", "-"], CLEAN);
    assert_eq!((clean.code, clean.out(), clean.stderr.as_str()), (0, "", "0 Services to patch, 0 sticky and kept\n"));
    assert_eq!(run(&["patch", "--quiet"], STICKY).stderr, "");
}

#[test]
fn a_service_in_two_dumps_is_patched_once() {
    let other = STICKY.replace("name: web", "name: web\n  namespace: shop");
    let folder = folder(&[("a.yaml", STICKY), ("b.yaml", STICKY), ("c.yaml", &other)]);
    let commands = |options: &[&str]| {
        run_in(folder.path(), &[&["patch", "."], options].concat(), b"").out().matches("\nkubectl ").count()
    };
    assert_eq!(commands(&[]), 2);
    // Services without a namespace stand in this one.
    assert_eq!(commands(&["--namespace", "shop"]), 1);
}

#[test]
fn what_gets_no_command_is_told() {
    let generated = STICKY.replace("name: web", "generateName: web-");
    let ran = run(&["patch"], format!("{generated}---\n{STICKY}"));
    assert_eq!((ran.code, ran.out().matches("\nkubectl ").count()), (2, 1));
    assert!(ran.stderr.contains("Service web- gets no command: its name is a generateName"), "{}", ran.stderr);
    let custom = "apiVersion: kibana.k8s.elastic.co/v1\nkind: Kibana\nmetadata: {name: k}\nspec: {http: {service: {spec: \
                  {sessionAffinity: ClientIP}}}}\n";
    let ran = run(&["patch", "--embedded", "edit"], custom);
    assert_eq!((ran.code, ran.out()), (0, ""));
    assert!(ran.stderr.contains("Kibana k is no Service and gets no command"), "{}", ran.stderr);
    let unreadable = run(&["patch"], "spec:\n  sessionAffinity: [\n");
    assert_eq!((unreadable.code, unreadable.out()), (2, ""));
}

#[test]
fn advice_is_that_of_a_rewrite() {
    let live = STICKY.replace(
        "name: web",
        "name: web\n  uid: x\n  resourceVersion: \"1\"\n  creationTimestamp: \"2026-01-01T00:00:00Z\"",
    );
    let removed = run(&["diff", "-"], &live);
    assert!(removed.stderr.contains("removal-needs-none"), "{}", removed.stderr);
    let patched = run(&["patch"], &live);
    assert!(!patched.stderr.contains("removal-needs-none"), "{}", patched.stderr);
}
