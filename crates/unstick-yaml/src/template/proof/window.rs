//! The stretch of a template that an edit can have an effect on.

use crate::Span;
use crate::template::action::ActionKind;
use crate::template::tree::{Item, Template};

/// Neighbouring items of one body.
#[derive(Debug, Clone)]
pub(super) struct Window {
    holder: Option<(usize, usize)>,
    first: usize,
    last: usize,
}

impl Window {
    /// Returns the items that the span touches, in the innermost body that holds all of them.
    pub(super) fn around(template: &Template, span: Span) -> Self {
        let mut holder = template.token_at(span.start).and_then(|token| template.holders[token]);
        while let Some((block, branch)) = holder {
            if body_span(template, block, branch).encloses(span) {
                break;
            }
            holder = template.blocks[block].holder;
        }
        let body = template.body(holder);
        let touches = |item: &Item| {
            let own = template.item_span(*item);
            own.start < span.end && span.start < own.end
        };
        let first = body.iter().position(touches).unwrap_or(0);
        let last = body.iter().rposition(touches).unwrap_or(0);
        let mut window = Self { holder, first, last };
        window.absorb_text(template);
        window
    }

    pub(super) const fn holder(&self) -> Option<(usize, usize)> {
        self.holder
    }

    /// Takes the text on both sides: a trim marker at the window's edge bites it.
    fn absorb_text(&mut self, template: &Template) {
        let body = template.body(self.holder);
        let is_text = |at: usize| matches!(body.get(at), Some(Item::Token(token)) if template.action(*token).is_none());
        if self.first > 0 && is_text(self.first - 1) {
            self.first -= 1;
        }
        if is_text(self.last + 1) {
            self.last += 1;
        }
    }

    pub(super) fn items<'t>(&self, template: &'t Template) -> &'t [Item] {
        let body = template.body(self.holder);
        &body[self.first.min(body.len())..(self.last + 1).min(body.len())]
    }

    pub(super) fn span(&self, template: &Template) -> Span {
        let items = self.items(template);
        match (items.first(), items.last()) {
            (Some(first), Some(last)) => template.item_span(*first).cover(template.item_span(*last)),
            _ => Span::empty(0),
        }
    }

    /// Takes the item before; at a body's start the whole block, with what is around it.
    pub(super) fn grow_left(&mut self, template: &Template) -> bool {
        if self.first > 0 {
            self.first -= 1;
            self.absorb_text(template);
            return true;
        }
        self.climb(template)
    }

    /// Takes the item after; at a body's end the whole block.
    pub(super) fn grow_right(&mut self, template: &Template) -> bool {
        if self.last + 1 < template.body(self.holder).len() {
            self.last += 1;
            self.absorb_text(template);
            return true;
        }
        self.climb(template)
    }

    fn climb(&mut self, template: &Template) -> bool {
        let Some((block, _)) = self.holder else { return false };
        if is_included(template, block) {
            return false;
        }
        let holder = template.blocks[block].holder;
        let Some(at) = template.body(holder).iter().position(|item| *item == Item::Block(block)) else { return false };
        *self = Self { holder, first: at, last: at };
        self.absorb_text(template);
        true
    }

    /// Tells whether the window lies in a branch of the block.
    pub(super) fn is_inside(&self, template: &Template, block: usize) -> bool {
        let mut holder = self.holder;
        while let Some((at, _)) = holder {
            if at == block {
                return true;
            }
            holder = template.blocks[at].holder;
        }
        false
    }

    /// Returns what is rendered before it, if it reaches to where a file or a `define` begins.
    pub(super) fn start(&self, template: &Template) -> Edge {
        if self.first > 0 { Edge::Open } else { self.outermost(template) }
    }

    /// Returns what is rendered behind it, if it reaches to where a file or a `define` ends.
    pub(super) fn end(&self, template: &Template) -> Edge {
        if self.last + 1 < template.body(self.holder).len() { Edge::Open } else { self.outermost(template) }
    }

    fn outermost(&self, template: &Template) -> Edge {
        match self.holder {
            None => Edge::File,
            Some((block, _)) if is_included(template, block) => Edge::Inclusion,
            Some(_) => Edge::Open,
        }
    }
}

/// What stands at an edge of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// More of the template.
    Open,
    /// Nothing.
    File,
    /// Whatever stands where the text is included.
    Inclusion,
}

/// Tells whether a block's text is rendered elsewhere, or may be.
fn is_included(template: &Template, block: usize) -> bool {
    matches!(template.blocks[block].kind, ActionKind::Define | ActionKind::Block)
}

/// Returns the bytes between a branch's header and the action that ends it.
pub(in crate::template) fn body_span(template: &Template, block: usize, branch: usize) -> Span {
    let own = &template.blocks[block];
    let start = template.tokens[own.branches[branch].header].span().end;
    let next = own.branches.get(branch + 1).map_or(own.end, |branch| branch.header);
    Span::new(start, template.tokens[next].span().start)
}
