//! The JSON report against its published schema and its page.

use jsonschema::Validator;
use serde_json::{Value, json};
use unstick::{Plan, Policy, Source};
use unstick_report::{FileReport, Summary, json_v1};
use unstick_yaml::{Edit, EditSet, Span};

const SCHEMA: &str = include_str!("../../../docs/json-v1.schema.json");
const PAGE: &str = include_str!("../../../docs/json-v1.md");

const SERVICE: &str =
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  sessionAffinity: ClientIP\n  ports: []\n";

/// Returns the schema, with every object closed: what the report writes must be described.
fn strict_schema() -> Value {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(members) => {
                if members.contains_key("properties") {
                    members.insert("additionalProperties".into(), json!(false));
                }
                members.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    close(&mut schema);
    schema
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&strict_schema()).expect("a schema")
}

fn render(files: &[(&str, &[u8], &Plan)], errors: &[&str]) -> Value {
    let mut summary = Summary::default();
    files.iter().for_each(|(_, _, plan)| summary.add(plan));
    let files =
        files.iter().map(|(path, text, plan)| json_v1::File::new(FileReport { path, text, plan, of_chart: false }));
    let errors: Vec<String> = errors.iter().map(|error| (*error).to_owned()).collect();
    serde_json::from_str(&json_v1::render(&files.collect::<Vec<_>>(), &errors, summary)).expect("JSON")
}

fn plan(text: &[u8]) -> Plan {
    Plan::new(Source { path: None, bytes: text }, &Policy::default())
}

fn assert_valid(report: &Value) {
    let faults: Vec<String> =
        validator().iter_errors(report).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{report:#}");
}

#[test]
fn the_schema_is_a_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
}

#[test]
fn reports_follow_the_schema() {
    let texts: &[&[u8]] = &[
        SERVICE.as_bytes(),
        b"",
        b"kind: [\n",
        b"spec:\n  sessionAffinity: [\n",
        b"apiVersion: v1\nkind: Service\nmetadata: {generateName: x-, namespace: n}\nspec: {sessionAffinity: 5}\n",
        b"apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: None\n  sessionAffinityConfig: {}\n# sessionAffinity",
        b"apiVersion: v1\nkind: Service # caf\xe9\nspec: {sessionAffinity: ClientIP, x: \"\xff\"}\n",
        b"{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"kind\":\"Service\",\"spec\":{\"sessionAffinity\":\"ClientIP\"}}]}",
        b"\xff\xfes\0e\0s\0s\0i\0o\0n\0A\0f\0f\0i\0n\0i\0t\0y\0",
        b"a: {{ .Values.sessionAffinity }}\n",
    ];
    let plans: Vec<Plan> = texts.iter().map(|text| plan(text)).collect();
    let files: Vec<(&str, &[u8], &Plan)> =
        texts.iter().zip(&plans).map(|(text, plan)| ("f.yaml", *text, plan)).collect();
    let report = render(&files, &["nothing can be read"]);
    assert_valid(&report);
    assert_eq!(report["files"].as_array().map(Vec::len), Some(texts.len()));
    let outcomes: Vec<&str> = ["changed", "kept", "refused", "noted"]
        .into_iter()
        .filter(|outcome| report["summary"][outcome].as_u64().is_some_and(|count| count > 0))
        .collect();
    assert_eq!(outcomes, ["changed", "kept", "refused", "noted"], "the texts show every outcome");
}

#[test]
fn the_schema_refuses_what_it_does_not_describe() {
    let text = SERVICE.as_bytes();
    let good = render(&[("f.yaml", text, &plan(text))], &[]);
    for (place, value) in [
        ("/version", json!(2)),
        ("/files/0/findings/0/outcome", json!("done")),
        ("/files/0/findings/0/span", json!({"start": -1, "end": 2})),
        ("/files/0/findings/0/start", json!({"line": 0, "column": 1})),
        ("/files/0/edits/0", json!({"span": {"start": 1, "end": 2}})),
        ("/summary", json!({"changed": 1, "kept": 0, "refused": 0, "noted": 0, "files": 1, "more": 1})),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).expect(place) = value;
        assert!(!validator().is_valid(&bad), "{place}");
    }
}

#[test]
fn replacements_that_are_no_utf8_come_in_base64() {
    let mut edits = EditSet::new();
    edits.insert(Edit::replacement(Span::new(0, 1), b"caf\xe9".to_vec())).expect("no overlap");
    edits.insert(Edit::replacement(Span::new(2, 3), "é")).expect("no overlap");
    let plan = Plan { edits, ..Plan::default() };
    let report = render(&[("f.yaml", b"a b", &plan)], &[]);
    assert_valid(&report);
    assert_eq!(
        report["files"][0]["edits"],
        json!([
            {"span": {"start": 0, "end": 1}, "replacementBase64": "Y2Fm6Q=="},
            {"span": {"start": 2, "end": 3}, "replacement": "é"},
        ])
    );
}

#[test]
fn the_page_shows_a_real_report_and_names_every_field() {
    let text = SERVICE.as_bytes();
    let report = render(&[("svc.yaml", text, &plan(text))], &[]);
    let example = PAGE.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    assert_eq!(serde_json::from_str::<Value>(example).expect("JSON"), report);
    for name in property_names(&strict_schema()) {
        assert!(PAGE.contains(&format!("`{name}`")), "{name}");
    }
}

fn property_names(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let mut left = vec![schema];
    while let Some(schema) = left.pop() {
        match schema {
            Value::Object(members) => {
                names.extend(
                    members
                        .get("properties")
                        .and_then(Value::as_object)
                        .into_iter()
                        .flatten()
                        .map(|(name, _)| name.clone()),
                );
                left.extend(members.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    names
}
