//! Values of an outline, read by serde.

use std::cell::Cell;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use unstick_yaml::{Content, Entry, NodeId, Outline, ScalarStyle, Span};

use super::PolicyReadError;
use crate::suggestion::suggest;

/// Reads the value at a node.
pub(super) fn read_value<'de, T: Deserialize<'de>>(outline: &'de Outline, node: NodeId) -> Result<T, PolicyReadError> {
    let fault = Cell::new(outline.node(node).span);
    let reader = ValueReader { outline, node, fault: &fault, depth: 0 };
    T::deserialize(reader).map_err(|ValueError { message, help }| PolicyReadError {
        message,
        help: help.into(),
        span: fault.get(),
    })
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
    help: &'static str,
}

impl std::fmt::Display for ValueError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValueError {}

impl serde::de::Error for ValueError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), help: "unstick schema prints all that a policy takes" }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match found {
            Unexpected::Map => "a mapping".into(),
            Unexpected::Seq => "a list".into(),
            Unexpected::Unit => "nothing".into(),
            Unexpected::Str(text) => format!("the text {}", cut(text)),
            other => other.to_string(),
        };
        Self::custom(format!("{expected} is expected here, not {found}"))
    }

    fn missing_field(field: &'static str) -> Self {
        Self { help: "add it", ..Self::custom(format!("the field {field} is missing here")) }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self { help: "take one of the two out", ..Self::custom(format!("{field} is here for the second time")) }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format!("there is no field {field}; {}", suggest(field, expected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format!("{variant} is not known here; {}", suggest(variant, expected)))
    }
}

/// Quotes the first line of a text.
fn cut(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, _)) => format!("{first:?} and more"),
        None => format!("{text:?}"),
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
        let Some(entry) = self.entries.next() else {
            // A field that is missing is missing in the mapping.
            self.reader.fault.set(self.reader.outline.node(self.reader.node).span);
            return Ok(None);
        };
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
