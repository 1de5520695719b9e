//! Where lines begin and end, and what stands around an offset.

use crate::{Outline, Span, leading_boms};

/// Returns the offset of the first byte of the line that holds `offset`; LF, CRLF and a lone CR end a line.
pub(crate) fn line_start(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    // A CR directly before an LF is not a line end of its own.
    let before =
        if offset > 0 && text.get(offset) == Some(&b'\n') && text[offset - 1] == b'\r' { offset - 1 } else { offset };
    memchr::memrchr2(b'\n', b'\r', &text[..before]).map_or(0, |at| at + 1)
}

/// Returns the byte column of `offset`; U+FEFF at the start of the line takes no column.
pub(crate) fn column(text: &[u8], offset: usize) -> usize {
    let line = line_start(text, offset);
    offset - line - leading_boms(&text[line..offset])
}

/// Returns the offset of the line break that ends the line of `offset`, or the end of the text.
pub(crate) fn line_break(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    memchr::memchr2(b'\n', b'\r', &text[offset..]).map_or(text.len(), |at| offset + at)
}

/// Returns the offset of the first byte of the line after the one that holds `offset`, or the end of the text.
pub(crate) fn next_line(text: &[u8], offset: usize) -> usize {
    after_break(text, line_break(text, offset))
}

/// Returns the offset behind the line break at `offset`; `offset` itself where there is none.
pub(crate) fn after_break(text: &[u8], offset: usize) -> usize {
    match (text.get(offset), text.get(offset + 1)) {
        (Some(b'\r'), Some(b'\n')) => offset + 2,
        (Some(b'\r' | b'\n'), _) => offset + 1,
        _ => offset,
    }
}

/// Returns the offset of the first byte at or after `offset` that is neither space nor tab.
pub(crate) fn skip_blanks(text: &[u8], offset: usize) -> usize {
    text.iter().skip(offset).position(|byte| !is_blank(*byte)).map_or(text.len(), |at| offset + at)
}

/// Returns the offset just after the last byte before `offset` that is neither space nor tab.
pub(crate) fn skip_blanks_back(text: &[u8], offset: usize) -> usize {
    text[..offset.min(text.len())].iter().rposition(|byte| !is_blank(*byte)).map_or(0, |at| at + 1)
}

/// Tells whether only spaces and tabs stand between the line's start and `offset`.
pub(crate) fn is_line_first(text: &[u8], offset: usize) -> bool {
    // Reads back over blanks only: a search for the line's start would make very long lines cost their square.
    let start = skip_blanks_back(text, offset);
    start == 0 || matches!(text[start - 1], b'\n' | b'\r')
}

/// Tells whether `offset` is the end of the text or a line break.
pub(crate) fn is_break(text: &[u8], offset: usize) -> bool {
    matches!(text.get(offset), None | Some(b'\n' | b'\r'))
}

/// Returns the comment that begins at `offset`.
pub(crate) fn comment_at(outline: &Outline, offset: usize) -> Option<Span> {
    let at = outline.comments.binary_search_by_key(&offset, |comment| comment.start).ok()?;
    Some(outline.comments[at])
}

/// Returns the comment that is alone on the line that begins at `line`.
pub(crate) fn comment_line(text: &[u8], outline: &Outline, line: usize) -> Option<Span> {
    comment_at(outline, skip_blanks(text, line))
}

/// Returns the offset just after `offset`'s blanks and the comment behind them, if one is there.
pub(crate) fn skip_trailing_comment(text: &[u8], outline: &Outline, offset: usize) -> usize {
    comment_at(outline, skip_blanks(text, offset)).map_or(offset, |comment| comment.end)
}

/// Returns the line break that the text uses at `offset` or nearest before it; LF where it has none.
pub(crate) fn break_style(text: &[u8], offset: usize) -> &'static [u8] {
    let after = line_break(text, offset);
    let at =
        if after < text.len() { Some(after) } else { memchr::memrchr2(b'\n', b'\r', &text[..offset.min(text.len())]) };
    match at {
        Some(at) if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') => b"\r\n",
        Some(at) if text[at] == b'\n' && at > 0 && text[at - 1] == b'\r' => b"\r\n",
        Some(at) if text[at] == b'\r' => b"\r",
        _ => b"\n",
    }
}

/// Returns the line ending in use at `offset` or nearest before it: CRLF, a lone CR, or LF where the text has none.
#[must_use]
pub fn line_ending(text: &[u8], offset: usize) -> &'static str {
    match break_style(text, offset) {
        b"\r\n" => "\r\n",
        b"\r" => "\r",
        _ => "\n",
    }
}

/// Tells whether a byte is a space or a tab.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_lines_with_every_ending() {
        let text = b"a\r\nbb\rc\n\nd";
        assert_eq!(line_start(text, 0), 0);
        assert_eq!(line_start(text, 2), 0, "the LF of a CRLF belongs to its line");
        assert_eq!(line_start(text, 4), 3);
        assert_eq!(line_start(text, 6), 6);
        assert_eq!(next_line(text, 0), 3);
        assert_eq!(next_line(text, 3), 6);
        assert_eq!(next_line(text, 8), 9);
        assert_eq!(next_line(text, 9), 10);
        assert_eq!(break_style(text, 0), b"\r\n");
        assert_eq!(break_style(text, 4), b"\r");
        assert_eq!(break_style(text, 9), b"\n");
    }
}
