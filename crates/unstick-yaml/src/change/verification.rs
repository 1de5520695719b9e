//! Whether a re-read outline is the old one with the changes, and nothing else.

use std::collections::BTreeSet;

use super::{ChangeSet, Insertion, Mismatch, Value};
use crate::{Content, Entry, Node, NodeId, Outline, ScalarStyle};

impl ChangeSet {
    /// Checks that `new` holds the data of `old` with these changes.
    ///
    /// Aliases count as the values they stand for. Spans, styles of collections and kinds of quotes are not compared;
    /// whether a scalar is quoted, and its tag, are.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] at the first node where they part.
    pub fn verify(&self, old: &Outline, new: &Outline) -> Result<(), Mismatch> {
        let mut pairs = Pairs { changes: self, old, new, pending: Vec::new(), seen: BTreeSet::new() };
        match (old.root, new.root) {
            (None, None) => Ok(()),
            (Some(old), Some(new)) => {
                pairs.pending.push(Pair { old, new, through_alias: false });
                pairs.run()
            }
            (Some(node), None) => Err(Mismatch { node }),
            (None, Some(_)) => Err(Mismatch { node: NodeId(0) }),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    old: NodeId,
    new: NodeId,
    through_alias: bool,
}

struct Pairs<'a> {
    changes: &'a ChangeSet,
    old: &'a Outline,
    new: &'a Outline,
    pending: Vec<Pair>,
    /// Targets of aliases that were compared: without it, aliases of aliases would cost their power.
    seen: BTreeSet<Pair>,
}

impl Pairs<'_> {
    fn run(&mut self) -> Result<(), Mismatch> {
        while let Some(pair) = self.pending.pop() {
            if !self.compare(pair) {
                return Err(Mismatch { node: pair.old });
            }
        }
        Ok(())
    }

    /// Compares one pair and lines up what it holds; false where they differ.
    fn compare(&mut self, pair: Pair) -> bool {
        if self.changes.rewritten.contains_key(&pair.old) && self.is_alias(pair.old) {
            return self.is_rewritten(pair);
        }
        let Some(pair) = self.follow(pair) else { return true };
        if self.changes.rewritten.get(&pair.old).is_some_and(|rewrite| !(rewrite.detach && pair.through_alias)) {
            return self.is_rewritten(pair);
        }
        let (old, new) = (self.old.node(pair.old), self.new.node(pair.new));
        if tag(old) != tag(new) {
            return false;
        }
        match (&old.content, &new.content) {
            (
                Content::Scalar { value: old_value, style: old_style },
                Content::Scalar { value: new_value, style: new_style },
            ) => {
                let plain = |style: &ScalarStyle| *style == ScalarStyle::Plain;
                old_value == new_value && plain(old_style) == plain(new_style)
            }
            (Content::Mapping { entries: old_entries, .. }, Content::Mapping { entries: new_entries, .. }) => {
                self.compare_entries(pair, old_entries, new_entries)
            }
            (Content::Sequence { entries: old_items, .. }, Content::Sequence { entries: new_items, .. }) => {
                let (old_items, new_items) = (old_items.clone(), new_items.clone());
                self.push_items(pair, &old_items, &new_items)
            }
            (Content::Alias { name: old_name, .. }, Content::Alias { name: new_name, .. }) => old_name == new_name,
            _ => false,
        }
    }

    /// Tells whether the new node holds what the old one was rewritten to, under the same tag.
    fn is_rewritten(&self, pair: Pair) -> bool {
        let Some(rewrite) = self.changes.rewritten.get(&pair.old) else { return false };
        let same_tag = self.is_alias(pair.old) || tag(self.old.node(pair.old)) == tag(self.new.node(pair.new));
        same_tag && self.is_value(&rewrite.value, pair.new)
    }

    fn is_alias(&self, old: NodeId) -> bool {
        matches!(self.old.node(old).content, Content::Alias { .. })
    }

    /// Replaces aliases by what they stand for; `None` where that pair was compared before.
    fn follow(&mut self, pair: Pair) -> Option<Pair> {
        let alias = |outline: &Outline, id: NodeId| matches!(outline.node(id).content, Content::Alias { .. });
        let (old_alias, new_alias) = (alias(self.old, pair.old), alias(self.new, pair.new));
        if !old_alias && !new_alias {
            return Some(pair);
        }
        let target = Pair {
            old: self.old.resolve(pair.old).unwrap_or(pair.old),
            new: self.new.resolve(pair.new).unwrap_or(pair.new),
            through_alias: pair.through_alias || old_alias,
        };
        self.seen.insert(target).then_some(target)
    }

    fn compare_entries(&mut self, pair: Pair, old_entries: &[Entry], new_entries: &[Entry]) -> bool {
        // A removed entry is gone for every user of the mapping, so aliases need no exception here.
        let removed = self.changes.removed.get(&pair.old);
        let insertions = self.changes.inserted.get(&pair.old).map_or(&[][..], Vec::as_slice);
        let mut new_entries = new_entries.iter();
        if !self.take_insertions(insertions, None, &mut new_entries) {
            return false;
        }
        for (index, old_entry) in old_entries.iter().enumerate() {
            if !removed.is_some_and(|indexes| indexes.contains(&index)) {
                let Some(new_entry) = new_entries.next() else { return false };
                if !self.push_entry(pair, old_entry, new_entry) {
                    return false;
                }
            }
            if !self.take_insertions(insertions, Some(index), &mut new_entries) {
                return false;
            }
        }
        new_entries.next().is_none()
    }

    fn take_insertions(
        &self,
        insertions: &[Insertion],
        after: Option<usize>,
        new_entries: &mut std::slice::Iter<'_, Entry>,
    ) -> bool {
        insertions.iter().filter(|insertion| insertion.after == after).all(|insertion| {
            new_entries.next().is_some_and(|entry| {
                self.new.key(entry) == Some(&insertion.key) && self.is_value(&insertion.value, entry.value)
            })
        })
    }

    fn push_items(&mut self, pair: Pair, old_items: &[Entry], new_items: &[Entry]) -> bool {
        let removed = self.changes.removed.get(&pair.old);
        let stays = |index: &usize| !removed.is_some_and(|indexes| indexes.contains(index));
        let staying: Vec<usize> = (0..old_items.len()).filter(stays).collect();
        staying.len() == new_items.len()
            && staying.into_iter().zip(new_items).all(|(old, new)| self.push_entry(pair, &old_items[old], new))
    }

    fn push_entry(&mut self, pair: Pair, old: &Entry, new: &Entry) -> bool {
        if let (Some(old), Some(new)) = (old.key, new.key) {
            self.pending.push(Pair { old, new, ..pair });
        } else if old.key.is_some() || new.key.is_some() {
            return false;
        }
        self.pending.push(Pair { old: old.value, new: new.value, ..pair });
        true
    }

    fn is_value(&self, value: &Value, id: NodeId) -> bool {
        match (value, &self.new.node(id).content) {
            (Value::String(expected), Content::Scalar { value, .. }) => **value == **expected,
            (Value::Integer(expected), Content::Scalar { value, .. }) => **value == *expected.to_string(),
            (Value::Single(key, inner), Content::Mapping { entries, .. }) => match &entries[..] {
                [entry] => self.new.key(entry) == Some(key) && self.is_value(inner, entry.value),
                _ => false,
            },
            _ => false,
        }
    }
}

fn tag(node: &Node) -> Option<&str> {
    node.tag.as_ref().map(|tag| &*tag.name)
}
