//! Tells what is left of a body when cuts are made.

use crate::Span;
use crate::template::action::ActionKind;
use crate::template::tree::{Item, Template};

use super::purity;

/// Tells whether nothing is left that prints, that is read by somebody, or that can fail.
pub(super) fn is_empty(text: &[u8], template: &Template, items: &[Item], cuts: &[Span]) -> bool {
    items.iter().all(|item| match *item {
        Item::Token(token) => is_empty_token(text, template, token, cuts),
        Item::Block(block) => {
            let own = &template.blocks[block];
            // A block that stays keeps its holder: it stays because of what its header may do.
            cuts.iter().any(|cut| cut.encloses(own.span))
        }
    })
}

fn is_empty_token(text: &[u8], template: &Template, token: usize, cuts: &[Span]) -> bool {
    let span = template.tokens[token].span();
    match template.action(token) {
        None => left_over(span, cuts).iter().all(|rest| rest.slice(text).iter().all(u8::is_ascii_whitespace)),
        Some(action) => match action.kind {
            ActionKind::Comment => true,
            ActionKind::Declare => purity::is_pure(text, action),
            _ => cuts.iter().any(|cut| cut.encloses(span)),
        },
    }
}

/// Returns what the cuts leave of a span.
fn left_over(span: Span, cuts: &[Span]) -> Vec<Span> {
    let mut rest = Vec::new();
    let mut start = span.start;
    for cut in cuts.iter().filter(|cut| cut.end > span.start && cut.start < span.end) {
        rest.push(Span::new(start, cut.start));
        start = start.max(cut.end);
    }
    rest.push(Span::new(start.min(span.end), span.end));
    rest
}
