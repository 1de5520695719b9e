//! Values sets for a chart, made from its own values and templates.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

use crate::bench;

/// Keys that lead to a value.
pub(crate) type Keys = Vec<String>;

/// A value to set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub keys: Keys,
    pub value: Value,
}

/// What the affinity of every Service is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Affinity {
    Untouched,
    Sticky,
    StickyWithConfig,
    None,
    NoneWithConfig,
    EmptyWithConfig,
}

/// The values in a file, where there is one that can be read.
pub(crate) fn values(path: &Path) -> Value {
    if !path.is_file() {
        return json!({});
    }
    let documents = YamlLoader::load_from_str(&bench::read(path));
    documents.ok().and_then(|documents| documents.first().map(from_yaml)).unwrap_or_else(|| json!({}))
}

pub(crate) fn from_yaml(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Integer(number) => json!(number),
        Yaml::Real(text) => text.parse::<f64>().map_or(Value::Null, |number| json!(number)),
        Yaml::String(text) => json!(text),
        Yaml::Boolean(flag) => json!(flag),
        Yaml::Array(items) => Value::Array(items.iter().map(from_yaml).collect()),
        Yaml::Hash(members) => {
            let member = |(key, value): (&Yaml, &Yaml)| Some((key.as_str()?.to_owned(), from_yaml(value)));
            Value::Object(members.iter().filter_map(member).collect())
        }
        _ => Value::Null,
    }
}

