//! Takes entries out of a template, with the blocks that become empty.
//!
//! Every cut is tried from the neatest form to the smallest; the first that the proof accepts is taken.

use crate::{Edit, EditSet, Span};

use super::action::ActionKind;
use super::proof::{Doubt, Marks, Proven, body_span, prove};
use super::tree::{Item, Template};

mod emptiness;
mod purity;
mod shape;

/// One entry that shall go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// From the key's first byte to the last byte of the value.
    pub entry: Span,
    /// Column of the key on paper, in bytes.
    pub column: usize,
    /// It stands behind a block scalar of the same mapping, so that blank lines may be part of that.
    pub behind_block_scalar: bool,
    /// Comment lines directly above that go with it, from the first `#` to the last byte before the entry's own line.
    pub comments: Option<Span>,
}

/// What became of the entries, and the edits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemovalPlan {
    /// The edits: deletions only.
    pub edits: EditSet,
    /// For each entry, why it stays; `None` where it goes.
    pub refused: Vec<Option<Refusal>>,
    /// Bytes whose rendered lines go, in source order.
    pub marks: Vec<Span>,
    /// Opening actions of blocks that became empty and stay: removing them would change other lines, or hide an error.
    pub kept_blocks: Vec<Span>,
}

/// Why an entry cannot be taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It begins in one branch and ends in another.
    #[error("its value ends in another block than it begins in")]
    AcrossBlocks,
    /// Its value sets a variable, or changes a map that others read.
    #[error("its value sets something that is used elsewhere")]
    SideEffect,
    /// No cut could be shown to be right.
    #[error("{0}")]
    Unproven(Doubt),
}

impl Template {
    /// Plans to take entries out of the template, and the blocks that become empty.
    ///
    /// Each edit is shown to change nothing else in any rendering but blank lines; an entry that has no such edit
    /// stays. `text` are the bytes that the template was read from.
    ///
    /// ```
    /// use unstick_yaml::{Removal, Span, Template};
    /// let text = b"spec:\n{{- if .Values.a }}\n  key: {{ .Values.a }}\n{{- end }}\n  type: x\n";
    /// let template = Template::read(text)?;
    /// let entry = Span::new(28, 48);
    /// let removal = Removal { entry, column: 2, behind_block_scalar: false, comments: None };
    /// let plan = template.plan_removal(text, &[removal]);
    /// assert_eq!(plan.edits.apply(text), b"spec:\n  type: x\n");
    /// # Ok::<(), unstick_yaml::TemplateError>(())
    /// ```
    #[must_use]
    pub fn plan_removal(&self, text: &[u8], removals: &[Removal]) -> RemovalPlan {
        let mut cutter = Cutter {
            text,
            template: self,
            cuts: Vec::new(),
            marks: Marks::default(),
            kept: Vec::new(),
            proven: Vec::new(),
            budget: MAX_WORK,
        };
        let refused = removals.iter().map(|removal| cutter.cut_entry(removal).err()).collect();
        cutter.collapse_blocks();
        RemovalPlan { edits: cutter.edits(&cutter.cuts), refused, marks: cutter.marks.spans, kept_blocks: cutter.kept }
    }

    /// Tells whether the action at `token` ends the rendering for some values: without it the chart accepts more.
    ///
    /// A guess by names: `required`, comparisons, which fail on other types, calls, and long chains of fields.
    #[must_use]
    pub fn may_fail(&self, text: &[u8], token: usize) -> bool {
        self.action(token).is_some_and(|action| purity::may_fail(text, action))
    }

    /// Returns the entry's bytes with every block that begins inside them.
    ///
    /// # Errors
    ///
    /// [`Refusal::AcrossBlocks`] where a branch that it stands in ends inside it.
    pub fn balance(&self, entry: Span) -> Result<Span, Refusal> {
        let mut span = entry;
        for block in &self.blocks {
            if block.span.start >= entry.start && block.span.start < span.end {
                span.end = span.end.max(block.span.end);
            }
        }
        let holder = self.token_at(entry.start).and_then(|token| self.holders[token]);
        let fits = holder.is_none_or(|(block, branch)| body_span(self, block, branch).encloses(span));
        if fits { Ok(span) } else { Err(Refusal::AcrossBlocks) }
    }
}

struct Cutter<'a> {
    text: &'a [u8],
    template: &'a Template,
    /// Sorted and disjoint.
    cuts: Vec<Span>,
    marks: Marks,
    kept: Vec<Span>,
    proven: Vec<Proven>,
    budget: usize,
}

/// Bytes that are read again, over all tries, before what is left is refused.
const MAX_WORK: usize = 2_000_000_000;

