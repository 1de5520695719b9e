//! From parser events to an outline.

use std::collections::HashMap;

use granit_parser::{Event, ScalarStyle as ParsedStyle, StructureStyle, Tag};

use super::cursor::Cursor;
use crate::{Content, Entry, Node, NodeId, Outline, Property, ScalarStyle, Span, Syntax, parse_copy};

/// A collection that is still open.
struct Frame {
    node: NodeId,
    mapping: bool,
    flow: bool,
    /// How many anchors and tags of its own stand before its first entry.
    properties: usize,
    /// Start of the entry whose value, or key, comes next.
    start: usize,
    key: Option<NodeId>,
    explicit: bool,
    colon: Option<usize>,
    entries: Vec<Entry>,
}

/// Builds one outline after the other from the events of a chunk.
pub(super) struct Builder<'a> {
    text: &'a [u8],
    base: usize,
    cursor: Cursor<'a>,
    document_start: usize,
    nodes: Vec<Node>,
    root: Option<NodeId>,
    comments: Vec<Span>,
    frames: Vec<Frame>,
    /// A scalar or alias whose anchor event may still follow.
    leaf: Option<NodeId>,
    anchors: HashMap<usize, NodeId>,
    /// The document before could not be read, so that the cursor stands somewhere in it.
    resumed: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a [u8], chunk: Span, base: usize) -> Self {
        Self {
            text,
            base,
            cursor: Cursor::new(text, Span::new(base, chunk.end)),
            document_start: chunk.start,
            nodes: Vec::new(),
            root: None,
            comments: Vec::new(),
            frames: Vec::new(),
            leaf: None,
            anchors: HashMap::new(),
            resumed: false,
        }
    }

    /// Drops the document that could not be read.
    pub(super) fn abandon(&mut self) {
        self.nodes.clear();
        self.root = None;
        self.comments.clear();
        self.frames.clear();
        self.leaf = None;
        self.anchors.clear();
        self.resumed = true;
    }

    /// Takes one event; returns the outline that it completes.
    pub(super) fn take(&mut self, event: Event<'_>, parsed: &granit_parser::Span) -> Option<Outline> {
        let span = self.span(parsed);
        match event {
            Event::Anchor(id, name) => self.add_anchor(id, &name, span),
            Event::Comment(..) => self.comments.push(span),
            other => {
                self.finish_leaf();
                return self.take_structure(other, span, parsed);
            }
        }
        None
    }

    fn take_structure(&mut self, event: Event<'_>, span: Span, parsed: &granit_parser::Span) -> Option<Outline> {
        match event {
            Event::DocumentStart(explicit, _) => {
                if explicit {
                    self.cursor.reach(span.end);
                } else if self.resumed {
                    self.cursor.reach(span.start);
                }
                self.resumed = false;
                self.document_start = if explicit { span.start } else { self.cursor.at };
            }
            Event::DocumentEnd => {
                let outline = self.finish_document();
                self.cursor.reach(span.end);
                return Some(outline);
            }
            Event::Alias(id) => {
                let name = Span::new(span.start + 1, span.end).slice(self.text);
                let name = parse_copy(name).into_owned().into_boxed_str();
                let target = self.anchors.get(&id).copied();
                self.open_node();
                self.cursor.reach(span.end);
                self.leaf = self.add(Content::Alias { name, target }, span, None);
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.add_scalar(&value, style, anchor, self.tag(tag.as_deref(), parsed), span);
            }
            Event::SequenceStart(style, anchor, tag) => {
                let content = Content::Sequence { entries: Vec::new(), flow: style == StructureStyle::Flow };
                self.open_collection(content, style, anchor, self.tag(tag.as_deref(), parsed), span);
            }
            Event::MappingStart(style, anchor, tag) => {
                let content = Content::Mapping { entries: Vec::new(), flow: style == StructureStyle::Flow };
                self.open_collection(content, style, anchor, self.tag(tag.as_deref(), parsed), span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close_collection(span),
            _ => {}
        }
        None
    }

    fn span(&self, parsed: &granit_parser::Span) -> Span {
        parsed.byte_range().map_or(Span::empty(self.cursor.at), |range| Span::from(range).shift(self.base))
    }

    fn tag(&self, tag: Option<&Tag>, parsed: &granit_parser::Span) -> Option<Property> {
        let tag = tag?;
        let span = parsed.tag_span().map(|span| self.span(&span))?;
        Some(Property { name: format!("{}{}", tag.handle(), tag.suffix()).into_boxed_str(), span })
    }

    fn add_anchor(&mut self, id: usize, name: &str, span: Span) {
        let Some(node) = self.anchors.get(&id).copied() else { return };
        let Some(node) = self.nodes.get_mut(node.0 as usize) else { return };
        if node.span.is_empty() && node.span.start < span.end {
            node.span = Span::empty(span.end);
        }
        node.anchor = Some(Property { name: name.into(), span });
    }

    fn add(&mut self, content: Content, span: Span, tag: Option<Property>) -> Option<NodeId> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        let parent = self.frames.last().map(|frame| frame.node);
        self.nodes.push(Node { content, span, anchor: None, tag, parent });
        if parent.is_none() {
            self.root = Some(id);
        }
        Some(id)
    }

    /// Finds the indicators before a node: its dash, its `?`, or its colon.
    fn open_node(&mut self) {
        let cursor = &mut self.cursor;
        let Some(frame) = self.frames.last_mut() else {
            cursor.skip_space();
            return;
        };
        match (frame.mapping, frame.key) {
            (true, Some(_)) => {
                frame.colon = take_colon(cursor, frame.flow || frame.explicit);
            }
            (true, None) => {
                cursor.skip_properties_of(frame);
                frame.start = cursor.at;
                frame.explicit = cursor.peek() == Some(b'?') && cursor.is_indicator();
                if frame.explicit {
                    cursor.at += 1;
                }
            }
            (false, _) if frame.flow => {
                cursor.skip_separators();
                frame.start = cursor.at;
            }
            (false, _) => {
                cursor.skip_properties_of(frame);
                frame.start = cursor.at;
                cursor.take(b'-');
            }
        }
    }

    fn add_scalar(&mut self, value: &str, style: ParsedStyle, anchor: usize, tag: Option<Property>, span: Span) {
        self.open_node();
        let style = match style {
            ParsedStyle::Plain => ScalarStyle::Plain,
            ParsedStyle::SingleQuoted => ScalarStyle::SingleQuoted,
            ParsedStyle::DoubleQuoted => ScalarStyle::DoubleQuoted,
            ParsedStyle::Literal => ScalarStyle::Literal,
            ParsedStyle::Folded => ScalarStyle::Folded,
        };
        let (value, span) = match style {
            ScalarStyle::Plain if span.is_empty() => {
                let after_tag = tag.as_ref().map_or(0, |tag| tag.span.end);
                self.cursor.reach(after_tag);
                ("", Span::empty(self.cursor.at))
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                self.cursor.skip_properties(2);
                let header = self.cursor.at;
                (value, Span::new(header, self.cursor.block_scalar_end(header, span.end)))
            }
            _ => (value, span),
        };
        self.cursor.reach(span.end);
        self.leaf = self.add(Content::Scalar { value: value.into(), style }, span, tag);
        if let (Some(leaf), true) = (self.leaf, anchor > 0) {
            self.anchors.insert(anchor, leaf);
        }
    }

    fn open_collection(
        &mut self,
        content: Content,
        style: StructureStyle,
        anchor: usize,
        tag: Option<Property>,
        span: Span,
    ) {
        self.open_node();
        let mapping = matches!(content, Content::Mapping { .. });
        let properties = usize::from(anchor > 0) + usize::from(tag.is_some());
        let flow = style == StructureStyle::Flow;
        let Some(node) = self.add(content, span, tag) else { return };
        if anchor > 0 {
            self.anchors.insert(anchor, node);
        }
        // A single pair in a flow sequence, `[a: b]`, is a mapping without brackets.
        let bracketed = flow && matches!(self.text.get(span.start), Some(b'{' | b'['));
        if bracketed {
            self.cursor.reach(span.start + 1);
        }
        let start = self.cursor.at;
        self.frames.push(Frame {
            node,
            mapping,
            flow,
            properties,
            start,
            key: None,
            explicit: false,
            colon: None,
            entries: Vec::new(),
        });
    }

    fn close_collection(&mut self, parsed: Span) {
        let Some(frame) = self.frames.pop() else { return };
        let ends = frame.entries.first().zip(frame.entries.last()).map(|(first, last)| (first.start, last.end));
        if let Some(node) = self.nodes.get_mut(frame.node.0 as usize) {
            let bracketed = frame.flow && matches!(self.text.get(node.span.start), Some(b'{' | b'['));
            node.span = match ends {
                _ if bracketed => Span::new(node.span.start, parsed.end),
                Some((start, end)) => Span::new(start, end),
                None => Span::empty(node.span.start),
            };
            self.cursor.reach(node.span.end);
            match &mut node.content {
                Content::Mapping { entries, .. } | Content::Sequence { entries, .. } => *entries = frame.entries,
                _ => {}
            }
        }
        self.complete(frame.node);
    }

    fn finish_leaf(&mut self) {
        if let Some(leaf) = self.leaf.take() {
            let end = self.nodes.get(leaf.0 as usize).map_or(0, |node| node.span.end);
            self.cursor.reach(end);
            self.complete(leaf);
        }
    }

    /// Puts a whole node into the collection that holds it.
    fn complete(&mut self, id: NodeId) {
        let end_of = |id: NodeId| self.nodes.get(id.0 as usize).map_or(0, |node| node.span.end);
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.mapping && frame.key.is_none() {
            frame.key = Some(id);
            return;
        }
        let key = frame.key.take();
        let colon = frame.colon.take();
        let after_indicator = if frame.mapping { colon } else { (!frame.flow).then_some(frame.start) };
        let ends = [Some(end_of(id)), key.map(end_of), after_indicator.map(|at| at + 1)];
        let end = ends.into_iter().flatten().max().unwrap_or(frame.start);
        frame.entries.push(Entry { key, value: id, start: frame.start, colon, end });
        frame.explicit = false;
    }

    fn finish_document(&mut self) -> Outline {
        let mut comments = std::mem::take(&mut self.comments);
        comments.sort_unstable();
        comments.dedup();
        let empty = matches!(
            self.nodes.as_slice(),
            [Node { content: Content::Scalar { value, .. }, span, anchor: None, tag: None, .. }]
                if value.is_empty() && span.is_empty()
        );
        let mut nodes = std::mem::take(&mut self.nodes);
        if empty {
            nodes.clear();
            self.root = None;
        }
        self.anchors.clear();
        self.frames.clear();
        Outline {
            syntax: Syntax::Yaml,
            span: Span::new(self.document_start, self.cursor.at),
            nodes,
            root: self.root.take(),
            comments,
        }
    }
}

/// Takes the colon behind a key: on the key's own line, or further on where the key is explicit or in flow style.
fn take_colon(cursor: &mut Cursor<'_>, far: bool) -> Option<usize> {
    let before = *cursor;
    if far {
        cursor.skip_space();
    } else {
        cursor.skip_blanks();
    }
    let colon = cursor.take(b':');
    if colon.is_none() {
        *cursor = before;
    }
    colon
}

impl Cursor<'_> {
    /// Moves to the first byte of the next entry; before a collection's first entry, its anchor and tag come first.
    fn skip_properties_of(&mut self, frame: &Frame) {
        if frame.flow {
            self.skip_separators();
        } else if frame.entries.is_empty() {
            self.skip_properties(frame.properties);
        } else {
            self.skip_space();
        }
    }
}
