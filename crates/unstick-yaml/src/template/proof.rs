//! The proof that an edit of a template takes the marked lines out of every rendering and does nothing else.
//!
//! Trimming is lexical: which white space an action eats does not depend on values. So all that an edit can do to a
//! rendering happens between the lines around it. They are written out for every way through the blocks there, from
//! the old and from the new template, and compared: the old lines without what is marked must be the new ones, blank
//! lines aside.

use std::collections::HashSet;

use crate::{EditSet, Span};

use super::tree::{Item, Template};

mod compare;
mod rendering;
mod window;

use compare::Bounds;
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
    /// The rendered key stands at another column than on paper, so it belongs to something else there.
    #[error("for some values it comes out at another column, where it means something else")]
    Misplaced,
    /// There are more ways through the blocks than are tried.
    #[error("there are too many ways through the blocks around it")]
    TooManyWays,
    /// The template holds more entries than are tried.
    #[error("there are too many of them in this template")]
    TooMuch,
}

/// What shall go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    /// Bytes whose rendered lines go, sorted and disjoint.
    pub spans: Vec<Span>,
    /// Offsets of the keys with their columns on paper, sorted.
    pub keys: Vec<(usize, usize)>,
    /// Keys behind a block scalar, sorted: a blank line there may belong to it.
    pub exact: Vec<usize>,
}

/// An edit that was shown to be right, and the window in which it was.
#[derive(Debug, Clone)]
pub(crate) struct Proven {
    edit: Span,
    window: Window,
}

/// Checks `edits` of a template: deletions that shall take out the `marks` and nothing else.
///
/// Where a whole rendered line is marked its line break goes
/// too; differences in blank lines are allowed. `before` are edits that were proven together before: those that are
/// still there, with nothing new in their windows, need no second look.
///
/// # Errors
///
/// [`Doubt`] where some rendering may differ in more.
pub(crate) fn prove(
    text: &[u8],
    template: &Template,
    edits: &EditSet,
    marks: &Marks,
    before: &[Proven],
) -> Result<Vec<Proven>, Doubt> {
    let new_text = edits.apply(text);
    let new = Template::read(&new_text).map_err(|_| Doubt::Unreadable)?;
    let origins = Origins::new(edits);
    let spans: Vec<Span> = edits.as_slice().iter().map(|edit| edit.span).collect();
    let is_marked = |span: &Span| {
        let first = marks.spans.partition_point(|mark| mark.end <= span.start);
        marks.spans.get(first).is_some_and(|mark| meets(*mark, *span))
    };
    if !spans.iter().all(is_marked) {
        return Err(Doubt::Differs);
    }
    let proven = carry_over(template, &spans, before);
    let mut proof = Proof {
        old: Side::old(text, template, &marks.spans),
        marks,
        new: Side::new(&new_text, &new, &origins),
        edits,
        proven,
        budget: MAX_SYMBOLS,
    };
    proof.prove_all(&spans)?;
    let windows = spans.into_iter().zip(proof.proven);
    Ok(windows.filter_map(|(edit, window)| Some(Proven { edit, window: window? })).collect())
}

/// Returns the windows of edits that need no second look.
fn carry_over(template: &Template, spans: &[Span], before: &[Proven]) -> Vec<Option<Window>> {
    let known = |span: &Span| before.binary_search_by_key(span, |proven| proven.edit).ok();
    let fresh: Vec<Span> = spans.iter().copied().filter(|span| known(span).is_none()).collect();
    let gone = before.iter().map(|proven| proven.edit).filter(|edit| spans.binary_search(edit).is_err());
    let changed: Vec<Span> = fresh.into_iter().chain(gone).collect();
    let untouched = |span: &Span| {
        let window = &before[known(span)?].window;
        let reach = window.span(template);
        (!changed.iter().any(|other| meets(*other, reach))).then(|| window.clone())
    };
    spans.iter().map(untouched).collect()
}

struct Proof<'a> {
    old: Side<'a>,
    new: Side<'a>,
    marks: &'a Marks,
    edits: &'a EditSet,
    /// For each edit, the window in which it was shown to be right.
    proven: Vec<Option<Window>>,
    budget: usize,
}

