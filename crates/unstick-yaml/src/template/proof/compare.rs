//! Compares what is rendered before and after.

use super::rendering::{Symbol, SymbolKind};

const LINE_FEED: SymbolKind = SymbolKind::Byte(b'\n');

/// Tells whether a marked stretch has no line break before it, and none after it, in the window.
///
/// `at_start` and `at_end` tell that nothing stands outside the window there.
pub(super) fn unsettled(symbols: &[Symbol], at_start: bool, at_end: bool) -> (bool, bool) {
    let first = symbols.iter().position(|symbol| symbol.marked && !symbol.is_blank());
    let last = symbols.iter().rposition(|symbol| symbol.marked && !symbol.is_blank());
    let (Some(first), Some(last)) = (first, last) else { return (false, false) };
    let is_break = |symbol: &Symbol| symbol.kind == LINE_FEED;
    let left = !at_start && !symbols[..first].iter().any(is_break);
    let right = !at_end && !symbols[last..].iter().any(is_break);
    (left, right)
}

/// Returns what is printed on the lines that hold marked text, by its old offset.
pub(super) fn printed_beside_marks(symbols: &[Symbol]) -> Vec<usize> {
    let marked = lines(symbols).filter(|line| line.iter().any(|symbol| symbol.marked && !symbol.is_blank()));
    let printed = marked.flatten().filter(|symbol| !symbol.marked).filter_map(|symbol| match symbol.kind {
        SymbolKind::Printed(origin) => Some(origin),
        SymbolKind::Byte(_) => None,
    });
    printed.collect()
}

/// Tells whether `before` without its marked lines is `after`, blank lines aside.
pub(super) fn agree(before: &[Symbol], after: &[Symbol], at_start: bool, at_end: bool) -> bool {
    let after = strip(lines(after).map(<[Symbol]>::to_vec).collect(), at_start, at_end);
    [false, true]
        .into_iter()
        .any(|following| unmarked(before, following).is_some_and(|lines| strip(lines, at_start, at_end) == after))
}

/// Returns the lines without what is marked.
///
/// A line with nothing else goes whole. Where what is marked follows something printed, its line's indentation came
/// from there: with `following` the next line takes its place, without its own indentation.
fn unmarked(symbols: &[Symbol], following: bool) -> Option<Vec<Vec<Symbol>>> {
    let mut out: Vec<Vec<Symbol>> = Vec::new();
    let mut joined: Option<Vec<Symbol>> = None;
    let mut used = false;
    for line in lines(symbols) {
        let mut line = line.to_vec();
        if let Some(mut start) = joined.take() {
            let blanks = line.iter().take_while(|symbol| symbol.is_blank()).count();
            start.extend(line.drain(blanks..));
            line = start;
        }
        let has_marked = line.iter().any(|symbol| symbol.marked && !symbol.is_blank());
        let has_other = line.iter().any(|symbol| !symbol.marked && !symbol.is_blank());
        if has_marked && !has_other {
            continue;
        }
        let ends_marked = line.iter().rev().find(|symbol| !symbol.is_blank()).is_some_and(|symbol| symbol.marked);
        line.retain(|symbol| !symbol.marked);
        let printed = line.last().is_some_and(|symbol| matches!(symbol.kind, SymbolKind::Printed(_)));
        if following && has_marked && ends_marked && printed {
            used = true;
            joined = Some(line);
        } else {
            out.push(line);
        }
    }
    out.extend(joined);
    (used || !following).then_some(out)
}

/// Drops blank lines, but for the first and last: what stands outside the window may join them.
fn strip(mut lines: Vec<Vec<Symbol>>, at_start: bool, at_end: bool) -> Vec<Vec<SymbolKind>> {
    if at_end {
        while lines.last().is_some_and(|line| line.iter().all(Symbol::is_blank)) {
            lines.pop();
        }
    }
    let count = lines.len();
    let keep = |(index, line): &(usize, Vec<Symbol>)| {
        *index == 0 && !at_start || index + 1 == count && !at_end || !line.iter().all(Symbol::is_blank)
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
