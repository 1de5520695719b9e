//! Errors of the readers.

use crate::Span;

/// A text, or one document of it, that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// What is wrong, in words, without position.
    pub message: String,
    /// Where it was seen; may be empty.
    pub span: Span,
    /// What kind of fault it is.
    pub kind: ReadErrorKind,
}

/// What kind of fault a [`ReadError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Not YAML, or not JSON.
    Syntax,
    /// UTF-16 or UTF-32.
    Encoding,
    /// Nested deeper than the reader's limit.
    Depth,
    /// JSON with `//` or `/* */` comments.
    JsonComment,
}
