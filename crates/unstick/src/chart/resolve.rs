//! From the expressions in templates to the values keys that they read.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use unstick_yaml::{Action, ActionKind, Command, Expression, Operand, Pipeline, Template, Token, parse_expression};

use super::ChartSet;
use super::path::ValuesPath;

mod evaluation;
mod guard;
mod reads;
mod scope;
mod symbol;
#[cfg(test)]
mod tests;

pub(crate) use guard::{Guard, Test};
pub(crate) use reads::{Manner, Read};
pub(crate) use scope::Place;
pub(crate) use symbol::Opacity;
use symbol::{MAX_DEPTH, Symbol, Symbols, TOO_MANY, add};

/// Where a value in a template comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Resolution {
    /// The values keys, as the chart that holds the template sees them; the first that is set wins.
    pub paths: Vec<ValuesPath>,
    /// The constant that is taken where none of them is set.
    pub fallback: Option<String>,
    /// Constants that the template may choose whatever those keys hold.
    pub literals: Vec<String>,
    /// The conditions that the value stands under, outermost first.
    pub guards: Vec<Guard>,
    /// Why it may come from elsewhere.
    pub opaque: Option<Opacity>,
}

/// Follows expressions to values, across the templates of a chart and its sub-charts.
pub(crate) struct Resolver<'s, 'a> {
    pub(crate) set: &'s ChartSet<'a>,
    sources: Vec<Source>,
    /// For each `define`, what it may be called with.
    arguments: HashMap<(usize, usize), Symbols>,
    /// For each `define`, what it was found to print, by argument.
    printed: RefCell<HashMap<(usize, usize), Vec<(Symbols, Symbols)>>>,
    /// The arguments are known; before, a `define` without any may get some yet.
    settled: bool,
    /// The variables that are looked at, by file and declaration.
    busy: RefCell<Vec<(usize, usize)>>,
    fuel: Cell<usize>,
    depth: Cell<usize>,
}

/// What is read of a template once.
#[derive(Default)]
struct Source {
    /// For each token, its expression.
    expressions: Vec<Option<Expression>>,
    /// For each variable, the actions that declare or set it.
    variables: HashMap<String, Vec<usize>>,
    /// For each variable, the actions that put something into its mapping, with key and value.
    puts: HashMap<String, Vec<(usize, Operand, Operand)>>,
}

/// A `define` that is followed with one call's argument.
#[derive(Debug)]
pub(crate) struct Frame<'f> {
    file: usize,
    block: usize,
    argument: Symbols,
    /// The call that it was made from.
    outer: Option<&'f Frame<'f>>,
}

/// A place that calls a `define`.
struct Site {
    file: usize,
    token: usize,
    /// The definitions, by file and block.
    targets: Vec<(usize, usize)>,
    argument: Option<Pipeline>,
}

/// Pipelines that are read for one question.
const FUEL: usize = 20_000;
/// Pipelines inside pipelines.
const MAX_NESTING: usize = 120;
/// Rounds in which arguments are passed on from one `define` to the next.
const MAX_ROUNDS: usize = 12;

impl<'s, 'a> Resolver<'s, 'a> {
    /// Reads the expressions of all templates, and what each `define` is called with.
    pub(crate) fn new(set: &'s ChartSet<'a>) -> Self {
        let read = |(file, template): (usize, &Option<Template>)| {
            template.as_ref().map(|template| Source::new(template, set.text(file))).unwrap_or_default()
        };
        let sources = set.templates.iter().enumerate().map(read).collect();
        let (fuel, depth) = (Cell::new(FUEL), Cell::new(0));
        let (arguments, printed) = (HashMap::new(), RefCell::default());
        let mut resolver =
            Self { set, sources, arguments, printed, settled: false, busy: RefCell::default(), fuel, depth };
        resolver.pass_arguments();
        resolver
    }

    /// Resolves what the output action at `token` prints.
    pub(crate) fn resolve(&self, file: usize, token: usize) -> Resolution {
        let Some(template) = self.template(file) else { return Resolution::default() };
        let place = Place { file, holder: template.holders[token], token, frame: None };
        let symbols = match self.expression(file, token) {
            Some(expression) => self.ask(|| self.pipeline(place, &expression.pipeline, None)),
            None => vec![Symbol::Opaque(Opacity::Unreadable)],
        };
        let mut resolution = Resolution { guards: self.guards(place), ..Resolution::default() };
        for symbol in symbols {
            match symbol {
                Symbol::Path(path) => resolution.paths.push(path),
                Symbol::Literal { text, fallback: true } => {
                    resolution.fallback.get_or_insert(text);
                }
                Symbol::Literal { text, fallback: false } => resolution.literals.push(text),
                Symbol::Opaque(reason) => {
                    resolution.opaque.get_or_insert(reason);
                }
                Symbol::Root(_) | Symbol::Dict(_) | Symbol::List(_) => {
                    resolution.opaque.get_or_insert(Opacity::Built);
                }
            }
        }
        resolution
    }

    /// Answers one question with fresh fuel.
    fn ask<T>(&self, question: impl FnOnce() -> T) -> T {
        self.fuel.set(FUEL);
        self.depth.set(0);
        question()
    }

    pub(super) fn expression(&self, file: usize, token: usize) -> Option<&Expression> {
        self.sources[file].expressions.get(token)?.as_ref()
    }

