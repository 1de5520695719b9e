//! The JSON report, version 1; `docs/json-v1.md` describes it field by field.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use unstick::{Finding, Plan};
use unstick_yaml::{Edit, Span};

use crate::place::Places;
use crate::{FileReport, Summary};

/// One file of a report.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct File {
    path: String,
    changed: bool,
    blocked: bool,
    findings: Vec<FileFinding>,
    edits: Vec<FileEdit>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FileFinding {
    rule: &'static str,
    severity: &'static str,
    outcome: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<FileResource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    document: usize,
    span: FileSpan,
    start: Place,
    end: Place,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FileResource {
    api_version: String,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

#[derive(Debug, Serialize)]
struct FileSpan {
    start: usize,
    end: usize,
}

#[derive(Debug, Serialize)]
struct Place {
    line: usize,
    column: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FileEdit {
    span: FileSpan,
    #[serde(flatten)]
    replacement: Replacement,
}

/// The bytes that come in a span's place; those that are no UTF-8 have no JSON string.
#[derive(Debug, Serialize)]
enum Replacement {
    #[serde(rename = "replacement")]
    Text(String),
    #[serde(rename = "replacementBase64")]
    Bytes(String),
}

#[derive(Debug, Serialize)]
struct Counts {
    changed: usize,
    kept: usize,
    refused: usize,
    noted: usize,
    files: usize,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    version: u32,
    files: &'a [File],
    /// Faults outside the manifests, as on standard error.
    errors: &'a [String],
    summary: Counts,
}

impl File {
    /// Takes over what a report says of one file.
    #[must_use]
    pub fn new(report: FileReport<'_>) -> Self {
        let Plan { findings, edits, blocked } = report.plan;
        // Most texts of a run hold nothing: their lines need not be found.
        let places = (!findings.is_empty()).then(|| Places::new(report.text));
        let findings =
            places.iter().flat_map(|places| findings.iter().map(|finding| FileFinding::new(places, finding)));
        Self {
            path: report.path.to_owned(),
            changed: !edits.is_empty(),
            blocked: *blocked,
            findings: findings.collect(),
            edits: edits.as_slice().iter().map(FileEdit::new).collect(),
        }
    }
}

impl FileFinding {
    fn new(places: &Places<'_>, finding: &Finding) -> Self {
        let place = |offset| {
            let position = places.position(offset);
            Place { line: position.line, column: position.column }
        };
        Self {
            rule: finding.rule.id(),
            severity: finding.severity.word(),
            outcome: finding.outcome.word(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            resource: finding.resource.as_ref().map(|resource| FileResource {
                api_version: resource.api_version.clone(),
                kind: resource.kind.clone(),
                namespace: resource.namespace.clone(),
                name: resource.name.clone(),
            }),
            field: finding.field.clone(),
            document: finding.document,
            span: FileSpan::new(finding.span),
            start: place(finding.span.start),
            end: place(finding.span.end),
        }
    }
}

impl FileSpan {
    fn new(span: Span) -> Self {
        Self { start: span.start, end: span.end }
    }
}

impl FileEdit {
    fn new(edit: &Edit) -> Self {
        let replacement = match std::str::from_utf8(&edit.replacement) {
            Ok(text) => Replacement::Text(text.to_owned()),
            Err(_) => Replacement::Bytes(BASE64_STANDARD.encode(&edit.replacement)),
        };
        Self { span: FileSpan::new(edit.span), replacement }
    }
}

/// Returns the whole report as indented JSON with a final newline.
///
/// `errors` are faults outside the manifests: files that could not be read, options that make no sense.
///
/// ```
/// use unstick::{Plan, Policy, Source};
/// use unstick_report::{FileReport, Summary, json_v1};
/// let text = b"apiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n";
/// let plan = Plan::new(Source { path: None, bytes: text }, &Policy::default());
/// let mut summary = Summary::default();
/// summary.add(&plan);
/// let file = json_v1::File::new(FileReport { path: "svc.yaml", text, plan: &plan, of_chart: false });
/// let report = json_v1::render(&[file], &[], summary);
/// assert!(report.contains("\"rule\": \"sticky\"") && report.ends_with("}\n"));
/// ```
#[must_use]
pub fn render(files: &[File], errors: &[String], summary: Summary) -> String {
    let Summary { changed, kept, refused, noted, files: count } = summary;
    let report = Report { version: 1, files, errors, summary: Counts { changed, kept, refused, noted, files: count } };
    // Strings, numbers and lists always have a JSON form.
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}
