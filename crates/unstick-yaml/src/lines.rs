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

    /// Returns the line and column of the byte at `offset`; past the end counts as the end.
    #[must_use]
    pub fn position(&self, text: &[u8], offset: usize) -> Position {
        let (line, before) = self.locate(text, offset);
        Position {
            line,
            column: 1 + before.utf8_chunks().map(|c| c.valid().chars().count() + c.invalid().len()).sum::<usize>(),
        }
    }

    /// Returns the one-based column of the byte at `offset` in UTF-16 code units, as editors of the web count.
    #[must_use]
    pub fn utf16_column(&self, text: &[u8], offset: usize) -> usize {
        let (_, before) = self.locate(text, offset);
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
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        (line, Span::new(self.starts[line - 1], offset).slice(text))
    }
}

/// Returns the zero-based UTF-16 offsets of sorted byte offsets, in one pass over the text.
///
/// A byte that is no UTF-8 counts as one unit, as a decoder that replaces it has it.
#[must_use]
pub fn utf16_offsets(text: &[u8], offsets: &[usize]) -> Vec<usize> {
    let mut units = 0;
    let mut reached = 0;
    let mut found = Vec::with_capacity(offsets.len());
    for offset in offsets {
        let offset = (*offset).min(text.len()).max(reached);
        units += utf16_length(&text[reached..offset]);
        reached = offset;
        found.push(units);
    }
    found
}

fn utf16_length(bytes: &[u8]) -> usize {
    let chunks = bytes.utf8_chunks();
    chunks.map(|chunk| chunk.valid().chars().map(char::len_utf16).sum::<usize>() + chunk.invalid().len()).sum()
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
}
