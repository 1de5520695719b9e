//! Which comment lines belong to an entry that goes.

use std::collections::BTreeSet;

use crate::layout::{comment_line, line_start, next_line};
use crate::{CommentRule, NodeId, Outline, Span};

/// Returns the start of the entry's first line, or of the comment block directly above it that goes along.
///
/// `line` is the start of the entry's first line and `column` the byte column of its key; a comment at another column
/// ends the block.
pub(super) fn owned_above(
    text: &[u8],
    outline: &Outline,
    line: usize,
    column: usize,
    siblings: &BTreeSet<&str>,
    rule: CommentRule<'_>,
) -> usize {
    let CommentRule::Owned(names) = rule else { return line };
    let mut start = line;
    while start > 0 {
        let above = line_start(text, start - 1);
        match comment_line(text, outline, above) {
            Some(comment) if comment.start - above == column => start = above,
            _ => break,
        }
    }
    let block = Span::new(start, line).slice(text);
    let words: BTreeSet<&[u8]> = block.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty()).collect();
    let names_key = names.iter().any(|name| words.contains(name.as_bytes()));
    let names_sibling = siblings.iter().any(|name| words.contains(name.as_bytes()));
    if names_key && !names_sibling { start } else { line }
}

/// Returns the end of the comment lines directly at `line` that stand deeper than `column`.
pub(super) fn deeper_below(text: &[u8], outline: &Outline, line: usize, column: usize) -> usize {
    let mut end = line;
    while end < text.len() {
        match comment_line(text, outline, end) {
            Some(comment) if comment.start - end > column => end = next_line(text, comment.end),
            _ => break,
        }
    }
    end
}

/// Returns the keys of `mapping` that stay.
pub(super) fn staying_keys<'a>(outline: &'a Outline, mapping: NodeId, removed: &BTreeSet<usize>) -> BTreeSet<&'a str> {
    let entries = outline.entries(mapping).iter().enumerate();
    entries.filter(|(index, _)| !removed.contains(index)).filter_map(|(_, entry)| outline.key(entry)).collect()
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
