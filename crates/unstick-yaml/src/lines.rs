//! From byte offsets to lines, columns and UTF-16.

use crate::Span;
use crate::layout::after_break;

/// Where the lines of a text begin; LF, CRLF and a lone CR end a line.
///
/// ```
/// use unstick_yaml::LineIndex;
/// let text = "a\nbü😀c".as_bytes();
/// let lines = LineIndex::new(text);
/// let position = lines.position(text, 9);
/// assert_eq!((position.line, position.column), (2, 4));
/// assert_eq!(lines.utf16_column(text, 9), 5);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    length: usize,
}

/// A place in a text as people count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// One-based line.
    pub line: usize,
    /// One-based column in code points; a byte that is no UTF-8 counts as one.
    pub column: usize,
}

impl LineIndex {
    /// Finds the lines of a text, in one pass.
    #[must_use]
    pub fn new(text: &[u8]) -> Self {
        let mut starts = vec![0];
        let mut reached = 0;
        for at in memchr::memchr2_iter(b'\n', b'\r', text) {
            // The LF of a CRLF was passed with its CR.
            if at >= reached {
                reached = after_break(text, at);
                starts.push(reached);
            }
        }
        Self { starts, length: text.len() }
    }

    /// Returns the line and column of the byte at `offset`; past the end counts as the end, and inside a character as its
    /// first byte.
    #[must_use]
    pub fn position(&self, text: &[u8], offset: usize) -> Position {
        let (sequence, valid) = sequence_at(text, offset.min(self.length));
        let (line, before) = self.locate(text, if valid { sequence.start } else { offset });
        Position {
            line,
            column: 1 + before.utf8_chunks().map(|c| c.valid().chars().count() + c.invalid().len()).sum::<usize>(),
        }
    }

    /// Returns the one-based line of the byte at `offset`; past the end counts as the end.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset.min(self.length)).max(1)
    }

    /// Returns the one-based column of the byte at `offset` in UTF-16 code units, as editors of the web count.
    ///
    /// Bytes that are no UTF-8 count as in [`utf16_offsets`].
    #[must_use]
    pub fn utf16_column(&self, text: &[u8], offset: usize) -> usize {
        let (sequence, _) = sequence_at(text, offset.min(self.length));
        let (_, before) = self.locate(text, sequence.start);
        1 + utf16_length(before)
    }

    /// Returns the bytes of a one-based line, without its line break; empty where there is no such line.
    #[must_use]
    pub fn line_span(&self, text: &[u8], line: usize) -> Span {
        let Some(start) = line.checked_sub(1).and_then(|index| self.starts.get(index)) else {
            return Span::empty(self.length);
        };
        let end = self.starts.get(line).copied().unwrap_or(self.length);
        let bytes = Span::new(*start, end).slice(text);
        let content = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
        Span::new(*start, start + content)
    }

    /// Returns the number of lines; an empty last line counts.
    #[must_use]
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line of `offset` and the line's bytes before it.
    fn locate<'t>(&self, text: &'t [u8], offset: usize) -> (usize, &'t [u8]) {
        let offset = offset.min(self.length);
        let line = self.line(offset);
        (line, Span::new(self.starts[line - 1], offset).slice(text))
    }
}

/// Returns the zero-based UTF-16 offsets of sorted byte offsets, in one pass over the text.
///
/// Bytes that are no UTF-8 count as in JavaScript's `TextDecoder`: one unit for each U+FFFD that it would write, which
/// stands for one to three bytes. Past the end counts as the end, and inside a character as its first byte. A U+FEFF at
/// the start counts too; a decoder has to keep it (`ignoreBOM: true`).
///
/// ```
/// use unstick_yaml::utf16_offsets;
/// assert_eq!(utf16_offsets("é😀x".as_bytes(), &[2, 6, 7]), [1, 3, 4]);
/// ```
#[must_use]
pub fn utf16_offsets(text: &[u8], offsets: &[usize]) -> Vec<usize> {
    let mut units = 0;
    let mut reached = 0;
    let mut found = Vec::with_capacity(offsets.len());
    for offset in offsets {
        let offset = sequence_at(text, (*offset).min(text.len())).0.start.max(reached);
        units += utf16_length(&text[reached..offset]);
        reached = offset;
        found.push(units);
    }
    found
}

/// Returns the bytes of the character that `offset` lies in, and whether they are one; else they are what a decoder
/// replaces by one U+FFFD. Empty at the end of the text.
fn sequence_at(text: &[u8], offset: usize) -> (Span, bool) {
    let first =
        (offset.saturating_sub(3)..=offset).rev().find(|at| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80));
    // A sequence that begins before the offset may end before it, too.
    for start in first.into_iter().chain([offset]) {
        let few = Span::new(start, start.saturating_add(4)).slice(text);
        let Some(chunk) = few.utf8_chunks().next() else { continue };
        let character = chunk.valid().chars().next();
        let span = Span::new(start, start + character.map_or(chunk.invalid().len(), char::len_utf8));
        if span.contains(offset) {
            return (span, character.is_some());
        }
    }
    (Span::empty(offset), true)
}

