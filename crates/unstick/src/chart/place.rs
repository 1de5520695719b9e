//! Where a key of a template ends up: in which object, under which path.

use unstick_yaml::{TemplateNodeKind, TemplateOutline};

use super::ChartSet;
use super::entry::TemplateEntry;
use super::outlines::Outlines;

/// One place that a node is rendered in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In an object: the file and node that hold its fields, and the path from there.
    Object {
        /// The file.
        file: usize,
        /// The document, item or define that holds the object's fields.
        node: usize,
        /// Keys from the object down to the node's own; items are `[]`.
        path: Vec<String>,
        /// Keys down to the sequence that holds the object; empty for a document's own.
        around: Vec<String>,
    },
    /// In a document without a `kind` of its own.
    NoKind {
        /// Keys from the document down to the node's own.
        path: Vec<String>,
    },
    /// In a define that nothing prints.
    Unused {
        /// The define's name.
        define: String,
    },
    /// In a define whose text is read or changed before it is printed, or that includes itself.
    Opaque {
        /// The define's name.
        define: String,
    },
}

/// More places than this are not told apart.
const MAX_PLACES: usize = 256;

/// Defines inside defines beyond this are taken for opaque.
const MAX_DEPTH: usize = 32;

/// Returns all places of an entry.
pub(crate) fn find(set: &ChartSet<'_>, outlines: &Outlines, entry: &TemplateEntry) -> Vec<Place> {
    let mut finder = Finder { set, outlines, places: Vec::new() };
    let below = if entry.flow { vec![entry.name().to_owned()] } else { Vec::new() };
    finder.climb(entry.file, entry.node, 0, below, 0);
    let mut places = finder.places;
    places.dedup();
    places
}

struct Finder<'a> {
    set: &'a ChartSet<'a>,
    outlines: &'a Outlines,
    places: Vec<Place>,
}

impl Finder<'_> {
    /// Goes up from a node; `column` is that of what stands under it.
    fn climb(&mut self, file: usize, node: usize, mut column: usize, below: Vec<String>, depth: usize) {
        if self.places.len() >= MAX_PLACES {
            return;
        }
        let Some(outline) = &self.outlines.files[file] else { return };
        // From the node upwards, last key first.
        let mut path = below;
        let mut at = node;
        loop {
            match &outline.nodes[at].kind {
                TemplateNodeKind::Key(name) => path.push(name.clone().unwrap_or_else(|| "*".into())),
                TemplateNodeKind::Item if is_object(outline, at) => break,
                TemplateNodeKind::Item => path.push("[]".into()),
                TemplateNodeKind::Hole(_) | TemplateNodeKind::Document | TemplateNodeKind::Define(_) => {}
            }
            match outline.nodes[at].parent {
                Some(parent) => {
                    column = outline.nodes[at].column;
                    at = parent;
                }
                None => break,
            }
        }
        let in_order = |path: &[String]| path.iter().rev().cloned().collect::<Vec<String>>();
        if is_object(outline, at) {
            let around = outline.nodes[at].parent.map_or_else(Vec::new, |parent| {
                outline.path(parent).into_iter().map(|key| if key == "*" { "[]" } else { key }.to_owned()).collect()
            });
            self.places.push(Place::Object { file, node: at, path: in_order(&path), around });
            return;
        }
        match outline.nodes[at].kind {
            TemplateNodeKind::Define(block) => self.follow(file, block, column, path, depth),
            _ => self.places.push(Place::NoKind { path: in_order(&path) }),
        }
    }

    /// Goes on where a define is printed; `column` is that of the key in the define.
    fn follow(&mut self, file: usize, block: usize, column: usize, path: Vec<String>, depth: usize) {
        let text = self.set.files[file].bytes;
        let name = self.set.templates[file].as_ref().and_then(|template| Outlines::define_name(text, template, block));
        let define = name.unwrap_or_default();
        let sites = self.outlines.sites.get(&define).map_or(&[][..], Vec::as_slice);
        if sites.is_empty() {
            self.places.push(Place::Unused { define });
            return;
        }
        for site in sites {
            match site.hole {
                Some(hole) if depth < MAX_DEPTH => self.enter(site.file, hole, column, path.clone(), depth + 1),
                _ => self.places.push(Place::Opaque { define: define.clone() }),
            }
        }
    }
}

impl Finder<'_> {
    /// Goes on at a hole, under the node that text at the define's column belongs to there.
    fn enter(&mut self, file: usize, hole: usize, column: usize, path: Vec<String>, depth: usize) {
        let Some(outline) = &self.outlines.files[file] else { return };
        let own = &outline.nodes[hole];
        let column = match own.indentation {
            Some(indentation) => indentation + column,
            // The action's own place counts for the first line only.
            None if column == 0 => own.column,
            None => column,
        };
        match outline.parent_at(hole, column) {
            Some(parent) => self.climb(file, parent, column, path, depth),
            None => self.climb(file, hole, column, path, depth),
        }
    }
}

/// Tells whether a node holds an object's fields.
fn is_object(outline: &TemplateOutline, node: usize) -> bool {
    outline.children(node).any(|child| outline.nodes[child].key() == Some("kind"))
}
