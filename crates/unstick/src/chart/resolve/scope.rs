//! What the dot and the variables stand for at a place in a template.

use std::rc::Rc;

use unstick_yaml::{ActionKind, Declaration, Template};

use super::evaluation::put;
use super::guard::alone;
use super::symbol::{Opacity, Symbol, Symbols, add, each};
use super::{Frame, Resolver};

/// A place in a template: where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'f> {
    /// The file.
    pub file: usize,
    /// The block and branch that hold the expression.
    pub holder: Option<(usize, usize)>,
    /// The expression's token; only variables declared before it count.
    pub token: usize,
    /// The call that is followed, if one is.
    pub frame: Option<&'f Frame<'f>>,
}

impl<'f> Place<'f> {
    /// Returns the place of the header that opens a block: outside of it.
    fn header(self, template: &Template, block: usize, branch: usize) -> Self {
        let block = &template.blocks[block];
        Place { holder: block.holder, token: block.branches[branch].header, ..self }
    }
}

impl Resolver<'_, '_> {
    pub(super) fn template(&self, file: usize) -> Option<&Template> {
        self.set.templates[file].as_ref()
    }

    /// Returns what the dot stands for at a place.
    pub(super) fn dot(&self, place: Place<'_>) -> Symbols {
        let Some(template) = self.template(place.file) else { return Vec::new() };
        let mut holder = place.holder;
        while let Some((block, branch)) = holder {
            let header = template.blocks[block].branches[branch].header;
            let Some(action) = template.action(header) else { break };
            match action.kind {
                ActionKind::With | ActionKind::ElseWith => {
                    return self.header_value(place.header(template, block, branch));
                }
                ActionKind::Range => return each(&self.header_value(place.header(template, block, branch))),
                ActionKind::Define | ActionKind::Block => return self.argument(place, block),
                _ => holder = template.blocks[block].holder,
            }
        }
        self.file_root(place.file)
    }

    /// Returns what `$` stands for where no variable of that name is declared.
    fn dollar(&self, place: Place<'_>) -> Symbols {
        let Some(template) = self.template(place.file) else { return Vec::new() };
        let mut holder = place.holder;
        while let Some((block, _)) = holder {
            if matches!(template.blocks[block].kind, ActionKind::Define | ActionKind::Block) {
                return self.argument(place, block);
            }
            holder = template.blocks[block].holder;
        }
        self.file_root(place.file)
    }

    fn file_root(&self, file: usize) -> Symbols {
        let root = |chart: usize| Symbol::Root { chart, names: Rc::clone(&self.names[chart]) };
        self.set.owners[file].map(root).into_iter().collect()
    }

    /// Returns what a `define` or `block` is called with.
    fn argument(&self, place: Place<'_>, block: usize) -> Symbols {
        if let Some(frame) = place.frame
            && (frame.file, frame.block) == (place.file, block)
        {
            return frame.argument.clone();
        }
        self.arguments.get(&(place.file, block)).cloned().unwrap_or_default()
    }

    fn header_value(&self, place: Place<'_>) -> Symbols {
        match self.expression(place.file, place.token) {
            Some(expression) => self.pipeline(place, &expression.pipeline, None),
            None => vec![Symbol::Opaque(Opacity::Unreadable)],
        }
    }

    /// Returns what a variable stands for at a place.
    pub(super) fn variable(&self, place: Place<'_>, name: &str) -> Symbols {
        let Some(template) = self.template(place.file) else { return Vec::new() };
        let mut inner = place;
        loop {
            if let Some(symbols) = self.declared(template, inner, place.token, name) {
                return symbols;
            }
            let Some((block, branch)) = inner.holder else { break };
            let kind = template.blocks[block].kind;
            if matches!(kind, ActionKind::Define | ActionKind::Block) {
                break;
            }
            let outer = inner.header(template, block, branch);
            if let Some(symbols) = self.declared_by_header(template, outer, name) {
                return symbols;
            }
            inner = Place { token: template.blocks[block].branches[0].header, ..outer };
        }
        if name.is_empty() { self.dollar(place) } else { vec![Symbol::Opaque(Opacity::Variable(name.to_owned()))] }
    }