impl Cutter<'_> {
    fn edits(&self, cuts: &[Span]) -> EditSet {
        let mut edits = EditSet::new();
        for cut in cuts {
            // The cuts are disjoint.
            let inserted = edits.insert(Edit::deletion(*cut));
            debug_assert!(inserted.is_ok(), "{inserted:?}");
        }
        edits
    }

    fn cut_entry(&mut self, removal: &Removal) -> Result<(), Refusal> {
        let entry = self.template.balance(removal.entry)?;
        if purity::sets_something(self.text, self.template, entry) {
            return Err(Refusal::SideEffect);
        }
        let known = (self.marks.keys.clone(), self.marks.exact.clone());
        insert(&mut self.marks.keys, (entry.start, removal.column));
        if removal.behind_block_scalar {
            insert(&mut self.marks.exact, entry.start);
        }
        let mut doubt = Doubt::Differs;
        for with_comments in [true, false] {
            let comments = removal.comments.filter(|_| with_comments);
            if with_comments && comments.is_none() {
                continue;
            }
            let whole = comments.map_or(entry, |comments| comments.cover(entry));
            for cut in shape::line_cuts(self.text, self.template, whole) {
                let mut marks: Vec<Span> = comments.into_iter().chain([entry]).collect();
                marks.sort_unstable();
                match self.try_cuts(&[cut], &marks, Span::empty(0)) {
                    Ok(()) => return Ok(()),
                    Err(reason) => doubt = reason,
                }
            }
        }
        (self.marks.keys, self.marks.exact) = known;
        Err(Refusal::Unproven(doubt))
    }

    /// Takes the new cuts and marks, without the old cuts inside `replaced`, if the proof accepts all of them.
    fn try_cuts(&mut self, new: &[Span], marks: &[Span], replaced: Span) -> Result<(), Doubt> {
        let mut cuts: Vec<Span> = self.cuts.iter().copied().filter(|cut| !replaced.encloses(*cut)).collect();
        cuts.extend_from_slice(new);
        let cuts = join(cuts);
        let spans = join(self.marks.spans.iter().chain(marks).copied().collect());
        let all_marks = Marks { spans, keys: self.marks.keys.clone(), exact: self.marks.exact.clone() };
        self.budget = self.budget.checked_sub(self.text.len() + 1000).ok_or(Doubt::TooMuch)?;
        self.proven = prove(self.text, self.template, &self.edits(&cuts), &all_marks, &self.proven)?;
        self.cuts = cuts;
        self.marks = all_marks;
        Ok(())
    }

    /// Takes out blocks that have become empty, from the innermost outwards, then last branches.
    fn collapse_blocks(&mut self) {
        for block in (0..self.template.blocks.len()).rev() {
            let span = self.template.blocks[block].span;
            let holds_cut = self.cuts.iter().any(|cut| cut.start < span.end && span.start < cut.end);
            let whole = self.cuts.iter().any(|cut| cut.encloses(span));
            if holds_cut && !whole && self.template.blocks[block].kind != ActionKind::Define {
                self.collapse_block(block);
            }
        }
    }

    fn collapse_block(&mut self, block: usize) {
        let own = &self.template.blocks[block];
        let empty: Vec<bool> = (0..own.branches.len()).map(|branch| self.is_empty(block, branch)).collect();
        let pure = |branch: usize| purity::is_pure_header(self.text, self.template, own.branches[branch].header);
        if empty.iter().all(|empty| *empty) {
            if (0..own.branches.len()).all(pure) {
                for cut in shape::line_cuts(self.text, self.template, own.span) {
                    if self.try_cuts(&[cut], &[own.span], cut.cover(own.span)).is_ok() {
                        return;
                    }
                }
            }
            let opener = self.template.tokens[own.branches[0].header].span();
            self.kept.push(opener);
            return;
        }
        for branch in (1..own.branches.len()).rev() {
            let body = body_span(self.template, block, branch);
            let touched = self.cuts.iter().any(|cut| cut.start < body.end && body.start < cut.end);
            if !(empty[branch] && touched && pure(branch) && self.drop_last_branch(block, branch)) {
                return;
            }
        }
    }

    /// Takes out an empty last branch: from its header to the end of the block.
    fn drop_last_branch(&mut self, block: usize, branch: usize) -> bool {
        let own = &self.template.blocks[block];
        let header = self.template.tokens[own.branches[branch].header].span();
        let end = self.template.tokens[own.end].span();
        let span = Span::new(header.start, end.start);
        shape::branch_cuts(self.text, self.template, span)
            .into_iter()
            .any(|cut| self.try_cuts(&[cut], &[span], cut.cover(span)).is_ok())
    }

    fn is_empty(&self, block: usize, branch: usize) -> bool {
        let items: &[Item] = &self.template.blocks[block].branches[branch].items;
        emptiness::is_empty(self.text, self.template, items, &self.cuts)
    }
}

/// Puts an element into its place.
fn insert<T: Ord>(sorted: &mut Vec<T>, element: T) {
    let at = sorted.partition_point(|other| *other < element);
    sorted.insert(at, element);
}

/// Sorts spans, and joins those that overlap or touch.
fn join(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests;
