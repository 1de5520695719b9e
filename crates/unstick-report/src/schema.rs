//! The JSON Schema of policies.

use serde_json::{Value, json};
use unstick::{MAX_TIMEOUT_SECONDS, Rule, SERVICE_TYPES};

/// Returns the JSON Schema of a policy document, as indented JSON with a final newline.
///
/// It takes what [`unstick::Policy::read`] takes, but for what a schema cannot tell: whether a label selector's text and
/// globs can be read.
///
/// ```
/// assert!(unstick_report::policy_schema().contains(r#""const": "SessionAffinityPolicy""#));
/// ```
#[must_use]
pub fn policy_schema() -> String {
    // Strings and numbers always have a JSON form.
    let mut text = serde_json::to_string_pretty(&document()).unwrap_or_default();
    text.push('\n');
    text
}

fn document() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "unstick policy, version 1",
        "type": "object",
        "required": ["apiVersion", "kind"],
        "additionalProperties": false,
        "properties": {
            "apiVersion": {"const": "unstick.dev/v1"},
            "kind": {"const": "SessionAffinityPolicy"},
            "metadata": {"description": "Passed over."},
            "spec": {"anyOf": [{"$ref": "#/$defs/policy"}, {"type": "null"}]}
        },
        "$defs": {
            "policy": policy(),
            "rule": policy_rule(),
            "match": matches(),
            "action": {
                "description": "What is done with a sticky Service.",
                "oneOf": [
                    option("remove", "Take the sticky key and its config out."),
                    option("none", "Write None and take the config out: the rewrite that is safe on live objects."),
                    option("clientIP", "Write ClientIP, with the timeout."),
                    option("keep", "Leave it.")
                ]
            },
            "severity": severity(),
            "level": {"enum": ["off", "info", "note", "warning", "error"]},
            "timeout": timeout(),
            "switch": {"enum": [true, false, "true", "false"]},
            "text": {"type": ["string", "number", "boolean"]},
            "texts": {
                "description": "A list, or one text with commas.",
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/text", "not": {"const": ""}}},
                    {"$ref": "#/$defs/text"},
                    {"type": "null"}
                ]
            }
        }
    })
}

fn option(value: &str, meaning: &str) -> Value {
    json!({"const": value, "description": meaning})
}

/// Refers to a definition, with words of its own.
fn as_(definition: &str, meaning: &str) -> Value {
    json!({"$ref": format!("#/$defs/{definition}"), "description": meaning})
}

fn policy() -> Value {
    let some_rule = json!({"properties": {"rules": {"type": "array", "contains": sticks()}}, "required": ["rules"]});
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "action": as_("action", "What is done with a sticky Service that no rule matches; remove if absent."),
            "timeoutSeconds": as_("timeout", "Seconds of stickiness that the action clientIP writes."),
            "includeNone": as_("switch", "Act on an explicit None too."),
            "knobs": {
                "description": "Charts: what becomes of values keys that switch affinity.",
                "oneOf": [
                    option("keep", "They stay; a sticky default becomes None."),
                    option("strip", "They go, from the templates and the values.")
                ]
            },
            "embedded": {
                "description": "Custom resources that embed a Service spec.",
                "oneOf": [
                    option("report", "They are reported only."),
                    option("edit", "They are treated like Services.")
                ]
            },
            "comments": {
                "description": "Comment lines directly above a removed key.",
                "oneOf": [
                    option("owned", "They go with the key if they name it and no sibling key."),
                    option("keep", "They always stay.")
                ]
            },
            "only": as_("texts", "Only Services whose name, or namespace/name, matches one of these globs."),
            "except": as_("texts", "Never Services that match one of these globs; wins over only."),
            "validate": as_("switch", "KRM functions: change nothing, and fail where something would change."),
            "rules": {
                "description": "Exceptions; the first match wins.",
                "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/rule"}}, {"type": "null"}, {"const": ""}]
            },
            "severity": {"$ref": "#/$defs/severity"}
        },
        "$comment": "A timeout needs an action that writes it.",
        "if": times(),
        "then": {"anyOf": [sticks(), some_rule]}
    })
}

/// Holds of settings whose action writes a timeout.
fn sticks() -> Value {
    json!({"properties": {"action": {"const": "clientIP"}}, "required": ["action"]})
}

/// Holds of settings that have a timeout.
fn times() -> Value {
    json!({"properties": {"timeoutSeconds": {"not": {"type": "null"}}}, "required": ["timeoutSeconds"]})
}

fn policy_rule() -> Value {
    json!({
        "type": "object",
        "required": ["action"],
        "additionalProperties": false,
        "properties": {
            "match": {"anyOf": [{"$ref": "#/$defs/match"}, {"type": "null"}]},
            "action": {"$ref": "#/$defs/action"},
            "timeoutSeconds": as_("timeout", "Seconds of stickiness; the policy's if absent."),
            "reason": {
                "description": "Why; carried into the report.",
                "anyOf": [{"$ref": "#/$defs/text"}, {"type": "null"}]
            }
        },
        "$comment": "A timeout needs the action that writes it.",
        "if": times(),
        "then": sticks()
    })
}

fn matches() -> Value {
    json!({
        "description": "Which Services: all conditions that are given must hold.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "names": as_("texts", "Globs of metadata.name, or of namespace/name where the glob holds a slash."),
            "namespaces": as_("texts", "Globs of metadata.namespace."),
            "labels": {
                "description": "A label selector as in kubectl, such as a=b,c in (d,e),!f; or labels that must be equal.",
                "anyOf": [
                    {"type": "string"},
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/text"}},
                    {"type": "null"}
                ]
            },
            "types": {
                "description": "Values of spec.type; a Service without one is a ClusterIP. A list, or one text with commas.",
                "anyOf": [
                    {"type": "array", "items": {"enum": SERVICE_TYPES}},
                    {"type": "string", "pattern": format!("^\\s*(({})\\s*(,\\s*|$)|,\\s*)*$", SERVICE_TYPES.join("|"))},
                    {"type": "null"}
                ]
            },
            "files": as_("texts", "Globs of the file's path.")
        }
    })
}

fn severity() -> Value {
    let rules: serde_json::Map<String, Value> =
        Rule::ALL.iter().map(|rule| (rule.id().to_owned(), as_("level", &rule.summary().replace('`', "")))).collect();
    json!({
        "description": "Rules that matter more or less than by default, or are off; as a mapping, or as sticky=error,misplaced=off.",
        "anyOf": [
            {"type": "object", "additionalProperties": false, "properties": rules},
            {"type": "string", "pattern": "^(\\s*[a-z-]+\\s*=\\s*(off|info|note|warning|error)\\s*(,|$)|\\s*,|\\s*$)*$"},
            {"type": "null"}
        ]
    })
}

fn timeout() -> Value {
    json!({
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": MAX_TIMEOUT_SECONDS},
            // 1 to 86400 as text, as a ConfigMap has it.
            {"type": "string", "pattern": "^0*([1-9][0-9]{0,3}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400)$"},
            {"type": "null"}
        ]
    })
}
