//! SARIF logs against the official schema, and fixes made as a viewer would make them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;
use unstick::{Outcome, Plan, Policy, Source};
use unstick_report::{FileReport, sarif};
use unstick_yaml::{Edit, EditSet, LineIndex, Span};

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  \
                       sessionAffinity: ClientIP\n  sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}}\n  ports: []\n";

/// The schema that OASIS published, as the crate `serde-sarif` carries it.
static OFFICIAL: LazyLock<Validator> = LazyLock::new(|| {
    let text = fs::read(package_folder("serde-sarif").join("src/schema.json")).expect("the schema is in the package");
    let mut schema: Value = serde_json::from_slice(&text).expect("JSON");
    // A stray bracket: not every engine takes the expression, and we write no languages.
    for kind in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][kind]["properties"]["language"];
        assert!(language.as_object_mut().is_some_and(|language| language.remove("pattern").is_some()), "{kind}");
    }
    assert!(schema["$id"].as_str().is_some_and(|id| id.contains("oasis-tcs/sarif-spec")), "{}", schema["$id"]);
    jsonschema::draft7::new(&schema).expect("a schema")
});

fn package_folder(name: &str) -> PathBuf {
    let cargo = |arguments: &[&str]| {
        let command = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        let output = command.expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let version = cargo(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let all = cargo(&["metadata", "--format-version=1", "--offline", "--locked", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&all).expect("JSON");
    let package = metadata["packages"].as_array().expect("packages").iter().find(|package| package["name"] == name);
    let manifest = package.expect("locked")["manifest_path"].as_str().expect("a path");
    Path::new(manifest).parent().expect("a folder").to_owned()
}

fn plan(text: &[u8]) -> Plan {
    Plan::new(Source { path: None, bytes: text }, &Policy::default())
}

fn log(path: &str, text: &[u8], plan: &Plan, errors: &[&str]) -> Value {
    let file = sarif::File::new(FileReport { path, text, plan, of_chart: false }, true);
    let errors: Vec<String> = errors.iter().map(|error| (*error).to_owned()).collect();
    let log: Value = serde_json::from_str(&sarif::render(&[file], &errors)).expect("JSON");
    let faults: Vec<String> =
        OFFICIAL.iter_errors(&log).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{log:#}");
    // Types made from the same schema can hold it.
    serde_json::from_value::<serde_sarif::sarif::Sarif>(log.clone()).expect("a SARIF log");
    log
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn logs_follow_the_official_schema() {
    let texts: &[&[u8]] = &[
        SERVICE.as_bytes(),
        b"",
        b"spec:\n  sessionAffinity: [\n",
        b"apiVersion: v1\nkind: Service\nmetadata: {generateName: x-}\nspec: {sessionAffinity: 5}\n",
        b"apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: None\n  sessionAffinityConfig: {}\n# sessionAffinity",
        b"apiVersion: v1\nkind: Service # caf\xe9\nspec: {sessionAffinity: ClientIP, x: \"\xff\"}\n",
        b"\xff\xfes\0e\0s\0s\0i\0o\0n\0A\0f\0f\0i\0n\0i\0t\0y\0",
        b"a: {{ .Values.sessionAffinity }}\n",
    ];
    let mut told = 0;
    for text in texts {
        told += results(&log("a b/\u{fc}.yaml", text, &plan(text), &["{0} cannot be read"])).len();
    }
    assert!(told >= texts.len(), "{told}");
}

#[test]
fn the_official_schema_refuses_other_logs() {
    let good = log("f.yaml", SERVICE.as_bytes(), &plan(SERVICE.as_bytes()), &[]);
    for (place, value) in [
        ("/version", Value::from("2.0.0")),
        ("/runs/0/results/0/level", Value::from("info")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", Value::from(0)),
        ("/runs/0/columnKind", Value::from("bytes")),
        ("/runs/0/results/0/message", Value::from("text")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).expect(place) = value;
        assert!(!OFFICIAL.is_valid(&bad), "{place}");
    }
}

#[test]
fn a_result_says_what_and_where() {
    let log = log("./a b.yaml", SERVICE.as_bytes(), &plan(SERVICE.as_bytes()), &["{0}"]);
    let run = &log["runs"][0];
    assert_eq!(
        (run["columnKind"].as_str(), run["tool"]["driver"]["name"].as_str()),
        (Some("utf16CodeUnits"), Some("unstick"))
    );
    let result = results(&log).iter().find(|result| result["ruleId"] == "sticky").expect("sticky");
    assert_eq!((&result["level"], &result["properties"]["outcome"]), (&"warning".into(), &"changed".into()));
    let location = &result["locations"][0];
    assert_eq!(location["physicalLocation"]["artifactLocation"]["uri"], "a%20b.yaml");
    assert_eq!(
        location["physicalLocation"]["region"],
        serde_json::json!({"startLine": 5, "startColumn": 3, "endLine": 5, "endColumn": 28})
    );
    assert_eq!(location["logicalLocations"][0]["fullyQualifiedName"], "v1/Service/shop/web/spec.sessionAffinity");
    assert_eq!(result["partialFingerprints"]["unstickFinding/v1"], "sticky:v1/Service/shop/web:spec.sessionAffinity:1");
    // Braces stand for placeholders.
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], "{{0}}");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in results(&log) {
        let rule = rules.iter().find(|rule| rule["id"] == result["ruleId"]).expect("each result's rule is described");
        assert!(rule["help"]["markdown"].as_str().is_some_and(|help| help.contains("## Sources")), "{rule}");
        assert!(rule["fullDescription"]["text"].as_str().is_some_and(|text| text.len() > 60), "{rule}");
    }
}

#[test]
fn fingerprints_stay_while_lines_move() {
    let prints = |text: &str| -> Vec<Value> {
        let log = log("f.yaml", text.as_bytes(), &plan(text.as_bytes()), &[]);
        results(&log).iter().map(|result| result["partialFingerprints"].clone()).collect()
    };
    let twice = format!("{SERVICE}---\n{SERVICE}");
    let mut all = prints(&twice);
    assert_eq!(prints(&format!("# moved\n\n{twice}")), all);
    let count = all.len();
    all.sort_by_key(Value::to_string);
    all.dedup();
    assert_eq!(all.len(), count, "no two results share one");
}

#[test]
fn what_asks_for_nothing_is_left_out_unless_all_is_asked_for() {
    let text = SERVICE
        .replace("ClientIP\n", "None\n")
        .replace("  sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}}\n", "");
    let plan = plan(text.as_bytes());
    let told = |all| {
        let file =
            sarif::File::new(FileReport { path: "f.yaml", text: text.as_bytes(), plan: &plan, of_chart: false }, all);
        sarif::render(&[file], &[]).matches("\"ruleId\"").count()
    };
    assert_eq!((told(false), told(true)), (0, 1));
}

/// Makes the edits of a fix as the standard describes them: by line and UTF-16 column, or by byte.
fn make_fix(text: &[u8], fix: &Value) -> Vec<u8> {
    let mut edits = EditSet::new();
    for replacement in fix["artifactChanges"][0]["replacements"].as_array().expect("replacements") {
        let region = &replacement["deletedRegion"];
        let number = |name: &str| region[name].as_u64().and_then(|number| usize::try_from(number).ok()).expect(name);
        let span = match region.get("byteOffset") {
            Some(_) => Span::new(number("byteOffset"), number("byteOffset") + number("byteLength")),
            None => Span::new(
                offset(text, number("startLine"), number("startColumn")),
                offset(text, number("endLine"), number("endColumn")),
            ),
        };
        let content = &replacement["insertedContent"];
        let bytes = match (content.get("text"), content.get("binary")) {
            (Some(text), _) => text.as_str().expect("a text").as_bytes().to_vec(),
            (None, Some(binary)) => {
                base64::Engine::decode(&base64::prelude::BASE64_STANDARD, binary.as_str().expect("a text"))
                    .expect("base64")
            }
            (None, None) => Vec::new(),
        };
        edits.insert(Edit::replacement(span, bytes)).expect("no overlap");
    }
    edits.apply(text)
}

fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let lines = LineIndex::new(text);
    let mark = usize::from(line == 1 && text.starts_with(b"\xEF\xBB\xBF"));
    let fits = |at: &usize| lines.line(*at) == line && lines.utf16_column(text, *at) == column + mark;
    let start = lines.line_span(text, line).start;
    (start..=text.len()).find(fits).unwrap_or_else(|| panic!("{line}:{column} is no place"))
}

/// Every case folder's input, with the edits that the default policy asks for.
fn case_texts() -> Vec<(String, Vec<u8>)> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut folders = vec![cases];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_stem().is_some_and(|stem| stem == "input") {
                texts.push((path.display().to_string(), fs::read(&path).expect("readable")));
            }
        }
    }
    texts
}

