//! Changes of an outline: what shall be different, how it looks in the text, and whether it came out so.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Content, EditSet, NodeId, Outline, Span};

mod block;
mod boundary;
mod comment;
mod flow;
mod insertion;
mod relocation;
mod rewrite;
mod verification;

/// What shall be different in one document.
///
/// Entries are named by the mapping that holds them and their index there. [`ChangeSet::edits`] turns the set into
/// edits of the text, [`ChangeSet::verify`] tells whether a re-read outline is the old one with exactly these changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeSet {
    pub(crate) removed: BTreeMap<NodeId, BTreeSet<usize>>,
    pub(crate) rewritten: BTreeMap<NodeId, Rewrite>,
    pub(crate) inserted: BTreeMap<NodeId, Vec<Insertion>>,
}

/// A new value for a scalar, or for an alias that stands for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rewrite {
    pub(crate) value: Value,
    /// The node's anchor is taken off, so that aliases keep the old value.
    pub(crate) detach: bool,
}

/// A new entry of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// Index of the entry that it stands behind; `None` in an empty mapping.
    pub(crate) after: Option<usize>,
    pub(crate) key: String,
    pub(crate) value: Value,
}

/// A value to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string that needs no quotes in YAML; quoted where the text around it is JSON or quotes its strings.
    String(String),
    /// An integer.
    Integer(u64),
    /// A mapping with one entry.
    Single(String, Box<Value>),
}

/// What becomes of the comments above a removed entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentRule<'a> {
    /// They stay.
    Keep,
    /// The block directly above goes if it names one of these keys, as a whole word, and no sibling key that stays.
    Owned(&'a [&'a str]),
}

/// Why a change cannot be made in the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ChangeError {
    /// One clause, lower case, without position.
    pub reason: &'static str,
    /// Where the obstacle is.
    pub span: Span,
}

/// The outline of the edited text is not the old one with the changes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the edited text does not read as the old one with the changes")]
pub struct Mismatch {
    /// The node of the old outline where they part.
    pub node: NodeId,
}

impl ChangeSet {
    /// Makes an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells whether nothing is to be changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.rewritten.is_empty() && self.inserted.is_empty()
    }

    /// Takes entry `index` out of `mapping`, or an item out of a flow sequence.
    pub fn remove(&mut self, mapping: NodeId, index: usize) {
        self.removed.entry(mapping).or_default().insert(index);
    }

    /// Gives the scalar or alias `node` a new value; an anchor on it stays, so that its aliases change as well.
    pub fn rewrite(&mut self, node: NodeId, value: Value) {
        self.rewritten.insert(node, Rewrite { value, detach: false });
    }

    /// Gives the scalar `node` a new value and leaves its aliases the old one.
    pub fn rewrite_detached(&mut self, node: NodeId, value: Value) {
        self.rewritten.insert(node, Rewrite { value, detach: true });
    }

    /// Puts a new entry into `mapping` behind entry `after`, or into the empty mapping.
    pub fn insert(&mut self, mapping: NodeId, after: Option<usize>, key: impl Into<String>, value: Value) {
        self.inserted.entry(mapping).or_default().push(Insertion { after, key: key.into(), value });
    }

    /// Tells whether `node` gets a new value in its place, so that its aliases get it too.
    #[must_use]
    pub fn rewrites_in_place(&self, node: NodeId) -> bool {
        self.rewritten.get(&node).is_some_and(|rewrite| !rewrite.detach)
    }

    /// Adds all changes of `other`.
    pub fn extend(&mut self, other: &Self) {
        for (mapping, indexes) in &other.removed {
            self.removed.entry(*mapping).or_default().extend(indexes);
        }
        self.rewritten.extend(other.rewritten.iter().map(|(node, rewrite)| (*node, rewrite.clone())));
        for (mapping, insertions) in &other.inserted {
            let all = self.inserted.entry(*mapping).or_default();
            all.extend(insertions.iter().filter(|new| !all.contains(new)).cloned().collect::<Vec<_>>());
        }
    }

    /// Turns the changes into edits of `text`, the bytes that `outline` was read from.
    ///
    /// # Errors
    ///
    /// [`ChangeError`] where a change has no safe form in the text; then none is made.
    pub fn edits(&self, text: &[u8], outline: &Outline, comments: CommentRule<'_>) -> Result<EditSet, ChangeError> {
        let mut draft = Draft::default();
        for (mapping, indexes) in &self.removed {
            match &outline.node(*mapping).content {
                Content::Mapping { flow: true, .. } | Content::Sequence { flow: true, .. } => {
                    flow::remove(&mut draft, text, outline, *mapping, indexes, comments);
                }
                Content::Mapping { flow: false, .. } => {
                    block::remove(&mut draft, text, outline, *mapping, indexes, comments)?;
                }
                _ => {
                    return Err(ChangeError {
                        reason: "it is no mapping and no flow sequence",
                        span: outline.node(*mapping).span,
                    });
                }
            }
        }
        for (node, change) in &self.rewritten {
            if !self.is_removed(outline, *node) {
                rewrite::rewrite(&mut draft, text, outline, *node, change)?;
            }
        }
        for (mapping, insertions) in &self.inserted {
            insertion::insert(&mut draft, text, outline, *mapping, insertions)?;
        }
        relocation::relocate(&mut draft, text, outline, self)?;
        let edits = draft.into_edits()?;
        boundary::refuse_kept_blanks(text, outline, &edits)?;
        Ok(edits)
    }

    /// Tells whether `node` lies in an entry that goes.
    pub(crate) fn is_removed(&self, outline: &Outline, node: NodeId) -> bool {
        let mut child = node;
        while let Some(parent) = outline.node(child).parent {
            if let Some(indexes) = self.removed.get(&parent) {
                let entries = outline.members(parent);
                let holds = |entry: &crate::Entry| entry.value == child || entry.key == Some(child);
                if indexes.iter().any(|index| entries.get(*index).is_some_and(holds)) {
                    return true;
                }
            }
            child = parent;
        }
        false
    }
}

/// Deletions and replacements on their way to an edit set; deletions that touch or overlap grow together.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    deleted: Vec<Span>,
    replaced: Vec<(Span, Vec<u8>)>,
}

impl Draft {
    pub(crate) fn delete(&mut self, span: Span) {
        if !span.is_empty() {
            self.deleted.push(span);
        }
    }

    pub(crate) fn replace(&mut self, span: Span, text: impl Into<Vec<u8>>) {
        self.replaced.push((span, text.into()));
    }

    fn into_edits(mut self) -> Result<EditSet, ChangeError> {
        self.deleted.sort_unstable();
        let mut joined: Vec<Span> = Vec::with_capacity(self.deleted.len());
        for span in self.deleted {
            match joined.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => joined.push(span),
            }
        }
        let mut edits: Vec<crate::Edit> = joined.into_iter().map(crate::Edit::deletion).collect();
        for (span, text) in self.replaced {
            // What is inserted where a deletion begins takes the deleted bytes' place.
            match edits.binary_search_by_key(&span.start, |edit| edit.span.start) {
                Ok(at) if span.is_empty() && edits[at].replacement.is_empty() => edits[at].replacement = text,
                Ok(at) | Err(at) => edits.insert(at, crate::Edit::replacement(span, text)),
            }
        }
        edits.sort_by_key(|edit| edit.span);
        let mut set = EditSet::new();
        for edit in edits {
            let span = edit.span;
            set.insert(edit).map_err(|_| ChangeError { reason: "two edits would touch the same bytes", span })?;
        }
        Ok(set)
    }
}
