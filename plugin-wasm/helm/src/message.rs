//! One message in, one message out.

use serde_json::{Value, json};
use unstick::{Outcome, Plan, Source};
use unstick_yaml::LineIndex;

use crate::flags::Flags;

/// What Helm gets instead of nothing, which it would take for an error.
const EMPTY: &str = "# unstick: there are no manifests\n";

/// Returns the answer to Helm's message.
///
/// ```
/// let answer = unstick_helm_wasm::answer(br#"{"manifests": "a: 1\n", "extraArgs": []}"#);
/// assert_eq!(answer, Ok(br#"{"manifests":"a: 1\n"}"#.to_vec()));
/// ```
///
/// # Errors
///
/// The words that Helm shows: no manifests in the message, an unknown argument, a Service that had to be refused, or a
/// document that names affinity and cannot be read.
pub fn answer(input: &[u8]) -> Result<Vec<u8>, String> {
    let message: Value = serde_json::from_slice(input).map_err(|error| format!("the message is no JSON: {error}"))?;
    let manifests = manifests(&message)?;
    let flags = Flags::read(&arguments(&message)?)?;
    let bytes = manifests.as_bytes();
    if manifests.trim().is_empty() {
        return encode(EMPTY);
    }
    let plan = Plan::new(Source { path: None, bytes }, &flags.policy);
    if !flags.lenient
        && let Some(faults) = faults(bytes, &plan)
    {
        return Err(faults);
    }
    let edited = String::from_utf8(plan.apply(bytes)).map_err(|error| error.to_string())?;
    encode(&edited)
}

fn manifests(message: &Value) -> Result<&str, String> {
    match message.get("manifests") {
        Some(Value::String(manifests)) => Ok(manifests),
        Some(Value::Object(empty)) if empty.is_empty() => Err(
            "Helm handed over no manifests: this version cannot pass them to a WASM post-renderer (helm/helm#31832). \
             Install the subprocess plugin, named unstick, and use that one"
                .into(),
        ),
        Some(other) => Err(format!("the message's manifests are no text: {}", kind(other))),
        None => Err("the message holds no manifests".into()),
    }
}

fn arguments(message: &Value) -> Result<Vec<String>, String> {
    let list = match message.get("extraArgs") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("the message's extraArgs are no list: {}", kind(other))),
    };
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or("an argument is no text".to_owned());
    list.iter().map(text).collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Returns the refused findings as lines of `line:column: message (help)`.
fn faults(bytes: &[u8], plan: &Plan) -> Option<String> {
    let lines = LineIndex::new(bytes);
    let refused = plan.findings.iter().filter(|finding| finding.outcome == Outcome::Refused);
    let words: Vec<String> = refused
        .map(|finding| {
            let position = lines.position(bytes, finding.span.start);
            let name = finding.resource.as_ref().and_then(|resource| resource.name.as_deref());
            let name = name.map(|name| format!(" of {name}")).unwrap_or_default();
            let help = finding.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{}:{}{name}: {}{help}", position.line, position.column, finding.message)
        })
        .collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

fn encode(manifests: &str) -> Result<Vec<u8>, String> {
    serde_json::to_vec(&json!({ "manifests": manifests })).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STICKY: &str =
        "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  sessionAffinity: ClientIP\n  x: 1\n";

    fn ask(message: &Value) -> Result<String, String> {
        let answer = answer(message.to_string().as_bytes())?;
        let answer: Value = serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
        Ok(answer["manifests"].as_str().expect("a text").to_owned())
    }

    #[test]
    fn edits_and_obeys_its_arguments() {
        let clean = STICKY.replace("  sessionAffinity: ClientIP\n", "");
        assert_eq!(ask(&json!({"manifests": STICKY, "extraArgs": null})), Ok(clean.clone()));
        assert_eq!(ask(&json!({"manifests": STICKY})), Ok(clean));
        let none = STICKY.replace("ClientIP", "None");
        assert_eq!(ask(&json!({"manifests": STICKY, "extraArgs": ["--action", "none"]})), Ok(none.clone()));
        assert_eq!(ask(&json!({"manifests": STICKY, "extraArgs": ["--action=none", "--only", "a"]})), Ok(none));
        assert_eq!(ask(&json!({"manifests": STICKY, "extraArgs": ["--except=a"]})), Ok(STICKY.to_owned()));
    }

    #[test]
    fn never_answers_with_nothing() {
        assert_eq!(ask(&json!({"manifests": "", "extraArgs": []})), Ok(EMPTY.to_owned()));
        for message in
            [json!({"manifests": {}}), json!({}), json!({"manifests": null}), json!({"manifests": [1]}), json!(3)]
        {
            assert!(ask(&message).is_err(), "{message}");
        }
        assert!(answer(b"").is_err() && answer(b"{").is_err());
        let error = ask(&json!({"manifests": {}, "extraArgs": []})).expect_err("no manifests");
        assert!(error.contains("helm/helm#31832") && error.contains("subprocess plugin"), "{error}");
    }

    #[test]
    fn says_what_is_wrong() {
        for (arguments, words) in [
            (json!(["--acton", "none"]), "--acton is not known"),
            (json!(["--policy", "p.yaml"]), "which reads no files"),
            (json!(["--action"]), "--action needs a value"),
            (json!(["--action", "delete"]), "unknown variant"),
            (json!(["--timeout", "5"]), "only makes sense with the action clientIP"),
            (json!([5]), "no text"),
            (json!({}), "no list"),
        ] {
            let error = ask(&json!({"manifests": STICKY, "extraArgs": arguments})).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
        let refused = STICKY.replace("ClientIP", "5");
        let error = ask(&json!({"manifests": refused, "extraArgs": []})).expect_err("refused");
        assert!(error.starts_with("5:3 of a: the value is no string"), "{error}");
        assert_eq!(ask(&json!({"manifests": refused, "extraArgs": ["--lenient"]})), Ok(refused));
    }
}
