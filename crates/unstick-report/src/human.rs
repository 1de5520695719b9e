//! Findings for people: heading, excerpt with a caret, help.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unstick::{Finding, Outcome, Resource, Rule, Severity};

use crate::excerpt::{Marked, gutter};
use crate::place::Places;
use crate::rules::rule_source;
use crate::visible::visible;
use crate::{Colour, FileReport};

/// Writes findings as text, by file and object.
#[derive(Debug, Clone)]
pub struct Human {
    colour: Colour,
    all: bool,
    /// Rules whose source was named: once is enough.
    sourced: BTreeSet<Rule>,
}

impl Human {
    /// Makes a writer; with `all`, it also writes findings that ask for nothing: kept, and noted for information.
    #[must_use]
    pub fn new(colour: Colour, all: bool) -> Self {
        Self { colour, all, sourced: BTreeSet::new() }
    }

    /// Returns the text for one file; empty where nothing is to be told.
    ///
    /// Control characters of the manifest are shown as pictures, so that a file cannot speak to the terminal.
    ///
    /// ```
    /// use unstick::{Plan, Policy, Source};
    /// use unstick_report::{Colour, FileReport, Human};
    /// let text = b"apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {sessionAffinity: ClientIP}\n";
    /// let plan = Plan::new(Source { path: None, bytes: text }, &Policy::default());
    /// let report = FileReport { path: "svc.yaml", text, plan: &plan, of_chart: false };
    /// assert!(Human::new(Colour::Off, false).render(report).starts_with("svc.yaml: Service web\nwarning[sticky]: "));
    /// ```
    #[must_use]
    pub fn render(&mut self, report: FileReport<'_>) -> String {
        let all = self.all;
        let told = report.plan.findings.iter().filter(|finding| all || is_worth_telling(finding));
        let groups = by_object(told);
        let mut out = String::new();
        if groups.is_empty() {
            return out;
        }
        let places = Places::new(report.text);
        for group in groups {
            let object = group.first().map(|finding| object(finding)).unwrap_or_default();
            let heading = format!("{}{}", visible(report.path), visible(&object));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}", self.colour.paint(Style::new().bold().underline(), &heading));
            let mut shown = None;
            for finding in group {
                self.write_finding(&mut out, report, &places, finding, shown == Some(finding.span));
                shown = Some(finding.span);
            }
        }
        out
    }

    fn write_finding(
        &mut self,
        out: &mut String,
        report: FileReport<'_>,
        places: &Places<'_>,
        finding: &Finding,
        shown: bool,
    ) {
        let position = places.position(finding.span.start);
        let style = severity_style(finding);
        let label = format!("{}[{}]", heading_word(finding), finding.rule.id());
        let bold = Style::new().bold();
        let label = self.colour.paint(style.bold(), &label);
        let message = self.colour.paint(bold, &visible(&finding.message));
        let _ = writeln!(out, "{label}: {message}");
        let place = format!("{}:{}:{}", visible(report.path), position.line, position.column);
        let field = finding.field.as_ref().map(|field| format!(" ({})", visible(field))).unwrap_or_default();
        let gutter = |text| gutter(self.colour, text);
        let _ = writeln!(out, "  {} {place}{field}", gutter("-->"));
        // The line stands right above where the finding before speaks of the same bytes.
        if !shown {
            let marked = Marked { text: report.text, line: places.line(position.line), span: finding.span };
            out.push_str(&marked.excerpt(position.line, self.colour, style.bold()));
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "   {} {} {}", gutter("="), self.colour.paint(bold, "help:"), visible(help));
        }
        if self.sourced.insert(finding.rule) {
            let source = rule_source(finding.rule);
            let _ = writeln!(out, "   {} {} {source}", gutter("="), self.colour.paint(bold, "source:"));
        }
        out.push('\n');
    }
}

