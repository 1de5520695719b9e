//! Policies read from YAML or JSON text, with the place of every fault.

use std::cell::Cell;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use unstick_yaml::{Content, Entry, NodeId, Outline, ScalarStyle, Span, is_json, read_json, read_yaml};

use super::Policy;
use super::fault::Step;
use crate::suggestion::suggest;

/// A policy that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PolicyReadError {
    /// What is wrong, without position.
    pub message: String,
    /// Where, in the policy's own text.
    pub span: Span,
}

/// The document around a policy, as in a file or a KRM `functionConfig` of our kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "apiVersion")]
    api_version: String,
    kind: String,
    #[serde(default)]
    #[allow(dead_code)]
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
        let document: Document = read_value(outline, root)?;
        let wrong = |key, message: &str| {
            let span = outline.entry(root, key).map_or(outline.node(root).span, Entry::span);
            PolicyReadError { message: message.into(), span }
        };
        if document.api_version != API_VERSION {
            return Err(wrong("apiVersion", "the apiVersion of a policy is unstick.dev/v1"));
        }
        if document.kind != KIND {
            return Err(wrong("kind", "the kind of a policy is SessionAffinityPolicy"));
        }
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
        Err(PolicyReadError { message: error.to_string(), span: outline.node(place).span })
    }
}

/// Reads a text of one document.
fn read_document(
    text: &[u8],
    read_root: impl Fn(&Outline, NodeId) -> Result<Policy, PolicyReadError>,
) -> Result<Policy, PolicyReadError> {
    let window = Span::new(0, text.len());
    let read = if is_json(text) { read_json(text, window) } else { read_yaml(text, window).into_iter().collect() };
    let outlines = read.map_err(|error| PolicyReadError { message: error.message, span: error.span })?;
    let mut held = outlines.iter().filter_map(|outline| outline.root.map(|root| (outline, root)));
    match (held.next(), held.next()) {
        (Some((outline, root)), None) => read_root(outline, root),
        _ => Err(PolicyReadError { message: "exactly one policy document is expected".into(), span: window }),
    }
}

fn read_value<'de, T: Deserialize<'de>>(outline: &'de Outline, node: NodeId) -> Result<T, PolicyReadError> {
    let fault = Cell::new(outline.node(node).span);
    let reader = ValueReader { outline, node, fault: &fault, depth: 0 };
    T::deserialize(reader).map_err(|error| PolicyReadError { message: error.message, span: fault.get() })
}

/// How deep a policy may nest.
const MAX_DEPTH: usize = 32;

/// A node that serde reads; scalars turn into what is asked for, so that `"600"` is a number where one is expected.
#[derive(Clone, Copy)]
struct ValueReader<'de, 'f> {
    outline: &'de Outline,
    node: NodeId,
    /// The span of the node that was read last: where an error happens.
    fault: &'f Cell<Span>,
    depth: usize,
}

#[derive(Debug)]
struct ValueError {
    message: String,
}

impl std::fmt::Display for ValueError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValueError {}

impl serde::de::Error for ValueError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self { message: message.to_string() }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self { message: format!("there is no field {field}; {}", suggest(field, expected)) }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self { message: format!("{variant} is not known here; {}", suggest(variant, expected)) }
    }
}

impl<'de, 'f> ValueReader<'de, 'f> {
    fn at(self, node: NodeId) -> Self {
        Self { node, depth: self.depth + 1, ..self }
    }

    fn resolve(self) -> Result<NodeId, ValueError> {
        self.fault.set(self.outline.node(self.node).span);
        if self.depth > MAX_DEPTH {
            return Err(ValueError::custom("this is nested too deep for a policy"));
        }
        self.outline.resolve(self.node).ok_or_else(|| ValueError::custom("this alias has no anchor"))
    }

    fn text(self, expected: &str) -> Result<&'de str, ValueError> {
        let node = self.resolve()?;
        let text = self.outline.scalar(node).filter(|_| !self.outline.is_null(node));
        text.ok_or_else(|| ValueError::custom(format!("{expected} is expected here")))
    }
}

