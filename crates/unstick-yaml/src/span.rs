//! Half-open byte ranges.

use std::ops::Range;

/// Half-open range of bytes, `start..end`, in one source text.
///
/// ```
/// use unstick_yaml::Span;
/// let span = Span::new(2, 5);
/// assert_eq!(span.slice(b"abcdefg"), b"cde");
/// assert!(span.contains(4) && !span.contains(5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset in bytes of the first byte.
    pub start: usize,
    /// Offset in bytes just after the last byte.
    pub end: usize,
}

impl Span {
    /// Makes a span; an end before the start is raised to the start.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// Makes the empty span at `offset`.
    #[must_use]
    pub const fn empty(offset: usize) -> Self {
        Self { start: offset, end: offset }
    }

    /// Returns the length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Tells whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Tells whether the byte at `offset` lies in the span.
    #[must_use]
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Tells whether all of `other` lies in the span.
    #[must_use]
    pub const fn encloses(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that holds both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span moved `offset` bytes to the right.
    #[must_use]
    pub const fn shift(self, offset: usize) -> Self {
        Self { start: self.start + offset, end: self.end + offset }
    }

    /// Returns the bytes of the span; bytes past the end of `text` are left out.
    #[must_use]
    pub fn slice(self, text: &[u8]) -> &[u8] {
        let end = self.end.min(text.len());
        &text[self.start.min(end)..end]
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}
