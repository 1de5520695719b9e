//! Annotations of GitHub workflows: commands on standard output that the runner turns into marks beside the lines.

use std::fmt::Write as _;

use unstick::{Finding, Severity};

use crate::FileReport;
use crate::human::is_worth_telling;
use crate::place::Places;

/// Returns one workflow command for each finding; with `all`, also for what asks for nothing.
///
/// Columns are code points. A runner shows ten errors, ten warnings and ten notices of a step.
///
/// ```
/// use unstick::{Plan, Policy, Source};
/// use unstick_report::{FileReport, annotations};
/// let text = b"apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: ClientIP\n";
/// let plan = Plan::new(Source { path: None, bytes: text }, &Policy::default());
/// let report = FileReport { path: "a,b.yaml", text, plan: &plan, of_chart: false };
/// assert!(annotations(report, false).starts_with("::warning file=a%2Cb.yaml,line=4,col=3,endLine=4,endColumn=28,"));
/// ```
#[must_use]
pub fn annotations(report: FileReport<'_>, all: bool) -> String {
    let mut told = report.plan.findings.iter().filter(|finding| all || is_worth_telling(finding)).peekable();
    let mut commands = String::new();
    if told.peek().is_some() {
        let places = Places::new(report.text);
        told.for_each(|finding| write_command(&mut commands, report.path, &places, finding));
    }
    commands
}

/// Returns the workflow command for a fault that has no place in a text.
///
/// ```
/// assert_eq!(unstick_report::error_annotation("100%\nwrong"), "::error title=unstick::100%25%0Awrong\n");
/// ```
#[must_use]
pub fn error_annotation(message: &str) -> String {
    format!("::error title=unstick::{}\n", data(message))
}

fn write_command(commands: &mut String, path: &str, places: &Places<'_>, finding: &Finding) {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let start = places.position(finding.span.start);
    let end = places.position(finding.span.end);
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    // Writing to a string cannot fail.
    let file = property(path.strip_prefix("./").unwrap_or(path));
    let _ = write!(commands, "::{command} file={file},line={},col={}", start.line, start.column);
    let _ = write!(commands, ",endLine={}", end.line);
    // The runner takes an end column only where the lines are the same.
    if end.line == start.line {
        let _ = write!(commands, ",endColumn={}", end.column);
    }
    let _ = writeln!(commands, ",title={}::{}", property(&title(finding)), data(&message));
}

/// Returns the rule, and the object as a cluster's user knows it.
fn title(finding: &Finding) -> String {
    let Some(resource) = finding.resource.as_ref().filter(|resource| !resource.kind.is_empty()) else {
        return finding.rule.id().to_owned();
    };
    let namespace = resource.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    format!("{}: {} {namespace}{}", finding.rule, resource.kind, resource.name.as_deref().unwrap_or("(no name)"))
}

/// Escapes a command's message: the runner turns these three codes back, and no others.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property's value, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use unstick::{Plan, Resource};
    use unstick_yaml::Span;

    use super::*;

    fn finding(message: &str, help: Option<&str>, name: &str) -> Finding {
        Finding {
            rule: unstick::Rule::Sticky,
            severity: Severity::Warning,
            outcome: unstick::Outcome::Changed,
            span: Span::new(0, 3),
            document: 0,
            resource: Some(Resource {
                api_version: "v1".into(),
                kind: "Service".into(),
                namespace: Some("n".into()),
                name: Some(name.into()),
            }),
            field: None,
            message: message.into(),
            help: help.map(str::to_owned),
        }
    }

    fn command(path: &str, finding: Finding, text: &[u8]) -> String {
        let plan = Plan { findings: vec![finding], ..Plan::default() };
        annotations(FileReport { path, text, plan: &plan, of_chart: false }, true)
    }

    #[test]
    fn escapes_messages_and_properties() {
        let found = finding("50%, a: b\r\nc", Some("see %0A"), "x,y:z%\n::error::");
        assert_eq!(
            command("a,b:c%d\ne.yaml", found, b"abc"),
            "::warning file=a%2Cb%3Ac%25d%0Ae.yaml,line=1,col=1,endLine=1,endColumn=4,title=sticky%3A Service \
             n/x%2Cy%3Az%25%0A%3A%3Aerror%3A%3A::50%25, a: b%0D%0Ac%0Ahelp: see %250A\n"
        );
    }

    #[test]
    fn a_command_is_one_line_whatever_stands_in_it() {
        let found = finding("\n::stop-commands::x\n", None, "\r\n::set-output name=a::b");
        assert_eq!(command("\n::debug::", found, b"abc").lines().count(), 1);
    }

    #[test]
    fn columns_are_code_points_and_lines_may_differ() {
        let mut found = finding("m", None, "x");
        found.span = Span::new(4, 6);
        assert!(
            command("./f", found.clone(), "😀éx".as_bytes())
                .starts_with("::warning file=f,line=1,col=2,endLine=1,endColumn=3,")
        );
        found.span = Span::new(0, 3);
        assert!(command("f", found, b"a\nb\nc").contains("line=1,col=1,endLine=2,title="));
    }
}
