//! Outlines as lines of text, one node a line, for tables of expectations.

use std::fmt::Write as _;

use unstick_yaml::{Content, Entry, NodeId, Outline, ScalarStyle, Span};

/// Writes an outline: kind and bytes of each node and entry, indented by depth.
///
/// A value follows its bytes where the two differ. Bytes are escaped as in Rust's byte strings.
pub fn dump(text: &[u8], outline: &Outline) -> String {
    let mut out = format!("document {}\n", show(text, outline.span));
    let mut pending: Vec<(usize, Step)> = outline.root.map(|root| (1, Step::Node(root))).into_iter().collect();
    while let Some((depth, step)) = pending.pop() {
        out.push_str(&"  ".repeat(depth));
        match step {
            Step::Entry(entry) => {
                let _ = write!(out, "entry {}", show(text, entry.span()));
                if let Some(colon) = entry.colon {
                    let _ = write!(out, " colon {colon}");
                }
                pending.push((depth + 1, Step::Node(entry.value)));
                pending.extend(entry.key.map(|key| (depth + 1, Step::Node(key))));
            }
            Step::Node(id) => {
                write_node(&mut out, text, outline, id);
                let entries = if outline.entries(id).is_empty() { outline.items(id) } else { outline.entries(id) };
                pending.extend(entries.iter().rev().map(|entry| (depth + 1, Step::Entry(*entry))));
            }
        }
        out.push('\n');
    }
    for comment in &outline.comments {
        let _ = writeln!(out, "  comment {}", show(text, *comment));
    }
    out
}

enum Step {
    Node(NodeId),
    Entry(Entry),
}

fn write_node(out: &mut String, text: &[u8], outline: &Outline, id: NodeId) {
    let node = outline.node(id);
    for property in [&node.anchor, &node.tag].into_iter().flatten() {
        let _ = write!(out, "{} ", show(text, property.span));
        if !property.span.slice(text).ends_with(property.name.as_bytes()) {
            let _ = write!(out, "<{}> ", property.name);
        }
    }
    let kind = match &node.content {
        Content::Scalar { style: ScalarStyle::Plain, .. } => "plain",
        Content::Scalar { style: ScalarStyle::SingleQuoted, .. } => "single",
        Content::Scalar { style: ScalarStyle::DoubleQuoted, .. } => "double",
        Content::Scalar { style: ScalarStyle::Literal, .. } => "literal",
        Content::Scalar { style: ScalarStyle::Folded, .. } => "folded",
        Content::Alias { .. } => "alias",
        Content::Mapping { flow: false, .. } => "block mapping",
        Content::Mapping { flow: true, .. } => "flow mapping",
        Content::Sequence { flow: false, .. } => "block sequence",
        Content::Sequence { flow: true, .. } => "flow sequence",
    };
    let _ = write!(out, "{kind} {}", show(text, node.span));
    if node.span.is_empty() {
        let _ = write!(out, " at {}", node.span.start);
    }
    match &node.content {
        Content::Scalar { value, .. } if value.as_bytes() != node.span.slice(text) => {
            let _ = write!(out, " is \"{}\"", value.as_bytes().escape_ascii());
        }
        Content::Alias { target: Some(target), .. } => {
            let _ = write!(out, " for {}", show(text, outline.node(*target).span));
        }
        Content::Alias { target: None, .. } => out.push_str(" for nothing"),
        _ => {}
    }
}

fn show(text: &[u8], span: Span) -> String {
    format!("\"{}\"", span.slice(text).escape_ascii())
}