impl Proof<'_> {
    /// Proves edit after edit; one with too many ways around it is tried again when its neighbours are proven.
    fn prove_all(&mut self, spans: &[Span]) -> Result<(), Doubt> {
        loop {
            let before = self.proven.iter().flatten().count();
            let mut doubt = None;
            for (index, span) in spans.iter().enumerate() {
                if self.proven[index].is_some() {
                    continue;
                }
                match self.prove_window(Window::around(self.old.template, *span)) {
                    Ok(window) => self.proven[index] = Some(window),
                    Err(Doubt::TooManyWays) => doubt = Some(Doubt::TooManyWays),
                    Err(other) => return Err(other),
                }
            }
            match doubt {
                None => return Ok(()),
                Some(doubt) if self.proven.iter().flatten().count() == before => return Err(doubt),
                Some(_) => {}
            }
        }
    }

    /// Returns the blocks in which every edit was proven without a look outside: they print what they printed.
    fn sealed(&self, block: usize) -> bool {
        let span = self.old.template.blocks[block].span;
        self.edits
            .as_slice()
            .iter()
            .zip(&self.proven)
            .filter(|(edit, _)| meets(edit.span, span))
            .all(|(_, window)| window.as_ref().is_some_and(|window| window.is_inside(self.old.template, block)))
    }

    /// Checks one window, which grows until whole lines are in it, and returns it.
    fn prove_window(&mut self, mut window: Window) -> Result<Window, Doubt> {
        let mut expanded = HashSet::new();
        let mut all = false;
        loop {
            match self.try_window(&window, &expanded, all)? {
                Verdict::Equal => return Ok(window),
                Verdict::Unsettled { left, right } => {
                    let holder = window.holder();
                    let grown = left && window.grow_left(self.old.template);
                    // Where the left side has climbed to an outer body, the right one has too.
                    let grown = right && window.holder() == holder && window.grow_right(self.old.template) || grown;
                    if !grown {
                        return Err(Doubt::Differs);
                    }
                }
                Verdict::Differs { beside } => {
                    let fresh = beside.iter().any(|origin| !expanded.contains(origin));
                    if fresh {
                        expanded.extend(beside);
                    } else if all {
                        return Err(Doubt::Differs);
                    } else {
                        all = true;
                    }
                }
            }
        }
    }

    fn try_window(&mut self, window: &Window, expanded: &HashSet<usize>, all: bool) -> Result<Verdict, Doubt> {
        let template = self.old.template;
        let items = window.items(template);
        let span = window.span(template);
        let new_span = Span::new(self.edits.map_offset(span.start), self.edits.map_offset(span.end));
        let nothing = Verdict::Differs { beside: Vec::new() };
        let Some(new_items) = self.new.items_within(window.holder(), new_span) else { return Ok(nothing) };
        let open = |block: usize| {
            let start = template.blocks[block].span.start;
            all || expanded.contains(&start)
                || self.old.is_touched(template.blocks[block].span, self.edits) && !self.sealed(block)
        };
        let options = Options::new(template, items, open);
        let ways = options.count(MAX_WAYS).ok_or(Doubt::TooManyWays)?;
        let first = self.marks.exact.partition_point(|key| *key < span.start);
        let exact = self.marks.exact.get(first).is_some_and(|key| *key < span.end);
        let bounds = Bounds { start: window.start(template), end: window.end(template), exact };
        for way in 0..ways {
            let choices = options.choices(way);
            let before = compare::enclose(self.old.render(items, &choices), bounds);
            let after = compare::enclose(self.new.render(&new_items, &choices), bounds);
            self.budget = self.budget.checked_sub(before.len() + after.len()).ok_or(Doubt::TooManyWays)?;
            let (left, right) = compare::unsettled(&before, bounds);
            if left || right {
                return Ok(Verdict::Unsettled { left, right });
            }
            let beside = compare::blocks_beside_marks(&before);
            let unopened = beside.iter().any(|origin| !expanded.contains(origin)) && !all;
            if unopened || !compare::agree(&before, &after, bounds) {
                return Ok(Verdict::Differs { beside });
            }
            if compare::misplaced(&before, &self.marks.keys) {
                return Err(Doubt::Misplaced);
            }
        }
        Ok(Verdict::Equal)
    }
}

enum Verdict {
    Equal,
    /// What is printed on the lines of marked text, by its old offset: opened up it may show that all is well.
    Differs {
        beside: Vec<usize>,
    },
    Unsettled {
        left: bool,
        right: bool,
    },
}

const fn meets(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
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

/// Returns the open blocks among items, with the open ones inside them.
pub(super) fn blocks_within(template: &Template, items: &[Item], open: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut pending: Vec<Item> = items.to_vec();
    while let Some(item) = pending.pop() {
        if let Item::Block(block) = item
            && open(block)
        {
            found.push(block);
            pending.extend(template.blocks[block].branches.iter().flat_map(|branch| branch.items.iter().copied()));
        }
    }
    found
}