/// Puts findings of one object together, in the order of the objects.
fn by_object<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Vec<&'f Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    let mut places = HashMap::new();
    for finding in findings {
        let resource = finding.resource.as_ref().map(|resource| {
            let Resource { api_version, kind, namespace, name } = resource;
            (api_version.as_str(), kind.as_str(), namespace.as_deref(), name.as_deref())
        });
        let place = *places.entry((finding.document, resource)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Returns the object's kind and name behind a colon, as a cluster's user knows them.
fn object(finding: &Finding) -> String {
    match &finding.resource {
        Some(Resource { kind, namespace, name, .. }) if !kind.is_empty() => {
            let namespace = namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
            format!(": {kind} {namespace}{}", name.as_deref().unwrap_or("(no name)"))
        }
        _ => String::new(),
    }
}

/// Tells whether a finding asks for something, or says that something was done.
pub(crate) fn is_worth_telling(finding: &Finding) -> bool {
    matches!(finding.outcome, Outcome::Changed | Outcome::Refused) || finding.severity >= Severity::Warning
}

fn heading_word(finding: &Finding) -> &'static str {
    match finding.outcome {
        Outcome::Refused => "refused",
        Outcome::Kept => "kept",
        _ => finding.severity.word(),
    }
}

fn severity_style(finding: &Finding) -> Style {
    match finding.severity {
        Severity::Error => AnsiColor::Red.on_default(),
        Severity::Warning => AnsiColor::Yellow.on_default(),
        Severity::Info => AnsiColor::Cyan.on_default(),
    }
}

#[cfg(test)]
mod tests {
    use unstick::{Plan, Policy, Source};

    use super::*;
    use crate::excerpt::width;

    fn render(text: &[u8]) -> String {
        let plan = Plan::new(Source { path: None, bytes: text }, &Policy::default());
        Human::new(Colour::Off, false).render(FileReport { path: "svc.yaml", text, plan: &plan, of_chart: false })
    }

    #[test]
    fn shows_place_excerpt_and_help() {
        let text =
            b"apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  sessionAffinity: yes\n";
        assert_eq!(
            render(text),
            "svc.yaml: Service shop/web\nrefused[unknown-value]: the value is no string, so the API server rejects it: \
             left as it is\n  --> svc.yaml:5:3 (spec.sessionAffinity)\n   |\n 5 |   sessionAffinity: yes\n   |   \
             ^^^^^^^^^^^^^^^^^^^^\n   = help: write ClientIP or None, or take the line out\n   = source: \
             kubernetes/kubernetes, pkg/apis/core/validation/validation.go, ValidateService (unstick rules \
             unknown-value)\n\n"
        );
    }

    #[test]
    fn groups_by_object_and_shows_a_line_and_a_source_once() {
        let service = |name: &str| {
            format!(
                "apiVersion: v1\nkind: Service\nmetadata: {{name: {name}}} # sessionAffinity\nspec:\n  \
                 sessionAffinity: ClientIP\n  sessionAffinityConfig: {{}}\n  ports: [{{port: 1}}, {{port: 2}}]\n"
            )
        };
        let text = format!("{}---\n{}", service("a"), service("b"));
        let source = Source { path: None, bytes: text.as_bytes() };
        let mut plan = Plan::new(source, &Policy::default());
        plan.advise(source, &Policy::default(), &unstick::Survey::default(), unstick::Advice::All);
        let report = FileReport { path: "x.yaml", text: text.as_bytes(), plan: &plan, of_chart: false };
        let text = Human::new(Colour::Off, true).render(report);
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("x.yaml")).collect();
        assert_eq!(headings, ["x.yaml", "x.yaml: Service a", "x.yaml", "x.yaml: Service b"], "{text}");
        assert_eq!(text.matches(" 5 |   sessionAffinity: ClientIP\n").count(), 1, "{text}");
        assert_eq!(text.matches("[sticky-multi-port]").count(), 2, "{text}");
        assert_eq!(text.matches("(unstick rules sticky-multi-port)").count(), 1, "{text}");
    }

    #[test]
    fn keeps_the_terminal_safe() {
        let text = render(b"apiVersion: v1\nkind: Service\nspec: {x: \"\x1b[2J\", sessionAffinity: ClientIP}\n");
        assert!(!text.contains('\u{1b}') && text.contains('\u{241b}'), "{text}");
    }

    #[test]
    fn cuts_long_lines_around_the_mark() {
        let (before, after) = ("é".repeat(300), "z".repeat(5000));
        let text =
            format!("apiVersion: v1\nkind: Service\nspec: {{x: {before}, sessionAffinity: ClientIP, y: {after}}}\n");
        let text = render(text.as_bytes());
        assert!(text.lines().all(|line| line.chars().count() < 120), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let caret = lines[5].chars().position(|c| c == '^').unwrap();
        let shown: String = lines[4].chars().skip(caret).take(25).collect();
        assert_eq!(shown, "sessionAffinity: ClientIP");
        assert_eq!(lines[5].matches('^').count(), 25);
    }

    #[test]
    fn points_behind_wide_characters_and_tabs() {
        for before in ["漢字", "e\u{301}e\u{301}", "\t\t", "\u{ad}é"] {
            let text = format!("apiVersion: v1\nkind: Service\nspec: {{x: \"{before}\", sessionAffinity: ClientIP}}\n");
            let text = render(text.as_bytes());
            let lines: Vec<&str> = text.lines().collect();
            let (excerpt, _) = lines[4].split_once("sessionAffinity").unwrap();
            let (carets, _) = lines[5].split_once('^').unwrap();
            assert_eq!(width(&excerpt.chars().collect::<Vec<_>>()), carets.len(), "{text}");
        }
    }

    #[test]
    fn takes_time_in_proportion_on_a_text_of_one_line() {
        let item = r#"{"apiVersion":"v1","kind":"Service","spec":{"sessionAffinity":"ClientIP"}},"#;
        let text = format!("{{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{}{{}}]}}", item.repeat(20_000));
        let started = std::time::Instant::now();
        let text = render(text.as_bytes());
        assert_eq!(text.matches("warning[sticky]").count(), 20_000);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