    /// Returns the value of a variable that is declared in the body that holds `place`, before it.
    fn declared(&self, template: &Template, place: Place<'_>, until: usize, name: &str) -> Option<Symbols> {
        let tokens = self.sources[place.file].variables.get(name)?;
        let here = |token: &&usize| **token < place.token && template.holders[**token] == place.holder;
        let mut last = None;
        for token in tokens.iter().rev().filter(here) {
            last = last.or(Some(*token));
            if template.action(*token).is_some_and(|action| action.kind == ActionKind::Declare) {
                // What is set later in the same body, always, takes its place.
                let token = last?;
                let expression = self.expression(place.file, token)?;
                let mut symbols = self.pipeline(Place { token, ..place }, &expression.pipeline, None);
                add(&mut symbols, self.set_later(template, place, (token, until), name));
                return Some(symbols);
            }
        }
        None
    }

    /// Returns what else a variable may hold at the place; one that is set from itself is looked at once.
    fn set_later(&self, template: &Template, place: Place<'_>, between: (usize, usize), name: &str) -> Symbols {
        let variable = (place.file, between.0);
        if self.busy.borrow().contains(&variable) {
            return Vec::new();
        }
        self.busy.borrow_mut().push(variable);
        let mut symbols = self.assigned(template, place, between, name);
        add(&mut symbols, self.put_in(template, place, between, name));
        self.busy.borrow_mut().pop();
        symbols
    }

    /// Returns what a variable is set to in blocks between its declaration and the place, or later in a loop.
    fn assigned(&self, template: &Template, place: Place<'_>, between: (usize, usize), name: &str) -> Symbols {
        let (from, until) = between;
        let Some(tokens) = self.sources[place.file].variables.get(name) else { return Vec::new() };
        let end = end_of_loop(template, from, until);
        let mut symbols = Symbols::new();
        for token in tokens.iter().copied().filter(|token| (from + 1..end).contains(token)) {
            let holder = template.holders[token];
            let sets = template.action(token).is_some_and(|action| action.kind == ActionKind::Assign);
            if sets
                && holder != place.holder
                && let Some(expression) = self.expression(place.file, token)
            {
                add(&mut symbols, self.pipeline(Place { holder, token, ..place }, &expression.pipeline, None));
            }
        }
        symbols
    }

    /// Returns what `set` puts into a variable's mapping between its declaration and the place, or later in a loop.
    fn put_in(&self, template: &Template, place: Place<'_>, between: (usize, usize), name: &str) -> Symbols {
        let (from, until) = between;
        let Some(puts) = self.sources[place.file].puts.get(name) else { return Vec::new() };
        let end = end_of_loop(template, from, until);
        let mut symbols = Symbols::new();
        for (token, key, value) in puts.iter().filter(|(token, _, _)| (from + 1..end).contains(token)) {
            let there = Place { holder: template.holders[*token], token: *token, ..place };
            let [key, value] = [key, value].map(|operand| self.pipeline(there, &alone(operand), None));
            add(&mut symbols, [put(&key, &value)]);
        }
        symbols
    }

    /// Returns the value of a variable that a block's header declares; `place` is that of the header.
    fn declared_by_header(&self, template: &Template, place: Place<'_>, name: &str) -> Option<Symbols> {
        let action = template.action(place.token)?;
        let expression = self.expression(place.file, place.token)?;
        let Declaration { names, .. } = expression.declaration.as_ref()?;
        let at = names.iter().position(|known| known == name)?;
        let value = self.pipeline(place, &expression.pipeline, None);
        Some(match (action.kind, at + 1 == names.len()) {
            (ActionKind::Range, true) => each(&value),
            (ActionKind::Range, false) => vec![Symbol::Opaque(Opacity::RangeKey)],
            _ => value,
        })
    }
}

/// Returns the last token whose effect may be seen at `until`: the end of the outermost loop begun after `from`.
fn end_of_loop(template: &Template, from: usize, until: usize) -> usize {
    let looped = template.blocks.iter().filter(|block| block.kind == ActionKind::Range);
    let looped = looped.map(|block| (block.branches[0].header, block.end));
    let around = looped.filter(|(start, end)| *start > from && (*start..*end).contains(&until));
    around.map(|(_, end)| end).max().unwrap_or(until)
}
