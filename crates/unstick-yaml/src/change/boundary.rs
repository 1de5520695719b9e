//! What a removal must not do to the block scalar above it.

use super::ChangeError;
use crate::layout::{is_break, next_line, skip_blanks};
use crate::{Content, EditSet, Outline, ScalarStyle, Span};

/// Refuses removals after which blank lines would become part of a block scalar that keeps them (`|+`).
///
/// # Errors
///
/// [`ChangeError`] with the removed bytes.
pub(super) fn refuse_kept_blanks(text: &[u8], outline: &Outline, edits: &EditSet) -> Result<(), ChangeError> {
    let mut ends: Vec<usize> =
        outline.nodes.iter().filter_map(|node| kept_end(text, &node.content, node.span)).collect();
    ends.sort_unstable();
    let mut removed: Option<Span> = None;
    for edit in edits.as_slice().iter().filter(|edit| edit.replacement.is_empty()) {
        // Removals that touch count as one.
        let span = match removed {
            Some(before) if before.end == edit.span.start => before.cover(edit.span),
            _ => edit.span,
        };
        removed = Some(span);
        let blank = span.end < text.len() && is_break(text, skip_blanks(text, span.end));
        if blank && ends.binary_search(&span.start).is_ok() {
            return Err(ChangeError { reason: "the block scalar above would take the blank lines below", span });
        }
    }
    Ok(())
}

/// Returns where a block scalar with a `+` in its header ends, its last line break included.
fn kept_end(text: &[u8], content: &Content, span: Span) -> Option<usize> {
    let Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. } = content else { return None };
    let scalar = span.slice(text);
    let mut flags = scalar.iter().skip(1).take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
    let ends_line = matches!(scalar.last(), Some(b'\n' | b'\r'));
    flags.any(|byte| *byte == b'+').then(|| if ends_line { span.end } else { next_line(text, span.end) })
}

#[cfg(test)]
mod tests {
    use crate::{ChangeSet, CommentRule, Span, read_yaml};

    fn is_refused(text: &str) -> bool {
        let outline = read_yaml(text.as_bytes(), Span::new(0, text.len())).remove(0).unwrap();
        let mut changes = ChangeSet::new();
        changes.remove(outline.root.unwrap(), 1);
        changes.edits(text.as_bytes(), &outline, CommentRule::Keep).is_err()
    }

    #[test]
    fn refuses_to_feed_a_scalar_that_keeps_its_blanks() {
        for scalar in ["|+\n  x", ">+\n  x", "|+", "|+ # c"] {
            assert!(is_refused(&format!("a: {scalar}\nb: 1\n\nc: 2\n")), "{scalar}");
            assert!(!is_refused(&format!("a: {scalar}\nb: 1\nc: 2\n\nd: 3\n")), "{scalar}");
        }
        assert!(is_refused("a: |+\r\n  x\r\n\r\nb: 1\r\n\r\nc: 2\r\n"));
        assert!(!is_refused("a: |\n  x\nb: 1\n\nc: 2\n"));
        assert!(!is_refused("a: |-\n  x\nb: 1\n\nc: 2\n"));
    }
}
