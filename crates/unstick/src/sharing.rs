//! Who else uses a node: an edit at an anchor changes every alias of it.

use std::collections::{HashMap, HashSet};

use unstick_yaml::{Content, NodeId, Outline};

use crate::affinity::{CONFIG, KEY};
use crate::decision::Decision;
use crate::merge::{is_merge, merged};
use crate::site::Site;

/// Aliases of a document, and which sites they lead into.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    /// Aliases of each anchored node.
    aliases: HashMap<NodeId, Vec<NodeId>>,
    /// Sites that use an alias as their spec, as their object, in a merge key of the spec, or as one of the values.
    users: HashMap<NodeId, Vec<usize>>,
    /// The site whose spec is written in this place.
    own: HashMap<NodeId, usize>,
    /// The site whose `sessionAffinity` value is written in this place.
    values: HashMap<NodeId, usize>,
}

impl Sharing {
    pub(crate) fn new(outline: &Outline, sites: &[Site]) -> Self {
        let mut sharing = Self::default();
        for (index, node) in outline.nodes.iter().enumerate() {
            if let (Content::Alias { target: Some(target), .. }, Ok(index)) = (&node.content, u32::try_from(index)) {
                sharing.aliases.entry(*target).or_default().push(NodeId(index));
            }
        }
        for (index, site) in sites.iter().enumerate() {
            if let Some(alias) = site.via {
                // What stands inside belongs to whoever holds the anchor.
                sharing.add_user(alias, index);
                continue;
            }
            sharing.own.insert(site.spec, index);
            for entry in outline.entries(site.spec) {
                if is_merge(outline, entry) {
                    for alias in merged(outline, entry).into_iter().filter_map(|part| part.alias) {
                        sharing.add_user(alias, index);
                    }
                } else if let Some(KEY | CONFIG) = outline.key(entry) {
                    sharing.add_user(entry.value, index);
                    sharing.values.insert(entry.value, index);
                }
            }
        }
        sharing
    }

    fn add_user(&mut self, alias: NodeId, site: usize) {
        self.users.entry(alias).or_default().push(site);
    }

    /// Returns the site whose spec is the mapping `spec` in its own place.
    pub(crate) fn own_site(&self, spec: NodeId) -> Option<usize> {
        self.own.get(&spec).copied()
    }

    /// Returns the site whose value is the node `value` in its own place.
    pub(crate) fn value_site(&self, value: NodeId) -> Option<usize> {
        self.values.get(&value).copied()
    }

    /// Returns an alias through which an edit at `node` for `site` would reach somebody who was not asked.
    ///
    /// Looks at the node and at everything that holds it.
    pub(crate) fn stranger(
        &self,
        outline: &Outline,
        node: NodeId,
        site: usize,
        decisions: &[Decision],
    ) -> Option<NodeId> {
        if self.aliases.is_empty() {
            return None;
        }
        let mut seen = HashSet::new();
        let mut pending = vec![node];
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            pending.extend(outline.node(id).parent);
            for alias in self.aliases.get(&id).map_or(&[][..], Vec::as_slice) {
                if !self.is_agreed(*alias, site, decisions) {
                    return Some(*alias);
                }
                // Who uses what the alias stands in gets the edit as well.
                pending.push(*alias);
            }
        }
        None
    }

    /// Tells whether every site that the alias leads into, and there is one, wants the same as `site`.
    fn is_agreed(&self, alias: NodeId, site: usize, decisions: &[Decision]) -> bool {
        self.users.get(&alias).is_some_and(|users| users.iter().all(|user| decisions[*user].agrees(&decisions[site])))
    }
}
