//! `unstick rules`, and the options that choose rules.

use unstick::Rule;

use crate::support::{STICKY, folder, run, run_in};

#[test]
fn all_rules_are_listed_and_each_has_a_page() {
    let list = run(&["rules"], "");
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    let ids: Vec<&str> = list.out().lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ids, Rule::IDS);
    for rule in Rule::ALL {
        let page = run(&["rules", rule.id()], "");
        assert_eq!(page.code, 0, "{rule}");
        assert!(page.out().starts_with(&format!("# {rule} (")) && page.out().contains("\n## Sources\n"), "{rule}");
    }
}

#[test]
fn an_unknown_rule_is_an_error_with_a_guess() {
    for arguments in [
        &["rules", "sticky-headles"][..],
        &["check", "--select", "sticky-headles", "."],
        &["check", "--ignore", "sticky,sticky-headles", "."],
    ] {
        let ran = run(arguments, "");
        assert_eq!((ran.code, ran.out()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains("did you mean sticky-headless?"), "{}", ran.stderr);
    }
}

#[test]
fn rules_are_chosen() {
    let commented = STICKY.replace("spec:", "# sessionAffinity\nspec:");
    let folder = folder(&[("svc.yaml", &commented)]);
    let check = |options: &[&str]| {
        let ran = run_in(folder.path(), &[&["check", "--all", "svc.yaml"], options].concat(), b"");
        (ran.code, ran.out().contains("[sticky]"), ran.out().contains("[in-comment]"))
    };
    assert_eq!(check(&[]), (1, true, true));
    assert_eq!(check(&["--select", "in-comment"]), (0, false, true));
    assert_eq!(check(&["--select", "in-comment,sticky"]), (1, true, true));
    assert_eq!(check(&["--ignore", "sticky"]), (0, false, true));
    assert_eq!(check(&["--select", "sticky", "--ignore", "sticky"]), (0, false, false));
    assert_eq!(check(&["--fail-on", "error"]), (0, true, true));
}

#[test]
fn a_policy_sets_severities_and_options_win() {
    let policy = |severity: &str| {
        format!("apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {{severity: {severity}}}\n")
    };
    let (raised, off) = (policy("{sticky: error}"), policy("{sticky: off, not-sticky: warning}"));
    let none = STICKY.replace("ClientIP", "None");
    let folder = folder(&[("svc.yaml", STICKY), ("none.yaml", &none), ("raised", &raised), ("off", &off)]);
    let check = |arguments: &[&str]| {
        let ran = run_in(folder.path(), &[&["check"], arguments].concat(), b"");
        (ran.code, ran.out().to_owned())
    };
    let (code, out) = check(&["--policy", "raised", "--fail-on", "error", "svc.yaml"]);
    assert!(code == 1 && out.contains("\nerror[sticky]"), "{code} {out}");
    assert_eq!(check(&["--policy", "off", "svc.yaml"]), (0, String::new()));
    assert_eq!(check(&["--policy", "off", "--select", "sticky", "svc.yaml"]).0, 1);
    // What the policy keeps is an exception, however much the rule matters.
    assert_eq!(check(&["--policy", "off", "none.yaml"]).0, 0);
}

#[test]
fn what_is_edited_or_refused_is_told_in_any_case() {
    let folder = folder(&[("svc.yaml", STICKY), ("bad.yaml", crate::support::REFUSED)]);
    let ran = run_in(folder.path(), &["fix", "--ignore", "sticky,unknown-value", "."], b"");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("refused[unknown-value]") && ran.stderr.contains("1 changed"), "{}", ran.stderr);
}
