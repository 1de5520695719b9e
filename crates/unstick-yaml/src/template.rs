//! Go templates: actions with spans, their block tree, and the expressions inside them.
//!
//! The rules are those of Go's `text/template/parse` (lex.go, parse.go), checked on Helm 3 and 4. Text between actions
//! is never interpreted here, and every byte of the source belongs to exactly one token.

mod action;
mod derivation;
mod expression;
mod lexer;
mod outline;
mod proof;
mod removal;
mod tree;

pub use action::{Action, ActionKind, Indentation};
pub use derivation::{Derived, derive_texts};
pub use expression::{Command, Declaration, Expression, Operand, Pipeline, parse_expression};
pub use lexer::{TemplateError, Token, lex_template};
pub use outline::{TemplateNode, TemplateNodeKind, TemplateOutline};
pub use proof::Doubt;
pub use removal::{Refusal, Removal, RemovalPlan};
pub use tree::{Block, Branch, Item, Template};
