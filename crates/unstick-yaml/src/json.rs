//! The JSON reader: the same outlines, from what Go's `encoding/json` takes.
//!
//! kubectl reads a text whose first character is `{` as a stream of JSON values. Streams, raw DEL characters, lone
//! surrogates and keys of any length pass there, and no YAML parser takes all of them. A reader with spans is needed
//! that accepts exactly these texts.

use crate::{Content, Entry, Node, NodeId, Outline, ReadError, ReadErrorKind, ScalarStyle, Span, Syntax, leading_boms};

mod token;

use token::{Token, Tokens};

/// How deep Go's decoder lets values nest.
const NESTING_LIMIT: usize = 10_000;

/// Tells whether kubectl would read the text as JSON: its first character behind U+FEFF and white space is `{`.
#[must_use]
pub fn is_json(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        let boms = leading_boms(rest);
        let blanks = rest[boms..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest = &rest[boms + blanks..];
        if boms + blanks == 0 {
            return rest.first() == Some(&b'{');
        }
    }
}

/// Reads a stream of JSON values; each becomes a document of its own.
///
/// Spans are offsets into `text`. Invalid UTF-8 inside strings, and lone surrogates, are read as U+FFFD; the text keeps
/// them. The spans of the documents together are the window.
///
/// # Errors
///
/// [`ReadError`] at the first byte that Go's `encoding/json` would not take; of kind [`ReadErrorKind::JsonComment`] for
/// `//` and `/*`.
pub fn read_json(text: &[u8], window: Span) -> Result<Vec<Outline>, ReadError> {
    let mut tokens = Tokens::new(text, window);
    let mut documents: Vec<Outline> = Vec::new();
    let mut start = window.start;
    while let Some(first) = tokens.first_of_document()? {
        if let Some(before) = documents.last_mut() {
            before.span.end = first;
            start = first;
        }
        let nodes = Reader { tokens: &mut tokens, nodes: Vec::new(), frames: Vec::new() }.read()?;
        let root = (!nodes.is_empty()).then_some(NodeId(0));
        let span = Span::new(start, window.end);
        documents.push(Outline { syntax: Syntax::Json, span, nodes, root, comments: Vec::new() });
    }
    Ok(documents)
}

/// An object or array that is still open.
struct Frame {
    node: NodeId,
    object: bool,
    key: Option<NodeId>,
    colon: Option<usize>,
    entries: Vec<Entry>,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    /// A value, or the end of an empty array.
    ValueOrEnd,
    Key,
    /// A key, or the end of an empty object.
    KeyOrEnd,
    CommaOrEnd,
}

struct Reader<'t, 'a> {
    tokens: &'t mut Tokens<'a>,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
}

impl Reader<'_, '_> {
    /// Reads one value with everything in it.
    fn read(mut self) -> Result<Vec<Node>, ReadError> {
        let mut expected = Expected::Value;
        loop {
            let (token, span) = self.tokens.next()?;
            expected = match (token, expected) {
                (Token::OpenObject, Expected::Value | Expected::ValueOrEnd) => self.open(true, span)?,
                (Token::OpenArray, Expected::Value | Expected::ValueOrEnd) => self.open(false, span)?,
                (Token::String(value), Expected::Value | Expected::ValueOrEnd) => {
                    self.add_scalar(value, ScalarStyle::DoubleQuoted, span)
                }
                (Token::Word, Expected::Value | Expected::ValueOrEnd) => {
                    let value = String::from_utf8_lossy(span.slice(self.tokens.text())).into_owned();
                    self.add_scalar(value.into_boxed_str(), ScalarStyle::Plain, span)
                }
                (Token::String(value), Expected::Key | Expected::KeyOrEnd) => self.add_key(value, span)?,
                (Token::CloseObject, Expected::KeyOrEnd | Expected::CommaOrEnd) if self.is_in_object() => {
                    self.close(span)
                }
                (Token::CloseArray, Expected::ValueOrEnd | Expected::CommaOrEnd) if !self.is_in_object() => {
                    self.close(span)
                }
                (Token::Comma, Expected::CommaOrEnd) if self.is_in_object() => Expected::Key,
                (Token::Comma, Expected::CommaOrEnd) => Expected::Value,
                _ => return Err(unexpected(expected, span)),
            };
            if self.frames.is_empty() {
                return Ok(self.nodes);
            }
        }
    }

    fn is_in_object(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.object)
    }

    fn add(&mut self, content: Content, span: Span) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let parent = self.frames.last().map(|frame| frame.node);
        self.nodes.push(Node { content, span, anchor: None, tag: None, parent });
        id
    }

    fn open(&mut self, object: bool, span: Span) -> Result<Expected, ReadError> {
        if self.frames.len() >= NESTING_LIMIT {
            let message = format!("values nest deeper than {NESTING_LIMIT} levels");
            return Err(ReadError { message, span, kind: ReadErrorKind::Depth });
        }
        let content = if object {
            Content::Mapping { entries: Vec::new(), flow: true }
        } else {
            Content::Sequence { entries: Vec::new(), flow: true }
        };
        let node = self.add(content, span);
        self.frames.push(Frame { node, object, key: None, colon: None, entries: Vec::new() });
        Ok(if object { Expected::KeyOrEnd } else { Expected::ValueOrEnd })
    }

    fn add_scalar(&mut self, value: Box<str>, style: ScalarStyle, span: Span) -> Expected {
        let node = self.add(Content::Scalar { value, style }, span);
        self.complete(node, span);
        Expected::CommaOrEnd
    }

    fn add_key(&mut self, value: Box<str>, span: Span) -> Result<Expected, ReadError> {
        let key = self.add(Content::Scalar { value, style: ScalarStyle::DoubleQuoted }, span);
        let (token, colon) = self.tokens.next()?;
        if !matches!(token, Token::Colon) {
            let message = "a colon is expected behind the key".to_owned();
            return Err(ReadError { message, span: colon, kind: ReadErrorKind::Syntax });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.key = Some(key);
            frame.colon = Some(colon.start);
        }
        Ok(Expected::Value)
    }

    fn close(&mut self, end: Span) -> Expected {
        if let Some(frame) = self.frames.pop()
            && let Some(node) = self.nodes.get_mut(frame.node.0 as usize)
        {
            node.span.end = end.end;
            let span = node.span;
            match &mut node.content {
                Content::Mapping { entries, .. } | Content::Sequence { entries, .. } => *entries = frame.entries,
                _ => {}
            }
            self.complete(frame.node, span);
        }
        Expected::CommaOrEnd
    }

    /// Puts a whole value into the object or array that holds it.
    fn complete(&mut self, value: NodeId, span: Span) {
        let Some(frame) = self.frames.last_mut() else { return };
        let key = frame.key.take();
        let start = key.and_then(|key| self.nodes.get(key.0 as usize)).map_or(span.start, |key| key.span.start);
        frame.entries.push(Entry { key, value, start, colon: frame.colon.take(), end: span.end });
    }
}

fn unexpected(expected: Expected, span: Span) -> ReadError {
    let message = match expected {
        Expected::Value | Expected::ValueOrEnd => "a value is expected here",
        Expected::Key => "a key in double quotes is expected here",
        Expected::KeyOrEnd => "a key in double quotes, or }, is expected here",
        Expected::CommaOrEnd => "a comma, or the end of the object or array, is expected here",
    };
    ReadError { message: message.into(), span, kind: ReadErrorKind::Syntax }
}
