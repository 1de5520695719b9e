//! A place in the text that moves from token to token.

use crate::layout::column;
use crate::{Span, leading_boms};

/// Moves over what may stand between two nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    end: usize,
    /// The stretch that was passed over last: where no colon stood behind it, each of many nested keys meets it again.
    passed: Span,
    /// Offset in the whole text.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8], window: Span) -> Self {
        Self { text, end: window.end.min(text.len()), passed: Span::empty(window.start), at: window.start }
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

    /// Returns the byte column here.
    pub(super) fn column(&self) -> usize {
        column(self.text, self.at)
    }

    /// Moves over white space, line breaks and comments.
    pub(super) fn skip_space(&mut self) {
        let start = self.at;
        if start == self.passed.start {
            self.at = self.passed.end;
        }
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'#') => self.skip_line(),
                _ => break,
            }
        }
        if self.at > start {
            self.passed = Span::new(start, self.at);
        }
    }

    /// Moves to a document's first token: over white space, comments, U+FEFF and `...` lines.
    pub(super) fn skip_to_document(&mut self) {
        loop {
            self.skip_space();
            let line_begins = column(self.text, self.at) == 0;
            let rest = self.text.get(self.at..self.end).unwrap_or_default();
            // U+FEFF behind indentation is content.
            let boms = if line_begins { leading_boms(rest) } else { 0 };
            self.at += boms;
            if line_begins && is_document_end(&rest[boms..]) {
                self.at += 3;
            } else if boms == 0 {
                return;
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

    /// Moves to the end of the line, before its break.
    pub(super) fn skip_line(&mut self) {
        self.at = self.line_end(self.at);
    }

    /// Returns the end of the block scalar whose header begins at `header`: behind the break of its last line.
    /// Trailing blank lines belong to it only where it keeps them (`+`).
    ///
    /// `parsed` is the parser's span: it starts at the first character of the content, behind its indentation, and ends
    /// somewhere before the next token. `blank` tells that the decoded text has nothing but line breaks.
    pub(super) fn block_scalar_end(&self, header: usize, parsed: Span, blank: bool) -> usize {
        let header_end = self.line_end(header);
        let flags = Span::new(header + 1, header_end).slice(self.text);
        let length = flags.iter().take_while(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9')).count();
        let keeps = flags[..length].contains(&b'+');
        let content = Span::new(self.after_break(header_end), parsed.end.min(self.end));
        let indent = parsed.start.saturating_sub(line_start(self.text, Span::new(header, parsed.start)));
        let mut end = content.end;
        while end > content.start {
            let line = Span::new(last_line(self.text, Span::new(content.start, end)), end);
            let bytes = line.slice(self.text);
            if !blank && holds_content(bytes, indent) {
                return self.after_break(self.line_end(line.start));
            }
            if keeps && matches!(bytes.last(), Some(b'\n' | b'\r')) {
                return end;
            }
            end = line.start;
        }
        header + 1 + length
    }

    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.get(at..self.end).unwrap_or_default();
        at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    /// Returns the offset behind the line break at `at`, if one is there.
    pub(super) fn after_break(&self, at: usize) -> usize {
        match (self.byte(at), self.byte(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            (Some(b'\r' | b'\n'), _) => at + 1,
            _ => at,
        }
    }
}

/// Tells whether a line of a block scalar holds more than its indentation.
fn holds_content(line: &[u8], indent: usize) -> bool {
    let length = line.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let spaces = line.iter().take_while(|byte| **byte == b' ').count();
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    blanks < length || spaces >= indent && length > indent
}

/// Tells whether a line is a document's end: `...` alone or before a blank.
pub(super) fn is_document_end(line: &[u8]) -> bool {
    line.strip_prefix(b"...").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Returns the start of the line on which a stretch ends.
pub(super) fn line_start(text: &[u8], stretch: Span) -> usize {
    memchr::memrchr2(b'\n', b'\r', stretch.slice(text)).map_or(stretch.start, |at| stretch.start + at + 1)
}

/// Returns the start of the last line of a stretch; a line break at its end belongs to that line.
pub(super) fn last_line(text: &[u8], stretch: Span) -> usize {
    let bytes = stretch.slice(text);
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    line_start(text, Span::new(stretch.start, stretch.start + bytes.len()))
}
