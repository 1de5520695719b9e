//! Lines and columns of many offsets of one text.

use std::cell::Cell;

use unstick_yaml::{LineIndex, Position, Span};

/// Finds positions, each from the one before where both stand on one line.
///
/// A text may be one line of megabytes with thousands of findings: counting each column from the line's start would
/// take quadratic time.
pub(crate) struct Places<'t> {
    text: &'t [u8],
    lines: LineIndex,
    last: Cell<(usize, Position)>,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Self { text, lines: LineIndex::new(text), last: Cell::new((0, Position { line: 1, column: 1 })) }
    }

    /// Returns the line and column of the byte at `offset`.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let position = self.on_the_last_line(offset).unwrap_or_else(|| self.lines.position(self.text, offset));
        self.last.set((offset, position));
        position
    }

    /// Returns the bytes of a one-based line, without its line break.
    pub(crate) fn line(&self, line: usize) -> Span {
        self.lines.line_span(self.text, line)
    }

    fn on_the_last_line(&self, offset: usize) -> Option<Position> {
        let (last, Position { line, column }) = self.last.get();
        let span = self.line(line);
        if !(span.start..=span.end).contains(&offset) || !(span.start..=span.end).contains(&last) {
            return None;
        }
        let between = characters(Span::new(last.min(offset), last.max(offset)).slice(self.text));
        let column = if offset < last { column.saturating_sub(between) } else { column + between };
        Some(Position { line, column })
    }
}

/// Returns the number of code points; a byte that is no UTF-8 counts as one.
fn characters(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_index_in_any_order() {
        let text = "a: é😀\r\n\nb: [1, ü, 2]\rc\n".as_bytes();
        let lines = LineIndex::new(text);
        let places = Places::new(text);
        let offsets: Vec<usize> =
            (0..=text.len()).filter(|at| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80)).collect();
        for first in &offsets {
            for second in &offsets {
                for offset in [*first, *second] {
                    assert_eq!(places.position(offset), lines.position(text, offset), "{first} {second}");
                }
            }
        }
    }
}
