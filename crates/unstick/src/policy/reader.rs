//! Policies read from YAML or JSON text, with the place of every fault.

use serde::{Deserialize, Deserializer};
use unstick_yaml::{NodeId, Outline, Span, is_json, read_json, read_yaml};

use super::Policy;
use super::fault::Step;
use super::value::read_value;

/// A policy that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PolicyReadError {
    /// What is wrong, without position.
    pub message: String,
    /// The way out.
    pub help: String,
    /// Where, in the policy's own text.
    pub span: Span,
}

/// The document around a policy, as in a file or a KRM `functionConfig` of our kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
// Read so that they must be there; what they say was checked before.
#[allow(dead_code)]
struct Document {
    #[serde(rename = "apiVersion")]
    api_version: String,
    kind: String,
    #[serde(default)]
    metadata: Ignored,
    #[serde(default)]
    spec: Policy,
}

#[derive(Debug, Default)]
struct Ignored;

impl<'de> Deserialize<'de> for Ignored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// Our API group and version.
const API_VERSION: &str = "unstick.dev/v1";
/// Our kind.
const KIND: &str = "SessionAffinityPolicy";
/// The way to a text that is a policy.
const HEAD: &str =
    "begin with apiVersion: unstick.dev/v1 and kind: SessionAffinityPolicy, and put the settings under spec";

impl Policy {
    /// Reads a policy document, YAML or JSON: `apiVersion: unstick.dev/v1`, `kind: SessionAffinityPolicy`, `spec`.
    ///
    /// ```
    /// use unstick::{Action, Policy};
    /// let text = b"apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {action: none}\n";
    /// assert_eq!(Policy::read(text)?.action, Action::None);
    /// assert!(Policy::read(b"apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {acton: none}\n").is_err());
    /// # Ok::<(), unstick::PolicyReadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PolicyReadError`] for a text that is no single document, an unknown field or value, or settings that make no
    /// sense.
    pub fn read(text: &[u8]) -> Result<Self, PolicyReadError> {
        read_document(text, Self::read_node)
    }

    /// Reads a policy's settings alone, YAML or JSON: what stands under `spec` in a policy document.
    ///
    /// ```
    /// use unstick::{Action, Policy};
    /// assert_eq!(Policy::read_spec(br#"{"action": "none"}"#)?.action, Action::None);
    /// # Ok::<(), unstick::PolicyReadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PolicyReadError`], as for [`Policy::read`].
    pub fn read_spec(text: &[u8]) -> Result<Self, PolicyReadError> {
        read_document(text, Self::read_settings)
    }

    /// Reads the policy document at a node.
    pub(crate) fn read_node(outline: &Outline, root: NodeId) -> Result<Self, PolicyReadError> {
        check_head(outline, root)?;
        let document: Document = read_value(outline, root)?;
        let spec = outline.entry(root, "spec").map_or(root, |entry| entry.value);
        document.spec.sensible(outline, spec)
    }

    /// Reads settings from a mapping of strings, as a ConfigMap's `data` holds them; lists are divided by commas.
    pub(crate) fn read_settings(outline: &Outline, data: NodeId) -> Result<Self, PolicyReadError> {
        read_value::<Self>(outline, data)?.sensible(outline, data)
    }

    /// Returns the policy that was read at a node, if its settings make sense.
    fn sensible(self, outline: &Outline, root: NodeId) -> Result<Self, PolicyReadError> {
        let Some((error, steps)) = self.fault() else { return Ok(self) };
        let mut place = root;
        for step in steps {
            // What an alias or a text with commas holds has no place of its own.
            let next = match step {
                Step::Key(key) => outline.entry(place, key).map(|entry| entry.value),
                Step::Item(index) => outline.items(place).get(index).map(|item| item.value),
            };
            let Some(next) = next else { break };
            place = next;
        }
        Err(PolicyReadError { message: error.to_string(), help: error.help().into(), span: outline.node(place).span })
    }
}

/// Checks that a document is a policy at all, before its fields are looked at.
fn check_head(outline: &Outline, root: NodeId) -> Result<(), PolicyReadError> {
    let entries = [("apiVersion", API_VERSION), ("kind", KIND)];
    let found = entries.map(|(key, _)| outline.entry(root, key));
    for ((key, wanted), entry) in entries.into_iter().zip(found).rev() {
        let Some(entry) = entry else { continue };
        if let Some(other) = outline.scalar(entry.value).filter(|text| *text != wanted) {
            let message = format!("the {key} of a policy is {wanted}, and this is {other:?}");
            return Err(PolicyReadError { message, help: HEAD.into(), span: entry.span() });
        }
    }
    if found.iter().all(Option::is_none) && !outline.entries(root).is_empty() {
        let message = "this names neither apiVersion nor kind, so it is no policy".into();
        return Err(PolicyReadError { message, help: HEAD.into(), span: outline.node(root).span });
    }
    Ok(())
}

