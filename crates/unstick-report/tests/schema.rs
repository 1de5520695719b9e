//! Holds the published JSON Schema of policies to the type that reads them; `UNSTICK_BLESS=1` writes it.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use unstick::{
    Action, Comments, Embedded, Knobs, LabelSelector, Level, MAX_TIMEOUT_SECONDS, Match, Policy, PolicyRule, Rule,
    Severities,
};
use unstick_report::policy_schema;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(&policy_schema()).expect("JSON"));
static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&SCHEMA).expect("a schema"));

fn document(spec: &Value) -> Value {
    json!({"apiVersion": "unstick.dev/v1", "kind": "SessionAffinityPolicy", "spec": spec})
}

/// Tells what schema and reader say of a document; they must agree.
fn takes_document(document: &Value) -> bool {
    let read = Policy::read(document.to_string().as_bytes());
    let valid = VALIDATOR.is_valid(document);
    assert_eq!(valid, read.is_ok(), "{document} {read:?}");
    valid
}

fn takes(spec: &Value) -> bool {
    takes_document(&document(spec))
}

/// Returns a policy in which every field is set; a new field has to be added here.
fn full() -> Policy {
    let mut severity = Severities::default();
    severity.set(Rule::Sticky, Level::Error);
    Policy {
        action: Action::ClientIp,
        timeout_seconds: Some(600),
        include_none: true,
        knobs: Knobs::Strip,
        embedded: Embedded::Edit,
        comments: Comments::Keep,
        only: vec!["a".into()],
        except: vec!["b".into()],
        validate: true,
        rules: vec![PolicyRule {
            matches: Match {
                names: vec!["c".into()],
                namespaces: vec!["d".into()],
                labels: "e=f".parse::<LabelSelector>().expect("a selector"),
                types: vec!["LoadBalancer".into()],
                files: vec!["g".into()],
            },
            action: Action::ClientIp,
            timeout_seconds: Some(5),
            reason: Some("h".into()),
        }],
        severity,
    }
}

/// Returns the variants of a type, as the reader names them where it is given a wrong one.
fn variants(spec: &Value) -> Vec<String> {
    let error = Policy::read(document(spec).to_string().as_bytes()).expect_err("no variant").to_string();
    let (_, known) = error.split_once("known are ").unwrap_or_else(|| panic!("{error}"));
    known.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_file_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/policy.schema.json");
    if std::env::var_os("UNSTICK_BLESS").is_some() {
        fs::write(&path, policy_schema()).expect("written");
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == policy_schema(), "{} is behind: run this test with UNSTICK_BLESS=1", path.display());
    assert!(jsonschema::meta::is_valid(&SCHEMA));
}

#[test]
fn every_field_is_in_both_and_no_other_is() {
    let full = serde_json::to_value(full()).expect("JSON");
    assert!(takes(&full), "{full}");
    for (place, definition) in [("", "policy"), ("/rules/0", "rule"), ("/rules/0/match", "match")] {
        let fields: Vec<&String> = full.pointer(place).and_then(Value::as_object).expect("fields").keys().collect();
        let described = &SCHEMA["$defs"][definition]["properties"];
        let mut described: Vec<&String> = described.as_object().expect("properties").keys().collect();
        described.sort();
        let mut sorted = fields.clone();
        sorted.sort();
        assert_eq!(sorted, described, "{definition}");
        for field in fields.into_iter().map(String::as_str).chain(["more", "Action", ""]) {
            let mut wrong = full.clone();
            let object = wrong.pointer_mut(place).and_then(Value::as_object_mut).expect("fields");
            let value = object.remove(field);
            object.insert(format!("{field}x"), value.unwrap_or(json!(1)));
            assert!(!takes(&wrong), "{place}/{field}");
        }
    }
}

#[test]
fn every_variant_is_in_both_and_no_other_is() {
    type MakeSpec = fn(&str) -> Value;
    let cases: &[(&str, MakeSpec)] = &[
        ("/$defs/action", |word| json!({"action": word})),
        ("/$defs/action", |word| json!({"rules": [{"action": word}]})),
        ("/$defs/policy/properties/knobs", |word| json!({"knobs": word})),
        ("/$defs/policy/properties/embedded", |word| json!({"embedded": word})),
        ("/$defs/policy/properties/comments", |word| json!({"comments": word})),
        ("/$defs/level", |word| json!({"severity": {"sticky": word}})),
    ];
    for (place, spec) in cases {
        let read = variants(&spec("zzzzzzzzzzzz"));
        let described = SCHEMA.pointer(place).expect(place);
        let described: Vec<&str> = match described["enum"].as_array() {
            Some(words) => words.iter().filter_map(Value::as_str).collect(),
            None => described["oneOf"]
                .as_array()
                .expect("variants")
                .iter()
                .filter_map(|one| one["const"].as_str())
                .collect(),
        };
        for word in read.iter().map(String::as_str).chain(described.iter().copied()) {
            assert!(takes(&spec(word)), "{place} {word}");
            assert!(described.contains(&word), "{place} {word}");
            assert!(!takes(&spec(&word.to_uppercase())) && !takes(&spec(&format!("{word}x"))), "{place} {word}");
        }
        assert!(!takes(&spec("")), "{place}");
    }
    for rule in Rule::ALL {
        assert!(takes(&json!({"severity": {rule.id(): "off"}})), "{rule}");
        assert!(!takes(&json!({"severity": {format!("{rule}x"): "off"}})), "{rule}");
    }
}

