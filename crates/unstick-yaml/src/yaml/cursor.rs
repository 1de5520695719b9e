//! A place in the text that moves from token to token.

use crate::Span;

/// Moves over what may stand between two nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    end: usize,
    /// Offset in the whole text.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8], window: Span) -> Self {
        Self { text, end: window.end.min(text.len()), at: window.start }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.at)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        if at < self.end { self.text.get(at).copied() } else { None }
    }

    /// Moves to `at`, never back.
    pub(super) fn reach(&mut self, at: usize) {
        self.at = self.at.max(at).min(self.end);
    }

    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Moves over white space, line breaks and comments.
    pub(super) fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'#') => self.skip_line(),
                _ => return,
            }
        }
    }

    /// Moves over white space, comments and commas.
    pub(super) fn skip_separators(&mut self) {
        self.skip_space();
        while self.peek() == Some(b',') {
            self.at += 1;
            self.skip_space();
        }
    }

    /// Moves over white space and up to `count` anchors and tags.
    pub(super) fn skip_properties(&mut self, count: usize) {
        self.skip_space();
        for _ in 0..count {
            let Some(first @ (b'&' | b'!')) = self.peek() else { return };
            self.skip_property(first);
            self.skip_space();
        }
    }

    /// Tells whether the byte here stands alone, as an indicator does.
    pub(super) fn is_indicator(&self) -> bool {
        matches!(self.byte(self.at + 1), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
    }

    fn skip_property(&mut self, first: u8) {
        if first == b'!' && self.byte(self.at + 1) == Some(b'<') {
            let rest = self.text.get(self.at..self.end).unwrap_or_default();
            self.at += memchr::memchr(b'>', rest).map_or(rest.len(), |at| at + 1);
            return;
        }
        while self
            .peek()
            .is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'}'))
        {
            self.at += 1;
        }
    }

    /// Moves behind the indicator, if it is here, and returns its offset.
    pub(super) fn take(&mut self, indicator: u8) -> Option<usize> {
        let at = self.at;
        (self.peek() == Some(indicator)).then(|| {
            self.at += 1;
            at
        })
    }

    fn skip_line(&mut self) {
        let rest = self.text.get(self.at..self.end).unwrap_or_default();
        self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    /// Returns the end of the block scalar whose header begins at `header` and whose content the parser saw up to
    /// `parsed`: behind the break of its last line. Trailing blank lines belong to it only where it keeps them (`+`).
    pub(super) fn block_scalar_end(&self, header: usize, parsed: usize) -> usize {
        let rest = self.text.get(header..self.end).unwrap_or_default();
        let header_end = header + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let indicators = Span::new(header + 1, header_end).slice(self.text);
        let length = indicators.iter().take_while(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9')).count();
        let keeps = indicators[..length].contains(&b'+');
        let content = Span::new(header_end, parsed.min(self.end)).slice(self.text);
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let last = if keeps {
            content.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'))
        } else {
            content.iter().rposition(|byte| !byte.is_ascii_whitespace())
        };
        match last {
            None => header + 1 + length,
            Some(last) if keeps && content[last + 1..].iter().all(blank) => {
                if header_end + last < self.after_break(header_end) {
                    header + 1 + length
                } else {
                    header_end + last + 1
                }
            }
            Some(_) if keeps => header_end + content.len(),
            Some(last) => {
                let tail = header_end + last + 1;
                let rest = self.text.get(tail..self.end).unwrap_or_default();
                let blanks = rest.iter().take_while(|byte| blank(byte)).count();
                self.after_break(tail + blanks)
            }
        }
    }

    fn after_break(&self, at: usize) -> usize {
        match (self.byte(at), self.byte(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            (Some(b'\r' | b'\n'), _) => at + 1,
            _ => at,
        }
    }
}
