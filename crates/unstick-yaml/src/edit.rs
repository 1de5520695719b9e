//! Edits of a source text, and sets of them that cannot collide.

use crate::Span;

/// Replacement of one span of the original text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the original text that go; empty for an insertion.
    pub span: Span,
    /// Bytes that come in their place; empty for a deletion.
    pub replacement: Vec<u8>,
}

impl Edit {
    /// Makes an edit that deletes `span`.
    #[must_use]
    pub fn deletion(span: Span) -> Self {
        Self { span, replacement: Vec::new() }
    }

    /// Makes an edit that inserts `text` before the byte at `offset`.
    #[must_use]
    pub fn insertion(offset: usize, text: impl Into<Vec<u8>>) -> Self {
        Self { span: Span::empty(offset), replacement: text.into() }
    }

    /// Makes an edit that puts `text` in the place of `span`.
    #[must_use]
    pub fn replacement(span: Span, text: impl Into<Vec<u8>>) -> Self {
        Self { span, replacement: text.into() }
    }
}

/// Two edits want the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("edit of bytes {}..{} overlaps the edit of bytes {}..{}", new.start, new.end, old.start, old.end)]
pub struct Overlap {
    /// The span that was refused.
    pub new: Span,
    /// The span that was there before.
    pub old: Span,
}

/// Edits of one text, sorted by place and disjoint.
///
/// Two insertions at one offset, and an insertion inside or at the start of a deleted span, count as an overlap:
/// their order would be a guess.
///
/// ```
/// use unstick_yaml::{Edit, EditSet, Span};
/// let mut edits = EditSet::new();
/// edits.insert(Edit::deletion(Span::new(1, 3)))?;
/// assert!(edits.insert(Edit::deletion(Span::new(2, 4))).is_err());
/// assert_eq!(edits.apply(b"abcd"), b"ad");
/// # Ok::<(), unstick_yaml::Overlap>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditSet {
    edits: Vec<Edit>,
}

impl EditSet {
    /// Makes an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one edit.
    ///
    /// # Errors
    ///
    /// [`Overlap`] where the edit shares bytes, or its place, with one of the set; the set stays as it was.
    pub fn insert(&mut self, edit: Edit) -> Result<(), Overlap> {
        let at = self.edits.partition_point(|old| old.span < edit.span);
        let before = at.checked_sub(1).map(|index| &self.edits[index]);
        let after = self.edits.get(at);
        for old in before.into_iter().chain(after) {
            if collide(old.span, edit.span) {
                return Err(Overlap { new: edit.span, old: old.span });
            }
        }
        self.edits.insert(at, edit);
        Ok(())
    }

    /// Adds all edits of `other`, or none.
    ///
    /// # Errors
    ///
    /// [`Overlap`] for the first that collides; the set stays as it was.
    pub fn merge(&mut self, other: &Self) -> Result<(), Overlap> {
        let mut merged = self.clone();
        for edit in &other.edits {
            merged.insert(edit.clone())?;
        }
        *self = merged;
        Ok(())
    }

    /// Returns the edits in the order of the text.
    #[must_use]
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// Tells whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the number of edits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Returns `text` with the edits made; every byte outside their spans is copied as it is.
    #[must_use]
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        self.apply_within(text, Span::new(0, text.len()))
    }

    /// Returns the bytes of `window` with the edits that lie inside it made.
    #[must_use]
    pub fn apply_within(&self, text: &[u8], window: Span) -> Vec<u8> {
        let mut out = Vec::with_capacity(window.len());
        let mut copied = window.start;
        for edit in self.within(window) {
            out.extend_from_slice(Span::new(copied, edit.span.start).slice(text));
            out.extend_from_slice(&edit.replacement);
            copied = edit.span.end;
        }
        out.extend_from_slice(Span::new(copied, window.end).slice(text));
        out
    }

    /// Returns the edits whose spans lie inside `window`.
    #[must_use]
    pub fn within(&self, window: Span) -> &[Edit] {
        let first = self.edits.partition_point(|edit| edit.span.start < window.start);
        let last = self.edits.partition_point(|edit| edit.span.end <= window.end);
        &self.edits[first.min(last)..last]
    }

    /// Returns where the byte at `offset` of the original text stands afterwards; a deleted byte maps to its edit's start.
    #[must_use]
    pub fn map_offset(&self, offset: usize) -> usize {
        let mut grown = 0usize;
        let mut shrunk = 0usize;
        for edit in &self.edits {
            if edit.span.end > offset {
                let start = edit.span.start.min(offset);
                return start + grown - shrunk;
            }
            grown += edit.replacement.len();
            shrunk += edit.span.len();
        }
        offset + grown - shrunk
    }
}

fn collide(a: Span, b: Span) -> bool {
    let (first, second) = if a <= b { (a, b) } else { (b, a) };
    first.start == second.start || second.start < first.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_edits_sorted_and_refuses_overlaps() {
        let mut edits = EditSet::new();
        edits.insert(Edit::deletion(Span::new(4, 6))).unwrap();
        edits.insert(Edit::replacement(Span::new(0, 2), "xyz")).unwrap();
        edits.insert(Edit::insertion(6, "!")).unwrap();
        assert_eq!(edits.apply(b"abcdefgh"), b"xyzcd!gh");
        assert!(edits.insert(Edit::insertion(5, "?")).is_err());
        assert!(edits.insert(Edit::insertion(6, "?")).is_err());
        assert!(edits.insert(Edit::deletion(Span::new(1, 3))).is_err());
        assert_eq!(edits.len(), 3);
    }

    #[test]
    fn maps_offsets_through_the_edits() {
        let mut edits = EditSet::new();
        edits.insert(Edit::deletion(Span::new(2, 4))).unwrap();
        edits.insert(Edit::insertion(6, "xx")).unwrap();
        let mapped: Vec<usize> = (0..8).map(|offset| edits.map_offset(offset)).collect();
        assert_eq!(mapped, [0, 1, 2, 2, 2, 3, 6, 7]);
    }

    #[test]
    fn merges_all_or_nothing() {
        let mut edits = EditSet::new();
        edits.insert(Edit::deletion(Span::new(2, 4))).unwrap();
        let mut other = EditSet::new();
        other.insert(Edit::deletion(Span::new(0, 1))).unwrap();
        other.insert(Edit::deletion(Span::new(3, 5))).unwrap();
        let before = edits.clone();
        assert!(edits.merge(&other).is_err());
        assert_eq!(edits, before);
    }
}
