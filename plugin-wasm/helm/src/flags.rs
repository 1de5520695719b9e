//! `--post-renderer-args`: the command's options as far as they make sense without files.

use serde_json::{Map, Value};
use unstick::Policy;

/// What the arguments ask for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Flags {
    pub policy: Policy,
    /// A refused Service is no failure.
    pub lenient: bool,
}

/// Options with a value, and the policy's setting that each one is.
const SETTINGS: &[(&str, &str)] = &[
    ("--action", "action"),
    ("--timeout", "timeoutSeconds"),
    ("--only", "only"),
    ("--except", "except"),
    ("--embedded", "embedded"),
    ("--comments", "comments"),
    ("--knobs", "knobs"),
];

impl Flags {
    /// Reads the arguments, `--name value` or `--name=value`.
    pub(crate) fn read(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Map::new();
        let mut lenient = false;
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            match name {
                "--lenient" => lenient = true,
                "--include-none" => drop(settings.insert("includeNone".into(), Value::Bool(true))),
                _ => {
                    let (_, setting) =
                        SETTINGS.iter().find(|(known, _)| *known == name).ok_or_else(|| unknown(name))?;
                    let value = inline.or_else(|| words.next().cloned());
                    let value = value.ok_or_else(|| format!("{name} needs a value"))?;
                    add(&mut settings, setting, value)?;
                }
            }
        }
        let policy: Policy = serde_json::from_value(Value::Object(settings)).map_err(|error| error.to_string())?;
        policy.check().map_err(|error| error.to_string())?;
        Ok(Self { policy, lenient })
    }
}

fn add(settings: &mut Map<String, Value>, setting: &str, value: String) -> Result<(), String> {
    let value = match setting {
        "timeoutSeconds" => {
            let seconds: u32 = value.parse().map_err(|_| format!("--timeout needs a whole number, not {value}"))?;
            Value::from(seconds)
        }
        "only" | "except" => {
            let mut globs = settings.remove(setting).and_then(|known| known.as_array().cloned()).unwrap_or_default();
            globs.push(value.into());
            Value::Array(globs)
        }
        _ => value.into(),
    };
    settings.insert(setting.into(), value);
    Ok(())
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = SETTINGS.iter().map(|(known, _)| *known).collect();
    format!(
        "{name} is not known to the WASM plugin, which reads no files; known are {}, --include-none and --lenient",
        known.join(", ")
    )
}