    /// Finds out what each `define` is called with: again and again, since a call may stand in another `define`.
    fn pass_arguments(&mut self) {
        let sites = self.sites();
        for round in 0..=MAX_ROUNDS {
            let mut changed = false;
            self.printed.borrow_mut().clear();
            for site in &sites {
                let symbols = self.ask(|| self.site_argument(site));
                for target in &site.targets {
                    let known = self.arguments.entry(*target).or_default();
                    let before = known.len();
                    let deep = |symbol: &Symbol| symbol.depth() > MAX_DEPTH;
                    add(known, symbols.iter().map(|symbol| if deep(symbol) { TOO_MANY } else { symbol.clone() }));
                    changed |= known.len() > before;
                }
            }
            if !changed {
                break;
            }
            if round == MAX_ROUNDS {
                for known in self.arguments.values_mut() {
                    add(known, [TOO_MANY]);
                }
            }
        }
        self.settled = true;
        self.printed.borrow_mut().clear();
    }

    fn site_argument(&self, site: &Site) -> Symbols {
        let (Some(template), Some(argument)) = (self.template(site.file), &site.argument) else { return Vec::new() };
        let place = Place { file: site.file, holder: template.holders[site.token], token: site.token, frame: None };
        let place = match template.action(site.token) {
            // A block's own header calls it from outside.
            Some(action) if action.opens() => Place {
                holder: template.holders[site.token].and_then(|(block, _)| template.blocks[block].holder),
                ..place
            },
            _ => place,
        };
        self.pipeline(place, argument, None)
    }

    /// Returns all calls of known definitions.
    fn sites(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        for (file, source) in self.sources.iter().enumerate() {
            let Some(template) = self.template(file) else { continue };
            for (token, expression) in source.expressions.iter().enumerate() {
                let (Some(expression), Some(action)) = (expression, template.action(token)) else { continue };
                if matches!(action.kind, ActionKind::Template | ActionKind::Block) {
                    let call = &expression.pipeline.commands[0];
                    let rest = &expression.pipeline.commands[1..];
                    sites.extend(self.site(file, token, call, 0, rest));
                }
                for call in calls(&expression.pipeline) {
                    sites.extend(self.site(file, token, &call.0, 1, &[]).map(|site| match call.1 {
                        Some(piped) if site.argument.is_none() => Site { argument: Some(piped), ..site },
                        _ => site,
                    }));
                }
            }
        }
        sites
    }

    /// Reads a call whose name is the operand at `at`, and whose argument follows it.
    fn site(&self, file: usize, token: usize, call: &Command, at: usize, rest: &[Command]) -> Option<Site> {
        let Some(Operand::String(name)) = call.operands.get(at) else { return None };
        let targets = self.set.defines.get(name)?.clone();
        let operands = call.operands[at + 1..].to_vec();
        let argument = (!operands.is_empty()).then(|| {
            let first = Command { operands };
            let commands = std::iter::once(first).chain(rest.iter().cloned()).collect();
            Pipeline { commands, span: unstick_yaml::Span::empty(0) }
        });
        Some(Site { file, token, targets, argument })
    }
}

/// Returns the `include` commands of a pipeline, those in parentheses too, with what is piped into each.
fn calls(pipeline: &Pipeline) -> Vec<(Command, Option<Pipeline>)> {
    let mut found = Vec::new();
    let mut open = vec![pipeline];
    while let Some(pipeline) = open.pop() {
        for (at, command) in pipeline.commands.iter().enumerate() {
            if matches!(&command.operands[0], Operand::Function(name) if name == "include") {
                let before = pipeline.commands[..at].to_vec();
                let piped = (at > 0).then(|| Pipeline { commands: before, span: pipeline.span });
                found.push((command.clone(), piped));
            }
            open.extend(command.operands.iter().filter_map(|operand| match operand {
                Operand::Group(inner, _) => Some(&**inner),
                _ => None,
            }));
        }
    }
    found
}

impl Source {
    fn new(template: &Template, text: &[u8]) -> Self {
        let read = |token: &Token| match token {
            Token::Action(action) => read_expression(action, text),
            Token::Text(_) => None,
        };
        let expressions: Vec<Option<Expression>> = template.tokens.iter().map(read).collect();
        let mut variables: HashMap<String, Vec<usize>> = HashMap::new();
        for (token, expression) in expressions.iter().enumerate() {
            let Some(declaration) = expression.as_ref().and_then(|expression| expression.declaration.as_ref()) else {
                continue;
            };
            let binds = |action: &Action| matches!(action.kind, ActionKind::Declare | ActionKind::Assign);
            if template.action(token).is_some_and(binds) {
                for name in &declaration.names {
                    variables.entry(name.clone()).or_default().push(token);
                }
            }
        }
        let mut puts: HashMap<String, Vec<(usize, Operand, Operand)>> = HashMap::new();
        for (token, expression) in expressions.iter().enumerate() {
            for command in expression.iter().flat_map(|expression| commands(&expression.pipeline)) {
                if let [Operand::Function(function), Operand::Variable(name, fields), key, value] =
                    &command.operands[..]
                    && function == "set"
                    && fields.is_empty()
                {
                    puts.entry(name.clone()).or_default().push((token, key.clone(), value.clone()));
                }
            }
        }
        Self { expressions, variables, puts }
    }
}

/// Returns all commands of a pipeline, those in parentheses too.
fn commands(pipeline: &Pipeline) -> Vec<&Command> {
    let mut found = Vec::new();
    let mut open = vec![pipeline];
    while let Some(pipeline) = open.pop() {
        for command in &pipeline.commands {
            found.push(command);
            open.extend(command.operands.iter().filter_map(|operand| match operand {
                Operand::Group(inner, _) => Some(&**inner),
                _ => None,
            }));
        }
    }
    found
}

fn read_expression(action: &Action, text: &[u8]) -> Option<Expression> {
    let span = action.pipeline(text);
    if span.is_empty() { None } else { parse_expression(text, span).ok() }
}
