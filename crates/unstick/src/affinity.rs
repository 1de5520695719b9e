//! The two fields, and what their values mean to Kubernetes.

use unstick_yaml::{Content, NodeId, Outline, ScalarStyle};

/// Name of the field that makes a Service sticky.
pub(crate) const KEY: &str = "sessionAffinity";
/// Name of the field that holds its timeout.
pub(crate) const CONFIG: &str = "sessionAffinityConfig";
/// Both names.
pub(crate) const NAMES: &[&str] = &[KEY, CONFIG];
/// The value that switches stickiness off.
pub(crate) const NONE: &str = "None";
/// The value that switches it on.
pub(crate) const CLIENT_IP: &str = "ClientIP";

/// What a `sessionAffinity` value means (`pkg/apis/core/v1/defaults.go` and validation of kubernetes/kubernetes).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// Null or `""`: the API server writes `None`.
    Unset,
    /// `None`.
    None,
    /// Any other string; `ClientIP` is the only one that the API server takes.
    Sticky(String),
    /// No string: rejected by the API server.
    Unknown,
}

impl State {
    /// Reads the value at `id`, following an alias.
    pub(crate) fn read(outline: &Outline, id: NodeId) -> Self {
        let Some(id) = outline.resolve(id) else { return Self::Unknown };
        if outline.is_null(id) {
            return Self::Unset;
        }
        let node = outline.node(id);
        let Content::Scalar { value, style } = &node.content else { return Self::Unknown };
        match node.tag.as_ref().map(|tag| &*tag.name) {
            Some("tag:yaml.org,2002:str" | "!") => {}
            Some(_) => return Self::Unknown,
            None if *style == ScalarStyle::Plain && is_typed(value) => return Self::Unknown,
            None => {}
        }
        match &**value {
            "" => Self::Unset,
            NONE => Self::None,
            other => Self::Sticky(other.to_owned()),
        }
    }

    pub(crate) fn is_sticky(&self) -> bool {
        matches!(self, Self::Sticky(_))
    }
}

/// Returns the OpenShift parameter's name in a value such as `${AFFINITY}` or `${{AFFINITY}}`.
pub(crate) fn template_parameter(value: &str) -> Option<&str> {
    let inner = value.strip_prefix("${")?.strip_suffix('}')?;
    let inner = inner.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(inner);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (!inner.is_empty() && inner.bytes().all(is_name)).then_some(inner)
}

/// Tells whether Kubernetes' YAML library reads an unquoted scalar as a boolean, a number or a date (YAML 1.1).
pub(crate) fn is_typed(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "true", "True", "TRUE", "false", "False", "FALSE",
        "on", "On", "ON", "off", "Off", "OFF", ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf",
        "+.INF", "-.inf", "-.Inf", "-.INF",
    ];
    WORDS.contains(&value) || is_number(value)
}

fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix(['+', '-']).unwrap_or(value);
    let clean: String = digits.chars().filter(|c| *c != '_').collect();
    let radix = |prefixes: [&str; 2], radix: u32| {
        prefixes
            .iter()
            .find_map(|prefix| clean.strip_prefix(prefix))
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_digit(radix)))
    };
    radix(["0x", "0X"], 16) || radix(["0o", "0O"], 8) || radix(["0b", "0B"], 2) || is_decimal(&clean)
}

fn is_decimal(value: &str) -> bool {
    let starts = value.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    starts && value.bytes().any(|byte| byte.is_ascii_digit()) && value.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_strings_from_typed_words() {
        for typed in ["yes", "off", "5", "-1", "0x1F", "1e3", "1_000", ".5", "+.inf", "0o17", "0b1"] {
            assert!(is_typed(typed), "{typed}");
        }
        for string in ["ClientIP", "None", "none", "nope", "e3", ".", "1.2.3", "0x", "infinity", "nan", "1s"] {
            assert!(!is_typed(string), "{string}");
        }
    }

    #[test]
    fn names_template_parameters() {
        assert_eq!(template_parameter("${AFFINITY}"), Some("AFFINITY"));
        assert_eq!(template_parameter("${{AFFINITY}}"), Some("AFFINITY"));
        assert_eq!(template_parameter("${}"), None);
        assert_eq!(template_parameter("x${A}"), None);
    }
}
