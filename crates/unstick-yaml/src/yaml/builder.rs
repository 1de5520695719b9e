//! From parser events to an outline.

use std::collections::HashMap;

use granit_parser::{Event, ScalarStyle as ParsedStyle, StructureStyle, Tag};

use super::cursor::{Cursor, is_document_end, last_line, line_start};
use crate::layout::column;
use crate::{
    Content, Entry, Node, NodeId, Outline, Property, ReadError, ScalarStyle, Span, Syntax, leading_boms, parse_copy,
};

/// A collection that is still open.
struct Frame {
    node: NodeId,
    mapping: bool,
    flow: bool,
    /// In flow style, and no single pair of a sequence: `[a: b]` holds a mapping without braces.
    bracketed: bool,
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
    /// The documents so far.
    documents: Vec<Result<Outline, ReadError>>,
    /// Start of the document at hand, and end of the one before, if that could be read.
    document_start: usize,
    /// The document before ended with `...`.
    marked_end: bool,
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
    /// Makes a builder for a chunk whose parser begins at `base`, behind `comment` if there is one.
    pub(super) fn new(text: &'a [u8], chunk: Span, base: usize, comment: Option<Span>) -> Self {
        Self {
            text,
            base,
            cursor: Cursor::new(text, Span::new(base, chunk.end)),
            documents: Vec::new(),
            document_start: chunk.start,
            marked_end: false,
            nodes: Vec::new(),
            root: None,
            comments: comment.into_iter().collect(),
            frames: Vec::new(),
            leaf: None,
            anchors: HashMap::new(),
            resumed: false,
        }
    }

    /// Drops the document at hand, which cannot be read.
    pub(super) fn fail(&mut self, error: ReadError) {
        self.documents.push(Err(error));
        self.nodes.clear();
        self.root = None;
        self.comments.clear();
        self.frames.clear();
        self.leaf = None;
        self.anchors.clear();
        self.resumed = true;
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: Event<'_>, parsed: &granit_parser::Span) {
        let span = self.span(parsed);
        match event {
            Event::Anchor(id, name) => self.add_anchor(id, &name, span),
            // The comment on a `...` line comes after the document that it belongs to.
            Event::Comment(..) if !self.resumed && span.start < self.document_start => {}
            Event::Comment(..) => self.comments.push(span),
            other => {
                self.finish_leaf();
                self.take_structure(other, span, parsed);
            }
        }
    }

