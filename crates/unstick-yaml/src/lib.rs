//! Reads YAML and JSON into outlines with byte spans, and edits the text without touching any other byte.
//!
//! Nothing here knows of Kubernetes, does I/O or uses serde. All offsets are bytes of one source text.

mod change;
mod edit;
mod error;
mod layout;
mod outline;
mod span;

pub use change::{ChangeError, ChangeSet, CommentRule, Mismatch, Value};
pub use edit::{Edit, EditSet, Overlap};
pub use error::{ReadError, ReadErrorKind};
pub use outline::{Content, Entry, Node, NodeId, Outline, Property, ScalarStyle, Syntax};
pub use span::Span;