/// Reads a text of one document.
fn read_document(
    text: &[u8],
    read_root: impl Fn(&Outline, NodeId) -> Result<Policy, PolicyReadError>,
) -> Result<Policy, PolicyReadError> {
    let window = Span::new(0, text.len());
    let json = is_json(text);
    let read = if json { read_json(text, window) } else { read_yaml(text, window).into_iter().collect() };
    let outlines = read.map_err(|error| {
        let language = if json { "JSON" } else { "YAML" };
        let message = format!("this cannot be read as {language}: {}", error.message);
        PolicyReadError { message, help: "mend this line or the one above it".into(), span: error.span }
    })?;
    let mut held = outlines.iter().filter_map(|outline| outline.root.map(|root| (outline, root)));
    let Some((outline, root)) = held.next() else {
        return Err(PolicyReadError {
            message: "there is no policy in this text".into(),
            help: HEAD.into(),
            span: window,
        });
    };
    if let Some((outline, root)) = held.next() {
        let (message, help) =
            ("a second document begins here, and a policy is one".into(), "put each into a file of its own".into());
        return Err(PolicyReadError { message, help, span: outline.node(root).span });
    }
    read_root(outline, root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Embedded};

    const HEAD: &str = "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\n";

    fn fault(spec: &str) -> (String, String) {
        let text = format!("{HEAD}{spec}");
        let error = Policy::read(text.as_bytes()).expect_err(spec);
        (error.message, text[error.span.start..error.span.end].to_owned())
    }

    #[test]
    fn reads_every_setting() {
        let text = format!(
            "{HEAD}metadata: {{name: x}}\nspec:\n  action: clientIP\n  timeoutSeconds: 600\n  includeNone: true\n  \
             embedded: edit\n  rules:\n  - match: {{names: [\"a-*\"], types: [LoadBalancer]}}\n    action: keep\n    \
             reason: dashboards\n"
        );
        let policy = Policy::read(text.as_bytes()).unwrap();
        assert_eq!((policy.action, policy.timeout_seconds), (Action::ClientIp, Some(600)));
        assert!(policy.include_none && policy.embedded == Embedded::Edit);
        assert_eq!(policy.rules[0].matches.names, ["a-*"]);
        assert_eq!(policy.rules[0].reason.as_deref(), Some("dashboards"));
    }

    #[test]
    fn names_the_fault_and_its_place() {
        assert_eq!(
            fault("spec: {acton: none}"),
            ("there is no field acton; did you mean action?".into(), "acton".into())
        );
        let (message, place) = fault("spec: {action: delete}");
        assert!(message.starts_with("delete is not known here; known are remove"), "{message}");
        assert_eq!(place, "delete");
        assert_eq!(fault("spec: {includeNone: ja}").1, "ja");
        assert_eq!(fault("spec: {timeoutSeconds: 600}").0, "a timeout only makes sense with the action clientIP");
        assert_eq!(fault("---\nspec: {}\n").0, "a second document begins here, and a policy is one");
    }

    #[test]
    fn reads_label_selectors_as_text_and_as_mappings() {
        let spec =
            "spec: {rules: [{match: {labels: 'a=b,!c'}, action: keep}, {match: {labels: {app: x}}, action: none}]}";
        let policy = Policy::read(format!("{HEAD}{spec}").as_bytes()).unwrap();
        assert_eq!(policy.rules[0].matches.labels.to_string(), "a=b,!c");
        assert_eq!(policy.rules[1].matches.labels.to_string(), "app=x");
        let (message, place) = fault("spec: {rules: [{match: {labels: 'a in'}, action: keep}]}");
        assert_eq!(
            (message.as_str(), place.as_str()),
            ("values in parentheses are expected (at character 5 of the selector)", "'a in'")
        );
    }

    #[test]
    fn reads_settings_from_strings() {
        let text =
            b"{\"action\": \"clientIP\", \"timeoutSeconds\": \"600\", \"only\": \"a-*, b\", \"includeNone\": \"true\"}";
        let outline = read_json(text, Span::new(0, text.len())).unwrap().remove(0);
        let policy = Policy::read_settings(&outline, NodeId(0)).unwrap();
        assert_eq!(policy.only, ["a-*", "b"]);
        assert_eq!(policy.timeout_seconds, Some(600));
    }
}
