//! Merge keys (`<<`), resolved as Kubernetes' YAML library does: whichever line stands later wins.

use std::collections::{HashMap, HashSet};

use unstick_yaml::{Content, Entry, NodeId, Outline, ScalarStyle};

/// How many merge keys may lead to one another; longer chains count as holding nothing.
const MAX_CHAIN: usize = 200;

/// One mapping that a merge key brings in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The mapping.
    pub mapping: NodeId,
    /// The alias that names it; `None` where it is written in place.
    pub alias: Option<NodeId>,
}

/// Tells whether an entry is a merge key; a quoted `"<<"` is none.
pub(crate) fn is_merge(outline: &Outline, entry: &Entry) -> bool {
    let Some(key) = entry.key else { return false };
    let node = outline.node(key);
    let plain = matches!(&node.content, Content::Scalar { value, style: ScalarStyle::Plain } if &**value == "<<");
    plain && node.tag.as_ref().is_none_or(|tag| &*tag.name == "tag:yaml.org,2002:merge")
}

/// Returns the mappings that a merge key brings in, the one that wins last.
pub(crate) fn merged(outline: &Outline, entry: &Entry) -> Vec<Merged> {
    let single = |id: NodeId| {
        let mapping = outline.resolve(id)?;
        let is_mapping = matches!(outline.node(mapping).content, Content::Mapping { .. });
        is_mapping.then_some(Merged { mapping, alias: (mapping != id).then_some(id) })
    };
    match outline.resolve(entry.value) {
        Some(value) if matches!(outline.node(value).content, Content::Sequence { .. }) => {
            outline.items(value).iter().rev().filter_map(|item| single(item.value)).collect()
        }
        _ => single(entry.value).into_iter().collect(),
    }
}

/// A value found in a mapping or in what its merge keys bring in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// The mapping that holds the entry in its own lines.
    pub mapping: NodeId,
    /// The entry's value, unresolved.
    pub value: NodeId,
    /// The first alias on the way; `None` where no alias is.
    pub alias: Option<NodeId>,
}

/// Looks values up through merge keys; remembers what it found, so that aliases of aliases stay cheap.
#[derive(Debug)]
pub(crate) struct Lookup<'a> {
    outline: &'a Outline,
    found: HashMap<(NodeId, &'static str), Option<Found>>,
    open: HashSet<NodeId>,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(outline: &'a Outline) -> Self {
        Self { outline, found: HashMap::new(), open: HashSet::new() }
    }

    /// Returns the value that counts under `key` of `mapping`.
    pub(crate) fn get(&mut self, mapping: NodeId, key: &'static str) -> Option<Found> {
        if let Some(found) = self.found.get(&(mapping, key)) {
            return *found;
        }
        if self.open.len() >= MAX_CHAIN || !self.open.insert(mapping) {
            return None;
        }
        let mut found = None;
        let outline = self.outline;
        for entry in outline.entries(mapping) {
            if outline.key(entry) == Some(key) {
                found = Some(Found { mapping, value: entry.value, alias: None });
            } else if is_merge(outline, entry) {
                for part in merged(outline, entry) {
                    if let Some(inner) = self.get(part.mapping, key) {
                        found = Some(Found { alias: part.alias.or(inner.alias), ..inner });
                    }
                }
            }
        }
        self.open.remove(&mapping);
        self.found.insert((mapping, key), found);
        found
    }

    /// Returns the resolved value under `key`.
    pub(crate) fn value(&mut self, mapping: NodeId, key: &'static str) -> Option<NodeId> {
        let found = self.get(mapping, key)?;
        self.outline.resolve(found.value)
    }

    /// Returns the decoded scalar under `key`.
    pub(crate) fn text(&mut self, mapping: NodeId, key: &'static str) -> Option<&'a str> {
        let id = self.value(mapping, key)?;
        self.outline.scalar(id)
    }
}
