//! A second opinion on the edits of a template, by the strict reader.
//!
//! Some ways through the template are written out before and after the edits, and both texts are read as YAML. Without
//! the affinity fields they must be the same tree. This shares nothing with the proof of the cuts but the lexer.

use unstick_yaml::{Chunks, Content, Derived, EditSet, NodeId, Outline, Template, derive_texts, read_yaml};

use crate::affinity::NAMES;

/// Tells whether every text that could be read before can be read after, with the same content.
pub(crate) fn agrees(text: &[u8], template: &Template, edits: &EditSet) -> bool {
    derive_texts(text, template, edits).is_some_and(|derived| derived.iter().all(same))
}

fn same(derived: &Derived) -> bool {
    if derived.before == derived.after {
        return true;
    }
    let before: Vec<_> = documents(&derived.before);
    let after: Vec<_> = documents(&derived.after);
    // An unreadable text tells nothing: helpers may bring what it lacks.
    let Some(before) = before.into_iter().collect::<Option<Vec<_>>>() else { return true };
    let Some(after) = after.into_iter().collect::<Option<Vec<_>>>() else { return false };
    before == after
}

/// Returns each document without affinity; `None` for one that cannot be read, and nothing for an empty one.
fn documents(text: &[u8]) -> Vec<Option<Vec<Token>>> {
    let chunks = Chunks::new(text);
    let read = chunks.flat_map(|chunk| read_yaml(text, chunk));
    let flat = read.map(|document| document.ok().map(|outline| flatten(&outline)));
    flat.filter(|document| document.as_ref().is_none_or(|tokens| !tokens.is_empty())).collect()
}

/// One step of a walk through a tree.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    Scalar(Box<str>),
}

enum Step {
    Node(NodeId),
    Close,
}

fn flatten(outline: &Outline) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut open: Vec<Step> = outline.root.map(Step::Node).into_iter().collect();
    while let Some(step) = open.pop() {
        let Step::Node(id) = step else {
            tokens.push(Token::Close);
            continue;
        };
        match &outline.node(id).content {
            Content::Scalar { value, .. } => tokens.push(Token::Scalar(value.clone())),
            Content::Alias { name, .. } => tokens.push(Token::Scalar(name.clone())),
            Content::Mapping { entries, .. } | Content::Sequence { entries, .. } => {
                let stays = |entry: &&unstick_yaml::Entry| {
                    entry.key.is_none() || !outline.key(entry).is_some_and(|key| NAMES.contains(&key))
                };
                let staying: Vec<&unstick_yaml::Entry> = entries.iter().filter(stays).collect();
                if staying.is_empty() && matches!(outline.node(id).content, Content::Mapping { .. }) {
                    // Without its only entries a block mapping reads as null, and one in braces as empty.
                    tokens.push(Token::Scalar("".into()));
                    continue;
                }
                tokens.push(Token::Open);
                open.push(Step::Close);
                for entry in staying.into_iter().rev() {
                    open.push(Step::Node(entry.value));
                    open.extend(entry.key.map(Step::Node));
                }
            }
        }
    }
    if tokens == [Token::Scalar("".into())] {
        tokens.clear();
    }
    tokens
}
