//! What counts where settings differ: options, the policy's file, its rules, and the annotation.

use serde_json::Value;

use crate::support::{Ran, folder, read, run_in};

const HEAD: &str = "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: ";

/// A sticky Service in the namespace shop, with these annotations.
fn service(annotations: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\n  labels: {{app: web, tier: front}}\n  \
         annotations: {{{annotations}}}\nspec:\n  type: NodePort\n  sessionAffinity: ClientIP\n  sessionAffinityConfig: \
         {{clientIP: {{timeoutSeconds: 7}}}}\n"
    )
}

/// What one run said and left.
struct Done {
    ran: Ran,
    /// The message of the first finding, which is on the key.
    told: String,
    /// What the manifest says now: `ClientIP 600`, `None`, or nothing.
    left: String,
}

fn fix(spec: &str, annotations: &str, options: &str) -> Done {
    let text = service(annotations);
    let policy = format!("{HEAD}{spec}\n");
    let folder = folder(&[("apps/web.yaml", &text), ("policy.yaml", &policy)]);
    let mut arguments = vec!["fix", "apps/web.yaml", "--policy", "policy.yaml", "--report", "r.json"];
    arguments.extend(options.split_whitespace());
    let ran = run_in(folder.path(), &arguments, b"");
    let report: Value = serde_json::from_str(&read(&folder, "r.json")).expect("a report");
    let told = report["files"][0]["findings"][0]["message"].as_str().unwrap_or_default().to_owned();
    let text = read(&folder, "apps/web.yaml");
    let value = |key: &str| text.split_once(key).map(|(_, rest)| rest.split(['\n', '}']).next().unwrap_or_default());
    let words = [value("sessionAffinity: "), value("timeoutSeconds: ")];
    let left = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Done { told, left, ran }
}

#[test]
fn the_most_special_setting_counts() {
    let by_rule = r#"{action: none, rules: [{match: {names: [web]}, action: keep, reason: "logins live in memory"}]}"#;
    let two_rules = |first: &str, second: &str| format!("{{rules: [{first}, {second}]}}");
    let keep = r"{match: {labels: 'app=web,tier in (front,edge),!canary'}, action: keep, reason: first}";
    let none = r"{match: {types: [NodePort], namespaces: ['sh*'], files: ['apps/**']}, action: none}";
    let stick = r"{action: clientIP, timeoutSeconds: 50}";
    let stick_by_rule =
        r"{timeoutSeconds: 50, rules: [{match: {types: [NodePort]}, action: clientIP, timeoutSeconds: 60}]}";
    let annotated = "unstick.dev/keep: pairing";
    for (spec, annotations, options, left) in [
        // A rule counts more than the action, in the file and as an option.
        (by_rule, "", "", "ClientIP 7"),
        (by_rule, "", "--action none", "ClientIP 7"),
        (by_rule, "", "--action clientIP --timeout 60", "ClientIP 7"),
        ("{action: none}", "", "", "None"),
        // An option counts more than the file's action and timeout.
        ("{action: none}", "", "--action remove", ""),
        ("{action: remove}", "", "--action keep", "ClientIP 7"),
        (stick, "", "", "ClientIP 50"),
        (stick, "", "--timeout 60", "ClientIP 60"),
        (stick, "", "--action none", "None"),
        (stick, "", "--action keep", "ClientIP 7"),
        // A rule's timeout counts more than the policy's, wherever that comes from.
        (stick_by_rule, "", "", "ClientIP 60"),
        (stick_by_rule, "", "--action clientIP --timeout 70", "ClientIP 60"),
        // The first rule that matches counts, and no other.
        (&two_rules(keep, none), "", "", "ClientIP 7"),
        (&two_rules(none, keep), "", "", "None"),
        (&two_rules(r"{match: {namespaces: [other]}, action: keep}", none), "", "", "None"),
        (&two_rules(r"{match: {types: [NodePort], names: [api]}, action: keep}", keep), "", "", "ClientIP 7"),
        (&two_rules(r"{match: {files: ['web.yaml']}, action: keep}", none), "", "", "None"),
        (&two_rules(r"{match: {labels: canary}, action: keep}", none), "", "", "None"),
        (&two_rules(r"{action: remove}", keep), "", "", ""),
        // The annotation counts more than rules and actions.
        ("{action: none}", annotated, "", "ClientIP 7"),
        (&two_rules(none, none), annotated, "", "ClientIP 7"),
        (stick, annotated, "--timeout 60", "ClientIP 7"),
        // What is not selected stays, whatever else is said; both sources of globs count.
        ("{except: [web], rules: [{action: none}]}", "", "", "ClientIP 7"),
        ("{only: [api]}", "", "", "ClientIP 7"),
        ("{only: [api]}", "", "--only shop/web", ""),
        ("{only: [web]}", "", "--except shop/*", "ClientIP 7"),
        ("{except: [web]}", "", "--only web", "ClientIP 7"),
        ("{only: ['other/web']}", "", "", "ClientIP 7"),
    ] {
        let done = fix(spec, annotations, options);
        let case = format!("{spec} {annotations} {options}: {:?} {}", done.told, done.ran.stderr);
        assert_eq!((done.left.as_str(), done.ran.code), (left, 0), "{case}");
    }
}