fn is_no_selector(text: &str) -> bool {
    text.parse::<LabelSelector>().is_err()
}

#[test]
fn every_field_takes_the_same_forms_of_values_in_both() {
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!("true"),
        json!("yes"),
        json!(0),
        json!(1),
        json!(5),
        json!(-1),
        json!(1.5),
        json!("5"),
        json!("0"),
        json!("086400"),
        json!("86401"),
        json!(MAX_TIMEOUT_SECONDS),
        json!(MAX_TIMEOUT_SECONDS + 1),
        json!(5_000_000_000_u64),
        json!(""),
        json!("a"),
        json!("a,b"),
        json!([]),
        json!(["a"]),
        json!(["a", 5, true]),
        json!([null]),
        json!([["a"]]),
        json!([{}]),
        json!({}),
        json!({"a": "b"}),
        json!({"a": 5}),
        json!({"a": null}),
        json!({"a": ["b"]}),
        json!({"sticky": "off"}),
        json!("sticky=off, misplaced = error"),
        json!("sticky"),
        json!([{"action": "keep"}]),
        json!(["NodePort", "ExternalName"]),
        json!(["NodePorts"]),
        json!("NodePort, LoadBalancer"),
        json!("NodePort,"),
        json!("NodePort LoadBalancer"),
        json!([""]),
        json!([{"action": null}]),
    ];
    let full = serde_json::to_value(full()).expect("JSON");
    let mut taken = 0;
    for place in ["", "/rules/0", "/rules/0/match"] {
        for field in full.pointer(place).and_then(Value::as_object).expect("fields").keys() {
            // A schema cannot tell whether a selector can be read.
            for value in values.iter().filter(|value| field != "labels" || !value.as_str().is_some_and(is_no_selector))
            {
                let mut spec = full.clone();
                spec.pointer_mut(place).expect("there")[field] = value.clone();
                taken += usize::from(takes(&spec));
            }
            let mut without = full.clone();
            without.pointer_mut(place).and_then(Value::as_object_mut).expect("fields").remove(field);
            taken += usize::from(takes(&without));
        }
    }
    assert!(taken > 100, "{taken}");
}

#[test]
fn timeouts_need_their_action_in_both() {
    let actions = ["remove", "none", "clientIP", "keep"];
    for (action, of_rule) in actions.iter().flat_map(|action| actions.map(|of_rule| (action, of_rule))) {
        for (timeout, of_rule_timeout) in [(Some(5), None), (None, Some(5)), (Some(5), Some(6)), (None, None)] {
            takes(&json!({
                "action": action, "timeoutSeconds": timeout,
                "rules": [{"action": "keep"}, {"action": of_rule, "timeoutSeconds": of_rule_timeout}]
            }));
        }
        takes(&json!({"action": action, "timeoutSeconds": 5}));
    }
    takes(&json!({"timeoutSeconds": 5}));
}

#[test]
fn the_document_is_the_same_in_both() {
    let good = json!({"apiVersion": "unstick.dev/v1", "kind": "SessionAffinityPolicy"});
    assert!(takes_document(&good));
    for (field, value, fine) in [
        ("metadata", json!({"name": "x", "annotations": {}}), true),
        ("metadata", json!(null), true),
        ("spec", json!(null), true),
        ("spec", json!({}), true),
        ("spec", json!([]), false),
        ("spec", json!("x"), false),
        ("status", json!({}), false),
        ("apiVersion", json!("unstick.dev/v2"), false),
        ("apiVersion", json!(null), false),
        ("kind", json!("Policy"), false),
    ] {
        let mut document = good.clone();
        document[field] = value;
        assert_eq!(takes_document(&document), fine, "{document}");
    }
    for field in ["apiVersion", "kind"] {
        let mut document = good.clone();
        document.as_object_mut().expect("an object").remove(field);
        assert!(!takes_document(&document), "{field}");
    }
}