/// Returns the number of UTF-16 code units that a decoder makes of whole sequences.
fn utf16_length(bytes: &[u8]) -> usize {
    let units = |chunk: &str| chunk.chars().map(char::len_utf16).sum::<usize>();
    bytes.utf8_chunks().map(|chunk| units(chunk.valid()) + usize::from(!chunk.invalid().is_empty())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_every_line_ending() {
        let text = b"a\r\nb\rc\n\nd";
        let lines = LineIndex::new(text);
        let at = |offset| {
            let position = lines.position(text, offset);
            (position.line, position.column)
        };
        assert_eq!([at(0), at(3), at(5), at(7), at(8), at(99)], [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (5, 2)]);
        assert_eq!(lines.count(), 5);
        let spans: Vec<&[u8]> = (1..=6).map(|line| lines.line_span(text, line).slice(text)).collect();
        assert_eq!(spans, [&b"a"[..], b"b", b"c", b"", b"d", b""]);
    }

    #[test]
    fn counts_code_points_and_utf16_units() {
        let text = "é😀x".as_bytes();
        let lines = LineIndex::new(text);
        assert_eq!(lines.position(text, 6).column, 3);
        assert_eq!(lines.utf16_column(text, 6), 4);
        assert_eq!(utf16_offsets(text, &[0, 2, 6, 7]), [0, 1, 3, 4]);
        assert_eq!(LineIndex::new(b"\xe9\xe8x").position(b"\xe9\xe8x", 2).column, 3);
    }

    #[test]
    fn counts_a_place_inside_a_character_as_its_start() {
        let text = "😀x\né".as_bytes();
        let lines = LineIndex::new(text);
        let columns: Vec<usize> = (0..=8).map(|offset| lines.position(text, offset).column).collect();
        assert_eq!(columns, [1, 1, 1, 1, 2, 3, 1, 1, 2]);
        let columns: Vec<usize> = (0..=8).map(|offset| lines.utf16_column(text, offset)).collect();
        assert_eq!(columns, [1, 1, 1, 1, 3, 4, 1, 1, 2]);
        assert_eq!(utf16_offsets(text, &[0, 1, 3, 4, 5, 6, 7, 8, 9]), [0, 0, 0, 2, 3, 4, 4, 5, 5]);
    }

    /// The lengths are what `new TextDecoder().decode(…)` gives in Node.
    #[test]
    fn counts_bytes_that_are_no_utf8_like_a_decoder() {
        let cases: [(&[u8], usize); 6] = [
            (b"\xf0\x9f\x98x", 2),
            (b"\xff\xfe", 2),
            (b"\xed\xa0\x80", 3),
            (b"\xe2\x82", 1),
            (b"\xf4\x90\x80\x80", 4),
            (b"\x80\x80\x80\x80\x80", 5),
        ];
        for (text, units) in cases {
            assert_eq!(utf16_offsets(text, &[text.len()]), [units], "{}", text.escape_ascii());
            assert_eq!(LineIndex::new(text).utf16_column(text, text.len()), 1 + units, "{}", text.escape_ascii());
            let position = LineIndex::new(text).position(text, text.len());
            assert_eq!(position.column, 1 + text.len(), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn stops_at_every_offset_as_well_as_at_the_last() {
        let text = b"a\xf0\x9f\x98\xf0\x9f\x98\x80\r\n\xe2\x82\x80\x80\xff\xc3\xa9\r\xed\xa0\x80b\n";
        let every: Vec<usize> = (0..=text.len() + 2).collect();
        let units = utf16_offsets(text, &every);
        for (offset, expected) in every.iter().zip(&units) {
            assert_eq!(utf16_offsets(text, &[*offset]), [*expected], "{offset}");
        }
        assert_eq!(units.last(), Some(&String::from_utf8_lossy(text).encode_utf16().count()));
    }

    #[test]
    fn takes_any_text_and_offset() {
        for text in [&b""[..], b"\n", b"\r", b"\r\n", b"\n\r", b"a\r"] {
            let lines = LineIndex::new(text);
            let end = lines.position(text, usize::MAX);
            assert_eq!(end, lines.position(text, text.len()), "{text:?}");
            assert_eq!(end.line, lines.count(), "{text:?}");
            assert_eq!(lines.line_span(text, 0), Span::empty(text.len()));
            assert_eq!(lines.line_span(text, usize::MAX), Span::empty(text.len()));
        }
        assert_eq!(LineIndex::new(b"\n\r").count(), 3);
        // A text that is not the indexed one gives some answer.
        assert_eq!(LineIndex::new(b"a\nb").position(b"", 3), Position { line: 2, column: 1 });
        assert_eq!(utf16_offsets(b"", &[0, usize::MAX]), [0, 0]);
    }
}
