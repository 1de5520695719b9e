//! Renders plans: text for people, JSON, unified diffs.
//!
//! Everything here turns data into bytes; nothing reads files or the environment.

mod diff;
mod excerpt;
mod export;
mod github;
mod human;
mod json;
mod patch;
mod place;
mod rules;
pub mod sarif;
mod schema;
mod session;
mod summary;
mod visible;

pub use diff::unified_diff;
pub use excerpt::excerpt;
pub use export::{ExportError, Target, export};
pub use github::{annotations, error_annotation};
pub use human::Human;
pub use json::v1 as json_v1;
pub use patch::{NoPatch, PatchOptions, patch};
pub use rules::{rule_book, rule_list, rule_page, rule_table};
pub use schema::policy_schema;
pub use session::{PROXY_MODES, explain};
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
    /// The text is one of a chart's, which change together.
    pub of_chart: bool,
}

impl FileReport<'_> {
    /// Returns the text with the edits made, and what is left to say of it at the places where it stands then.
    #[must_use]
    pub fn after(&self) -> (Vec<u8>, unstick::Plan) {
        let edits = &self.plan.edits;
        let mut findings = self.plan.findings.clone();
        findings.retain(|finding| finding.outcome != unstick::Outcome::Changed);
        for finding in &mut findings {
            let unstick_yaml::Span { start, end } = finding.span;
            finding.span = unstick_yaml::Span::new(edits.map_offset(start), edits.map_offset(end));
        }
        let plan = unstick::Plan { findings, blocked: self.plan.blocked, ..unstick::Plan::default() };
        (edits.apply(self.text), plan)
    }
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
