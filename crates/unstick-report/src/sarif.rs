//! SARIF 2.1.0, the format of code scanners; `docs/sarif.md` says what stands where.

use std::collections::{BTreeSet, HashMap};

use unstick::{Finding, Resource, Rule, Severity};

use crate::FileReport;
use crate::human::is_worth_telling;

mod fix;
mod log;
mod region;
mod uri;

use log::{
    Configuration, Fingerprints, Invocation, Location, Log, LogicalLocation, Message, Multiformat, Notification,
    PhysicalLocation, Properties, ReportingDescriptor, Run, Tool, ToolComponent,
};
use region::Regions;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The results of one file.
#[derive(Debug)]
pub struct File {
    rules: BTreeSet<Rule>,
    results: Vec<log::LogResult>,
}

impl File {
    /// Takes over what a report says of one file; with `all`, also what asks for nothing.
    #[must_use]
    pub fn new(report: FileReport<'_>, all: bool) -> Self {
        let FileReport { path, text, plan, .. } = report;
        let told = |finding: &Finding| all || is_worth_telling(finding);
        let mut file = Self { rules: BTreeSet::new(), results: Vec::new() };
        if !plan.findings.iter().any(told) {
            return file;
        }
        let location = uri::location(path);
        let spans = plan.findings.iter().map(|finding| finding.span);
        let regions = Regions::new(text, spans.chain(plan.edits.as_slice().iter().map(|edit| edit.span)));
        let fixes = match report.of_chart {
            // A chart's files change together.
            true => plan.findings.iter().map(|_| Vec::new()).collect(),
            false => fix::fixes(plan, &location, &regions, text),
        };
        let mut seen: HashMap<String, usize> = HashMap::new();
        for (finding, fixes) in plan.findings.iter().zip(fixes).filter(|(finding, _)| told(finding)) {
            file.rules.insert(finding.rule);
            file.results.push(log::LogResult {
                rule_id: finding.rule.id(),
                level: level(finding.severity),
                message: message(finding),
                locations: [Location {
                    physical_location: PhysicalLocation {
                        artifact_location: location.clone(),
                        region: regions.region(finding.span),
                    },
                    logical_locations: logical_location(finding).into_iter().collect(),
                }],
                partial_fingerprints: fingerprint(finding, &mut seen),
                fixes,
                properties: Properties { outcome: finding.outcome.word() },
            });
        }
        file
    }
}

/// Returns the whole log as indented JSON with a final newline.
///
/// `errors` are faults outside the manifests: files that could not be read, options that make no sense.
///
/// ```
/// use unstick::{Plan, Policy, Source};
/// use unstick_report::{FileReport, sarif};
/// let text = b"apiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n";
/// let plan = Plan::new(Source { path: None, bytes: text }, &Policy::default());
/// let file = sarif::File::new(FileReport { path: "svc.yaml", text, plan: &plan, of_chart: false }, false);
/// assert!(sarif::render(&[file], &[]).contains(r#""ruleId": "sticky""#));
/// ```
#[must_use]
pub fn render(files: &[File], errors: &[String]) -> String {
    let used: BTreeSet<Rule> = files.iter().flat_map(|file| file.rules.iter().copied()).collect();
    let notification = |error: &String| Notification { level: "error", message: text(error) };
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: ToolComponent {
                    name: "unstick",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: used.into_iter().map(descriptor).collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: errors.is_empty(),
                tool_execution_notifications: errors.iter().map(notification).collect(),
            }],
            column_kind: "utf16CodeUnits",
            newline_sequences: ["\r\n", "\n", "\r"],
            results: files.iter().flat_map(|file| &file.results).collect(),
        }],
    };
    // Strings and numbers always have a JSON form.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn message(finding: &Finding) -> Message {
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    text(&format!("{}{help}", finding.message))
}

/// Makes a message; braces stand for placeholders in SARIF, so that those that are meant are doubled.
fn text(words: &str) -> Message {
    Message { text: words.replace('{', "{{").replace('}', "}}") }
}

fn descriptor(rule: Rule) -> ReportingDescriptor {
    let page = rule.page();
    let plain = |text: &str| Multiformat { text: text.to_owned(), markdown: None };
    ReportingDescriptor {
        id: rule.id(),
        short_description: plain(&rule.summary().replace('`', "")),
        full_description: Multiformat {
            text: unwrapped(&section(&page, "Why it matters").replace('`', "")),
            markdown: Some(section(&page, "Why it matters")),
        },
        help: Multiformat { text: page.clone(), markdown: Some(page) },
        default_configuration: Configuration { level: level(rule.severity()) },
    }
}

/// Returns the text of a page's section, or the page's first line where it has no such section.
fn section(page: &str, heading: &str) -> String {
    let start = page.split_once(&format!("\n## {heading}\n"));
    let text = start.map_or_else(|| page.lines().next().unwrap_or_default(), |(_, rest)| rest);
    text.split("\n## ").next().unwrap_or_default().trim().to_owned()
}

/// Puts each paragraph on one line.
fn unwrapped(text: &str) -> String {
    text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect::<Vec<_>>().join("\n\n")
}

fn logical_location(finding: &Finding) -> Option<LogicalLocation> {
    let object = object_name(finding.resource.as_ref()?);
    let field = finding.field.as_ref().map(|field| format!("/{field}")).unwrap_or_default();
    Some(LogicalLocation { fully_qualified_name: format!("{object}{field}"), kind: "resource" })
}

fn object_name(resource: &Resource) -> String {
    let Resource { api_version, kind, namespace, name } = resource;
    let namespace = namespace.as_ref().map(|namespace| format!("/{namespace}")).unwrap_or_default();
    format!("{api_version}/{kind}{namespace}/{}", name.as_deref().unwrap_or_default())
}

/// Returns what stays the same while lines move: the rule, the object and the field, and which of several it is.
fn fingerprint(finding: &Finding, seen: &mut HashMap<String, usize>) -> Fingerprints {
    let object = finding.resource.as_ref().map(object_name).unwrap_or_default();
    let field = finding.field.as_deref().unwrap_or_default();
    let name = format!("{}:{object}:{field}", finding.rule);
    let count = seen.entry(name.clone()).or_default();
    *count += 1;
    Fingerprints { finding: format!("{name}:{count}") }
}