#[test]
fn each_fix_alone_keeps_the_text_readable_and_leaves_the_other_objects() {
    let policies = ["{}", "{action: none}", "{action: clientIP, timeoutSeconds: 600}"].map(|spec| {
        let text = format!("apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {spec}\n");
        Policy::read(text.as_bytes()).expect("a policy")
    });
    let mut made = 0;
    for ((name, text), policy) in case_texts().iter().flat_map(|text| policies.iter().map(move |policy| (text, policy)))
    {
        let plan = |text: &[u8]| Plan::new(Source { path: None, bytes: text }, policy);
        let before = plan(text);
        let log = log("f.yaml", text, &before, &[]);
        let mut fixes: Vec<&Value> = results(&log).iter().filter_map(|result| result["fixes"].get(0)).collect();
        fixes.dedup();
        if before.blocked {
            assert!(fixes.is_empty(), "{name}");
            continue;
        }
        assert_eq!(fixes.is_empty(), before.edits.is_empty(), "{name}");
        let count: usize =
            fixes.iter().filter_map(|fix| fix["artifactChanges"][0]["replacements"].as_array()).map(Vec::len).sum();
        assert_eq!(count, before.edits.len(), "{name}: each edit is in one fix");
        for fix in &fixes {
            made += 1;
            let after = make_fix(text, fix);
            let again = plan(&after);
            assert!(!again.blocked && again.count(Outcome::Changed) < before.count(Outcome::Changed), "{name}");
            assert_eq!(again.apply(&after), before.apply(text), "{name}: the other fixes follow");
        }
    }
    assert!(made > 100, "{made}");
}

#[test]
fn a_replacement_that_is_no_utf8_is_binary() {
    let mut edits = EditSet::new();
    edits.insert(Edit::replacement(Span::new(0, 1), b"caf\xe9".to_vec())).expect("no overlap");
    let text = SERVICE.as_bytes();
    let plan = Plan { edits, ..plan(text) };
    let log = log("f.yaml", text, &plan, &[]);
    let fix = results(&log).iter().find_map(|result| result["fixes"].get(0)).expect("a fix");
    assert!(make_fix(text, fix).starts_with(b"caf\xe9piVersion"));
}

#[test]
fn the_log_grows_in_proportion() {
    let item = r#"{"apiVersion":"v1","kind":"Service","spec":{"sessionAffinity":"ClientIP"}},"#;
    let text = format!("{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{}{{}}]}}", item.repeat(2000));
    let plan = plan(text.as_bytes());
    let file = FileReport { path: "f.json", text: text.as_bytes(), plan: &plan, of_chart: false };
    let length = sarif::render(&[sarif::File::new(file, false)], &[]).len();
    assert!(length < 4000 * 2000, "{length}");
}
