//! Which values keys the templates read, and how.

use unstick_yaml::{ActionKind, Operand, Pipeline};

use super::super::path::ValuesPath;
use super::symbol::Symbol;
use super::{Place, Resolver};

/// One place that reads a values key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Read {
    /// The key.
    pub path: ValuesPath,
    /// The template.
    pub file: usize,
    /// The action.
    pub token: usize,
    /// How it is read.
    pub manner: Manner,
}

impl Read {
    /// Tells whether all that the key holds is read with it.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.manner, Manner::Walk | Manner::Whole)
    }
}

/// How a values key is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// Only whether it is set, or how it compares.
    Test,
    /// As the dot of a `with`, as a variable or argument: what is taken from it is read elsewhere.
    Scope,
    /// Walked over by a `range`: its keys may be printed.
    Walk,
    /// Printed, or handed to a function, with all that it holds.
    Whole,
}

/// Where reads are noted down, if they are.
pub(super) type Log<'l> = Option<&'l mut Vec<(ValuesPath, Manner)>>;

impl Resolver<'_, '_> {
    /// Notes that the paths among the symbols are read; what built mappings hold is read too.
    pub(super) fn note(&self, log: Log<'_>, symbols: &[Symbol], manner: Manner) {
        let Some(log) = log else { return };
        let mut open: Vec<&Symbol> = symbols.iter().collect();
        while let Some(symbol) = open.pop() {
            match symbol {
                Symbol::Path(path) => log.push((path.clone(), manner)),
                // The whole context, such as that of `tpl`, is not read by being passed on.
                Symbol::Dict(entries) => open.extend(entries.iter().flat_map(|(_, symbols)| symbols)),
                Symbol::List(items) => open.extend(items.iter().flatten()),
                Symbol::Root { .. } | Symbol::Chart(_) | Symbol::Literal { .. } | Symbol::Opaque(_) => {}
            }
        }
    }

    /// Returns all reads of values keys in all templates.
    pub(crate) fn reads(&self) -> Vec<Read> {
        let mut reads = Vec::new();
        for (file, source) in self.sources.iter().enumerate() {
            let Some(template) = self.template(file) else { continue };
            for (token, expression) in source.expressions.iter().enumerate() {
                let (Some(expression), Some(action)) = (expression, template.action(token)) else { continue };
                let holder = match (action.opens(), template.holders[token]) {
                    (false, holder) => match action.kind {
                        ActionKind::ElseIf | ActionKind::ElseWith => {
                            holder.and_then(|(block, _)| template.blocks[block].holder)
                        }
                        _ => holder,
                    },
                    (true, holder) => holder.and_then(|(block, _)| template.blocks[block].holder),
                };
                let place = Place { file, holder, token, frame: None };
                let mut log = Vec::new();
                let called = matches!(action.kind, ActionKind::Template | ActionKind::Block);
                let (pipeline, manner) = match called.then(|| self.call_argument(&expression.pipeline)) {
                    Some(Some(argument)) => argument,
                    Some(None) => continue,
                    None => (expression.pipeline.clone(), manner_of(action.kind)),
                };
                self.ask(|| {
                    let value = self.pipeline(place, &pipeline, Some(&mut log));
                    self.note(Some(&mut log), &value, manner);
                });
                log.sort_unstable();
                log.dedup();
                reads.extend(log.into_iter().map(|(path, manner)| Read { path, file, token, manner }));
            }
        }
        reads
    }
}

impl Resolver<'_, '_> {
    /// Returns what `template "name" …` hands on, and how: a known definition reads for itself what it needs.
    fn call_argument(&self, pipeline: &Pipeline) -> Option<(Pipeline, Manner)> {
        let mut argument = pipeline.clone();
        let name = argument.commands[0].operands.remove(0);
        let known = matches!(&name, Operand::String(name) if self.set.defines.contains_key(name));
        let manner = if known { Manner::Scope } else { Manner::Whole };
        (!argument.commands[0].operands.is_empty()).then_some((argument, manner))
    }
}

fn manner_of(kind: ActionKind) -> Manner {
    match kind {
        ActionKind::If | ActionKind::ElseIf => Manner::Test,
        ActionKind::Range => Manner::Walk,
        ActionKind::Output => Manner::Whole,
        _ => Manner::Scope,
    }
}
