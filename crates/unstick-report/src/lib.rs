//! Renders plans: text for people, JSON, unified diffs.
//!
//! Everything here turns data into bytes; nothing reads files or the environment.

mod diff;
mod export;
mod human;
mod json;
mod place;
mod rules;
mod summary;
mod visible;

pub use diff::unified_diff;
pub use export::{ExportError, Target, export};
pub use human::Human;
pub use json::v1 as json_v1;
pub use rules::{rule_book, rule_list, rule_page, rule_table};
pub use summary::Summary;
pub use visible::visible;

/// One text with what was found in it.
#[derive(Debug, Clone, Copy)]
pub struct FileReport<'a> {
    /// The path as it is shown.
    pub path: &'a str,
    /// The original bytes.
    pub text: &'a [u8],
    /// The plan made for them.
    pub plan: &'a unstick::Plan,
}

/// Whether escape codes for colours are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// They are.
    On,
    /// They are not.
    Off,
}

impl Colour {
    pub(crate) fn paint(self, style: anstyle::Style, text: &str) -> String {
        match self {
            Self::On => format!("{style}{text}{style:#}"),
            Self::Off => text.to_owned(),
        }
    }
}
