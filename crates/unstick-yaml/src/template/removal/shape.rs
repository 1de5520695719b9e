//! The forms that a cut can take, from the neatest to the smallest.

use crate::Span;
use crate::template::lexer::Token;
use crate::template::tree::Template;

/// Returns cuts for an entry or block: its whole lines, then with the break before it, then its own bytes.
pub(super) fn line_cuts(text: &[u8], template: &Template, span: Span) -> Vec<Span> {
    let before = blanks_before(text, template, span.start);
    let after = blanks_after(text, template, span.end);
    let mut cuts = Vec::new();
    let line_start = before.at_line_start.then_some(before.blanks);
    if let (Some(start), Some(end)) = (line_start, after.after_break) {
        cuts.push(Span::new(start, end));
    }
    if let (Some(start), true) = (before.before_break, after.at_line_end) {
        cuts.push(Span::new(start, after.blanks));
    }
    if let Some(end) = after.after_break.filter(|_| !before.at_line_start) {
        cuts.push(Span::new(span.start, end));
    }
    if let Some(start) = before.before_break {
        cuts.push(Span::new(start, span.end));
    }
    cuts.push(Span::new(before.blanks, span.end));
    cuts.push(span);
    cuts.dedup();
    cuts
}

/// Returns cuts for the end of a block: from the line of a header to the line of the `end`, or the bytes between.
pub(super) fn branch_cuts(text: &[u8], template: &Template, span: Span) -> Vec<Span> {
    let start = blanks_before(text, template, span.start);
    let end = blanks_before(text, template, span.end);
    let mut cuts = Vec::new();
    if start.at_line_start && end.at_line_start {
        cuts.push(Span::new(start.blanks, end.blanks));
    }
    cuts.push(span);
    cuts
}

struct Before {
    /// Offset of the first of the blanks before it.
    blanks: usize,
    /// A line begins there, in text or at the start of the file.
    at_line_start: bool,
    /// Offset of the line break before the blanks.
    before_break: Option<usize>,
}

struct After {
    /// Offset after the blanks behind it.
    blanks: usize,
    /// A line ends there, or the file.
    at_line_end: bool,
    /// Offset after the line break.
    after_break: Option<usize>,
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn blanks_before(text: &[u8], template: &Template, at: usize) -> Before {
    let floor = text_around(template, at, true).map_or(at, |span| span.start);
    let mut blanks = at;
    while blanks > floor && is_blank(text[blanks - 1]) {
        blanks -= 1;
    }
    let before_break = (blanks > floor && text[blanks - 1] == b'\n')
        .then(|| if blanks >= floor + 2 && text[blanks - 2] == b'\r' { blanks - 2 } else { blanks - 1 });
    Before { blanks, at_line_start: before_break.is_some() || blanks == 0, before_break }
}

fn blanks_after(text: &[u8], template: &Template, at: usize) -> After {
    let ceiling = text_around(template, at, false).map_or(at, |span| span.end);
    let mut blanks = at;
    while blanks < ceiling && is_blank(text[blanks]) {
        blanks += 1;
    }
    let rest = &text[blanks..ceiling];
    let length = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
    let ends = blanks == text.len();
    After { blanks, at_line_end: length > 0 || ends, after_break: (length > 0 || ends).then_some(blanks + length) }
}

/// Returns the text token that holds the byte before, or at, an offset.
fn text_around(template: &Template, at: usize, before: bool) -> Option<Span> {
    let byte = if before { at.checked_sub(1)? } else { at };
    match template.tokens.get(template.token_at(byte)?)? {
        Token::Text(span) => Some(*span),
        Token::Action(_) => None,
    }
}
