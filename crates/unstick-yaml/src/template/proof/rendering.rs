//! What a template renders, with one symbol for each byte of text and for each action that prints.

use std::collections::HashMap;

use crate::template::action::{Action, ActionKind};
use crate::template::lexer::Token;
use crate::template::tree::{Item, Template};
use crate::{EditSet, Span};

use super::{Origins, blocks_within};

/// One symbol of a rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::template) struct Symbol {
    pub kind: SymbolKind,
    /// Offset on its own side.
    pub at: usize,
    /// It belongs to what shall go.
    pub marked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::template) enum SymbolKind {
    /// A byte of text.
    Byte(u8),
    /// What the action at this offset of the old text prints.
    Printed(usize),
    /// What the block at this offset of the old text prints.
    Block(usize),
}

/// The old or the new template.
pub(in crate::template) struct Side<'a> {
    pub text: &'a [u8],
    pub template: &'a Template,
    marks: &'a [Span],
    origins: Option<&'a Origins>,
}

/// How a body was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    Onward,
    Continue,
    Break,
}

impl<'a> Side<'a> {
    pub(in crate::template) fn old(text: &'a [u8], template: &'a Template, marks: &'a [Span]) -> Self {
        Self { text, template, marks, origins: None }
    }

    pub(in crate::template) fn new(text: &'a [u8], template: &'a Template, origins: &'a Origins) -> Self {
        Self { text, template, marks: &[], origins: Some(origins) }
    }

    /// Returns the old offset of a byte of this side.
    pub(in crate::template) fn origin(&self, offset: usize) -> usize {
        self.origins.map_or(offset, |origins| origins.of(offset))
    }

    /// Returns this side's items that stand in the new place of the old window.
    pub(super) fn items_within(&self, holder: Option<(usize, usize)>, span: Span) -> Option<Vec<Item>> {
        let holder = match holder {
            None => None,
            Some(_) => Some(self.holder_around(span)?),
        };
        let body = self.template.body(holder);
        let inside = |item: &&Item| {
            let own = self.template.item_span(**item);
            span.encloses(own) && !own.is_empty()
        };
        Some(body.iter().filter(inside).copied().collect())
    }

    /// Returns the innermost body that holds all of a span whose neighbours were not edited.
    fn holder_around(&self, span: Span) -> Option<(usize, usize)> {
        // The action before the window is untouched: it is the branch's header, or an item of the same body.
        let before = self.template.tokens.partition_point(|token| token.span().end <= span.start);
        let token = before.checked_sub(1)?;
        self.template.action(token).and_then(|action| match action.kind {
            ActionKind::End => {
                let (block, _) = self.template.holders[token]?;
                self.template.blocks[block].holder
            }
            _ => self.template.holders[token],
        })
    }

    pub(in crate::template) fn render(&self, items: &[Item], choices: &HashMap<usize, usize>) -> Vec<Symbol> {
        let mut out = Vec::new();
        self.render_items(items, choices, &mut out);
        out
    }

    fn render_items(&self, items: &[Item], choices: &HashMap<usize, usize>, out: &mut Vec<Symbol>) -> Flow {
        for item in items {
            let flow = match item {
                Item::Token(token) => self.render_token(*token, out),
                Item::Block(block) => self.render_block(*block, choices, out),
            };
            if flow != Flow::Onward {
                return flow;
            }
        }
        Flow::Onward
    }

    fn render_token(&self, token: usize, out: &mut Vec<Symbol>) -> Flow {
        match &self.template.tokens[token] {
            Token::Text(_) => {
                let span = self.template.trimmed(self.text, token);
                out.extend((span.start..span.end).map(|at| Symbol {
                    kind: SymbolKind::Byte(self.text[at]),
                    at,
                    marked: self.is_marked(at),
                }));
            }
            Token::Action(action) => match action.kind {
                ActionKind::Break => return Flow::Break,
                ActionKind::Continue => return Flow::Continue,
                _ if action.prints() => self.render_output(action, out),
                _ => {}
            },
        }
        Flow::Onward
    }

    fn render_output(&self, action: &Action, out: &mut Vec<Symbol>) {
        let at = action.span.start;
        let marked = self.is_marked(at);
        let indentation = action.indentation(self.text);
        let mut push = |kind: SymbolKind| out.push(Symbol { kind, at, marked });
        if let Some(indentation) = indentation {
            if indentation.breaks {
                push(SymbolKind::Byte(b'\n'));
            }
            (0..indentation.columns).for_each(|_| push(SymbolKind::Byte(b' ')));
        }
        if !indentation.is_some_and(|indentation| indentation.alone) {
            push(SymbolKind::Printed(self.origin(at)));
        }
    }

