//! Anchors that go with a removed entry, while aliases of them stay.

use std::collections::BTreeMap;

use super::{ChangeError, ChangeSet, Draft};
use crate::layout::column;
use crate::{Content, Node, NodeId, Outline, ScalarStyle, Span};

/// Makes the first alias that stays the anchored value, for each anchor that goes.
pub(super) fn relocate(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    changes: &ChangeSet,
) -> Result<(), ChangeError> {
    let mut first_alias: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for (index, node) in outline.nodes.iter().enumerate() {
        let Content::Alias { target: Some(target), .. } = node.content else { continue };
        let Ok(index) = u32::try_from(index) else { continue };
        let id = NodeId(index);
        let replaced = changes.rewritten.contains_key(&id);
        if !replaced && loses_anchor(outline, changes, target) && !changes.is_removed(outline, id) {
            first_alias.entry(target).or_insert(id);
        }
    }
    for (anchored, alias) in &first_alias {
        let moved = moved_text(text, outline, *anchored, *alias)?;
        draft.replace(outline.node(*alias).span, moved);
    }
    Ok(())
}

fn loses_anchor(outline: &Outline, changes: &ChangeSet, anchored: NodeId) -> bool {
    let detached = changes.rewritten.get(&anchored).is_some_and(|rewrite| rewrite.detach);
    detached || changes.is_removed(outline, anchored)
}

/// Returns the anchored node's text, with anchor and tag, as it can stand in the alias's place.
fn moved_text(text: &[u8], outline: &Outline, anchored: NodeId, alias: NodeId) -> Result<Vec<u8>, ChangeError> {
    let span = outline.full_span(anchored);
    let refuse = |reason| Err(ChangeError { reason, span });
    let node = outline.node(anchored);
    let held = nodes_within(outline, anchored, node.span);
    if held.iter().any(|inner| inner.anchor.is_some() || matches!(inner.content, Content::Alias { .. })) {
        return refuse("its anchored value holds anchors or aliases of its own");
    }
    let mut moved = span.slice(text).to_vec();
    if is_block(node) {
        if !is_at_one_column(text, outline, anchored, alias) {
            return refuse("its anchored block is used at another indentation or inside flow style");
        }
        while moved.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            moved.pop();
        }
    } else if moved.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
        return refuse("its anchored value takes several lines");
    } else if in_flow(outline, alias) && is_plain(node) && moved.iter().any(|byte| b",[]{}".contains(byte)) {
        return refuse("its anchored value needs quotes where it is used");
    }
    Ok(moved)
}

/// Returns the nodes inside `span` that follow `anchored`; parents stand before children, so they are neighbours.
fn nodes_within(outline: &Outline, anchored: NodeId, span: Span) -> &[Node] {
    let first = anchored.0 as usize + 1;
    let rest = outline.nodes.get(first..).unwrap_or_default();
    let length = rest.iter().position(|node| !span.encloses(node.span)).unwrap_or(rest.len());
    &rest[..length]
}

fn is_block(node: &Node) -> bool {
    matches!(
        node.content,
        Content::Mapping { flow: false, .. }
            | Content::Sequence { flow: false, .. }
            | Content::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. }
    )
}

fn is_plain(node: &Node) -> bool {
    matches!(node.content, Content::Scalar { style: ScalarStyle::Plain, .. })
}

fn in_flow(outline: &Outline, id: NodeId) -> bool {
    let parent = outline.node(id).parent.map(|parent| &outline.node(parent).content);
    matches!(parent, Some(Content::Mapping { flow: true, .. } | Content::Sequence { flow: true, .. }))
}

/// Tells whether both nodes are values of block mapping entries at one column.
fn is_at_one_column(text: &[u8], outline: &Outline, anchored: NodeId, alias: NodeId) -> bool {
    let column_of = |id: NodeId| {
        let parent = outline.node(id).parent?;
        if !matches!(outline.node(parent).content, Content::Mapping { flow: false, .. }) {
            return None;
        }
        let entry = outline.entries(parent).iter().find(|entry| entry.value == id)?;
        Some(column(text, entry.start))
    };
    column_of(anchored).is_some() && column_of(anchored) == column_of(alias)
}
