//! From the expressions in templates to the values keys that they read.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

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
    /// For each chart, what `.Chart.Name` may be.
    names: Vec<Rc<Vec<String>>>,
    /// For each `define`, what it may be called with.
    arguments: HashMap<(usize, usize), Symbols>,
    /// For each `define`, what it was found to print, by argument.
    printed: RefCell<HashMap<(usize, usize), Vec<Printed>>>,
    /// The variables that are looked at, by file and declaration.
    busy: RefCell<Vec<(usize, usize)>>,
    fuel: Cell<usize>,
    depth: Cell<usize>,
}

/// An argument of a `define`, and what it prints with it.
type Printed = (Symbols, Symbols);

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
        Self::without(set, &|_, _| false)
    }

    /// Reads the templates as they are without some of their actions, named by file and token.
    pub(crate) fn without(set: &'s ChartSet<'a>, is_cut: &dyn Fn(usize, usize) -> bool) -> Self {
        let read = |(file, template): (usize, &Option<Template>)| {
            let read = |template: &Template| Source::new(template, set.text(file), &|token| is_cut(file, token));
            template.as_ref().map(read).unwrap_or_default()
        };
        let names = set.charts.iter().map(|chart| {
            let own = std::slice::from_ref(&chart.name);
            Rc::new(if chart.prefixes.is_empty() { own } else { &chart.prefixes }.to_vec())
        });
        let sources = set.templates.iter().enumerate().map(read).collect();
        let (fuel, depth) = (Cell::new(FUEL), Cell::new(0));
        let (arguments, printed) = (HashMap::new(), RefCell::default());
        let names = names.collect();
        let mut resolver = Self { set, sources, names, arguments, printed, busy: RefCell::default(), fuel, depth };
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
        let symbols = match symbols.is_empty() && self.is_uncalled(place) {
            true => vec![Symbol::Opaque(Opacity::NeverIncluded)],
            false => symbols,
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
                Symbol::Root { .. } | Symbol::Chart(_) | Symbol::Dict(_) | Symbol::List(_) => {
                    resolution.opaque.get_or_insert(Opacity::Built);
                }
            }
        }
        resolution
    }

    /// Tells whether a place lies in a definition that nothing calls.
    fn is_uncalled(&self, place: Place<'_>) -> bool {
        let Some(template) = self.template(place.file) else { return false };
        let mut holder = place.holder;
        while let Some((block, _)) = holder {
            if matches!(template.blocks[block].kind, ActionKind::Define | ActionKind::Block) {
                return self.arguments.get(&(place.file, block)).is_none_or(Vec::is_empty);
            }
            holder = template.blocks[block].holder;
        }
        false
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
        let mut sites = self.sites();
        self.pass_along(&sites);
        // A call by a computed name may call any definition; those that nothing else calls are taken to be meant.
        let uncalled: Vec<(usize, usize)> = self
            .set
            .defines
            .values()
            .flatten()
            .filter(|target| !self.arguments.contains_key(target))
            .copied()
            .collect();
        let dynamic = sites.iter_mut().filter(|site| site.targets.is_empty());
        if dynamic.map(|site| site.targets.clone_from(&uncalled)).count() > 0 {
            self.pass_along(&sites);
        }
        self.printed.borrow_mut().clear();
    }

    fn pass_along(&mut self, sites: &[Site]) {
        for round in 0..=MAX_ROUNDS {
            let mut changed = false;
            self.printed.borrow_mut().clear();
            for site in sites {
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
        let targets = match call.operands.get(at)? {
            Operand::String(name) => self.set.defines.get(name)?.clone(),
            name if is_file_name(name) => return None,
            _ => Vec::new(),
        };
        let operands = call.operands[at + 1..].to_vec();
        let argument = (!operands.is_empty()).then(|| {
            let first = Command { operands };
            let commands = std::iter::once(first).chain(rest.iter().cloned()).collect();
            Pipeline { commands, span: unstick_yaml::Span::empty(0) }
        });
        Some(Site { file, token, targets, argument })
    }
}

/// Tells whether the name of a call is that of a template's file, such as `(print $.Template.BasePath "/a.yaml")`.
fn is_file_name(name: &Operand) -> bool {
    let is_base = |operand: &Operand| {
        matches!(operand, Operand::Field(names) | Operand::Variable(_, names)
            if names.last().is_some_and(|name| name == "BasePath"))
    };
    let Operand::Group(inner, _) = name else { return false };
    inner.commands.iter().flat_map(|command| &command.operands).any(is_base)
}

/// Returns the `include` commands of a pipeline, those in parentheses too, with what is piped into each.
fn calls(pipeline: &Pipeline) -> Vec<(Command, Option<Pipeline>)> {
    let mut found = Vec::new();
    let mut open = vec![pipeline];
    while let Some(pipeline) = open.pop() {
        for (at, command) in pipeline.commands.iter().enumerate() {
            if matches!(&command.operands[0], Operand::Function(name) if name == "include") {
                let before = pipeline.commands[..at].to_vec();
                let piped = (at > 0).then_some(Pipeline { commands: before, span: pipeline.span });
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
    fn new(template: &Template, text: &[u8], is_cut: &dyn Fn(usize) -> bool) -> Self {
        let read = |(at, token): (usize, &Token)| match token {
            Token::Action(action) if !is_cut(at) => read_expression(action, text),
            _ => None,
        };
        let expressions: Vec<Option<Expression>> = template.tokens.iter().enumerate().map(read).collect();
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