#[test]
fn reasons_are_carried_into_the_report() {
    let rule = |reason: &str| format!("{{rules: [{{match: {{names: ['w*']}}, action: keep{reason}}}]}}");
    for (spec, annotations, wanted) in [
        (rule(", reason: logins live in memory"), "", "sticky, and kept: logins live in memory"),
        (rule(""), "", "sticky, and kept: a rule of the policy keeps it"),
        (
            rule(", reason: logins"),
            "unstick.dev/keep: pairing",
            "sticky, and kept: annotated unstick.dev/keep: pairing",
        ),
        (
            rule(", reason: logins"),
            "unstick.dev/keep: ''",
            "sticky, and kept: annotated unstick.dev/keep: no reason given",
        ),
        ("{action: keep}".into(), "", "sticky, and kept: the policy keeps it"),
        ("{except: [web]}".into(), "unstick.dev/keep: pairing", "sticky, and kept: it is not selected"),
    ] {
        let done = fix(&spec, annotations, "");
        assert_eq!(done.told, wanted, "{spec}");
        let shown = fix(&spec, annotations, "--all").ran.stderr;
        assert!(shown.contains(&format!("kept[sticky]: {wanted}\n")), "{shown}");
        assert!(shown.ends_with("0 changed, 2 kept, 0 refused, 0 noted in 1 file\n"), "{shown}");
    }
}

#[test]
fn a_reason_is_in_every_format() {
    let policy =
        format!("{HEAD}{{rules: [{{match: {{names: [web]}}, action: keep, reason: 'logins: 100% in memory'}}]}}\n");
    let folder = folder(&[("web.yaml", &service("")), ("policy.yaml", &policy)]);
    for format in ["human", "json", "sarif", "github"] {
        let arguments = ["check", "--all", "--policy", "policy.yaml", "--format", format, "web.yaml"];
        let ran = run_in(folder.path(), &arguments, b"");
        let wanted = if format == "github" { "logins: 100%25 in memory" } else { "logins: 100% in memory" };
        assert!(ran.out().contains(wanted), "{format}: {}", ran.out());
        assert_eq!(ran.code, 0, "{format}");
    }
}

#[test]
fn options_count_more_than_the_file_in_every_other_setting() {
    let none = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  # why sessionAffinity\n  sessionAffinity: None\n  ports: []\n";
    for (spec, options, wanted) in [
        ("{}", "", none.to_owned()),
        ("{}", "--include-none", none.replace("  # why sessionAffinity\n  sessionAffinity: None\n", "")),
        ("{includeNone: true}", "", none.replace("  # why sessionAffinity\n  sessionAffinity: None\n", "")),
        ("{includeNone: true, comments: keep}", "", none.replace("  sessionAffinity: None\n", "")),
        ("{includeNone: true}", "--comments keep", none.replace("  sessionAffinity: None\n", "")),
        (
            "{includeNone: true, comments: keep}",
            "--comments owned",
            none.replace("  # why sessionAffinity\n  sessionAffinity: None\n", ""),
        ),
    ] {
        let policy = format!("{HEAD}{spec}\n");
        let folder = folder(&[("web.yaml", none), ("policy.yaml", &policy)]);
        let arguments = ["fix", "web.yaml", "--policy", "policy.yaml"].into_iter().chain(options.split_whitespace());
        let ran = run_in(folder.path(), &arguments.collect::<Vec<_>>(), b"");
        assert_eq!(read(&folder, "web.yaml"), wanted, "{spec} {options} {}", ran.stderr);
    }
}

#[test]
fn severities_of_options_count_more_than_the_files() {
    let kept = ["info sticky", "info sticky"];
    let both = ["info sticky", "info sticky-across-nodes", "info sticky"];
    for (spec, options, wanted) in [
        ("{}", "", &both[..]),
        ("{severity: {sticky: off}}", "", &["info sticky-across-nodes"]),
        ("{severity: {sticky-across-nodes: error}}", "--ignore sticky", &["error sticky-across-nodes"]),
        ("{severity: {sticky-across-nodes: error}}", "--select sticky-across-nodes", &["error sticky-across-nodes"]),
        ("{severity: {sticky-across-nodes: off}}", "--select sticky-across-nodes", &["info sticky-across-nodes"]),
        ("{severity: {sticky-across-nodes: error}}", "--select sticky", &kept),
        ("{severity: {sticky-across-nodes: error}}", "--ignore sticky-across-nodes", &kept),
        ("{}", "--select sticky,sticky-across-nodes --ignore sticky", &["info sticky-across-nodes"]),
    ] {
        let policy = format!("{HEAD}{spec}\n");
        let folder = folder(&[("web.yaml", &service("")), ("policy.yaml", &policy)]);
        let arguments = ["check", "web.yaml", "--policy", "policy.yaml", "--action", "keep", "--format", "json"];
        let arguments = arguments.into_iter().chain(options.split_whitespace());
        let ran = run_in(folder.path(), &arguments.collect::<Vec<_>>(), b"");
        let report: Value = serde_json::from_str(ran.out()).expect("JSON");
        let findings = report["files"][0]["findings"].as_array().expect("findings").iter();
        let word = |finding: &Value, key: &str| finding[key].as_str().expect("a word").to_owned();
        let told: Vec<String> =
            findings.map(|finding| format!("{} {}", word(finding, "severity"), word(finding, "rule"))).collect();
        assert_eq!(told, wanted, "{spec} {options}");
        let fails = wanted.iter().any(|told| told.starts_with("error"));
        assert_eq!(ran.code, i32::from(fails), "{spec} {options}");
    }
}
