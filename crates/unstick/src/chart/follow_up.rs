//! The files of a chart that are no templates: what they say of affinity, and what has to follow a change.

use unstick_yaml::{EditSet, LineIndex, Span};

use crate::occurrence;
use crate::{Finding, Outcome, Plan, Policy, Rule, Severity, Source};

use super::ChartSet;

/// What kind of file beside the templates it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A chart's own values.yaml.
    Values,
    /// A chart's own values.schema.json, or a schema beside it.
    Schema,
    /// Values for other uses: `ci/*-values.yaml`, `values-prod.yaml`.
    OtherValues,
    /// A test of rendered templates.
    Test,
    /// Text for people.
    Text,
    /// The questions of a user interface.
    Questions,
    /// Chart.yaml and its like.
    About,
    /// Anything else, such as manifests in crds/ and files/.
    Manifest,
}

/// Plans a file that is no template; `findings` and `edits` are what was found out of its keys.
pub(crate) fn plan(
    set: &ChartSet<'_>,
    policy: &Policy,
    file: usize,
    findings: Vec<Finding>,
    edits: EditSet,
    changed: bool,
) -> Plan {
    let own = set.files[file];
    let kind = kind(set, file);
    let rest = match kind {
        Kind::Text => Plan { findings: lines(own.bytes), ..Plan::default() },
        _ => Plan::new(Source { path: Some(own.path), bytes: own.bytes }, policy),
    };
    if kind == Kind::Manifest && findings.is_empty() {
        return rest;
    }
    let covered = |span: Span| {
        findings.iter().any(|finding| finding.span.encloses(span))
            || edits.as_slice().iter().any(|edit| edit.span.encloses(span))
    };
    let blocked = rest.blocked;
    let mut all: Vec<Finding> = rest.findings.into_iter().filter(|finding| !covered(finding.span)).collect();
    for finding in &mut all {
        follow(finding, kind, changed);
    }
    all.extend(findings);
    all.sort_by_key(|finding| (finding.span, finding.rule));
    Plan { findings: all, edits, blocked }
}

fn kind(set: &ChartSet<'_>, file: usize) -> Kind {
    let path = set.files[file].path;
    let name = path.rsplit('/').next().unwrap_or(path);
    let is = |ending: &str| name.ends_with(ending);
    if set.charts.iter().any(|chart| chart.values == Some(file)) {
        return Kind::Values;
    }
    let yaml = is(".yaml") || is(".yml");
    match () {
        () if is(".schema.json") || is(".json") && path.contains("schema") => Kind::Schema,
        () if is("_test.yaml") || is("_test.yml") => Kind::Test,
        () if yaml && (name.contains("values") || path.contains("ci/")) => Kind::OtherValues,
        () if matches!(name, "questions.yaml" | "questions.yml") => Kind::Questions,
        () if matches!(name, "Chart.yaml" | "requirements.yaml" | "Chart.lock") => Kind::About,
        () if yaml || is(".json") => Kind::Manifest,
        () => Kind::Text,
    }
}

/// Turns what the file's own plan says into what follows from a chart's change.
fn follow(finding: &mut Finding, kind: Kind, changed: bool) {
    let (message, help) = match kind {
        Kind::Manifest | Kind::Values => return,
        Kind::Schema => ("a schema of the values describes the key", "take it out of the schema by hand"),
        Kind::OtherValues => ("values for another use set the key", "take it out, or set it to None"),
        Kind::Test => ("a test names the field", "the test has to follow what the templates render"),
        Kind::Text => ("text for people names it", "bring the text up to date"),
        Kind::Questions => ("a question of a user interface names it", "take the question out with the key"),
        Kind::About => ("named in what describes the chart", "bring the text up to date"),
    };
    finding.outcome = Outcome::Noted;
    finding.severity = if changed && kind == Kind::Test { Severity::Warning } else { Severity::Info };
    if finding.rule != Rule::InComment {
        finding.rule = Rule::FollowUp;
        finding.resource = None;
        message.clone_into(&mut finding.message);
        finding.help = changed.then(|| help.to_owned());
    }
}

/// Returns a finding for each line of a text that names the field.
fn lines(text: &[u8]) -> Vec<Finding> {
    let spans = occurrence::spans(text, Span::new(0, text.len()));
    if spans.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(text);
    let mut findings: Vec<Finding> = Vec::new();
    for span in spans {
        if findings.last().is_some_and(|last| last.span.encloses(span)) {
            continue;
        }
        let line = index.line_span(text, index.position(text, span.start).line);
        findings.push(Finding {
            rule: Rule::FollowUp,
            severity: Severity::Info,
            outcome: Outcome::Noted,
            span: Span::new(span.start, line.end.max(span.end)),
            document: 0,
            resource: None,
            field: None,
            message: String::new(),
            help: None,
        });
    }
    findings
}
