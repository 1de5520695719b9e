//! From byte spans to SARIF regions with columns in UTF-16 code units.

use std::collections::BTreeMap;

use unstick_yaml::{LineIndex, Span, utf16_offsets};

use super::log::Region;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines and columns of chosen offsets of one text, found in one pass: a text may be one line of megabytes.
///
/// A byte order mark at the start takes no column, as it is no part of the text to SARIF.
pub(super) struct Regions {
    places: BTreeMap<usize, (usize, usize)>,
}

impl Regions {
    /// Finds the places of both ends of all spans.
    pub(super) fn new(text: &[u8], spans: impl Iterator<Item = Span>) -> Self {
        let mut offsets: Vec<usize> = spans.flat_map(|span| [span.start, span.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let lines = LineIndex::new(text);
        let numbers: Vec<usize> = offsets.iter().map(|offset| lines.line(*offset)).collect();
        let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let start = |line: usize| lines.line_span(text, line).start.max(mark);
        // Line starts rise with the offsets, and each stands before its own.
        let mut wanted: Vec<usize> = offsets.iter().zip(&numbers).flat_map(|(at, line)| [start(*line), *at]).collect();
        wanted.sort_unstable();
        let units: BTreeMap<usize, usize> = wanted.iter().copied().zip(utf16_offsets(text, &wanted)).collect();
        let unit = |offset: usize| units.get(&offset).copied().unwrap_or_default();
        let place =
            |(offset, line): (&usize, &usize)| (*offset, (*line, 1 + unit(*offset).saturating_sub(unit(start(*line)))));
        Self { places: offsets.iter().zip(&numbers).map(place).collect() }
    }

    /// Returns the region of a span; its ends must be among those that were asked for.
    pub(super) fn region(&self, span: Span) -> Region {
        let place = |offset| self.places.get(&offset).copied().unwrap_or((1, 1));
        let (start_line, start_column) = place(span.start);
        let (end_line, end_column) = place(span.end);
        Region::Text { start_line, start_column, end_line, end_column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_utf16_units_and_passes_over_a_byte_order_mark() {
        let text = "\u{feff}a: 😀é\r\n\u{1F600}b: x\rc".as_bytes();
        let at = |needle: &str| {
            let start = memchr_find(text, needle.as_bytes());
            Span::new(start, start + needle.len())
        };
        let spans = [at("é"), at("b: x"), at("c"), Span::new(0, text.len())];
        let regions = Regions::new(text, spans.into_iter());
        let found = |span| match regions.region(span) {
            Region::Text { start_line, start_column, end_line, end_column } => {
                [start_line, start_column, end_line, end_column]
            }
            Region::Bytes { .. } => [0; 4],
        };
        assert_eq!(spans.map(found), [[1, 6, 1, 7], [2, 3, 2, 7], [3, 1, 3, 2], [1, 1, 3, 2]]);
    }

    #[test]
    fn agrees_with_the_index_on_every_offset() {
        let text = b"x: \xe9\xf0\x9f\x98\x80\n\n- \xc3\xa4: [1]\r\n";
        let lines = LineIndex::new(text);
        let regions = Regions::new(text, (0..=text.len()).map(Span::empty));
        for offset in 0..=text.len() {
            let expected = (lines.line(offset), lines.utf16_column(text, offset));
            assert_eq!(regions.places[&offset], expected, "{offset}");
        }
    }

    fn memchr_find(text: &[u8], needle: &[u8]) -> usize {
        text.windows(needle.len()).position(|window| window == needle).expect("there")
    }
}