impl<'de> Deserializer<'de> for ValueReader<'de, '_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let node = self.resolve()?;
        if self.outline.is_null(node) {
            return visitor.visit_unit();
        }
        match &self.outline.node(node).content {
            Content::Mapping { entries, .. } => {
                visitor.visit_map(Fields { reader: self, entries: entries.iter(), value: None })
            }
            Content::Sequence { entries, .. } => visitor.visit_seq(Items { reader: self, entries: entries.iter() }),
            Content::Scalar { value, style: ScalarStyle::Plain } => match &**value {
                "true" => visitor.visit_bool(true),
                "false" => visitor.visit_bool(false),
                text => match (text.parse::<i64>(), text.parse::<f64>()) {
                    (Ok(number), _) => visitor.visit_i64(number),
                    // Rust takes nan and infinity for numbers, YAML does not.
                    (_, Ok(number)) if number.is_finite() => visitor.visit_f64(number),
                    _ => visitor.visit_borrowed_str(text),
                },
            },
            Content::Scalar { value, .. } => visitor.visit_borrowed_str(value),
            Content::Alias { .. } => Err(ValueError::custom("this alias has no anchor")),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self.text("true or false")? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            other => Err(ValueError::custom(format!("true or false is expected here, not {other}"))),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let text = self.text("a whole number")?;
        let number = text.parse();
        visitor
            .visit_u32(number.map_err(|_| ValueError::custom(format!("a whole number is expected here, not {text}")))?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_borrowed_str(self.text("a text")?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let node = self.resolve()?;
        if self.outline.is_null(node) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let node = self.resolve()?;
        match &self.outline.node(node).content {
            Content::Sequence { entries, .. } => visitor.visit_seq(Items { reader: self, entries: entries.iter() }),
            Content::Scalar { value, .. } if self.outline.is_null(node) || value.is_empty() => {
                visitor.visit_seq(Words { words: "".split(',') })
            }
            Content::Scalar { value, .. } => visitor.visit_seq(Words { words: value.split(',') }),
            _ => Err(ValueError::custom("a list is expected here")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        let node = self.resolve()?;
        match &self.outline.node(node).content {
            Content::Mapping { entries, .. } => {
                visitor.visit_map(Fields { reader: self, entries: entries.iter(), value: None })
            }
            _ if self.outline.is_null(node) => {
                visitor.visit_map(Fields { reader: self, entries: [].iter(), value: None })
            }
            _ => Err(ValueError::custom("a mapping is expected here")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_enum(Word { word: self.text("one word")? })
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u64 f32 f64 char bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct map
        identifier ignored_any
    }
}

struct Fields<'de, 'f> {
    reader: ValueReader<'de, 'f>,
    entries: std::slice::Iter<'de, Entry>,
    value: Option<NodeId>,
}

impl<'de> MapAccess<'de> for Fields<'de, '_> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ValueError> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(entry.value);
        let key = entry.key.ok_or_else(|| ValueError::custom("a key is expected here"))?;
        let reader = self.reader.at(key);
        let name = reader.text("a key")?;
        seed.deserialize(serde::de::value::BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ValueError> {
        let value = self.value.take().ok_or_else(|| ValueError::custom("a value is expected here"))?;
        seed.deserialize(self.reader.at(value))
    }
}

struct Items<'de, 'f> {
    reader: ValueReader<'de, 'f>,
    entries: std::slice::Iter<'de, Entry>,
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ValueError> {
        self.entries.next().map(|entry| seed.deserialize(self.reader.at(entry.value))).transpose()
    }
}

/// A list written as one text with commas, as a ConfigMap or a flag has it.
struct Words<'de> {
    words: std::str::Split<'de, char>,
}

impl<'de> SeqAccess<'de> for Words<'de> {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ValueError> {
        let word = self.words.by_ref().map(str::trim).find(|word| !word.is_empty());
        let deserializer = word.map(serde::de::value::BorrowedStrDeserializer::new);
        deserializer.map(|deserializer| seed.deserialize(deserializer)).transpose()
    }
}

struct Word<'de> {
    word: &'de str,
}

impl<'de> EnumAccess<'de> for Word<'de> {
    type Error = ValueError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ValueError> {
        let name = seed.deserialize(serde::de::value::BorrowedStrDeserializer::new(self.word))?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'de> {
    type Error = ValueError;

    fn unit_variant(self) -> Result<(), ValueError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, ValueError> {
        Err(ValueError::custom("one word is expected here"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom("one word is expected here"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom("one word is expected here"))
    }
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
        assert_eq!(fault("---\nspec: {}\n").0, "exactly one policy document is expected");
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
