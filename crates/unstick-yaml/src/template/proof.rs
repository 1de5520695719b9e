//! The proof that an edit of a template takes the marked lines out of every rendering and does nothing else.
//!
//! Trimming is lexical: which white space an action eats does not depend on values. So all that an edit can do to a
//! rendering happens between the lines around it. They are written out for every way through the blocks there, from
//! the old and from the new template, and compared: the old lines without what is marked must be the new ones, blank
//! lines aside.

use std::collections::HashMap;

use crate::{EditSet, Span};

use super::tree::{Item, Template};

mod compare;
mod rendering;
mod window;

use rendering::Options;
pub(super) use rendering::{NO_BRANCH, Side, Symbol, SymbolKind};
use window::Window;
pub(super) use window::body_span;

/// The most ways through one window that are tried.
const MAX_WAYS: usize = 4096;

/// The most symbols written out for one window, over all ways.
const MAX_SYMBOLS: usize = 4_000_000;

/// Why an edit could not be shown to be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The edited template cannot be read.
    #[error("the edited template could not be read")]
    Unreadable,
    /// Some way through the blocks renders something else.
    #[error("taking it out would change other lines for some values")]
    Differs,
    /// There are more ways through the blocks than are tried.
    #[error("there are too many ways through the blocks around it")]
    TooManyWays,
}

/// Checks `edits` of a template: deletions that shall take out the `marks` and nothing else.
///
/// `marks` are spans of the old text, sorted and disjoint. Where a whole rendered line is marked its line break goes
/// too; differences in blank lines are allowed.
///
/// # Errors
///
/// [`Doubt`] where some rendering may differ in more.
pub(crate) fn prove(text: &[u8], template: &Template, edits: &EditSet, marks: &[Span]) -> Result<(), Doubt> {
    let new_text = edits.apply(text);
    let new = Template::read(&new_text).map_err(|_| Doubt::Unreadable)?;
    let origins = Origins::new(edits);
    let old = Side::old(text, template, marks);
    let new = Side::new(&new_text, &new, &origins);
    for edit in edits.as_slice() {
        if !marks.iter().any(|mark| mark.start < edit.span.end && edit.span.start < mark.end) {
            return Err(Doubt::Differs);
        }
        prove_window(&old, &new, Window::around(template, edit.span), edits)?;
    }
    Ok(())
}

/// Checks one window; it grows until whole lines are in it.
fn prove_window(old: &Side<'_>, new: &Side<'_>, mut window: Window, edits: &EditSet) -> Result<(), Doubt> {
    let mut expand = false;
    let mut budget = MAX_SYMBOLS;
    loop {
        match try_window(old, new, &window, edits, expand, &mut budget) {
            Verdict::Equal => return Ok(()),
            Verdict::Unsettled { left, right } => {
                let holder = window.holder();
                let grown = left && window.grow_left(old.template);
                // Where the left side has climbed to an outer body, the right one has too.
                let grown = right && window.holder() == holder && window.grow_right(old.template) || grown;
                if !grown {
                    return Err(Doubt::Differs);
                }
            }
            Verdict::Differs if !expand => expand = true,
            Verdict::Differs => return Err(Doubt::Differs),
            Verdict::TooMany => return Err(Doubt::TooManyWays),
        }
    }
}

enum Verdict {
    Equal,
    Differs,
    TooMany,
    Unsettled { left: bool, right: bool },
}

fn try_window(
    old: &Side<'_>,
    new: &Side<'_>,
    window: &Window,
    edits: &EditSet,
    expand: bool,
    budget: &mut usize,
) -> Verdict {
    let items = window.items(old.template);
    let span = window.span(old.template);
    let new_span = Span::new(edits.map_offset(span.start), edits.map_offset(span.end));
    let Some(new_items) = new.items_within(window.holder(), new_span) else {
        return Verdict::Differs;
    };
    let options = Options::new(old, items, edits, expand);
    let Some(ways) = options.count(MAX_WAYS) else { return Verdict::TooMany };
    let at_start = window.at_start(old.template);
    let at_end = window.at_end(old.template);
    for way in 0..ways {
        let choices: HashMap<usize, usize> = options.choices(way);
        let before: Vec<Symbol> = old.render(items, &choices);
        let after: Vec<Symbol> = new.render(&new_items, &choices);
        let Some(left) = budget.checked_sub(before.len() + after.len()) else { return Verdict::TooMany };
        *budget = left;
        let (left, right) = compare::unsettled(&before, at_start, at_end);
        if left || right {
            return Verdict::Unsettled { left, right };
        }
        if !compare::agree(&before, &after, at_start, at_end) {
            return Verdict::Differs;
        }
    }
    Verdict::Equal
}

/// Where bytes of the new text stood in the old one.
pub(super) struct Origins {
    /// For each edit: where the new text goes on behind it, and where the old one does.
    resumed: Vec<(usize, usize)>,
}

impl Origins {
    pub(super) fn new(edits: &EditSet) -> Self {
        let mut resumed = Vec::new();
        let mut written = 0;
        let mut copied = 0;
        for edit in edits.as_slice() {
            written += edit.span.start - copied + edit.replacement.len();
            copied = edit.span.end;
            resumed.push((written, copied));
        }
        Self { resumed }
    }

    /// Returns the old offset of the byte at `offset` of the new text; one inside a replacement maps near to it.
    pub(super) fn of(&self, offset: usize) -> usize {
        let before = self.resumed.partition_point(|(new, _)| *new <= offset);
        match before.checked_sub(1) {
            Some(index) => self.resumed[index].1 + (offset - self.resumed[index].0),
            None => offset,
        }
    }
}

/// Returns the blocks among items, with those inside them.
pub(super) fn blocks_within(template: &Template, items: &[Item]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Vec<Item> = items.to_vec();
    while let Some(item) = open.pop() {
        if let Item::Block(block) = item {
            found.push(block);
            open.extend(template.blocks[block].branches.iter().flat_map(|branch| branch.items.iter().copied()));
        }
    }
    found
}
