//! Compares what is rendered before and after.

use super::rendering::{Symbol, SymbolKind};
use super::window::Edge;

const LINE_FEED: SymbolKind = SymbolKind::Byte(b'\n');

/// Tells whether a marked stretch has no line break before it, and none after it, though more of the template is there.
pub(super) fn unsettled(symbols: &[Symbol], bounds: Bounds) -> (bool, bool) {
    let first = symbols.iter().position(|symbol| symbol.marked && !symbol.is_blank());
    let last = symbols.iter().rposition(|symbol| symbol.marked && !symbol.is_blank());
    let (Some(first), Some(last)) = (first, last) else { return (false, false) };
    let is_break = |symbol: &Symbol| symbol.kind == LINE_FEED;
    let left = bounds.start == Edge::Open && !symbols[..first].iter().any(is_break);
    let right = bounds.end == Edge::Open && !symbols[last..].iter().any(is_break);
    (left, right)
}

/// Puts a symbol where the text is joined to whatever stands around an inclusion.
pub(super) fn enclose(mut symbols: Vec<Symbol>, bounds: Bounds) -> Vec<Symbol> {
    let outside = |at: usize| Symbol { kind: SymbolKind::Printed(at), at, marked: false };
    if bounds.start == Edge::Inclusion {
        symbols.insert(0, outside(BEFORE));
    }
    if bounds.end == Edge::Inclusion {
        symbols.push(outside(BEHIND));
    }
    symbols
}

/// Stands for what is around an inclusion; no text is as long.
const BEFORE: usize = usize::MAX - 1;
const BEHIND: usize = usize::MAX;

/// Returns the blocks on the lines that hold marked text, by their old offset.
pub(super) fn blocks_beside_marks(symbols: &[Symbol]) -> Vec<usize> {
    let marked = lines(symbols).filter(|line| line.iter().any(|symbol| symbol.marked && !symbol.is_blank()));
    let printed = marked.flatten().filter(|symbol| !symbol.marked).filter_map(|symbol| match symbol.kind {
        SymbolKind::Block(origin) => Some(origin),
        SymbolKind::Byte(_) | SymbolKind::Printed(_) => None,
    });
    printed.collect()
}

/// Tells whether a key comes out at another column than it has on paper; `keys` are offsets with columns, sorted.
///
/// A line whose indentation is printed by an action is not judged, nor one that may begin outside the window.
pub(super) fn misplaced(symbols: &[Symbol], keys: &[(usize, usize)]) -> bool {
    lines(symbols).skip(1).any(|line| {
        let blanks = line.iter().take_while(|symbol| symbol.is_blank()).count();
        let Some(first) = line.get(blanks).filter(|first| first.marked) else { return false };
        let key = keys.binary_search_by_key(&first.at, |(at, _)| *at);
        matches!(first.kind, SymbolKind::Byte(_)) && key.is_ok_and(|index| keys[index].1 != blanks)
    })
}

/// What bounds a window, and how its blank lines are judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub start: Edge,
    pub end: Edge,
    /// Blank lines are compared like all others.
    pub exact: bool,
}

/// How a line that is marked in part joins its neighbours.
#[derive(Debug, Clone, Copy)]
struct Joins {
    /// What is marked follows something printed, which brought its line's indentation: the next line takes its place.
    following: bool,
    /// What is marked comes before something printed, which begins with a line break of its own: the line goes.
    preceding: bool,
}

/// Tells whether `before` without its marked lines is `after`, blank lines aside.
pub(super) fn agree(before: &[Symbol], after: &[Symbol], bounds: Bounds) -> bool {
    let after = strip(lines(after).map(<[Symbol]>::to_vec).collect(), bounds);
    let ways = [(false, false), (true, false), (false, true), (true, true)];
    ways.into_iter().any(|(following, preceding)| {
        let joins = Joins { following, preceding };
        unmarked(before, joins).is_some_and(|lines| strip(lines, bounds) == after)
    })
}

/// Returns the lines without what is marked; nothing where a join was asked for that no line needs.
fn unmarked(symbols: &[Symbol], joins: Joins) -> Option<Vec<Vec<Symbol>>> {
    let mut out: Vec<Vec<Symbol>> = Vec::new();
    let mut joined: Option<Vec<Symbol>> = None;
    let mut used = Joins { following: false, preceding: false };
    for line in lines(symbols) {
        let mut line = line.to_vec();
        if let Some(mut start) = joined.take() {
            let blanks = line.iter().take_while(|symbol| symbol.is_blank()).count();
            start.extend(line.drain(blanks..));
            line = start;
        }
        let mut solid = line.iter().filter(|symbol| !symbol.is_blank());
        let begins_marked = solid.next().is_some_and(|symbol| symbol.marked);
        let has_marked = line.iter().any(|symbol| symbol.marked && !symbol.is_blank());
        let has_other = line.iter().any(|symbol| !symbol.marked && !symbol.is_blank());
        if has_marked && !has_other {
            continue;
        }
        let ends_marked = line.iter().rev().find(|symbol| !symbol.is_blank()).is_some_and(|symbol| symbol.marked);
        line.retain(|symbol| !symbol.marked);
        let is_printed = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Printed(_));
        let blanks = line.iter().take_while(|symbol| symbol.is_blank()).count();
        if joins.following && has_marked && ends_marked && line.last().is_some_and(is_printed) {
            used.following = true;
            joined = Some(line);
        } else if joins.preceding && begins_marked && line.get(blanks).is_some_and(is_printed) && !out.is_empty() {
            used.preceding = true;
            out.last_mut()?.extend(line.drain(blanks..));
        } else {
            out.push(line);
        }
    }
    out.extend(joined);
    (used.following == joins.following && used.preceding == joins.preceding).then_some(out)
}

/// Drops blank lines, but for the first and last: what stands outside the window may join them.
fn strip(mut lines: Vec<Vec<Symbol>>, bounds: Bounds) -> Vec<Vec<SymbolKind>> {
    if bounds.end == Edge::File && !bounds.exact {
        while lines.last().is_some_and(|line| line.iter().all(Symbol::is_blank)) {
            lines.pop();
        }
    }
    let count = lines.len();
    let keep = |(index, line): &(usize, Vec<Symbol>)| {
        let at_edge = *index == 0 && bounds.start != Edge::File || index + 1 == count && bounds.end != Edge::File;
        bounds.exact || at_edge || !line.iter().all(Symbol::is_blank)
    };
    let kinds = |(_, line): (usize, Vec<Symbol>)| {
        line.into_iter().map(|symbol| symbol.kind).filter(|kind| *kind != SymbolKind::Byte(b'\r')).collect()
    };
    lines.into_iter().enumerate().filter(keep).map(kinds).collect()
}

fn lines(symbols: &[Symbol]) -> impl Iterator<Item = &[Symbol]> {
    symbols.split(|symbol| symbol.kind == LINE_FEED)
}

impl Symbol {
    /// Tells whether it is white space of a text.
    pub(in crate::template) fn is_blank(&self) -> bool {
        matches!(self.kind, SymbolKind::Byte(b' ' | b'\t' | b'\r' | b'\n'))
    }
}
