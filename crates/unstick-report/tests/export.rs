//! Policies in other engines' words: the shapes parse, carry what the policy says, and refuse what they cannot say.

use serde_json::{Value, json};
use unstick::{Action, Match, Policy, PolicyRule};
use unstick_report::{Target, export};
use unstick_yaml::{Chunks, Content, NodeId, Outline, ScalarStyle, read_yaml};

/// Reads YAML as plain data, each scalar as a string unless it is a number.
fn data(outline: &Outline, id: NodeId) -> Value {
    match &outline.node(id).content {
        Content::Mapping { entries, .. } => entries
            .iter()
            .map(|entry| (outline.key(entry).unwrap_or_default().to_owned(), data(outline, entry.value)))
            .collect(),
        Content::Sequence { entries, .. } => entries.iter().map(|entry| data(outline, entry.value)).collect(),
        Content::Scalar { .. } if outline.is_null(id) => Value::Null,
        Content::Scalar { value, style: ScalarStyle::Plain } => {
            value.parse::<u64>().map_or_else(|_| json!(&**value), |number| json!(number))
        }
        Content::Scalar { value, .. } => json!(&**value),
        Content::Alias { .. } => Value::Null,
    }
}

fn documents(policy: &Policy, target: Target) -> Vec<Value> {
    let text = export(policy, target).unwrap_or_else(|error| panic!("{error}"));
    let outlines = Chunks::new(text.as_bytes()).flat_map(|chunk| read_yaml(text.as_bytes(), chunk));
    let outlines = outlines.map(|outline| outline.unwrap_or_else(|error| panic!("{error}\n{text}")));
    outlines.filter_map(|outline| outline.root.map(|root| data(&outline, root))).collect()
}

fn rule(action: Action, matches: Match) -> PolicyRule {
    PolicyRule { matches, action, timeout_seconds: None, reason: Some("tickets/7".into()) }
}

fn labels(text: &str) -> Match {
    Match { labels: text.parse().expect(text), ..Match::default() }
}

fn names(globs: &[&str]) -> Match {
    Match { names: globs.iter().map(|glob| (*glob).to_owned()).collect(), ..Match::default() }
}

const ALL: &[Target] = &[
    Target::KustomizePatch,
    Target::Flux,
    Target::Kyverno,
    Target::MutatingAdmissionPolicy,
    Target::ValidatingAdmissionPolicy,
    Target::Gatekeeper,
];

#[test]
fn every_target_has_the_plain_policy() {
    for target in ALL {
        for action in [Action::Remove, Action::None] {
            assert!(!documents(&Policy { action, ..Policy::default() }, *target).is_empty(), "{target:?}");
        }
    }
}

#[test]
fn kustomize_patches_carry_names_namespaces_and_labels() {
    let matches = Match {
        names: vec!["web-*".into(), "api".into()],
        namespaces: vec!["shop".into()],
        labels: "tier in (a,b)".parse().expect("a selector"),
        ..Match::default()
    };
    let rules = vec![rule(Action::Keep, labels("sticky")), rule(Action::None, matches)];
    let patches = &documents(&Policy { action: Action::Keep, rules, ..Policy::default() }, Target::KustomizePatch)[0];
    assert_eq!(
        patches["patches"][0]["target"],
        json!({"version": "v1", "kind": "Service", "namespace": "shop", "name": "(?:web-[^/]*|api)",
               "labelSelector": "tier in (a,b),!sticky", "annotationSelector": "!unstick.dev/keep"})
    );
    let patch = patches["patches"][0]["patch"].as_str().expect("a text");
    assert!(patch.contains("sessionAffinity: None\n  sessionAffinityConfig: null"), "{patch}");
}

#[test]
fn the_first_rule_wins_in_kustomize_too() {
    let rules = vec![
        PolicyRule { timeout_seconds: Some(60), ..rule(Action::ClientIp, names(&["a"])) },
        rule(Action::Remove, Match::default()),
    ];
    let policy = Policy { rules, ..Policy::default() };
    let error = export(&policy, Target::KustomizePatch).expect_err("an exception by name");
    assert_eq!(error.to_string(), "kustomize-patch cannot express an exception by name, namespace or several labels");
    let rules = vec![rule(Action::None, labels("x=a")), rule(Action::Remove, Match::default())];
    let documents = documents(&Policy { rules, ..Policy::default() }, Target::Flux);
    let patches = &documents[0]["spec"]["postRenderers"][0]["kustomize"]["patches"];
    assert_eq!(patches[0]["target"]["labelSelector"], "x!=a");
    assert_eq!(patches[1]["target"]["labelSelector"], "x=a");
}

