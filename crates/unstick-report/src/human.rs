//! Findings for people: heading, excerpt with a caret, help.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unstick::{Finding, Outcome, Severity};
use unstick_yaml::{LineIndex, Span};

use crate::{Colour, FileReport};

/// How many characters of a line an excerpt shows.
const EXCERPT_WIDTH: usize = 100;

/// Writes findings as text.
#[derive(Debug, Clone, Copy)]
pub struct Human {
    /// Whether colours are used.
    pub colour: Colour,
    /// Also write findings that ask for nothing: kept, and noted for information.
    pub all: bool,
}

impl Human {
    /// Returns the text for one file; empty where nothing is to be told.
    ///
    /// Control characters of the manifest are shown as pictures, so that a file cannot speak to the terminal.
    #[must_use]
    pub fn render(self, report: FileReport<'_>) -> String {
        let lines = LineIndex::new(report.text);
        let mut out = String::new();
        for finding in report.plan.findings.iter().filter(|finding| self.all || is_worth_telling(finding)) {
            self.write_finding(&mut out, report, &lines, finding);
        }
        out
    }

    fn write_finding(self, out: &mut String, report: FileReport<'_>, lines: &LineIndex, finding: &Finding) {
        let position = lines.position(report.text, finding.span.start);
        let style = severity_style(finding);
        let label = format!("{}[{}]", heading_word(finding), finding.rule.id());
        let bold = Style::new().bold();
        let label = self.colour.paint(style.bold(), &label);
        let message = self.colour.paint(bold, &visible(&finding.message));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{label}: {message}");
        let place = format!("{}:{}:{}", visible(report.path), position.line, position.column);
        let _ = writeln!(out, "  {} {place}{}", self.gutter("-->"), self.object(finding));
        self.write_excerpt(out, report.text, lines, finding, style);
        if let Some(help) = &finding.help {
            let _ = writeln!(out, "   {} {} {}", self.gutter("="), self.colour.paint(bold, "help:"), visible(help));
        }
        out.push('\n');
    }

    /// Returns the object's name and the field, as a cluster's user knows them.
    fn object(self, finding: &Finding) -> String {
        let mut words = String::new();
        if let Some(resource) = &finding.resource
            && !resource.kind.is_empty()
        {
            let name = resource.name.as_deref().unwrap_or("(no name)");
            let namespace = resource.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
            let _ = write!(words, " ({} {namespace}{name}", resource.kind);
            if let Some(field) = &finding.field {
                let _ = write!(words, ", {field}");
            }
            words.push(')');
        }
        visible(&words)
    }

    fn write_excerpt(self, out: &mut String, text: &[u8], lines: &LineIndex, finding: &Finding, style: Style) {
        let line = lines.position(text, finding.span.start).line;
        let span = lines.line_span(text, line);
        let marked = Span::new(finding.span.start, finding.span.end.min(span.end));
        let excerpt = Excerpt::new(text, span, marked);
        let number = line.to_string();
        let blank = " ".repeat(number.len());
        let _ = writeln!(out, " {blank} {}", self.gutter("|"));
        let _ = writeln!(out, " {} {} {}", self.gutter(&number), self.gutter("|"), excerpt.text);
        let carets = self.colour.paint(style.bold(), &"^".repeat(excerpt.length));
        let _ = writeln!(out, " {blank} {} {}{carets}", self.gutter("|"), " ".repeat(excerpt.column));
    }

    fn gutter(self, text: &str) -> String {
        self.colour.paint(AnsiColor::Blue.on_default().bold(), text)
    }
}

/// Tells whether a finding asks for something, or says that something was done.
fn is_worth_telling(finding: &Finding) -> bool {
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

/// A line cut around what it is shown for.
struct Excerpt {
    text: String,
    /// Characters before the mark.
    column: usize,
    /// Characters marked, at least one.
    length: usize,
}

impl Excerpt {
    fn new(text: &[u8], line: Span, marked: Span) -> Self {
        let decode = |span: Span| visible(&String::from_utf8_lossy(span.slice(text)));
        // A line may be megabytes long: only what can be shown is decoded.
        let window_start = marked.start.saturating_sub(4 * EXCERPT_WIDTH).max(line.start);
        let window_end = (marked.start + 4 * EXCERPT_WIDTH).min(line.end).max(marked.start);
        let before: Vec<char> = decode(Span::new(window_start, marked.start)).chars().collect();
        let after: Vec<char> = decode(Span::new(marked.start, window_end)).chars().collect();
        let mark = decode(Span::new(marked.start, marked.end.min(window_end))).chars().count();
        let kept = before.len().min(EXCERPT_WIDTH / 2);
        let cut_left = before.len() > kept || window_start > line.start;
        let shown = after.len().min(EXCERPT_WIDTH - kept);
        let cut_right = after.len() > shown || window_end < line.end;
        let mut excerpt = String::new();
        excerpt.extend(cut_left.then_some('…'));
        excerpt.extend(&before[before.len() - kept..]);
        excerpt.extend(&after[..shown]);
        excerpt.extend(cut_right.then_some('…'));
        Self { text: excerpt, column: kept + usize::from(cut_left), length: mark.min(shown).max(1) }
    }
}

/// Returns a text in which control characters are pictures and a tab is one blank, so that every character is one
/// column wide or nearly so.
fn visible(text: &str) -> String {
    let show = |character: char| match character {
        '\t' => ' ',
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('?'),
        '\u{7F}' => '\u{2421}',
        '\u{80}'..='\u{9F}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}' => '\u{FFFD}',
        other => other,
    };
    text.chars().map(show).collect()
}

#[cfg(test)]
mod tests {
    use unstick::{Plan, Policy, Source};

    use super::*;

    fn render(text: &[u8]) -> String {
        let plan = Plan::new(Source { path: None, bytes: text }, &Policy::default());
        Human { colour: Colour::Off, all: false }.render(FileReport { path: "svc.yaml", text, plan: &plan })
    }

    #[test]
    fn shows_place_excerpt_and_help() {
        let text =
            b"apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  sessionAffinity: yes\n";
        assert_eq!(
            render(text),
            "refused[unknown-value]: the value is no string, so the API server rejects it: left as it is\n  --> \
             svc.yaml:5:3 (Service shop/web, spec.sessionAffinity)\n   |\n 5 |   sessionAffinity: yes\n   |   \
             ^^^^^^^^^^^^^^^^^^^^\n   = help: write ClientIP or None, or take the line out\n\n"
        );
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
        let caret = lines[4].chars().position(|c| c == '^').unwrap();
        let shown: String = lines[3].chars().skip(caret).take(25).collect();
        assert_eq!(shown, "sessionAffinity: ClientIP");
        assert_eq!(lines[4].matches('^').count(), 25);
    }
}
