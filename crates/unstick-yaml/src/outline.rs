//! The tree that every reader makes of one document: nodes with exact byte spans.

use crate::Span;

/// Index of a node in its [`Outline`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// How the text of a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// YAML, block or flow.
    Yaml,
    /// JSON: strict, without comments.
    Json,
}

/// One document as a tree; all spans are offsets into the whole source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// How the document is written.
    pub syntax: Syntax,
    /// Bytes of the document: from its first own byte (a `---` marker or a directive included) to the next document.
    pub span: Span,
    /// Nodes; a parent stands before its children.
    pub nodes: Vec<Node>,
    /// The document's node; `None` where it holds no content.
    pub root: Option<NodeId>,
    /// Comments from `#` to the last byte before the line break, in source order.
    pub comments: Vec<Span>,
}

/// One node: a scalar, an alias, a mapping or a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What the node is.
    pub content: Content,
    /// The node's own bytes, without anchor and tag.
    ///
    /// Scalars: quotes included; a block scalar from its `|` or `>` to the end of its last content line, line break
    /// included. Flow collections: brackets included. Block collections: from the first entry's first byte to the
    /// last entry's last byte ([`Entry::end`]). An empty value: the empty span directly after its indicator (`:`,
    /// `-`, `?`) or its own anchor and tag.
    pub span: Span,
    /// The `&name` before the node.
    pub anchor: Option<Property>,
    /// The `!tag` before the node.
    pub tag: Option<Property>,
    /// The collection that holds the node; `None` for the document's own node.
    pub parent: Option<NodeId>,
}

/// An anchor or a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// An anchor's name without `&`; a tag resolved to its full form, such as `tag:yaml.org,2002:str` or `!local`.
    pub name: Box<str>,
    /// Its bytes, `&` or `!` included.
    pub span: Span,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A scalar, decoded.
    Scalar {
        /// The text after unquoting, folding and unescaping; empty for an empty node.
        value: Box<str>,
        /// How it is written.
        style: ScalarStyle,
    },
    /// `*name`.
    Alias {
        /// The anchor's name.
        name: Box<str>,
        /// The node it stands for, the nearest such anchor before it; `None` where there is none.
        target: Option<NodeId>,
    },
    /// A mapping, in block or flow style.
    Mapping {
        /// The entries in source order, duplicates included; each has a key.
        entries: Vec<Entry>,
        /// Written with braces.
        flow: bool,
    },
    /// A sequence, in block or flow style.
    Sequence {
        /// The items in source order; none has a key.
        entries: Vec<Entry>,
        /// Written with brackets.
        flow: bool,
    },
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without quotes; also the empty node and JSON's numbers and words.
    Plain,
    /// In `'…'`.
    SingleQuoted,
    /// In `"…"`; JSON strings too.
    DoubleQuoted,
    /// After `|`.
    Literal,
    /// After `>`.
    Folded,
}

/// One member of a collection: a mapping entry, or a sequence item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The key; `None` in a sequence.
    pub key: Option<NodeId>,
    /// The value.
    pub value: NodeId,
    /// Offset of the first own byte: a `?`, the dash of a block sequence item, else the first byte of the key (or, in
    /// a flow sequence, of the value) with its anchor and tag.
    pub start: usize,
    /// Offset of the `:`; `None` in a sequence and where a key stands alone (`{a}`, `? a`).
    pub colon: Option<usize>,
    /// Offset just after the last own byte of key, indicator and value; trailing comments and commas are outside.
    pub end: usize,
}

impl Entry {
    /// Returns the entry's own bytes.
    #[must_use]
    pub const fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

impl Outline {
    /// Returns the node of `id`.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns the node that `id` stands for: itself, or an alias's target (`None` where it has none).
    #[must_use]
    pub fn resolve(&self, id: NodeId) -> Option<NodeId> {
        match self.node(id).content {
            Content::Alias { target, .. } => target,
            _ => Some(id),
        }
    }

    /// Returns a scalar's decoded text, without following an alias.
    #[must_use]
    pub fn scalar(&self, id: NodeId) -> Option<&str> {
        match &self.node(id).content {
            Content::Scalar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Returns a mapping's entries, without following an alias; nothing for other nodes.
    #[must_use]
    pub fn entries(&self, id: NodeId) -> &[Entry] {
        match &self.node(id).content {
            Content::Mapping { entries, .. } => entries,
            _ => &[],
        }
    }

    /// Returns a sequence's items, without following an alias; nothing for other nodes.
    #[must_use]
    pub fn items(&self, id: NodeId) -> &[Entry] {
        match &self.node(id).content {
            Content::Sequence { entries, .. } => entries,
            _ => &[],
        }
    }

    /// Returns a mapping's entries or a sequence's items, without following an alias; nothing for other nodes.
    #[must_use]
    pub fn members(&self, id: NodeId) -> &[Entry] {
        match &self.node(id).content {
            Content::Mapping { entries, .. } | Content::Sequence { entries, .. } => entries,
            _ => &[],
        }
    }

    /// Returns the decoded text of an entry's key; an alias as key is followed.
    #[must_use]
    pub fn key(&self, entry: &Entry) -> Option<&str> {
        self.scalar(self.resolve(entry.key?)?)
    }

    /// Returns the last entry of mapping `id` with that key: the one that counts for Kubernetes' YAML library.
    #[must_use]
    pub fn entry(&self, id: NodeId, key: &str) -> Option<&Entry> {
        self.entries(id).iter().rev().find(|entry| self.key(entry) == Some(key))
    }

    /// Returns the resolved value under `key` of mapping `id`, without merge keys.
    #[must_use]
    pub fn value(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.resolve(self.entry(id, key)?.value)
    }

    /// Returns the decoded scalar under `key` of mapping `id`.
    #[must_use]
    pub fn text(&self, id: NodeId, key: &str) -> Option<&str> {
        self.scalar(self.value(id, key)?)
    }

    /// Returns the node with its anchor and tag: from the first of the three to the node's end.
    #[must_use]
    pub fn full_span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        [&node.anchor, &node.tag].into_iter().flatten().fold(node.span, |span, property| span.cover(property.span))
    }

    /// Returns the spans of the quoted scalars, in source order.
    pub(crate) fn quoted_spans(&self) -> Vec<Span> {
        let quoted = self.nodes.iter().filter(|node| {
            let style = match node.content {
                Content::Scalar { style, .. } => style,
                _ => return false,
            };
            matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
        });
        quoted.map(|node| node.span).collect()
    }

    /// Tells whether `id` is a null of Kubernetes' YAML library: empty, `~` or `null`, unquoted and without a string tag.
    #[must_use]
    pub fn is_null(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let Content::Scalar { value, style: ScalarStyle::Plain } = &node.content else { return false };
        match node.tag.as_ref().map(|tag| &*tag.name) {
            Some("tag:yaml.org,2002:null") => true,
            Some(_) => false,
            None => matches!(&**value, "" | "~" | "null" | "Null" | "NULL"),
        }
    }
}