    fn take_structure(&mut self, event: Event<'_>, span: Span, parsed: &granit_parser::Span) {
        match event {
            Event::DocumentStart(explicit, _) => self.start_document(span, explicit),
            Event::DocumentEnd => self.finish_document(span),
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
    }

    fn start_document(&mut self, marker: Span, explicit: bool) {
        if self.resumed {
            self.document_start = self.resumed_start(marker.start, explicit);
            self.cursor.reach(self.document_start);
            self.comments.retain(|comment| comment.start >= self.document_start);
        } else if explicit
            && !self.marked_end
            && let Some(Ok(before)) = self.documents.last_mut()
        {
            // The parser ends a document without content before the comments behind its own marker.
            self.document_start = marker.start;
            before.span.end = marker.start;
            before.comments.extend(self.comments.extract_if(.., |comment| comment.start < marker.start));
        }
        self.resumed = false;
        if explicit {
            self.cursor.reach(marker.end);
        } else {
            self.cursor.skip_to_document();
        }
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
                frame.colon = match (frame.flow, frame.explicit) {
                    (true, _) => take_colon(cursor, Reach::Anywhere),
                    (false, true) => take_colon(cursor, Reach::Column(column(self.text, frame.start))),
                    (false, false) => take_colon(cursor, Reach::Line),
                };
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
                let blank = value.bytes().all(|byte| byte == b'\n');
                (value, Span::new(header, self.cursor.block_scalar_end(header, span, blank)))
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
        // Of a single pair, the parser's span is empty or its `?`.
        let bracketed = flow && matches!(span.slice(self.text), b"{" | b"[");
        if bracketed {
            self.cursor.reach(span.end);
        }
        let start = self.cursor.at;
        self.frames.push(Frame {
            node,
            mapping,
            flow,
            bracketed,
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
            node.span = match ends {
                _ if frame.bracketed => Span::new(node.span.start, parsed.end),
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

    /// Completes the document that ends with `end`: a `...`, or nothing before the next `---`.
    fn finish_document(&mut self, end: Span) {
        self.marked_end = end.slice(self.text) == b"...";
        let end = if self.marked_end { self.take_end_line(end.end) } else { end.start };
        self.cursor.reach(end);
        let mut nodes = std::mem::take(&mut self.nodes);
        let mut root = self.root.take();
        let empty = matches!(
            nodes.as_slice(),
            [Node { content: Content::Scalar { style: ScalarStyle::Plain, .. }, span, anchor: None, tag: None, .. }]
                if span.is_empty()
        );
        if empty {
            nodes.clear();
            root = None;
        }
        self.anchors.clear();
        self.frames.clear();
        let comments = self.take_comments();
        // Where the next document cannot be read, the parser ends this one before the comments that it has told of.
        let end = comments.last().map_or(end, |last| end.max(last.end));
        let span = Span::new(self.document_start, end);
        self.document_start = end;
        self.documents.push(Ok(Outline { syntax: Syntax::Yaml, span, nodes, root, comments }));
    }

    /// Returns the documents of the chunk. The last one has the chunk's rest; comments alone make a document without
    /// content.
    pub(super) fn finish(mut self, chunk: Span) -> Vec<Result<Outline, ReadError>> {
        let comments = self.take_comments();
        match self.documents.last_mut() {
            Some(Ok(outline)) => {
                outline.span.end = chunk.end;
                outline.comments.extend(comments);
            }
            None if !comments.is_empty() => {
                let nodes = Vec::new();
                self.documents.push(Ok(Outline { syntax: Syntax::Yaml, span: chunk, nodes, root: None, comments }));
            }
            _ => {}
        }
        self.documents
    }

    /// Passes over the rest of a `...` line and notes the comment on it; returns the start of the next line.
    fn take_end_line(&mut self, after_dots: usize) -> usize {
        self.cursor.reach(after_dots);
        self.cursor.skip_blanks();
        let comment = self.cursor.at;
        let is_comment = self.cursor.peek() == Some(b'#');
        self.cursor.skip_line();
        if is_comment {
            self.comments.push(Span::new(comment, self.cursor.at));
        }
        self.cursor.after_break(self.cursor.at)
    }

    /// Returns where the document begins whose first token is near `first`, after one that could not be read.
    ///
    /// Without a `---`, there is a `...` before it. With one, its directives may stand between the two.
    fn resumed_start(&self, first: usize, explicit: bool) -> usize {
        let mut line_end = line_start(self.text, Span::new(self.document_start, first));
        while line_end > self.document_start {
            let line = Span::new(last_line(self.text, Span::new(self.document_start, line_end)), line_end);
            let bytes = line.slice(self.text);
            if is_document_end(&bytes[leading_boms(bytes)..]) {
                return line_end;
            }
            if explicit && !matches!(bytes.trim_ascii_start(), [] | [b'#' | b'%', ..]) {
                break;
            }
            line_end = line.start;
        }
        first
    }

    /// Takes the comments that no document has yet, sorted by place.
    fn take_comments(&mut self) -> Vec<Span> {
        let mut comments = std::mem::take(&mut self.comments);
        comments.sort_unstable();
        comments
    }
}

/// Where the colon behind a key may stand.
#[derive(Clone, Copy)]
enum Reach {
    /// On the key's own line: after an implicit key.
    Line,
    /// Further on, at the column of its `?`; at another one, it belongs to a mapping further out.
    Column(usize),
    /// Further on, in flow style.
    Anywhere,
}

/// Takes the colon behind a key, if one is within reach.
fn take_colon(cursor: &mut Cursor<'_>, reach: Reach) -> Option<usize> {
    let before = cursor.at;
    match reach {
        Reach::Line => cursor.skip_blanks(),
        Reach::Column(_) | Reach::Anywhere => cursor.skip_space(),
    }
    let in_reach = match reach {
        Reach::Column(wanted) => cursor.column() == wanted && cursor.is_indicator(),
        Reach::Line | Reach::Anywhere => true,
    };
    let colon = if in_reach { cursor.take(b':') } else { None };
    if colon.is_none() {
        cursor.at = before;
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
