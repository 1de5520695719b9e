//! The JSON reader: the same outlines, from what Go's `encoding/json` takes.
//!
//! kubectl reads a text whose first character is `{` as a stream of JSON values. Streams, raw DEL characters, lone
//! surrogates and keys of any length pass there, and no YAML parser takes all of them. A reader with spans is needed
//! that accepts exactly these texts.
//!
//! Why our own: each of these crates was tried on a stream, a lone `\ud800`, the byte FF in a string, and 10,000 open
//! brackets, all of which Go takes. None took all four:
//!
//! | crate | stream | `\ud800` | FF | depth | besides |
//! |---|---|---|---|---|---|
//! | jiter 0.19.0 | yes | no | only if skipped | 201 | 12 dependencies |
//! | struson 0.7.2 | yes | no | no | yes | |
//! | serde_json 1.0.154 (`RawValue`) | yes | only undecoded | no | yes | no spans inside a value |
//! | json-syntax 0.12.5 | no | yes | no | yes | spans; 27 dependencies |
//! | json-event-parser 0.2.3 | no | no | no | yes | no spans of events |
//! | jsonc-parser 0.34.0 | no | no | no | 513 | spans; takes `1.`, `\x41` and raw line breaks |
//! | json-spanned-value 0.2.2 | no | no | no | 127 | spans; refuses duplicate keys |
//! | simd-json 0.19.0 | no | no | no | 1,024 | no spans |
//! | spanned_json_parser 0.2.0 | no | no | no | overflows the stack | lines and columns only |

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
/// Spans are offsets into `text`. Each byte inside strings that is no UTF-8, and each lone surrogate, is read as U+FFFD;
/// the text keeps them. The spans of the documents together are the window, if it holds a value.
///
/// # Errors
///
/// [`ReadError`] at the first character that Go's `encoding/json` would not take, or at the quote of a string without
/// end; of kind [`ReadErrorKind::JsonComment`] for `//` and `/*`, of kind [`ReadErrorKind::Depth`] at the bracket that
/// opens the 10,001st level.
///
/// ```
/// use unstick_yaml::{Span, read_json};
/// let text = br#"{"kind": "Service"}{"kind": "Pod"}"#;
/// let documents = read_json(text, Span::new(0, text.len()))?;
/// let kind = documents[1].value(documents[1].root.unwrap(), "kind").unwrap();
/// assert_eq!(documents[1].node(kind).span.slice(text), b"\"Pod\"");
/// assert_eq!(read_json(b"[1,]", Span::new(0, 4)).unwrap_err().span, Span::new(3, 4));
/// # Ok::<(), unstick_yaml::ReadError>(())
/// ```
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
                (Token::Quote, Expected::Value | Expected::ValueOrEnd) => {
                    let (value, span) = self.tokens.string()?;
                    self.add_scalar(value, ScalarStyle::DoubleQuoted, span)
                }
                (Token::Word, Expected::Value | Expected::ValueOrEnd) => {
                    let span = self.tokens.word()?;
                    let value = String::from_utf8_lossy(span.slice(self.tokens.text())).into_owned();
                    self.add_scalar(value.into_boxed_str(), ScalarStyle::Plain, span)
                }
                (Token::Quote, Expected::Key | Expected::KeyOrEnd) => self.add_key()?,
                (Token::CloseObject, Expected::KeyOrEnd | Expected::CommaOrEnd) if self.is_in_object() => {
                    self.close(span)
                }
                (Token::CloseArray, Expected::ValueOrEnd | Expected::CommaOrEnd) if !self.is_in_object() => {
                    self.close(span)
                }
                (Token::Comma, Expected::CommaOrEnd) if self.is_in_object() => Expected::Key,
                (Token::Comma, Expected::CommaOrEnd) => Expected::Value,
                _ => return Err(self.unexpected(token, expected, span)),
            };
            if self.frames.is_empty() {
                self.nodes.shrink_to_fit();
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

    fn add_key(&mut self) -> Result<Expected, ReadError> {
        let (value, span) = self.tokens.string()?;
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
        if let Some(mut frame) = self.frames.pop()
            && let Some(node) = self.nodes.get_mut(frame.node.0 as usize)
        {
            node.span.end = end.end;
            let span = node.span;
            // Most collections are small: spare room in each would be most of the memory.
            frame.entries.shrink_to_fit();
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

    fn unexpected(&self, token: Token, expected: Expected, span: Span) -> ReadError {
        let in_array = self.frames.last().is_some_and(|frame| !frame.object);
        let message = match (token, expected) {
            (Token::CloseObject, Expected::Key) => "JSON has no comma before a closing brace",
            (Token::CloseArray, Expected::Value) if in_array => "JSON has no comma before a closing bracket",
            (Token::Unknown, _) if span.slice(self.tokens.text()) == b"'" => "JSON has double quotes only",
            (_, Expected::Value | Expected::ValueOrEnd) => "a value is expected here",
            (_, Expected::Key) => "a key in double quotes is expected here",
            (_, Expected::KeyOrEnd) => "a key in double quotes, or }, is expected here",
            (_, Expected::CommaOrEnd) if in_array => "a comma or ] is expected here",
            (_, Expected::CommaOrEnd) => "a comma or } is expected here",
        };
        ReadError { message: message.into(), span, kind: ReadErrorKind::Syntax }
    }
}
