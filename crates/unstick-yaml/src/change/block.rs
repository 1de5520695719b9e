//! Removal of entries from a block mapping: whole lines go.

use std::collections::BTreeSet;

use super::comment::{deeper_below, owned_above, staying_keys};
use super::{ChangeError, Draft};
use crate::layout::{is_line_first, line_break, line_start, next_line, skip_blanks_back};
use crate::{CommentRule, Content, Entry, NodeId, Outline, Span};

/// Deletes the lines of the entries; a mapping that loses all of them becomes `{}`.
pub(super) fn remove(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    mapping: NodeId,
    removed: &BTreeSet<usize>,
    comments: CommentRule<'_>,
) -> Result<(), ChangeError> {
    let entries = outline.entries(mapping);
    let siblings = staying_keys(outline, mapping, removed);
    let shared = entries.first().is_some_and(|first| !is_line_first(text, first.start));
    let mut lines = removed.clone();
    if entries.len() == removed.len() {
        let Some(first) = entries.first() else { return Ok(()) };
        if shared {
            draft.replace(Span::new(first.start, own_end(text, first)), "{}");
            lines.remove(&0);
        } else {
            draft.replace(Span::empty(value_place(outline, mapping)?), " {}");
        }
    } else if shared && lines.remove(&0) {
        let staying = (0..entries.len()).find(|index| !removed.contains(index)).unwrap_or_default();
        lines = lines.split_off(&staying);
        slide_up(draft, text, outline, &entries[..=staying]);
    }
    for index in lines {
        let Some(entry) = entries.get(index) else { continue };
        let line = line_start(text, entry.start);
        let column = entry.start - line;
        let start = owned_above(text, outline, line, column, &siblings, comments);
        draft.delete(Span::new(start, lines_end(text, outline, entry)));
    }
    Ok(())
}

/// Returns the start of the line after the entry's last own line, over-indented comments behind a nested value included.
pub(super) fn lines_end(text: &[u8], outline: &Outline, entry: &Entry) -> usize {
    let end = if ends_with_break(text, entry) { entry.end } else { next_line(text, entry.end) };
    let nested = matches!(
        outline.node(entry.value).content,
        Content::Mapping { flow: false, .. } | Content::Sequence { flow: false, .. }
    );
    if nested { deeper_below(text, outline, end, entry.start - line_start(text, entry.start)) } else { end }
}

/// Deletes leading entries whose first shares its line with the dash or colon before it, so that the next one takes
/// their place there; with comments or blank lines in between, only their own lines are emptied.
fn slide_up(draft: &mut Draft, text: &[u8], outline: &Outline, entries: &[Entry]) {
    let [first, .., staying] = entries else { return };
    let going = &entries[..entries.len() - 1];
    let last = &going[going.len() - 1];
    let next = lines_end(text, outline, last);
    if next == line_start(text, staying.start) {
        draft.delete(Span::new(first.start, staying.start));
        return;
    }
    draft.delete(Span::new(skip_blanks_back(text, first.start), own_end(text, first)));
    for entry in &going[1..] {
        draft.delete(Span::new(line_start(text, entry.start), lines_end(text, outline, entry)));
    }
}

/// Returns the end of the entry's last own line without its line break; a trailing comment is inside.
fn own_end(text: &[u8], entry: &Entry) -> usize {
    if ends_with_break(text, entry) {
        let end = entry.end - 1;
        return if end > 0 && text[end] == b'\n' && text[end - 1] == b'\r' { end - 1 } else { end };
    }
    line_break(text, entry.end)
}

/// Tells whether the entry's own bytes end with a line break, as a block scalar's do.
fn ends_with_break(text: &[u8], entry: &Entry) -> bool {
    entry.end > entry.start && matches!(text.get(entry.end - 1), Some(b'\n' | b'\r'))
}

/// Returns where a value of `mapping`'s place is written: after its indicator, its tag and its anchor.
fn value_place(outline: &Outline, mapping: NodeId) -> Result<usize, ChangeError> {
    let node = outline.node(mapping);
    if let Some(end) = [&node.anchor, &node.tag].into_iter().flatten().map(|property| property.span.end).max() {
        return Ok(end);
    }
    let parent = node.parent.map(|parent| &outline.node(parent).content);
    let entry = match parent {
        Some(Content::Mapping { entries, .. } | Content::Sequence { entries, .. }) => {
            entries.iter().find(|entry| entry.value == mapping)
        }
        _ => None,
    };
    match entry {
        Some(Entry { key: Some(_), colon: Some(colon), .. }) => Ok(colon + 1),
        Some(Entry { key: None, start, .. }) => Ok(start + 1),
        _ => Err(ChangeError { reason: "the document would lose all its content", span: node.span }),
    }
}
