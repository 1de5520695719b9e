//! The conditions that a place in a template stands under.

use unstick_yaml::{ActionKind, Command, Operand, Pipeline, Span};

use super::super::path::ValuesPath;
use super::symbol::{Symbol, Symbols};
use super::{Place, Resolver};

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guard {
    /// The block whose header it stands in.
    pub block: usize,
    /// The branch.
    pub branch: usize,
    /// The values keys that it looks at.
    pub paths: Vec<ValuesPath>,
    /// What must hold for them.
    pub test: Test,
}

/// What a condition asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Test {
    /// The one key is set: neither absent nor `""`, `false`, `0`, null or an empty mapping or list.
    Set,
    /// The one key is not set.
    Unset,
    /// The one key equals the text.
    Equals(String),
    /// Anything else.
    Other,
}

impl Resolver<'_, '_> {
    /// Returns the conditions around a place, outermost first, up to the `define` that holds it.
    pub(crate) fn guards(&self, place: Place<'_>) -> Vec<Guard> {
        let Some(template) = self.template(place.file) else { return Vec::new() };
        let mut guards = Vec::new();
        let mut holder = place.holder;
        while let Some((block, branch)) = holder {
            let frame = &template.blocks[block];
            for earlier in (0..=branch).rev() {
                let header = frame.branches[earlier].header;
                let Some(action) = template.action(header) else { continue };
                let asks = matches!(
                    action.kind,
                    ActionKind::If | ActionKind::ElseIf | ActionKind::With | ActionKind::ElseWith
                );
                let Some(expression) = self.expression(place.file, header).filter(|_| asks) else { continue };
                let outside = Place { holder: frame.holder, token: header, ..place };
                let parts = self.ask(|| self.conditions(outside, &expression.pipeline));
                // A branch is reached where the conditions of those before it do not hold.
                let held = earlier == branch;
                let single = parts.len() == 1;
                guards.extend(parts.into_iter().rev().map(|(paths, test)| Guard {
                    block,
                    branch: earlier,
                    paths,
                    test: if held { test } else { negated(test, single) },
                }));
            }
            if matches!(frame.kind, ActionKind::Define | ActionKind::Block) {
                break;
            }
            holder = frame.holder;
        }
        guards.reverse();
        guards
    }

    /// Splits a condition into parts that must all hold.
    fn conditions(&self, place: Place<'_>, pipeline: &Pipeline) -> Vec<(Vec<ValuesPath>, Test)> {
        if let [command] = &pipeline.commands[..] {
            if let [Operand::Group(inner, fields)] = &command.operands[..]
                && fields.is_empty()
            {
                return self.conditions(place, inner);
            }
            if is_function(command, "and") {
                let parts = command.operands[1..].iter();
                return parts.flat_map(|operand| self.conditions(place, &alone(operand))).collect();
            }
            if is_function(command, "not") && command.operands.len() == 2 {
                let inner = self.conditions(place, &alone(&command.operands[1]));
                let single = inner.len() == 1;
                return inner.into_iter().map(|(paths, test)| (paths, negated(test, single))).collect();
            }
            if is_function(command, "eq") && command.operands.len() == 3 {
                return vec![self.equality(place, command)];
            }
        }
        let symbols = self.pipeline(place, pipeline, None);
        let plain = symbols.len() == 1 && !pipeline.functions().iter().any(|name| is_lossy(name));
        let test = if plain && matches!(symbols[0], Symbol::Path(_)) { Test::Set } else { Test::Other };
        vec![(self.paths_in(place, pipeline, &symbols), test)]
    }

    fn equality(&self, place: Place<'_>, command: &Command) -> (Vec<ValuesPath>, Test) {
        let side = |operand| self.pipeline(place, &alone(operand), None);
        match (&side(&command.operands[1])[..], &side(&command.operands[2])[..]) {
            ([Symbol::Path(path)], [Symbol::Literal { text, .. }])
            | ([Symbol::Literal { text, .. }], [Symbol::Path(path)]) => {
                (vec![path.clone()], Test::Equals(text.clone()))
            }
            (left, right) => (paths(left.iter().chain(right)).into_iter().collect(), Test::Other),
        }
    }

    /// Returns the keys that a condition looks at, those inside function calls too.
    fn paths_in(&self, place: Place<'_>, pipeline: &Pipeline, symbols: &Symbols) -> Vec<ValuesPath> {
        let mut reads = Vec::new();
        self.pipeline(place, pipeline, Some(&mut reads));
        let mut all = paths(symbols.iter());
        for (path, _) in reads {
            if !all.contains(&path) {
                all.push(path);
            }
        }
        all
    }
}

fn paths<'s>(symbols: impl Iterator<Item = &'s Symbol>) -> Vec<ValuesPath> {
    let path = |symbol: &Symbol| match symbol {
        Symbol::Path(path) => Some(path.clone()),
        _ => None,
    };
    symbols.filter_map(path).collect()
}

fn negated(test: Test, single: bool) -> Test {
    match test {
        Test::Set if single => Test::Unset,
        Test::Unset if single => Test::Set,
        _ => Test::Other,
    }
}

fn is_function(command: &Command, wanted: &str) -> bool {
    matches!(&command.operands[0], Operand::Function(name) if name == wanted)
}

/// Returns an operand as a pipeline of its own.
pub(super) fn alone(operand: &Operand) -> Pipeline {
    Pipeline { commands: vec![Command { operands: vec![operand.clone()] }], span: Span::empty(0) }
}

/// Tells whether a function may change what counts as set.
fn is_lossy(name: &str) -> bool {
    matches!(name, "default" | "quote" | "squote" | "toYaml" | "toJson" | "printf" | "ternary" | "nindent" | "indent")
}
