//! What Helm rendered, document by document, and how two renderings are compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One document, or in a raw rendering one template's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Path of its template.
    pub source: String,
    pub text: String,
}

const MARK: &str = "---\n# Source: ";

/// Splits a rendering where Helm put its marks.
pub(crate) fn split(rendered: &str) -> Vec<Manifest> {
    let mut found = Vec::new();
    let mut starts: Vec<usize> = rendered.match_indices(MARK).map(|(at, _)| at).collect();
    starts.retain(|at| *at == 0 || rendered.as_bytes()[at - 1] == b'\n');
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(rendered.len());
        let (source, text) = rendered[start + MARK.len()..end].split_once('\n').unwrap_or(("", ""));
        found.push(Manifest { source: source.to_owned(), text: text.to_owned() });
    }
    found
}

/// Splits a rendering; documents of one template come in the order of their kinds and names, as Helm does not always give
/// them in the same order.
pub(crate) fn sorted(rendered: &str) -> Vec<Manifest> {
    let mut made = split(rendered);
    let line =
        |text: &str, start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
    made.sort_by_cached_key(|made| (made.source.clone(), line(&made.text, "kind:"), line(&made.text, "  name:")));
    made
}

/// Splits a raw rendering into the texts that the templates made, by path.
///
/// Helm gives them in random order and trims the last one, so all of them end in one line break here.
pub(crate) fn raw(rendered: &str) -> BTreeMap<String, String> {
    split(rendered).into_iter().map(|made| (made.source, made.text.trim_end().to_owned() + "\n")).collect()
}

/// How two texts relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    Equal,
    /// But for lines with nothing but white space.
    BlankLines,
    Different,
}

/// Compares what should have come out with what did.
pub(crate) fn relation(expected: &str, got: &str) -> Relation {
    if expected == got {
        return Relation::Equal;
    }
    if filled(expected).eq(filled(got)) { Relation::BlankLines } else { Relation::Different }
}

fn filled(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

/// Tells whether a document is a Service, or holds Services.
pub(crate) fn is_service(text: &str) -> bool {
    text.lines().any(|line| matches!(line.trim_end(), "kind: Service" | "kind: \"Service\"" | "  kind: Service"))
}

/// Lines that stand in one text and not at the same place in the other, for a person to read.
pub(crate) fn difference(expected: &str, got: &str) -> String {
    let old: Vec<&str> = expected.lines().collect();
    let new: Vec<&str> = got.lines().collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(old, new)| old == new).count();
    let mut text = String::new();
    let from = same.saturating_sub(3);
    for line in &old[from..same] {
        let _ = writeln!(text, "    {line}");
    }
    for line in &old[same..old.len() - rest] {
        let _ = writeln!(text, "  - {}", line.escape_debug());
    }
    for line in &new[same..new.len() - rest] {
        let _ = writeln!(text, "  + {}", line.escape_debug());
    }
    for line in old[old.len() - rest..].iter().take(3) {
        let _ = writeln!(text, "    {line}");
    }
    text
}
