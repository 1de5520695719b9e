//! Text of a template in the making, and how its actions are laid out.

use crate::random::Random;

/// A template and the defines it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    pub seed: u64,
    pub template: String,
    /// A second file, empty where there is none.
    pub helpers: String,
}

/// How the actions of one block stand on their lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `{{- if }}`, which is how nearly all charts write.
    Left,
    /// `{{ if -}}`.
    Right,
    /// `{{ if }}`.
    Bare,
    /// `{{- if -}}`.
    Both,
}

impl Layout {
    fn random(random: &mut Random) -> Self {
        const WEIGHTED: [Layout; 16] = {
            use Layout::{Bare, Both, Left, Right};
            [Left, Left, Left, Left, Left, Left, Left, Left, Left, Right, Right, Right, Bare, Bare, Bare, Both]
        };
        WEIGHTED[random.below(WEIGHTED.len())]
    }
}

/// Where the dot stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// At the root.
    Root,
    /// At a string that a `with` tested.
    Text,
    /// At a mapping with the members `s` and `t`.
    Mapping,
    /// At an element of a list.
    Element,
}

/// What a Service may still get on the way that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowed {
    pub key: bool,
    pub config: bool,
}

impl Allowed {
    pub(crate) const BOTH: Self = Self { key: true, config: true };
    pub(crate) const NEITHER: Self = Self { key: false, config: false };

    pub(crate) const fn and(self, other: Self) -> Self {
        Self { key: self.key && other.key, config: self.config && other.config }
    }
}

pub(crate) struct Writer {
    pub random: Random,
    pub out: String,
    pub helpers: String,
    /// Makes names of keys and defines different.
    pub counter: usize,
    /// Prefix of this template's defines, which all templates share.
    pub name: String,
    pub scope: Scope,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            out: String::new(),
            helpers: String::new(),
            counter: 0,
            name: format!("g{seed}"),
            scope: Scope::Root,
        }
    }

    pub(crate) fn next(&mut self) -> usize {
        self.counter += 1;
        self.counter
    }

    /// What stands before `.Values`: nothing where the dot is the root, most of the time.
    pub(crate) fn root(&mut self) -> &'static str {
        if self.scope == Scope::Root && !self.random.once_in(4) { "" } else { "$" }
    }

    /// Returns a condition over the values sets; none of them can fail.
    pub(crate) fn condition(&mut self) -> String {
        let root = self.root();
        let name = self.random.pick(&["a", "b", "c", "d"]);
        match self.random.below(12) {
            0 => format!("not {root}.Values.{name}"),
            1 => format!("and {root}.Values.{name} {root}.Values.a"),
            2 => format!("or {root}.Values.{name} (eq {root}.Values.s \"None\")"),
            3 => format!("eq {root}.Values.s \"ClientIP\""),
            4 => format!("({root}.Values.{name})"),
            5 | 6 => format!("{root}.Values.s"),
            7 => format!("{root}.Values.cfg"),
            _ => format!("{root}.Values.{name}"),
        }
    }

    /// Picks how a block's actions stand; most blocks do not mix.
    pub(crate) fn layouts(&mut self) -> (Layout, Layout) {
        let first = Layout::random(&mut self.random);
        let last = if self.random.once_in(6) { Layout::random(&mut self.random) } else { first };
        (first, last)
    }

    /// Writes an action on a line of its own.
    pub(crate) fn action(&mut self, layout: Layout, indent: usize, text: &str) {
        let indent = match (layout, self.random.below(8)) {
            // Here white space before the action is white space before the next line.
            (Layout::Right | Layout::Both, 0) => indent + 1,
            (Layout::Right | Layout::Both, _) => indent,
            (_, 0) => 0,
            (_, 1) => indent + 3,
            (_, 2) => indent.saturating_sub(2),
            _ => indent,
        };
        self.out.push_str(&" ".repeat(indent));
        self.braces(layout, text);
        if self.random.once_in(40) {
            self.out.push_str("  ");
        }
        self.out.push('\n');
        if self.random.once_in(25) {
            self.out.push('\n');
        }
    }

    pub(crate) fn braces(&mut self, layout: Layout, text: &str) {
        let (left, right) = match layout {
            Layout::Left => ("{{-", "}}"),
            Layout::Right => ("{{", "-}}"),
            Layout::Bare => ("{{", "}}"),
            Layout::Both => ("{{-", "-}}"),
        };
        self.out.push_str(&format!("{left} {text} {right}"));
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, indent: usize, text: &str) {
        self.out.push_str(&format!("{}{text}\n", " ".repeat(indent)));
    }

    /// Takes a final line break off, so that an action can stand behind the last line.
    pub(crate) fn open_line(&mut self) {
        let length = self.out.trim_end_matches('\n').len();
        self.out.truncate(length);
    }
}