    fn render_block(&self, block: usize, choices: &HashMap<usize, usize>, out: &mut Vec<Symbol>) -> Flow {
        let own = &self.template.blocks[block];
        let origin = self.origin(own.span.start);
        match own.kind {
            ActionKind::Define => Flow::Onward,
            // What a `block` prints may be defined anew elsewhere.
            ActionKind::Block => self.render_opaque(block, out),
            ActionKind::Range => match choices.get(&origin) {
                None => self.render_opaque(block, out),
                Some(0) => self.render_else(block, choices, out),
                Some(rounds) => self.render_rounds(block, *rounds, choices, out),
            },
            _ => match choices.get(&origin) {
                None => self.render_opaque(block, out),
                Some(choice) => self.render_branch(block, *choice, choices, out),
            },
        }
    }

    /// A block that no edit touches prints the same on both sides.
    fn render_opaque(&self, block: usize, out: &mut Vec<Symbol>) -> Flow {
        let start = self.template.blocks[block].span.start;
        out.push(Symbol { kind: SymbolKind::Block(self.origin(start)), at: start, marked: self.is_marked(start) });
        Flow::Onward
    }

    fn render_rounds(
        &self,
        block: usize,
        rounds: usize,
        choices: &HashMap<usize, usize>,
        out: &mut Vec<Symbol>,
    ) -> Flow {
        for _ in 0..rounds {
            if self.render_items(&self.template.blocks[block].branches[0].items, choices, out) == Flow::Break {
                break;
            }
        }
        Flow::Onward
    }

    fn render_else(&self, block: usize, choices: &HashMap<usize, usize>, out: &mut Vec<Symbol>) -> Flow {
        match self.template.blocks[block].branches.get(1) {
            Some(branch) => self.render_items(&branch.items, choices, out),
            None => Flow::Onward,
        }
    }

    /// Renders the branch whose header stood at this old offset; nothing where it has gone.
    fn render_branch(
        &self,
        block: usize,
        header: usize,
        choices: &HashMap<usize, usize>,
        out: &mut Vec<Symbol>,
    ) -> Flow {
        let own = &self.template.blocks[block];
        let chosen = own.branches.iter().find(|branch| {
            let token = self.template.tokens[branch.header].span().start;
            self.origin(token) == header
        });
        match chosen {
            Some(branch) => self.render_items(&branch.items, choices, out),
            None => Flow::Onward,
        }
    }

    fn is_marked(&self, at: usize) -> bool {
        let after = self.marks.partition_point(|mark| mark.end <= at);
        self.marks.get(after).is_some_and(|mark| mark.start <= at)
    }

    pub(super) fn is_touched(&self, span: Span, edits: &EditSet) -> bool {
        let meets = |other: Span| other.start < span.end && span.start < other.end;
        edits.as_slice().iter().any(|edit| meets(edit.span)) || self.marks.iter().any(|mark| meets(*mark))
    }
}

/// The choices that a window leaves open.
pub(super) struct Options {
    /// For each block: the old offset of its opening action, and what can be chosen.
    blocks: Vec<(usize, Vec<usize>)>,
}

/// Stands for "no branch".
pub(in crate::template) const NO_BRANCH: usize = usize::MAX;

impl Options {
    /// Lists the choices of the blocks among the items that are `open`, and of those inside them that are.
    pub(super) fn new(template: &Template, items: &[Item], open: impl Fn(usize) -> bool) -> Self {
        let mut blocks = Vec::new();
        for block in blocks_within(template, items, &open) {
            let own = &template.blocks[block];
            let choices = match own.kind {
                ActionKind::Define | ActionKind::Block => continue,
                ActionKind::Range => vec![0, 1, 2],
                _ => {
                    let headers = own.branches.iter().map(|branch| template.tokens[branch.header].span().start);
                    let mut choices: Vec<usize> = headers.collect();
                    let last = own.branches.last().and_then(|branch| template.action(branch.header));
                    if last.is_none_or(|action| action.kind != ActionKind::Else) {
                        choices.push(NO_BRANCH);
                    }
                    choices
                }
            };
            blocks.push((own.span.start, choices));
        }
        Self { blocks }
    }

    /// Returns the number of ways, if it is at most `limit`.
    pub(super) fn count(&self, limit: usize) -> Option<usize> {
        let product =
            self.blocks.iter().try_fold(1usize, |product, (_, choices)| product.checked_mul(choices.len()))?;
        (product <= limit).then_some(product)
    }

    /// Returns the choices of one way.
    pub(super) fn choices(&self, way: usize) -> HashMap<usize, usize> {
        let mut rest = way;
        let pick = |(block, choices): &(usize, Vec<usize>)| {
            let choice = choices[rest % choices.len()];
            rest /= choices.len();
            (*block, choice)
        };
        self.blocks.iter().map(pick).collect()
    }
}
