//! What pipelines stand for.

use std::rc::Rc;

use unstick_yaml::{ActionKind, Command, Operand, Pipeline, Token};

use super::reads::{Log, Manner};
use super::symbol::{Opacity, Symbol, Symbols, TOO_MANY, add, each, fields};
use super::{Frame, MAX_NESTING, Place, Resolver};

/// Functions whose result is their last argument, as far as its origin goes.
const TRANSPARENT: &[&str] = &[
    "quote",
    "squote",
    "toString",
    "trim",
    "trimAll",
    "trimPrefix",
    "trimSuffix",
    "nospace",
    "lower",
    "upper",
    "title",
    "untitle",
    "replace",
    "required",
    "int",
    "int64",
    "float64",
    "nindent",
    "indent",
    "fromYaml",
    "fromJson",
    "fromYamlArray",
    "fromJsonArray",
    "deepCopy",
    "mustDeepCopy",
    "html",
    "toStrings",
    "compact",
    "uniq",
    "reverse",
    "sortAlpha",
    "mustCompact",
    "mustUniq",
    "mustReverse",
];
/// Functions that write out their last argument, a mapping as a whole.
const WRITERS: &[&str] = &[
    "toYaml",
    "toYamlPretty",
    "toJson",
    "toPrettyJson",
    "toRawJson",
    "mustToJson",
    "mustToPrettyJson",
    "mustToRawJson",
    "mustToYaml",
    "toToml",
];
/// Functions that join mappings or lists.
const JOINERS: &[&str] = &["merge", "mustMerge", "mergeOverwrite", "mustMergeOverwrite", "concat"];
/// Functions that only look at their arguments.
const TESTS: &[&str] = &[
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "not",
    "empty",
    "kindIs",
    "kindOf",
    "typeIs",
    "typeOf",
    "typeIsLike",
    "has",
    "mustHas",
    "contains",
    "hasPrefix",
    "hasSuffix",
    "len",
    "deepEqual",
    "regexMatch",
    "mustRegexMatch",
    "all",
    "any",
];
/// Helpers of common libraries that print the value under `value`, rendered as a template.
const VALUE_HELPERS: &[&str] = &["tplvalues.render", "tplvalue.render", "tplValue", "tplvalues.merge"];

/// Results kept for one `define`.
const MAX_REMEMBERED: usize = 32;

impl Resolver<'_, '_> {
    /// Returns what a pipeline stands for at a place.
    pub(super) fn pipeline(&self, place: Place<'_>, pipeline: &Pipeline, mut log: Log<'_>) -> Symbols {
        let fuel = self.fuel.get();
        if fuel == 0 || self.depth.get() >= MAX_NESTING {
            return vec![TOO_MANY];
        }
        self.fuel.set(fuel - 1);
        self.depth.set(self.depth.get() + 1);
        let mut value: Option<Symbols> = None;
        for command in &pipeline.commands {
            value = Some(self.command(place, command, value, log.as_deref_mut()));
        }
        self.depth.set(self.depth.get() - 1);
        value.unwrap_or_default()
    }

    fn command(&self, place: Place<'_>, command: &Command, piped: Option<Symbols>, mut log: Log<'_>) -> Symbols {
        let Operand::Function(name) = &command.operands[0] else {
            let first = self.operand(place, &command.operands[0], log.as_deref_mut());
            // A method with arguments, such as `.Files.Get "x"`.
            for operand in &command.operands[1..] {
                let symbols = self.operand(place, operand, log.as_deref_mut());
                self.note(log.as_deref_mut(), &symbols, Manner::Whole);
            }
            return first;
        };
        let operands = command.operands[1..].iter();
        let mut arguments: Vec<Symbols> =
            operands.map(|operand| self.operand(place, operand, log.as_deref_mut())).collect();
        arguments.extend(piped);
        self.call(place, name, &arguments, log)
    }

    fn operand(&self, place: Place<'_>, operand: &Operand, log: Log<'_>) -> Symbols {
        match operand {
            Operand::Field(names) => fields(&self.dot(place), names),
            Operand::Variable(name, names) => fields(&self.variable(place, name), names),
            Operand::Group(inner, names) => fields(&self.pipeline(place, inner, log), names),
            Operand::String(text) | Operand::Number(text) => vec![Symbol::literal(text)],
            Operand::Bool(value) => vec![Symbol::literal(value.to_string())],
            Operand::Nil => Vec::new(),
            Operand::Function(name) => self.call(place, name, &[], log),
        }
    }

