//! ResourceLists as kustomize and kpt send them.

use unstick::{Policy, Source, krm};

const SERVICE: &str = "- apiVersion: v1
  kind: Service
  metadata:
    name: web
    namespace: shop
    annotations:
      internal.config.kubernetes.io/path: 'svc.yaml'
      internal.config.kubernetes.io/index: '0'
  spec:
    sessionAffinity: ClientIP # why?
    ports: []
";

fn respond(text: &str) -> (String, bool) {
    let response = krm::respond(Source { path: None, bytes: text.as_bytes() }, &Policy::default()).expect("a list");
    let output = String::from_utf8(response.plan.apply(text.as_bytes())).expect("UTF-8");
    (output, response.failed)
}

const RESULT: &str = r#"- message: "sticky: sessionAffinity is taken out"
  severity: "info"
  resourceRef: {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "web"}
  field: {"path": "spec.sessionAffinity"}
  file: {"path": "svc.yaml", "index": 0}
  tags: {"rule": "sticky"}
"#;

#[test]
fn edits_items_and_appends_results() {
    let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
    let clean = SERVICE.replace("    sessionAffinity: ClientIP # why?\n", "");
    assert_eq!(respond(&format!("{head}{SERVICE}")), (format!("{head}{clean}results:\n{RESULT}"), false));
    let old = "results:\n- message: x\n";
    assert_eq!(respond(&format!("{head}{SERVICE}{old}")), (format!("{head}{clean}{old}{RESULT}"), false));
    let flow = respond(&format!("{head}{SERVICE}results: [] # none\n")).0;
    assert!(flow.ends_with("\"tags\": {\"rule\": \"sticky\"}}] # none\n"), "{flow}");
}

#[test]
fn a_second_run_changes_nothing() {
    let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
    let once = respond(&format!("{head}{SERVICE}")).0;
    assert_eq!(respond(&once), (once.clone(), false));
}

#[test]
fn results_go_behind_an_affinity_that_ends_the_text() {
    let text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Service\n  \
                metadata: {name: a}\n  spec:\n    ports: []\n    sessionAffinity: ClientIP";
    let output = respond(text).0;
    assert!(output.contains("    ports: []\nresults:\n- message: \"sticky"), "{output}");
    assert!(!output.contains("ClientIP"), "{output}");
}

#[test]
fn takes_json_lists() {
    let text = r#"{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"apiVersion": "v1",
"kind": "Service", "metadata": {"name": "a"}, "spec": {"sessionAffinity": "ClientIP"}}]}"#;
    let (output, failed) = respond(text);
    let value: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert!(!failed);
    assert_eq!(value["items"][0]["spec"], serde_json::json!({}));
    assert_eq!(value["results"][0]["resourceRef"]["name"], "a");
}

#[test]
fn obeys_its_function_config() {
    let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
    let own = "functionConfig:\n  apiVersion: unstick.dev/v1\n  kind: SessionAffinityPolicy\n  metadata: {name: p}\n  \
               spec: {action: none}\n";
    let output = respond(&format!("{head}{own}items:\n{SERVICE}")).0;
    assert!(output.contains("    sessionAffinity: None # why?\n"), "{output}");
    let data = "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {action: keep}}\n";
    let text = format!("{head}{data}items:\n{SERVICE}");
    assert_eq!(respond(&text), (text.clone(), false));
}

#[test]
fn fails_on_a_function_config_it_cannot_read() {
    let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
    let data = "functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: f}, data: {acton: keep}}\n";
    let text = format!("{head}{data}items:\n{SERVICE}");
    let (output, failed) = respond(&text);
    assert!(failed);
    assert!(output.starts_with(&text), "the items stay: {output}");
    assert!(output.contains("there is no field acton; did you mean action?"), "{output}");
    assert!(output.contains("severity: \"error\""), "{output}");
}

#[test]
fn fails_on_a_refused_service() {
    let text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Service\n  \
                spec: {sessionAffinity: 5}\n";
    let (output, failed) = respond(text);
    assert!(failed);
    assert!(output.starts_with(text));
}

#[test]
fn validates_without_changing_anything() {
    let head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
    let data = "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {validate: 'true'}}\n";
    let text = format!("{head}{data}items:\n{SERVICE}");
    let (output, failed) = respond(&text);
    assert!(failed && output.starts_with(&text), "{output}");
    assert!(output.contains("the policy does not allow this") && output.contains("severity: \"error\""), "{output}");
    let clean = text.replace("    sessionAffinity: ClientIP # why?\n", "");
    assert_eq!(respond(&clean), (clean.clone(), false));
    let kustomize = text.replace("    annotations:\n", "    annotations:\n      kustomize.config.k8s.io/id: x\n");
    let (output, failed) = respond(&kustomize);
    assert!(failed && output.contains("items: []\nresults:\n- message"), "{output}");
}

#[test]
fn is_only_for_resource_lists() {
    for text in
        ["", "kind: ResourceList\n", "apiVersion: v1\nkind: List\nitems: []\n", "kind: ResourceList\napiVersion: [\n"]
    {
        assert!(krm::respond(Source { path: None, bytes: text.as_bytes() }, &Policy::default()).is_none(), "{text}");
    }
}

#[test]
fn results_hold_any_name_as_it_is() {
    use yaml_rust2::{Yaml, YamlLoader};
    for name in ["ü 計 😀", "a\\\"b", "line\nbreak", "\u{2028}\u{85}\u{feff}\u{7}", "- a: {b}", "'#"] {
        let quoted = serde_json::to_string(name).expect("a text");
        let quoted = quoted.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{feff}', "\\ufeff");
        let text = format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata:\n    \
             name: {quoted}\n    annotations:\n      config.kubernetes.io/path: {quoted}\n      config.kubernetes.io/index: '3'\n  spec:\n    \
             sessionAffinity: ClientIP\n    ports: []\n"
        );
        let (output, failed) = respond(&text);
        assert!(!failed, "{output}");
        let document = YamlLoader::load_from_str(&output).expect(&output).remove(0);
        let result = &document["results"][0];
        let at = |path: &[&str]| path.iter().fold(result, |value, key| &value[*key]).clone();
        let string = |text: &str| Yaml::String(text.into());
        assert_eq!(at(&["resourceRef", "name"]), string(name), "{output}");
        assert_eq!(at(&["resourceRef", "kind"]), string("Service"));
        assert_eq!((at(&["file", "path"]), at(&["file", "index"])), (string(name), Yaml::Integer(3)));
        assert_eq!((at(&["field", "path"]), at(&["severity"])), (string("spec.sessionAffinity"), string("info")));
        assert_eq!(at(&["tags", "rule"]), string("sticky"));
    }
}
