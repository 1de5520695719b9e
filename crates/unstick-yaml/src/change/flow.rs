//! Removal of members from a flow collection, in JSON an object or array: each goes with exactly one comma.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::Draft;
use super::comment::{owned_above, staying_keys};
use crate::layout::{
    after_break, comment_at, is_blank, is_break, is_line_first, line_start, skip_blanks, skip_blanks_back,
    skip_trailing_comment,
};
use crate::{CommentRule, Entry, NodeId, Outline, Span};

/// Deletes the members; a collection that loses all of them becomes `{}` or `[]`.
pub(super) fn remove(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    mapping: NodeId,
    removed: &BTreeSet<usize>,
    comments: CommentRule<'_>,
) {
    let entries = outline.members(mapping);
    let braces = outline.node(mapping).span;
    if removed.len() == entries.len() {
        draft.delete(Span::new(braces.start + 1, braces.end.saturating_sub(1)));
        return;
    }
    let members = Members { text, outline, mapping, entries, braces, comments, removed };
    for run in runs(removed) {
        if run.start() < run.end() && members.are_lines(&run) {
            members.remove_lines(draft, &run);
            continue;
        }
        match members.comma(*run.end()) {
            Some(comma) => members.remove_before_comma(draft, &run, comma),
            None => members.remove_tail(draft, &run),
        }
    }
}

/// Returns the groups of neighbouring indexes.
fn runs(removed: &BTreeSet<usize>) -> Vec<RangeInclusive<usize>> {
    let mut runs: Vec<RangeInclusive<usize>> = Vec::new();
    for index in removed {
        match runs.last_mut() {
            Some(run) if run.end() + 1 == *index => *run = *run.start()..=*index,
            _ => runs.push(*index..=*index),
        }
    }
    runs
}

struct Members<'a> {
    text: &'a [u8],
    outline: &'a Outline,
    mapping: NodeId,
    entries: &'a [Entry],
    braces: Span,
    comments: CommentRule<'a>,
    removed: &'a BTreeSet<usize>,
}

impl Members<'_> {
    /// Returns the offset of the comma behind member `index`.
    fn comma(&self, index: usize) -> Option<usize> {
        let mut at = self.entries[index].end;
        loop {
            match *self.text.get(at).filter(|_| at < self.braces.end)? {
                b',' => return Some(at),
                b'#' => at = comment_at(self.outline, at)?.end,
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                _ => return None,
            }
        }
    }

    /// Returns the end of the member's lines, if it stands alone on them: behind its comma, its comment and the break.
    fn lines_end(&self, index: usize) -> Option<usize> {
        let entry = &self.entries[index];
        let comma = self.comma(index).filter(|comma| self.is_on_one_line(entry.end, *comma));
        let end = skip_trailing_comment(self.text, self.outline, comma.map_or(entry.end, |comma| comma + 1));
        let rest = skip_blanks(self.text, end);
        (is_line_first(self.text, entry.start) && is_break(self.text, rest)).then(|| after_break(self.text, rest))
    }

    /// Tells whether each member of the run has lines of its own, and a comma at its end unless it is the last of all.
    fn are_lines(&self, run: &RangeInclusive<usize>) -> bool {
        let before = run.start().checked_sub(1).and_then(|before| self.comma(before));
        before.is_none_or(|comma| !is_line_first(self.text, comma))
            && run.clone().all(|index| {
                let own_comma =
                    self.comma(index).is_none_or(|comma| self.is_on_one_line(self.entries[index].end, comma));
                own_comma && self.lines_end(index).is_some()
            })
    }

    /// Deletes the lines of members, one by one, so that what stands between them stays.
    fn remove_lines(&self, draft: &mut Draft, run: &RangeInclusive<usize>) {
        if self.comma(*run.end()).is_none()
            && let Some(comma) = run.start().checked_sub(1).and_then(|before| self.comma(before))
        {
            draft.delete(Span::new(comma, comma + 1));
        }
        for index in run.clone() {
            if let Some(end) = self.lines_end(index) {
                draft.delete(Span::new(self.lines_start(self.entries[index].start), end));
            }
        }
    }

    /// Deletes members that are followed by a comma, with that comma.
    fn remove_before_comma(&self, draft: &mut Draft, run: &RangeInclusive<usize>, comma: usize) {
        let start = self.entries[*run.start()].start;
        let next = self.entries.get(run.end() + 1).map(|entry| entry.start);
        let end = skip_trailing_comment(self.text, self.outline, comma + 1);
        let line_ends = is_break(self.text, skip_blanks(self.text, end));
        let comma_alone = !self.is_on_one_line(self.entries[*run.end()].end, comma);
        let before = skip_blanks_back(self.text, start);
        match next {
            // A comma on the next member's line: that member takes the place.
            Some(next) if comma_alone => draft.delete(Span::new(start, next)),
            _ if line_ends && is_line_first(self.text, start) => {
                draft.delete(Span::new(self.lines_start(start), after_break(self.text, skip_blanks(self.text, end))));
            }
            Some(next) if !line_ends => draft.delete(Span::new(start, next)),
            Some(next) if before == self.braces.start + 1 && self.is_gap(end, next) => {
                draft.delete(Span::new(start, next));
            }
            _ => draft.delete(Span::new(before, end)),
        }
    }

    /// Deletes the last members, with the comma before them.
    fn remove_tail(&self, draft: &mut Draft, run: &RangeInclusive<usize>) {
        let start = self.entries[*run.start()].start;
        let end = skip_trailing_comment(self.text, self.outline, self.entries[*run.end()].end);
        let Some(comma) = run.start().checked_sub(1).and_then(|before| self.comma(before)) else {
            draft.delete(Span::new(start, end));
            return;
        };
        let rest = skip_blanks(self.text, end);
        let line_ends = is_break(self.text, rest);
        let line_end = after_break(self.text, rest);
        if is_line_first(self.text, comma) && line_ends {
            draft.delete(Span::new(line_start(self.text, comma), line_end));
        } else if is_line_first(self.text, start) && line_ends {
            draft.delete(Span::new(comma, comma + 1));
            draft.delete(Span::new(self.lines_start(start), line_end));
        } else if self.is_gap(comma + 1, start) {
            draft.delete(Span::new(self.tail_start(comma, end), end));
        } else {
            draft.delete(Span::new(comma, comma + 1));
            draft.delete(Span::new(start, end));
        }
    }

    /// Returns the comma's offset, or that of the blanks before it where a blank stands behind the members too.
    fn tail_start(&self, comma: usize, end: usize) -> usize {
        let blank_behind = self.text.get(end).is_some_and(|byte| is_blank(*byte));
        if blank_behind { skip_blanks_back(self.text, comma) } else { comma }
    }

    /// Returns the start of the member's line, or of the comment block above it that goes along.
    fn lines_start(&self, start: usize) -> usize {
        let line = line_start(self.text, start);
        let siblings = staying_keys(self.outline, self.mapping, self.removed);
        owned_above(self.text, self.outline, line, start - line, &siblings, self.comments)
    }

    /// Tells whether no line break stands between two offsets.
    fn is_on_one_line(&self, start: usize, end: usize) -> bool {
        !Span::new(start, end).slice(self.text).iter().any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Tells whether only white space stands between two offsets.
    fn is_gap(&self, start: usize, end: usize) -> bool {
        Span::new(start, end).slice(self.text).iter().all(u8::is_ascii_whitespace)
    }
}