    fn call(&self, place: Place<'_>, name: &str, arguments: &[Symbols], mut log: Log<'_>) -> Symbols {
        let last = || arguments.last().cloned().unwrap_or_default();
        let first = || arguments.first().cloned().unwrap_or_default();
        match name {
            "include" => self.include(place, arguments, log),
            "tpl" => first(),
            "default" if arguments.len() == 2 => with_fallback(&arguments[1], &arguments[0]),
            "coalesce" => self.coalesce(arguments),
            "ternary" if arguments.len() == 3 => {
                self.note(log, &arguments[2], Manner::Test);
                union(&arguments[..2])
            }
            "or" => self.coalesce(arguments),
            "and" => {
                for argument in arguments {
                    self.note(log.as_deref_mut(), argument, Manner::Test);
                }
                last()
            }
            "dict" => dict(arguments),
            "list" | "tuple" => vec![Symbol::List(Rc::new(arguments.to_vec()))],
            "get" if arguments.len() == 2 => select(&arguments[0], &arguments[1]),
            "index" => arguments.iter().skip(1).fold(first(), |symbols, key| select(&symbols, key)),
            "dig" if arguments.len() >= 3 => {
                let (keys, rest) = arguments.split_at(arguments.len() - 2);
                let found = keys.iter().fold(rest[1].clone(), |symbols, key| select(&symbols, key));
                with_fallback(&found, &rest[0])
            }
            "pluck" if arguments.len() >= 2 => {
                vec![Symbol::List(Rc::new(arguments[1..].iter().map(|from| select(from, &arguments[0])).collect()))]
            }
            "first" | "last" | "mustFirst" | "mustLast" => self.end_of_list(name, &last()),
            "append" | "prepend" | "mustAppend" | "mustPrepend" if arguments.len() == 2 => {
                let mut all = arguments[0].clone();
                add(&mut all, [Symbol::List(Rc::new(vec![arguments[1].clone()]))]);
                all
            }
            "splitList" | "split" if arguments.len() == 2 => split(name, &arguments[0], &arguments[1]),
            "values" => vec![Symbol::List(Rc::new(vec![each(&first())]))],
            "hasKey" if arguments.len() == 2 => {
                self.note(log, &select(&arguments[0], &arguments[1]), Manner::Test);
                vec![computed(name)]
            }
            "set" if arguments.len() == 3 => {
                let mut all = arguments[0].clone();
                add(&mut all, [put(&arguments[1], &arguments[2])]);
                all
            }
            "printf" if arguments.len() == 2 && is_plain_format(&arguments[0]) => last(),
            "printf" if formatted(arguments).is_some() => formatted(arguments).unwrap_or_default(),
            "omit" | "pick" | "mustOmit" => {
                self.note(log, &first(), Manner::Whole);
                first()
            }
            _ if TRANSPARENT.contains(&name) => last(),
            _ if WRITERS.contains(&name) => {
                self.note(log, &last(), Manner::Whole);
                last()
            }
            _ if JOINERS.contains(&name) => union(arguments),
            _ => {
                let manner = if TESTS.contains(&name) { Manner::Test } else { Manner::Whole };
                for argument in arguments {
                    self.note(log.as_deref_mut(), argument, manner);
                }
                vec![computed(name)]
            }
        }
    }

    /// Returns the first that is set; a constant is always set.
    fn coalesce(&self, arguments: &[Symbols]) -> Symbols {
        let mut all = Symbols::new();
        let mut sure = false;
        for argument in arguments {
            let literal = |symbol: &Symbol| matches!(symbol, Symbol::Literal { .. });
            if sure {
                break;
            }
            sure = !argument.is_empty() && argument.iter().all(literal) && !argument.iter().any(is_empty);
            let found = argument.iter().filter(|symbol| !is_empty(symbol)).cloned();
            add(&mut all, found.map(|symbol| if sure { as_fallback(symbol) } else { symbol }));
        }
        all
    }

