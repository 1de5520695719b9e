//! Reads YAML and JSON into outlines with byte spans, and edits the text without touching any other byte.
//!
//! Nothing here knows of Kubernetes, does I/O or uses serde. All offsets are bytes of one source text.

mod change;
mod document;
mod edit;
mod encoding;
mod error;
mod json;
mod layout;
mod lines;
mod outline;
mod span;
mod template;
mod yaml;

pub use change::{ChangeError, ChangeSet, CommentRule, Mismatch, Value};
pub use document::Chunks;
pub use edit::{Edit, EditSet, Overlap};
pub use encoding::{check_encoding, leading_boms, parse_copy};
pub use error::{ReadError, ReadErrorKind};
pub use json::{is_json, read_json};
pub use layout::line_ending;
pub use lines::{LineIndex, Position, utf16_offsets};
pub use outline::{Content, Entry, Node, NodeId, Outline, Property, ScalarStyle, Syntax};
pub use span::Span;
pub use template::{
    Action, ActionKind, Block, Branch, Command, Declaration, Derived, Doubt, Expression, Indentation, Item, Operand,
    Pipeline, Refusal, Removal, RemovalPlan, Template, TemplateError, TemplateNode, TemplateNodeKind, TemplateOutline,
    Token, derive_texts, lex_template, parse_expression,
};
pub use yaml::{has_foreign_breaks, read_yaml};