#[test]
fn kyverno_excludes_what_is_kept() {
    let rules = vec![rule(Action::Keep, names(&["dash-*"])), rule(Action::Remove, labels("a=b,!c"))];
    let policy = Policy { action: Action::Keep, rules, ..Policy::default() };
    let spec = &documents(&policy, Target::Kyverno)[0]["spec"]["rules"][0];
    assert_eq!(spec["exclude"]["any"][0]["resources"]["annotations"]["unstick.dev/keep"], "*");
    assert_eq!(spec["exclude"]["any"][1]["resources"]["names"][0], "dash-*");
    assert_eq!(
        spec["match"]["all"][0]["resources"]["selector"]["matchExpressions"],
        json!([{"key": "a", "operator": "In", "values": ["b"]}, {"key": "c", "operator": "DoesNotExist"}])
    );
    assert_eq!(spec["mutate"]["patchStrategicMerge"]["spec"]["sessionAffinity"], "None");
}

#[test]
fn admission_policies_carry_everything() {
    let matches = Match {
        names: vec!["shop/web-*".into()],
        types: vec!["LoadBalancer".into()],
        labels: "n>5,x!=y".parse().expect("a selector"),
        ..Match::default()
    };
    let rules = vec![rule(Action::Keep, matches)];
    let policy = Policy { rules, only: vec!["w*".into()], except: vec!["web-7".into()], ..Policy::default() };
    let documents = documents(&policy, Target::MutatingAdmissionPolicy);
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[1]["spec"]["policyName"], documents[0]["metadata"]["name"]);
    let conditions = documents[0]["spec"]["matchConditions"].as_array().expect("a list");
    let names: Vec<&str> = conditions.iter().filter_map(|condition| condition["name"].as_str()).collect();
    assert_eq!(names, ["sticky", "not-kept", "selected", "not-decided-before-1", "not-decided-before-2"]);
    assert_eq!(conditions[3]["expression"], "!((object.metadata.name == \"web-7\"))");
    let kept = conditions[4]["expression"].as_str().expect("a text");
    for part in ["request.namespace == \"shop\"", "matches(r'^web-[^/]*$')", "\"LoadBalancer\"", "> 5", "[\"y\"]"] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    let clientip = Policy { action: Action::ClientIp, timeout_seconds: Some(60), ..Policy::default() };
    let text = export(&clientip, Target::MutatingAdmissionPolicy).expect("expressible");
    assert!(text.contains("timeoutSeconds: 60"), "{text}");
}

#[test]
fn a_validating_policy_says_why() {
    let policy = Policy { action: Action::Keep, rules: vec![rule(Action::None, names(&["a"]))], ..Policy::default() };
    let documents = documents(&policy, Target::ValidatingAdmissionPolicy);
    assert_eq!(documents[0]["spec"]["validations"][0]["message"], "spec.sessionAffinity must be None: tickets/7");
    assert_eq!(documents[1]["spec"]["validationActions"], json!(["Warn", "Audit"]));
}

#[test]
fn gatekeeper_makes_one_assign_for_each_name() {
    let rules = vec![rule(Action::Keep, Match { namespaces: vec!["kube-*".into()], ..Match::default() })];
    let policy = Policy { rules, only: vec!["a*".into(), "shop/b".into()], ..Policy::default() };
    let documents = documents(&policy, Target::Gatekeeper);
    assert_eq!(documents.len(), 2);
    assert_eq!(
        documents[0]["spec"]["match"],
        json!({"scope": "Namespaced", "name": "a*", "excludedNamespaces": ["kube-*"]})
    );
    assert_eq!(documents[1]["spec"]["match"]["namespaces"], json!(["shop"]));
}

#[test]
fn nothing_is_left_out_silently() {
    let keep = |matches| Policy { rules: vec![rule(Action::Keep, matches)], ..Policy::default() };
    let clientip = Policy { action: Action::ClientIp, timeout_seconds: Some(60), ..Policy::default() };
    let untimed = Policy { action: Action::ClientIp, ..Policy::default() };
    let files = keep(Match { files: vec!["charts/**".into()], ..Match::default() });
    let types = keep(Match { types: vec!["NodePort".into()], ..Match::default() });
    let everything = Policy { action: Action::Keep, ..Policy::default() };
    for (policy, targets) in [
        (&files, ALL),
        (&everything, ALL),
        (&types, &[Target::KustomizePatch, Target::Flux, Target::Gatekeeper][..]),
        (&clientip, &[Target::KustomizePatch, Target::ValidatingAdmissionPolicy, Target::Gatekeeper]),
        (&untimed, &[Target::MutatingAdmissionPolicy, Target::Kyverno]),
        (&keep(names(&["a"])), &[Target::KustomizePatch, Target::Gatekeeper]),
        (&keep(names(&["[ab]"])), &[Target::Kyverno]),
        (&keep(labels("n>5")), &[Target::KustomizePatch, Target::Kyverno, Target::Gatekeeper]),
        (&keep(names(&["!a"])), &[Target::MutatingAdmissionPolicy, Target::Kyverno]),
    ] {
        for target in targets {
            assert!(export(policy, *target).is_err(), "{target:?}: {policy:?}");
        }
    }
}
