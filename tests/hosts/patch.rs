//! The commands of `unstick patch`, run by a shell with the real kubectl over saved dumps.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Home, KUBECTL, Ran};

/// Stands before kubectl: does what a command asks for with a saved object, as there is no cluster.
const LOCAL: &str = r#"#!/bin/sh
set -e
namespace=none
while :; do case $1 in
--context) test "$2" = "the cluster"; shift 2 ;;
--namespace) namespace=$2; shift 2 ;;
*) break ;;
esac; done
test "$1" = patch
name=${2#service/}
shift 2
"$REAL_KUBECTL" patch --local -f - "$@" -o json < "live/$namespace/$name.json" > "patched/$namespace.$name.json"
"$REAL_KUBECTL" patch --local -f - "$@" -o yaml < "live/$namespace/$name.json" > "patched/$namespace.$name.yaml"
"#;

/// Returns a live Service as the API server shows it.
fn service(namespace: &str, name: &str, affinity: &str, more: &Value) -> Value {
    let mut service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": name, "namespace": namespace, "resourceVersion": "81023", "uid": "8d5e",
            "creationTimestamp": "2026-01-02T03:04:05Z",
            "managedFields": [{
                "apiVersion": "v1", "fieldsType": "FieldsV1", "manager": "helm", "operation": "Update",
                "fieldsV1": {"f:spec": {"f:sessionAffinity": {}}}
            }]
        },
        "spec": {
            "clusterIP": "10.96.0.7", "ports": [{"port": 80, "protocol": "TCP", "targetPort": 80}],
            "sessionAffinity": affinity, "type": "ClusterIP"
        },
        "status": {"loadBalancer": {}}
    });
    if affinity == "ClientIP" {
        service["spec"]["sessionAffinityConfig"] = json!({"clientIP": {"timeoutSeconds": 10800}});
    }
    merge(&mut service, more);
    service
}

fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            from.iter().for_each(|(key, value)| merge(into.entry(key).or_insert(Value::Null), value));
        }
        (into, from) => from.clone_into(into),
    }
}

/// A cluster's Services, and things that `kubectl get` may show beside them.
fn cluster() -> Vec<Value> {
    let none = json!({});
    vec![
        service("shop", "web", "ClientIP", &none),
        service("shop", "api", "ClientIP", &json!({"metadata": {"labels": {"tier": "front"}}})),
        service("shop", "plain", "None", &none),
        service("shop", "kept", "ClientIP", &json!({"metadata": {"annotations": {"unstick.dev/keep": "dashboards"}}})),
        service(
            "default",
            "web",
            "ClientIP",
            &json!({"spec": {"type": "LoadBalancer"}, "metadata": {"resourceVersion": "7"}}),
        ),
        service(
            "mail",
            "edge",
            "ClientIP",
            &json!({"spec": {"ports": [
                {"name": "imap", "port": 143, "protocol": "TCP", "targetPort": "imap", "nodePort": 30143},
                {"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 53}
            ]}}),
        ),
        service("mail", "headless", "ClientIP", &json!({"spec": {"clusterIP": "None"}})),
        json!({"apiVersion": "serving.knative.dev/v1", "kind": "Service", "metadata": {"name": "web", "namespace": "fn"},
            "spec": {"sessionAffinity": "ClientIP"}}),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "shop"},
            "data": {"sessionAffinity": "ClientIP"}}),
    ]
}

/// Saves the cluster, and stands before kubectl.
fn saved(kubectl: &Path) -> (Home, String) {
    let home = Home::new();
    for object in cluster() {
        let name = |key: &str| object["metadata"][key].as_str().expect("a name").to_owned();
        home.write(&format!("live/{}/{}.json", name("namespace"), name("name")), &object.to_string());
    }
    home.write("patched/.keep", "");
    home.write("local/kubectl", LOCAL);
    let script = format!("chmod +x local/kubectl && test -x '{}'", kubectl.display());
    assert!(home.run(Path::new("/bin/sh"), &["-c", &script], &[], "").success);
    (home, json!({"apiVersion": "v1", "kind": "List", "items": cluster()}).to_string())
}

/// Runs commands with a shell, and returns what was patched as `namespace.name`, sorted.
fn run_commands(home: &Home, kubectl: &Path, commands: &str) -> Vec<(String, Value)> {
    let path = format!("{}:/usr/bin:/bin", home.path().join("local").display());
    let environment = [("PATH", path.as_str()), ("REAL_KUBECTL", kubectl.to_str().expect("UTF-8"))];
    let ran: Ran = home.run(Path::new("/bin/sh"), &["-e"], &environment, commands);
    assert!(ran.success, "{}\n{commands}", ran.stderr);
    let mut patched = Vec::new();
    for entry in fs::read_dir(home.path().join("patched")).expect("readable") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "json") {
            let text = fs::read_to_string(&path).expect("readable");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let object: Value = serde_json::from_str(&text).expect("JSON");
            let yaml = fs::read_to_string(path.with_extension("yaml")).expect("readable");
            let affinity = object["spec"]["sessionAffinity"].as_str().expect("a text");
            assert!(yaml.contains(&format!("\n  sessionAffinity: {affinity}\n")), "{yaml}");
            patched.push((name, object));
            fs::remove_file(path).expect("removed");
        }
    }
    patched.sort_by(|(a, _), (b, _)| a.cmp(b));
    patched
}

