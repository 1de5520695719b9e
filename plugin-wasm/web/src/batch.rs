//! Texts that are planned together.

use unstick::{Plan, Policy, PolicyReadError, Source};
use unstick_report::{Colour, FileReport, Summary, json_v1, unified_diff};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::fault::PolicyFault;
use crate::offsets;

/// What a text without a path is called in reports.
const NAMELESS: &str = "<stdin>";
/// What a text without a path is called in diffs.
const NAMELESS_IN_DIFF: &str = "stdin";

/// A policy, texts, and the plan of each text.
///
/// ```
/// use unstick_web_wasm::Batch;
/// let mut batch = Batch::with_options(r#"{"action": "none"}"#)?;
/// batch.add(None, b"apiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n".to_vec());
/// batch.plan();
/// assert_eq!(batch.bytes(0), b"apiVersion: v1\nkind: Service\nspec: {sessionAffinity: None}\n");
/// # Ok::<(), unstick_web_wasm::PolicyFault>(())
/// ```
#[wasm_bindgen]
#[derive(Debug)]
pub struct Batch {
    policy: Policy,
    texts: Vec<Text>,
    plans: Vec<Plan>,
}

#[derive(Debug)]
struct Text {
    path: Option<String>,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Batch {
    /// Makes an empty batch with a policy's settings alone, as JSON or YAML.
    ///
    /// # Errors
    ///
    /// [`PolicyFault`] where they cannot be read or make no sense.
    #[wasm_bindgen(js_name = withOptions)]
    pub fn with_options(text: &str) -> Result<Self, PolicyFault> {
        Self::new(text, Policy::read_spec)
    }

    /// Makes an empty batch with a whole policy document, as in a file.
    ///
    /// # Errors
    ///
    /// [`PolicyFault`] where it cannot be read or makes no sense.
    #[wasm_bindgen(js_name = withPolicy)]
    pub fn with_policy(text: &str) -> Result<Self, PolicyFault> {
        Self::new(text, Policy::read)
    }

    /// Adds a text; `path` has `/` between its parts.
    pub fn add(&mut self, path: Option<String>, bytes: Vec<u8>) {
        self.texts.push(Text { path, bytes });
    }

    /// Plans all texts.
    pub fn plan(&mut self) {
        let plan = |text: &Text| Plan::new(Source { path: text.path.as_deref(), bytes: &text.bytes }, &self.policy);
        self.plans = self.texts.iter().map(plan).collect();
    }

    /// Returns the JSON report, version 1; with all texts, or with those in which something was found.
    #[must_use]
    pub fn report(&self, all: bool) -> String {
        let mut files = Vec::new();
        let mut summary = Summary::default();
        for (text, plan) in self.texts.iter().zip(&self.plans) {
            summary.add(plan);
            if all || !plan.findings.is_empty() {
                let path = text.path.as_deref().unwrap_or(NAMELESS);
                files.push(json_v1::File::new(FileReport { path, text: &text.bytes, plan, of_chart: false }));
            }
        }
        json_v1::render(&files, &[], summary)
    }

    /// Returns a text's UTF-16 offsets: start and end of each finding, then start and end of each edit.
    #[must_use]
    pub fn offsets(&self, index: usize) -> Vec<u32> {
        self.planned(index).map(|(text, plan)| offsets::of_plan(&text.bytes, plan)).unwrap_or_default()
    }

    /// Returns a text with its edits made.
    #[must_use]
    pub fn bytes(&self, index: usize) -> Vec<u8> {
        self.planned(index).map(|(text, plan)| plan.apply(&text.bytes)).unwrap_or_default()
    }

    /// Returns a text's unified diff; empty where nothing changes.
    #[must_use]
    pub fn diff(&self, index: usize) -> Vec<u8> {
        let Some((text, plan)) = self.planned(index) else { return Vec::new() };
        let path = text.path.as_deref().map_or(NAMELESS_IN_DIFF, relative);
        unified_diff(path.as_bytes(), &text.bytes, &plan.edits, Colour::Off)
    }
}

impl Batch {
    fn new(text: &str, read: impl Fn(&[u8]) -> Result<Policy, PolicyReadError>) -> Result<Self, PolicyFault> {
        let policy = read(text.as_bytes()).map_err(|error| PolicyFault::new(text.as_bytes(), error))?;
        Ok(Self { policy, texts: Vec::new(), plans: Vec::new() })
    }

    fn planned(&self, index: usize) -> Option<(&Text, &Plan)> {
        self.texts.get(index).zip(self.plans.get(index))
    }
}

/// Returns a path as the headers of diffs have it.
fn relative(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix('/')) {
        path = rest;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    const STICKY: &str = "apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: ClientIP\n  ports: []\n";

    #[test]
    fn names_texts_as_the_command_does() {
        let mut batch = Batch::with_options("{}").unwrap();
        batch.add(None, STICKY.into());
        batch.add(Some("./a/b.yaml".into()), STICKY.into());
        batch.add(Some("clean.yaml".into()), b"a: 1\n".to_vec());
        batch.plan();
        let header = |index| String::from_utf8(batch.diff(index)).unwrap().lines().next().map(str::to_owned);
        assert_eq!(
            [header(0), header(1), header(2)],
            [Some("--- a/stdin".into()), Some("--- a/a/b.yaml".into()), None]
        );
        let names = |report: String| report.matches("\"path\"").count();
        assert_eq!((names(batch.report(false)), names(batch.report(true))), (2, 3));
        assert!(batch.report(false).contains("\"files\": 3"));
    }

    #[test]
    fn says_where_a_policy_is_wrong() {
        let fault = Batch::with_options("{\n  \"only\": [\"😀\"], \"acton\": 1}").unwrap_err();
        assert_eq!((fault.line(), fault.column()), (2, 19));
        assert!(fault.message().contains("did you mean action?"), "{}", fault.message());
        let fault = Batch::with_policy("kind: SessionAffinityPolicy\n").unwrap_err();
        assert!(fault.message().contains("apiVersion"), "{}", fault.message());
    }

    #[test]
    fn a_text_that_is_not_there_is_empty() {
        let batch = Batch::with_options("{}").unwrap();
        assert!(batch.bytes(0).is_empty() && batch.diff(0).is_empty() && batch.offsets(7).is_empty());
    }
}