/// Returns the values keys that hold an affinity or a config, as values files and the templates name them.
pub(crate) fn affinity_keys(chart: &Path, base: Option<&Path>) -> Vec<Keys> {
    let mut found = Vec::new();
    for file in base.into_iter().chain([&*chart.join("values.yaml")]) {
        collect(&values(file), &mut Vec::new(), &mut found);
    }
    for (_, text) in templates(chart) {
        for (at, _) in text.match_indices(".Values.") {
            let keys = path(&text[at + ".Values.".len()..]);
            if keys.last().is_some_and(|key| is_affinity(key) || is_config(key)) {
                found.push(keys);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn collect(value: &Value, keys: &mut Keys, found: &mut Vec<Keys>) {
    let Value::Object(members) = value else { return };
    for (key, value) in members {
        keys.push(key.clone());
        if is_affinity(key) || is_config(key) {
            found.push(keys.clone());
        } else {
            collect(value, keys, found);
        }
        keys.pop();
    }
}

fn is_affinity(key: &str) -> bool {
    // One chart's guard is misspelt; it is a guard all the same.
    key.to_lowercase().ends_with("essionaffinity")
}

fn is_config(key: &str) -> bool {
    key.to_lowercase().ends_with("essionaffinityconfig")
}

impl Affinity {
    /// Returns what this means for a chart with these keys.
    pub(crate) fn settings(self, keys: &[Keys]) -> Vec<Setting> {
        let word = match self {
            Self::Untouched => return Vec::new(),
            Self::Sticky | Self::StickyWithConfig => "ClientIP",
            Self::None | Self::NoneWithConfig => "None",
            Self::EmptyWithConfig => "",
        };
        let with_config = !matches!(self, Self::Sticky | Self::None);
        let mut settings = Vec::new();
        for keys in keys {
            if keys.last().is_some_and(|key| is_affinity(key)) {
                settings.push(Setting { keys: keys.clone(), value: json!(word) });
            } else if with_config {
                let config = json!({"clientIP": {"timeoutSeconds": 600}});
                settings.push(Setting { keys: keys.clone(), value: config });
            }
        }
        settings
    }
}

/// Makes a values file's content; what is no mapping on the way is replaced.
pub(crate) fn tree<'a>(settings: impl IntoIterator<Item = &'a Setting>) -> Value {
    let mut root = json!({});
    for setting in settings {
        let mut at = &mut root;
        for key in &setting.keys {
            if !at.is_object() {
                *at = json!({});
            }
            at = &mut at[key.as_str()];
        }
        *at = setting.value.clone();
    }
    root
}

/// Returns the settings that turn a chart's guards the other way, for the templates that `wanted` picks.
pub(crate) fn flips(chart: &Path, wanted: impl Fn(&str) -> bool) -> Vec<Setting> {
    let defaults = values(&chart.join("values.yaml"));
    let mut found: BTreeMap<Keys, Value> = BTreeMap::new();
    for (prefix, text) in templates(chart) {
        if !wanted(&text) {
            continue;
        }
        for action in actions(&text) {
            let is_guard =
                ["if ", "else if ", "with ", "else with ", "range "].iter().any(|word| action.starts_with(word));
            if !is_guard {
                continue;
            }
            for (at, _) in action.match_indices(".Values.") {
                let mut keys = prefix.clone();
                keys.extend(path(&action[at + ".Values.".len()..]));
                if keys.last().is_some_and(|key| is_affinity(key) || is_config(key)) {
                    continue;
                }
                let value = compared(action, at).unwrap_or_else(|| flipped(lookup(&defaults, &keys), &keys, &text));
                found.entry(keys).or_insert(value);
            }
        }
    }
    found.into_iter().map(|(keys, value)| Setting { keys, value }).collect()
}

/// Returns the string that `eq .Values.a "b"` compares with.
fn compared(action: &str, at: usize) -> Option<Value> {
    let head = action[..at].trim_end_matches('$').trim_end();
    if !head.ends_with("eq") && !head.ends_with("ne") {
        return None;
    }
    let mut words = action[at..].split_whitespace();
    words.next()?;
    let word = words.next()?.trim_end_matches(')');
    let word = word.strip_prefix('"')?.strip_suffix('"')?;
    Some(json!(word))
}

fn lookup<'a>(values: &'a Value, keys: &Keys) -> Option<&'a Value> {
    keys.iter().try_fold(values, |at, key| at.get(key.as_str()))
}

/// Makes a value of the other truth; its shape is guessed from the default, else from the name and the use.
fn flipped(default: Option<&Value>, keys: &Keys, text: &str) -> Value {
    let name = keys.last().map(|key| key.to_lowercase()).unwrap_or_default();
    let used = format!(".Values.{}", keys.join("."));
    match default {
        Some(Value::Bool(flag)) => json!(!flag),
        Some(Value::Number(number)) if number.as_f64() != Some(0.0) => json!(0),
        Some(Value::String(word)) if !word.is_empty() => json!(""),
        Some(Value::Array(items)) if !items.is_empty() => json!([]),
        Some(Value::Array(_)) => json!(["10.0.0.0/8"]),
        Some(Value::Object(_)) => json!({"unstick.dev/x": "y"}),
        _ if name.ends_with("port") => json!(30080),
        _ if name.ends_with("ip") => json!("10.1.2.3"),
        _ if name.ends_with("ips") || name.ends_with("ranges") || text.contains(&format!("range {used}")) => {
            json!(["10.1.2.3"])
        }
        _ if name.ends_with("labels") || name.ends_with("annotations") => json!({"unstick.dev/x": "y"}),
        _ if text.contains(&format!("toYaml {used}")) => json!({"unstick.dev/x": "y"}),
        _ if name.ends_with("policy") => json!("Local"),
        _ if name.contains("enable") || name.contains("create") => json!(true),
        _ => json!("x"),
    }
}

/// Lists the templates of a chart and of its unpacked sub-charts, with the key under which their values stand.
fn templates(chart: &Path) -> Vec<(Keys, String)> {
    let mut found = Vec::new();
    for file in bench::files(chart) {
        let Ok(inside) = file.strip_prefix(chart) else { continue };
        let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let Some(at) = parts.iter().position(|part| part == "templates") else { continue };
        // A library reads the values of the chart that includes it.
        let prefix = parts[..at].iter().filter(|part| *part != "charts" && *part != "common").cloned().collect();
        found.push((prefix, bench::read(&file)));
    }
    found
}

/// Returns what stands between the braces of each action; good enough to find guards.
fn actions(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{")
        .skip(1)
        .filter_map(|rest| rest.split_once("}}"))
        .map(|(action, _)| action.trim_start_matches('-').trim_end_matches('-').trim())
}

/// Reads `a.b.c` at the start of a text.
fn path(text: &str) -> Keys {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(text.len());
    text[..end].split('.').filter(|key| !key.is_empty()).map(str::to_owned).collect()
}
