//! What an expression stands for, without knowing any value.

use std::rc::Rc;

use super::super::path::{Step, ValuesPath};

/// One thing that an expression may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// The context of a chart's templates, with `.Values`, `.Release` and so on.
    Root {
        /// The chart.
        chart: usize,
        /// What `.Chart.Name` may be.
        names: Rc<Vec<String>>,
    },
    /// `.Chart` of a chart that goes by these names.
    Chart(Rc<Vec<String>>),
    /// What stands under a path in a chart's values.
    Path(ValuesPath),
    /// A mapping built in the template; no key stands for any key.
    Dict(Rc<Vec<(Option<String>, Symbols)>>),
    /// A list built in the template.
    List(Rc<Vec<Symbols>>),
    /// A constant.
    Literal {
        /// Its text.
        text: String,
        /// It counts only where the values say nothing.
        fallback: bool,
    },
    /// Something that cannot be traced to values.
    Opaque(Opacity),
}

/// Why an expression cannot be traced to values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Opacity {
    /// A function computes it.
    Function(String),
    /// It comes from `.Release`, `.Capabilities`, `.Files` or the like.
    Builtin(String),
    /// A variable that is declared nowhere in sight.
    Variable(String),
    /// A `define` that nothing includes.
    NeverIncluded,
    /// A `define` that is in none of the charts.
    Undefined(String),
    /// The name or position of an element of a `range`.
    RangeKey,
    /// A mapping or list built in the template.
    Built,
    /// A field that nothing passes on.
    NotPassed(String),
    /// The expression cannot be read.
    Unreadable,
    /// There are more ways than are followed.
    TooMany,
}

/// All that an expression may stand for; what comes first wins where it is set.
pub(crate) type Symbols = Vec<Symbol>;

/// More than this many are not followed.
const MAX_SYMBOLS: usize = 64;
/// Mappings nested deeper than this are not followed: recursive templates make them without end.
pub(super) const MAX_DEPTH: usize = 8;

/// Stands for all that is not followed.
pub(super) const TOO_MANY: Symbol = Symbol::Opaque(Opacity::TooMany);

/// Adds what is not there yet.
pub(super) fn add(symbols: &mut Symbols, more: impl IntoIterator<Item = Symbol>) {
    for symbol in more {
        if symbols.contains(&symbol) {
            continue;
        }
        if symbols.len() >= MAX_SYMBOLS {
            if !symbols.contains(&TOO_MANY) {
                symbols.push(TOO_MANY);
            }
            return;
        }
        symbols.push(symbol);
    }
}

impl Symbol {
    pub(super) fn literal(text: impl Into<String>) -> Self {
        Self::Literal { text: text.into(), fallback: false }
    }

    /// Returns how deep built mappings nest.
    pub(super) fn depth(&self) -> usize {
        let deepest = |all: &mut dyn Iterator<Item = &Symbol>| all.map(Self::depth).max().unwrap_or(0) + 1;
        match self {
            Self::Dict(entries) => deepest(&mut entries.iter().flat_map(|(_, symbols)| symbols)),
            Self::List(items) => deepest(&mut items.iter().flatten()),
            _ => 0,
        }
    }

    /// Returns what stands under a field.
    pub(super) fn field(&self, name: &str) -> Symbols {
        match self {
            Self::Root { chart, names } => match name {
                "Values" => vec![Self::Path(ValuesPath::root(*chart))],
                "Chart" => vec![Self::Chart(Rc::clone(names))],
                "Release" | "Capabilities" | "Template" | "Files" | "Subcharts" => {
                    vec![Self::Opaque(Opacity::Builtin(name.to_owned()))]
                }
                _ => vec![Self::Opaque(Opacity::NotPassed(name.to_owned()))],
            },
            Self::Path(path) => vec![Self::Path(path.with(Step::Key(name.to_owned())))],
            Self::Dict(entries) => {
                let found: Vec<&(Option<String>, Symbols)> =
                    entries.iter().filter(|(key, _)| key.as_deref().is_none_or(|key| key == name)).collect();
                match found.as_slice() {
                    [] => vec![Self::Opaque(Opacity::NotPassed(name.to_owned()))],
                    all => all.iter().flat_map(|(_, symbols)| symbols.clone()).collect(),
                }
            }
            Self::Chart(names) if name == "Name" => names.iter().map(Self::literal).collect(),
            Self::Chart(_) => vec![Self::Opaque(Opacity::Builtin("Chart".into()))],
            Self::List(_) => vec![Self::Opaque(Opacity::Built)],
            // An empty default such as `default dict .Values.a`, or a text: there is no field.
            Self::Literal { .. } => Vec::new(),
            Self::Opaque(_) => vec![self.clone()],
        }
    }

    /// Returns what a `range` over it walks over.
    pub(super) fn each(&self) -> Symbols {
        match self {
            Self::Path(path) => vec![Self::Path(path.with(Step::Each))],
            Self::Dict(entries) => entries.iter().flat_map(|(_, symbols)| symbols.clone()).collect(),
            Self::List(items) => items.iter().flatten().cloned().collect(),
            Self::Literal { .. } => Vec::new(),
            Self::Root { .. } | Self::Chart(_) => vec![Self::Opaque(Opacity::Built)],
            Self::Opaque(_) => vec![self.clone()],
        }
    }

    /// Returns the item at a position of a list.
    pub(super) fn item(&self, at: usize) -> Symbols {
        match self {
            Self::List(items) => items.get(at).cloned().unwrap_or_default(),
            _ => self.each(),
        }
    }
}

/// Returns what stands under fields of any of the symbols.
pub(super) fn fields(symbols: &[Symbol], names: &[String]) -> Symbols {
    let mut current = symbols.to_vec();
    for name in names {
        let parts: Vec<Symbols> = current.iter().map(|symbol| symbol.field(name)).collect();
        // One mapping of several that are merged has the field.
        let passed = |symbol: &Symbol| !matches!(symbol, Symbol::Opaque(Opacity::NotPassed(_)));
        let any_passed = parts.iter().flatten().any(passed);
        let mut next = Symbols::new();
        for part in parts {
            add(&mut next, part.into_iter().filter(|symbol| !any_passed || passed(symbol)));
        }
        current = next;
    }
    current
}

/// Returns what a `range` over any of the symbols walks over.
pub(super) fn each(symbols: &[Symbol]) -> Symbols {
    let mut all = Symbols::new();
    for symbol in symbols {
        add(&mut all, symbol.each());
    }
    all
}
