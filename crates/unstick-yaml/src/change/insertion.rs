//! New entries, in the manner of their siblings.

use super::block::lines_end;
use super::{ChangeError, Draft, Insertion, Value};
use crate::layout::{break_style, column, is_line_first, line_break, line_start, skip_blanks};
use crate::{Content, Entry, NodeId, Outline, ScalarStyle, Span, Syntax};

/// Writes the new entries of one mapping, block in block and flow in flow.
pub(super) fn insert(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    mapping: NodeId,
    insertions: &[Insertion],
) -> Result<(), ChangeError> {
    let node = outline.node(mapping);
    let Content::Mapping { entries, flow } = &node.content else {
        return Err(ChangeError { reason: "there is no mapping to insert into", span: node.span });
    };
    let mut groups: Vec<(Option<usize>, Vec<&Insertion>)> = Vec::new();
    for insertion in insertions {
        match groups.iter_mut().find(|(after, _)| *after == insertion.after) {
            Some((_, group)) => group.push(insertion),
            None => groups.push((insertion.after, vec![insertion])),
        }
    }
    for (after, group) in groups {
        let before = after.and_then(|index| entries.get(index));
        match before {
            Some(entry) if *flow => insert_member(draft, text, outline, entries, entry, &group),
            Some(entry) => insert_lines(draft, text, outline, mapping, entry, &group)?,
            None if *flow && entries.is_empty() => {
                let style = FlowStyle { quoted: outline.syntax == Syntax::Json, spaced: true };
                let members: Vec<String> = group.iter().map(|new| style.member(&new.key, &new.value)).collect();
                draft.replace(Span::new(node.span.start + 1, node.span.end - 1), members.join(", "));
            }
            None => return Err(ChangeError { reason: "there is no entry to insert behind", span: node.span }),
        }
    }
    Ok(())
}

/// How a flow mapping's members are written.
struct FlowStyle {
    quoted: bool,
    spaced: bool,
}

impl FlowStyle {
    fn of(text: &[u8], outline: &Outline, entry: &Entry) -> Self {
        let double =
            |id: NodeId| matches!(outline.node(id).content, Content::Scalar { style: ScalarStyle::DoubleQuoted, .. });
        let quoted = outline.syntax == Syntax::Json || entry.key.is_some_and(double);
        let spaced = entry.colon.is_none_or(|colon| matches!(text.get(colon + 1), Some(b' ' | b'\t' | b'\n' | b'\r')));
        Self { quoted, spaced }
    }

    fn member(&self, key: &str, value: &Value) -> String {
        let key = if self.quoted { format!("\"{key}\"") } else { key.to_owned() };
        let colon = if self.spaced { ": " } else { ":" };
        format!("{key}{colon}{}", self.value(value))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::String(text) if self.quoted => format!("\"{text}\""),
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Single(key, value) => format!("{{{}}}", self.member(key, value)),
        }
    }
}

/// Writes members behind `entry`: on lines of their own where it is alone on its line, else beside it.
fn insert_member(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    entries: &[Entry],
    entry: &Entry,
    group: &[&Insertion],
) {
    let style = FlowStyle::of(text, outline, entry);
    let several_lines = entries.len() == 1 || entries.iter().all(|entry| is_line_first(text, entry.start));
    let gap = if several_lines && is_line_first(text, entry.start) {
        let line = line_start(text, entry.start);
        let mut gap = break_style(text, entry.start).to_vec();
        gap.extend_from_slice(&text[line..entry.start]);
        gap
    } else if style.spaced {
        b" ".to_vec()
    } else {
        Vec::new()
    };
    let mut new = Vec::new();
    for insertion in group {
        new.push(b',');
        new.extend_from_slice(&gap);
        new.extend_from_slice(style.member(&insertion.key, &insertion.value).as_bytes());
    }
    draft.replace(Span::empty(entry.end), new);
}

/// Writes lines behind the last own line of `entry`.
fn insert_lines(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    mapping: NodeId,
    entry: &Entry,
    group: &[&Insertion],
) -> Result<(), ChangeError> {
    let first = outline.entries(mapping).first().map_or(entry.start, |first| first.start);
    let margin = column(text, first);
    let step = indentation_step(text, outline, mapping, margin);
    let ending = break_style(text, entry.start);
    let place = lines_end(text, outline, entry);
    let open_end = place == text.len() && place > 0 && !matches!(text[place - 1], b'\n' | b'\r');
    let mut new = Vec::new();
    for insertion in group {
        if open_end {
            new.extend_from_slice(ending);
        }
        push_block(&mut new, &insertion.key, &insertion.value, margin, step, ending);
        if !open_end {
            new.extend_from_slice(ending);
        }
    }
    let after_marker = skip_blanks(text, line_start(text, entry.start));
    if line_break(text, after_marker) == after_marker {
        return Err(ChangeError { reason: "the entry has no line of its own", span: entry.span() });
    }
    draft.replace(Span::empty(place), new);
    Ok(())
}

fn push_block(out: &mut Vec<u8>, key: &str, value: &Value, margin: usize, step: usize, ending: &[u8]) {
    out.resize(out.len() + margin, b' ');
    out.extend_from_slice(key.as_bytes());
    out.push(b':');
    match value {
        Value::String(text) => {
            out.push(b' ');
            out.extend_from_slice(text.as_bytes());
        }
        Value::Integer(number) => {
            out.push(b' ');
            out.extend_from_slice(number.to_string().as_bytes());
        }
        Value::Single(key, value) => {
            out.extend_from_slice(ending);
            push_block(out, key, value, margin + step, step, ending);
        }
    }
}

/// Returns how many columns a nested block mapping stands to the right of the key that holds it.
fn indentation_step(text: &[u8], outline: &Outline, mapping: NodeId, margin: usize) -> usize {
    let parent = outline.node(mapping).parent.map(|parent| outline.entries(parent)).and_then(<[Entry]>::first);
    let outer = parent.map(|first| column(text, first.start));
    match outer {
        Some(outer) if margin > outer => margin - outer,
        _ => 2,
    }
}