    fn end_of_list(&self, name: &str, list: &[Symbol]) -> Symbols {
        let mut all = Symbols::new();
        for symbol in list {
            match symbol {
                Symbol::List(items) if name.ends_with("irst") => {
                    add(&mut all, items.first().cloned().unwrap_or_default())
                }
                Symbol::List(items) => add(&mut all, items.last().cloned().unwrap_or_default()),
                other => add(&mut all, other.each()),
            }
        }
        all
    }

    /// Returns what a `define` prints when called with an argument.
    fn include(&self, place: Place<'_>, arguments: &[Symbols], log: Log<'_>) -> Symbols {
        let argument = arguments.get(1).cloned().unwrap_or_default();
        let Some([Symbol::Literal { text: name, .. }]) = arguments.first().map(Vec::as_slice) else {
            self.note(log, &argument, Manner::Whole);
            return vec![computed("include")];
        };
        if VALUE_HELPERS.iter().any(|helper| name.ends_with(helper)) {
            let value = fields(&argument, &["value".to_owned()]);
            self.note(log, &value, Manner::Whole);
            return value;
        }
        let Some(targets) = self.set.defines.get(name) else {
            self.note(log, &argument, Manner::Whole);
            return vec![Symbol::Opaque(Opacity::Undefined(name.clone()))];
        };
        if log.is_some() {
            // The definition's own actions are noted where they stand, for all calls that can be told apart.
            let followed = |target| self.arguments.get(target).is_some_and(|known| !known.contains(&TOO_MANY));
            if !targets.iter().all(followed) {
                self.note(log, &argument, Manner::Whole);
            }
            return Vec::new();
        }
        let mut all = Symbols::new();
        for (file, block) in targets {
            let frame = Frame { file: *file, block: *block, argument: argument.clone(), outer: place.frame };
            if frame.is_recursive() {
                add(&mut all, [TOO_MANY]);
            } else {
                add(&mut all, self.printed_once(&frame));
            }
        }
        all
    }

    /// Returns what the body of a `define` prints, found out once for each argument.
    fn printed_once(&self, frame: &Frame<'_>) -> Symbols {
        let key = (frame.file, frame.block);
        let known = self.printed.borrow().get(&key).and_then(|known| {
            let same = known.iter().find(|(argument, _)| *argument == frame.argument);
            same.map(|(_, printed)| printed.clone())
        });
        known.unwrap_or_else(|| {
            let printed = self.printed(frame);
            let mut all = self.printed.borrow_mut();
            let known = all.entry(key).or_default();
            if self.fuel.get() > 0 && known.len() < MAX_REMEMBERED {
                known.push((frame.argument.clone(), printed.clone()));
            }
            printed
        })
    }

    /// Returns what the body of a `define` prints.
    fn printed(&self, frame: &Frame<'_>) -> Symbols {
        let Some(template) = self.template(frame.file) else { return Vec::new() };
        let text = self.set.text(frame.file);
        let block = &template.blocks[frame.block];
        let mut all = Symbols::new();
        for token in block.branches[0].header + 1..block.end {
            match &template.tokens[token] {
                Token::Text(span) => {
                    let words = String::from_utf8_lossy(span.slice(text).trim_ascii()).into_owned();
                    if !words.is_empty() && !words.contains(['\n', ':']) {
                        add(&mut all, [Symbol::literal(words)]);
                    } else if !words.is_empty() {
                        add(&mut all, [Symbol::Opaque(Opacity::Built)]);
                    }
                }
                Token::Action(action) if action.kind == ActionKind::Output => {
                    let holder = template.holders[token];
                    let place = Place { file: frame.file, holder, token, frame: Some(frame) };
                    if let Some(expression) = self.expression(frame.file, token) {
                        add(&mut all, self.pipeline(place, &expression.pipeline, None));
                    }
                }
                Token::Action(_) => {}
            }
        }
        all
    }
}

impl Frame<'_> {
    fn is_recursive(&self) -> bool {
        let mut outer = self.outer;
        let mut depth = 0;
        while let Some(frame) = outer {
            depth += 1;
            if (frame.file, frame.block) == (self.file, self.block) || depth > 8 {
                return true;
            }
            outer = frame.outer;
        }
        false
    }
}

fn computed(name: &str) -> Symbol {
    Symbol::Opaque(Opacity::Function(name.to_owned()))
}

fn is_empty(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Literal { text, .. } if text.is_empty())
}

