//! Text that a strict reader can read, made from a template before and after an edit.
//!
//! Trims are applied and one branch of each block is taken, the same on both sides. What an action prints is left out
//! or stands as a letter: no value can be known here. A text made so may still be no YAML, for a helper may bring what
//! is missing; then it tells nothing.

use std::collections::{HashMap, HashSet};

use crate::EditSet;

use super::action::ActionKind;
use super::proof::{NO_BRANCH, Origins, Side, Symbol, SymbolKind};
use super::tree::{Item, Template};

/// The text of one way through a template, before and after its edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// From the old template.
    pub before: Vec<u8>,
    /// From the new one.
    pub after: Vec<u8>,
}

/// Ways that are written out: first branches, second ones, and so on.
const WAYS: usize = 4;

/// Writes out some ways through a template and its edited form, the bodies of defines each on their own.
///
/// Gives `None` where the edited text is no template any more.
#[must_use]
pub fn derive_texts(text: &[u8], template: &Template, edits: &EditSet) -> Option<Vec<Derived>> {
    let new_text = edits.apply(text);
    let new = Template::read(&new_text).ok()?;
    let origins = Origins::new(edits);
    let old_side = Side::old(text, template, &[]);
    let new_side = Side::new(&new_text, &new, &origins);
    let new_defines: HashMap<usize, usize> =
        defines(&new).map(|block| (new_side.origin(new.blocks[block].span.start), block)).collect();
    let (old_printers, new_printers) = (Printers::new(&old_side), Printers::new(&new_side));
    let mut derived = Vec::new();
    for way in 0..WAYS {
        let choices = choose(template, way);
        let mut add = |before: &[Item], after: &[Item]| {
            derived.push(Derived {
                before: write(&old_printers, &old_side.render(before, &choices)),
                after: write(&new_printers, &new_side.render(after, &choices)),
            });
        };
        add(&template.items, &new.items);
        for block in defines(template) {
            let after = *new_defines.get(&template.blocks[block].span.start)?;
            add(&template.blocks[block].branches[0].items, &new.blocks[after].branches[0].items);
        }
    }
    Some(derived)
}

fn defines(template: &Template) -> impl Iterator<Item = usize> + '_ {
    (0..template.blocks.len()).filter(|block| template.blocks[*block].kind == ActionKind::Define)
}

/// Chooses the branch number `way` of each block, the last one where there are fewer, or none where there is no else.
fn choose(template: &Template, way: usize) -> HashMap<usize, usize> {
    let choice = |own: &super::tree::Block| match own.kind {
        ActionKind::Range => usize::from(way.is_multiple_of(2)),
        _ => {
            let last = own.branches.len() - 1;
            let header = template.action(own.branches[last].header);
            let has_else = header.is_some_and(|action| action.kind == ActionKind::Else);
            match own.branches.get(way) {
                Some(branch) => template.tokens[branch.header].span().start,
                None if has_else => template.tokens[own.branches[last].header].span().start,
                None => NO_BRANCH,
            }
        }
    };
    template.blocks.iter().map(|own| (own.span.start, choice(own))).collect()
}

/// Turns symbols into text: a line that is only printed becomes empty, other printed values become a letter.
fn write(Printers { gluing, lines }: &Printers, symbols: &[Symbol]) -> Vec<u8> {
    let mut out = Vec::with_capacity(symbols.len());
    for (index, line) in symbols.split(|symbol| symbol.kind == SymbolKind::Byte(b'\n')).enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        if line.iter().all(|symbol| symbol.is_blank() || !matches!(symbol.kind, SymbolKind::Byte(_))) {
            continue;
        }
        for (at, symbol) in line.iter().enumerate() {
            let before_text = line.get(at + 1).is_some_and(|next| !next.is_blank());
            match symbol.kind {
                SymbolKind::Byte(byte) => out.push(byte),
                SymbolKind::Printed(origin) if lines.contains(&origin) => {}
                SymbolKind::Printed(origin) | SymbolKind::Block(origin) => match gluing.get(&origin) {
                    Some(columns) if before_text => {
                        out.push(b'\n');
                        out.extend(std::iter::repeat_n(b' ', *columns));
                    }
                    _ => out.push(b'x'),
                },
            }
        }
    }
    out
}

/// Actions of which something is known of the lines that they print.
struct Printers {
    /// Those that end in a line break of their own, as far as the trim behind them tells, with the columns of what
    /// follows.
    gluing: HashMap<usize, usize>,
    /// Those that stand on a line of their own and eat the break before it: they bring one, or nothing.
    lines: HashSet<usize>,
}

impl Printers {
    fn new(side: &Side<'_>) -> Self {
        let mut printers = Self { gluing: HashMap::new(), lines: HashSet::new() };
        for token in 0..side.template.tokens.len() {
            let Some(action) = side.template.action(token).filter(|action| action.prints()) else { continue };
            let origin = side.origin(action.span.start);
            let indentation = action.indentation(side.text).filter(|indentation| !indentation.breaks);
            if let (true, Some(indentation)) = (action.trims_right, indentation) {
                printers.gluing.insert(origin, indentation.columns);
            }
            let before = token.checked_sub(1).map(|token| side.template.tokens[token].span());
            let eaten = before.map_or(&b""[..], |span| span.slice(side.text)).trim_ascii_end().len();
            let eats_break =
                before.is_some_and(|span| memchr::memchr(b'\n', &span.slice(side.text)[eaten..]).is_some());
            if action.trims_left && eats_break {
                printers.lines.insert(origin);
            }
        }
        printers
    }
}