fn names(patched: &[(String, Value)]) -> Vec<&str> {
    patched.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn exactly_the_services_that_change_are_none_afterwards() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let (home, dump) = saved(&kubectl);
    for action in ["remove", "none"] {
        let ran = home.filter(&["patch", "--action", action, "--context", "the cluster"], &dump);
        assert!(ran.success, "{}", ran.stderr);
        assert!(
            ran.stderr.ends_with(
                "5 Services to patch, 1 sticky and kept; nothing was sent: review the commands, then run them with sh\n"
            ),
            "{}",
            ran.stderr
        );
        let patched = run_commands(&home, &kubectl, &ran.stdout);
        assert_eq!(names(&patched), ["default.web", "mail.edge", "mail.headless", "shop.api", "shop.web"]);
        for (name, patched) in patched {
            let is = |object: &&Value| {
                format!(
                    "{}.{}",
                    object["metadata"]["namespace"].as_str().unwrap_or_default(),
                    object["metadata"]["name"].as_str().unwrap_or_default()
                ) == name
            };
            let mut expected = cluster().iter().find(is).expect("known").clone();
            expected["spec"]["sessionAffinity"] = "None".into();
            expected["spec"].as_object_mut().expect("a mapping").remove("sessionAffinityConfig");
            // kubectl does not print them.
            expected["metadata"].as_object_mut().expect("a mapping").remove("managedFields");
            assert_eq!(patched, expected, "{name}");
        }
    }
}

#[test]
fn a_policy_says_which_services_and_how() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let (home, dump) = saved(&kubectl);
    let policy = "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec:\n  action: keep\n  rules:\n  - match: {labels: \
                  tier=front}\n    action: remove\n  - match: {namespaces: [mail], types: [ClusterIP], names: ['e*']}\n    \
                  action: clientIP\n    timeoutSeconds: 60\n";
    home.write("policy.yaml", policy);
    let ran = home.filter(&["patch", "--policy", "policy.yaml", "-"], &dump);
    assert!(ran.success, "{}", ran.stderr);
    let patched = run_commands(&home, &kubectl, &ran.stdout);
    assert_eq!(names(&patched), ["mail.edge", "shop.api"]);
    let affinity = |at: usize| patched[at].1["spec"]["sessionAffinity"].as_str();
    assert_eq!((affinity(0), affinity(1)), (Some("ClientIP"), Some("None")));
    assert_eq!(patched[0].1["spec"]["sessionAffinityConfig"], json!({"clientIP": {"timeoutSeconds": 60}}));
}

#[test]
fn the_same_dump_as_yaml_gives_the_same_commands() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let (home, dump) = saved(&kubectl);
    let mut yaml = String::from("apiVersion: v1\nitems:\n");
    for object in cluster() {
        home.write("one.json", &object.to_string());
        // kubectl's own YAML, through a patch that changes nothing.
        let arguments = ["patch", "--local", "-f", "one.json", "--type", "merge", "--patch", "{}", "-o", "yaml"];
        let ran = home.run(&kubectl, &arguments, &[], "");
        assert!(ran.success, "{}", ran.stderr);
        for (index, line) in ran.stdout.lines().enumerate() {
            yaml += if index == 0 { "- " } else { "  " };
            yaml += line;
            yaml.push('\n');
        }
    }
    yaml += "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
    let of_yaml = home.filter(&["patch"], &yaml);
    let of_json = home.filter(&["patch"], &dump);
    assert!(of_json.stdout.matches("\nkubectl ").count() == 5, "{}", of_json.stdout);
    assert_eq!((of_yaml.stdout, of_yaml.stderr), (of_json.stdout, of_json.stderr));
}

#[test]
fn a_shell_takes_every_name_as_one_word() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let (home, _) = saved(&kubectl);
    let odd = [
        "it's",
        "$(touch stolen)",
        "`touch stolen`",
        "a;touch stolen",
        "a b",
        "-n",
        "*",
        "é\"\\",
        "a\ntouch stolen",
        "~",
    ];
    let services: Vec<Value> = odd.iter().map(|name| service(name, name, "ClientIP", &json!({}))).collect();
    for (name, service) in odd.iter().zip(&services) {
        home.write(&format!("live/{name}/{name}.json"), &service.to_string());
    }
    let ran = home.filter(&["patch"], &json!({"apiVersion": "v1", "kind": "List", "items": services}).to_string());
    assert!(ran.success, "{}", ran.stderr);
    let patched = run_commands(&home, &kubectl, &ran.stdout);
    let mut wanted: Vec<String> = odd.iter().map(|name| format!("{name}.{name}")).collect();
    wanted.sort();
    assert_eq!(names(&patched), wanted);
    for (name, patched) in patched {
        assert_eq!(patched["spec"]["sessionAffinity"], "None", "{name}");
        assert_eq!(patched["spec"].get("sessionAffinityConfig"), None, "{name}");
    }
    assert!(!home.path().join("stolen").exists());
}