fn as_fallback(symbol: Symbol) -> Symbol {
    match symbol {
        Symbol::Literal { text, .. } => Symbol::Literal { text, fallback: true },
        other => other,
    }
}

fn union(parts: &[Symbols]) -> Symbols {
    let mut all = Symbols::new();
    for part in parts {
        add(&mut all, part.iter().cloned());
    }
    all
}

fn with_fallback(value: &[Symbol], fallback: &[Symbol]) -> Symbols {
    let mut all = Symbols::new();
    add(&mut all, value.iter().cloned());
    add(&mut all, fallback.iter().filter(|symbol| !is_empty(symbol)).cloned().map(as_fallback));
    all
}

fn dict(arguments: &[Symbols]) -> Symbols {
    let pair = |pair: &[Symbols]| match (pair.first()?.first()?, pair.get(1)) {
        (Symbol::Literal { text, .. }, value) => Some((Some(text.clone()), value.cloned().unwrap_or_default())),
        (_, value) => Some((None, value.cloned().unwrap_or_default())),
    };
    vec![Symbol::Dict(Rc::new(arguments.chunks(2).filter_map(pair).collect()))]
}

/// Returns what stands under a key that is itself an expression.
fn select(from: &[Symbol], key: &[Symbol]) -> Symbols {
    let names: Option<Vec<&String>> = key
        .iter()
        .map(|symbol| match symbol {
            Symbol::Literal { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    let Some(names) = names.filter(|names| !names.is_empty()) else { return each(from) };
    let mut all = Symbols::new();
    for (symbol, name) in from.iter().flat_map(|symbol| names.iter().map(move |name| (symbol, *name))) {
        match (symbol, name.parse::<usize>()) {
            (Symbol::List(_) | Symbol::Path(_), Ok(at)) => add(&mut all, symbol.item(at)),
            _ => add(&mut all, fields(std::slice::from_ref(symbol), std::slice::from_ref(name))),
        }
    }
    all
}

/// Returns the parts of constants as lists, or as the mapping that `split` makes.
fn split(name: &str, separator: &[Symbol], texts: &[Symbol]) -> Symbols {
    let [Symbol::Literal { text: separator, .. }] = separator else { return vec![computed(name)] };
    let mut all = Symbols::new();
    for symbol in texts {
        let Symbol::Literal { text, .. } = symbol else {
            add(&mut all, [computed(name)]);
            continue;
        };
        let parts = text.split(separator.as_str()).map(|part| vec![Symbol::literal(part)]);
        add(
            &mut all,
            [match name {
                "split" => {
                    let entry = |(at, part)| (Some(format!("_{at}")), part);
                    Symbol::Dict(Rc::new(parts.enumerate().map(entry).collect()))
                }
                _ => Symbol::List(Rc::new(parts.collect())),
            }],
        );
    }
    all
}

/// Returns the texts that `printf` makes of constants; `None` where it prints anything else.
fn formatted(arguments: &[Symbols]) -> Option<Symbols> {
    let [Symbol::Literal { text: format, .. }] = arguments.first()?.as_slice() else { return None };
    let mut pieces = format.split('%');
    let mut texts = vec![pieces.next()?.to_owned()];
    for (piece, values) in pieces.zip(&arguments[1..]) {
        let rest = piece.strip_prefix(['s', 'v', 'd'])?;
        let mut next = Vec::new();
        for (text, value) in texts.iter().flat_map(|text| values.iter().map(move |value| (text, value))) {
            let Symbol::Literal { text: value, .. } = value else { return None };
            next.push(format!("{text}{value}{rest}"));
        }
        texts = next;
    }
    let complete = format.matches('%').count() + 1 == arguments.len() && texts.len() <= MAX_REMEMBERED;
    complete.then(|| texts.into_iter().map(Symbol::literal).collect())
}

/// Returns what `set DICT KEY VALUE` puts into its mapping.
pub(super) fn put(key: &[Symbol], value: &[Symbol]) -> Symbol {
    let key = match key {
        [Symbol::Literal { text, .. }] => Some(text.clone()),
        _ => None,
    };
    Symbol::Dict(Rc::new(vec![(key, value.to_vec())]))
}

fn is_plain_format(format: &[Symbol]) -> bool {
    matches!(format, [Symbol::Literal { text, .. }] if matches!(text.as_str(), "%s" | "%v" | "%q"))
}
