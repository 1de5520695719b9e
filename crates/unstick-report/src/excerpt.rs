//! A line of a text with carets under what is spoken of.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar as _;
use unstick_yaml::Span;

use crate::Colour;
use crate::place::Places;
use crate::visible::visible;

/// How many characters of a line an excerpt shows.
const EXCERPT_WIDTH: usize = 100;

/// Returns the place of a span, and its first line with carets under it; no final newline.
///
/// Lines and columns count from one, columns in code points.
///
/// ```
/// use unstick_yaml::Span;
/// let text = "spec: {acton: none}\n";
/// assert_eq!(
///     unstick_report::excerpt("policy.yaml", text.as_bytes(), Span::new(7, 12)),
///     "  --> policy.yaml:1:8\n   |\n 1 | spec: {acton: none}\n   |        ^^^^^"
/// );
/// ```
#[must_use]
pub fn excerpt(path: &str, text: &[u8], span: Span) -> String {
    let places = Places::new(text);
    let position = places.position(span.start);
    let marked = Marked { text, line: places.line(position.line), span };
    let excerpt = marked.excerpt(position.line, Colour::Off, Style::new());
    format!("  --> {}:{}:{}\n{}", visible(path), position.line, position.column, excerpt.trim_end())
}

/// A span to be shown on its first line.
pub(crate) struct Marked<'t> {
    pub text: &'t [u8],
    /// The line on which the span starts.
    pub line: Span,
    pub span: Span,
}

impl Marked<'_> {
    /// Returns the line under its number, and carets below.
    pub(crate) fn excerpt(&self, number: usize, colour: Colour, style: Style) -> String {
        let marked = Span::new(self.span.start, self.span.end.min(self.line.end).max(self.span.start));
        let excerpt = Excerpt::new(self.text, self.line, marked);
        let number = number.to_string();
        let blank = " ".repeat(number.len());
        let bar = gutter(colour, "|");
        let carets = colour.paint(style, &"^".repeat(excerpt.length));
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, " {blank} {bar}");
        let _ = writeln!(out, " {} {bar} {}", gutter(colour, &number), excerpt.text);
        let _ = writeln!(out, " {blank} {bar} {}{carets}", " ".repeat(excerpt.column));
        out
    }
}

/// Colours what stands beside a text.
pub(crate) fn gutter(colour: Colour, text: &str) -> String {
    colour.paint(AnsiColor::Blue.on_default().bold(), text)
}

/// A line cut around what it is shown for.
struct Excerpt {
    text: String,
    /// Columns of the terminal before the mark.
    column: usize,
    /// Columns marked, at least one.
    length: usize,
}

impl Excerpt {
    fn new(text: &[u8], line: Span, marked: Span) -> Self {
        let decode =
            |span: Span| -> Vec<char> { visible(&String::from_utf8_lossy(span.slice(text))).chars().collect() };
        // A line may be megabytes long: only what can be shown is decoded.
        let window_start = marked.start.saturating_sub(4 * EXCERPT_WIDTH).max(line.start);
        let window_end = (marked.start + 4 * EXCERPT_WIDTH).min(line.end).max(marked.start);
        let before = decode(Span::new(window_start, marked.start));
        let after = decode(Span::new(marked.start, window_end));
        let mark = decode(Span::new(marked.start, marked.end.min(window_end))).len();
        let first = before.len() - fitting(before.iter().rev(), EXCERPT_WIDTH / 2);
        let column = width(&before[first..]);
        let shown = fitting(after.iter(), EXCERPT_WIDTH - column);
        let cut_left = first > 0 || window_start > line.start;
        let cut_right = shown < after.len() || window_end < line.end;
        let mut excerpt = String::new();
        excerpt.extend(cut_left.then_some('…'));
        excerpt.extend(&before[first..]);
        excerpt.extend(&after[..shown]);
        excerpt.extend(cut_right.then_some('…'));
        let length = width(&after[..mark.min(shown)]).max(1);
        Self { text: excerpt, column: column + usize::from(cut_left), length }
    }
}

/// Returns how many of the characters fit into so many columns.
fn fitting<'c>(characters: impl Iterator<Item = &'c char>, columns: usize) -> usize {
    let widths = characters.scan(0, |sum, character| {
        *sum += character.width().unwrap_or(1);
        Some(*sum)
    });
    widths.take_while(|sum| *sum <= columns).count()
}

/// Returns the columns that characters take on a terminal.
pub(crate) fn width(characters: &[char]) -> usize {
    characters.iter().map(|character| character.width().unwrap_or(1)).sum()
}
