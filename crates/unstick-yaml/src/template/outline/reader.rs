//! Reads the lines into nodes.

use crate::Span;
use crate::template::action::{Action, ActionKind};
use crate::template::tree::Template;

use super::lines::{PaperLine, Piece, split};
use super::words::{Opening, key_colon, key_name, opening};
use super::{TemplateNode, TemplateNodeKind, TemplateOutline};

mod value;

use value::Open;

pub(super) fn read(text: &[u8], template: &Template) -> TemplateOutline {
    let mut reader = Reader {
        text,
        template,
        outline: TemplateOutline::default(),
        state: State::default(),
        saved: Vec::new(),
        content: None,
    };
    let root = reader.add_root(TemplateNodeKind::Document, Span::empty(0));
    reader.state.stack.push(root);
    for line in split(text, template) {
        reader.read_line(&line);
    }
    reader.outline
}

/// A key with more pieces than this is not looked for, so that a line of many blocks is read in linear time.
const MAX_KEY_PIECES: usize = 16;

/// Where the reader stands; saved at the start of a block and restored at its `else`.
#[derive(Debug, Clone, Default)]
struct State {
    /// The nodes that are open, outermost first.
    stack: Vec<usize>,
    /// A value that goes on over lines, and its node.
    open: Option<(usize, Open)>,
}

/// The key or item that the rest of a line belongs to.
#[derive(Debug, Clone, Copy)]
struct Content {
    node: usize,
    /// Blocks open at its first byte.
    depth: usize,
    /// Its value has begun.
    valued: bool,
}

struct Reader<'a> {
    text: &'a [u8],
    template: &'a Template,
    outline: TemplateOutline,
    state: State,
    /// For each open block: where the reader stood at its start, and for a `define` where it goes on after it.
    saved: Vec<State>,
    content: Option<Content>,
}

impl Reader<'_> {
    fn add_root(&mut self, kind: TemplateNodeKind, span: Span) -> usize {
        self.outline.nodes.push(TemplateNode {
            kind,
            parent: None,
            column: 0,
            span,
            key: span,
            value: Span::empty(span.end),
            holder: None,
            above: None,
            indentation: None,
            owns: true,
        });
        self.outline.nodes.len() - 1
    }

    fn add(&mut self, kind: TemplateNodeKind, column: usize, key: Span, token: usize) -> usize {
        let parent = self.state.stack.last().copied();
        self.outline.nodes.push(TemplateNode {
            kind,
            parent,
            column,
            span: key,
            key,
            value: Span::empty(key.end),
            holder: self.template.holders[token],
            above: None,
            indentation: None,
            owns: true,
        });
        let node = self.outline.nodes.len() - 1;
        self.extend(node, key.end);
        node
    }

    /// Lets a node and all above it reach to `end`.
    fn extend(&mut self, node: usize, end: usize) {
        let mut at = Some(node);
        while let Some(index) = at {
            let node = &mut self.outline.nodes[index];
            node.span.end = node.span.end.max(end);
            at = node.parent;
        }
    }

    fn read_line(&mut self, line: &PaperLine) {
        self.content = None;
        let mut column = 0;
        let mut trimmed = false;
        for (at, piece) in line.pieces.iter().enumerate() {
            if piece.action {
                if let Some(columns) = self.line_break(piece) {
                    // `nindent N ""` begins a line as text would.
                    self.content = None;
                    column = columns;
                }
                self.read_action(piece, column);
                trimmed = self.action(piece.token).is_some_and(|action| action.trims_right);
                continue;
            }
            let bytes = piece.span.slice(self.text);
            let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if self.content.is_none() && !trimmed {
                column += blanks;
            }
            if blanks < bytes.len() {
                let rest = Span::new(piece.span.start + blanks, piece.span.end);
                self.read_text(line, at, rest, column);
            }
            trimmed = false;
        }
    }

    /// Returns the columns of an action that prints a line break and blanks, and nothing else.
    fn line_break(&self, piece: &Piece) -> Option<usize> {
        let indentation = self.action(piece.token)?.indentation(self.text)?;
        (indentation.alone && indentation.breaks).then_some(indentation.columns)
    }

    fn action(&self, token: usize) -> Option<&Action> {
        self.template.action(token)
    }

    /// Reads text that begins with a byte that is no blank.
    fn read_text(&mut self, line: &PaperLine, at: usize, span: Span, column: usize) {
        if let Some(content) = self.content {
            self.read_value(content, span);
        } else if !self.continues_open(span, column) {
            self.read_content(line, at, span, column);
        }
    }

    /// Reads keys, dashes and comments at the start of a line's content.
    fn read_content(&mut self, line: &PaperLine, at: usize, span: Span, column: usize) {
        let bytes = span.slice(self.text);
        let token = line.pieces[at].token;
        if bytes.starts_with(b"#") {
            self.outline.comments.push(trim_end(self.text, span));
            self.content = Some(Content { node: self.top(), depth: usize::MAX, valued: true });
            return;
        }
        if column == 0 && bytes.starts_with(b"---") {
            return self.start_document(line, at, span);
        }
        if matches!(bytes, [b'-'] | [b'-', b' ' | b'\t', ..]) || bytes == b"-" {
            return self.read_item(line, at, span, column);
        }
        let followed = line.pieces.get(at + 1).is_some();
        match key_colon(bytes, followed) {
            Some(colon) => {
                let key = trim_end(self.text, Span::new(span.start, span.start + colon));
                let name = key_name(key.slice(self.text));
                self.read_key(Some(name), key, column, token, Span::new(span.start + colon + 1, span.end));
            }
            None => match self.templated_key(line, at) {
                Some((key, rest)) => self.read_key(None, key, column, token, rest),
                None => self.read_scalar(span, column),
            },
        }
    }

    /// Returns a key with actions inside, and the text behind its colon.
    fn templated_key(&self, line: &PaperLine, at: usize) -> Option<(Span, Span)> {
        let start = line.pieces[at].span.start;
        for (index, piece) in line.pieces.iter().enumerate().skip(at + 1).take(MAX_KEY_PIECES) {
            if piece.action {
                if !self.action(piece.token)?.prints() {
                    return None;
                }
                continue;
            }
            let bytes = piece.span.slice(self.text);
            if let Some(colon) = key_colon_inside(bytes, index + 1 < line.pieces.len()) {
                let colon = piece.span.start + colon;
                return Some((Span::new(start, colon), Span::new(colon + 1, piece.span.end)));
            }
        }
        None
    }

    fn start_document(&mut self, line: &PaperLine, at: usize, span: Span) {
        let root = self.outline.root(self.top());
        let kind = match self.outline.nodes[root].kind {
            TemplateNodeKind::Define(block) => TemplateNodeKind::Define(block),
            _ => TemplateNodeKind::Document,
        };
        let root = self.add_root(kind, Span::new(span.start, span.start + 3));
        self.state = State { stack: vec![root], open: None };
        let rest = Span::new(span.start + 3, span.end);
        let blanks = rest.slice(self.text).iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'-')).count();
        let rest = Span::new(rest.start + blanks, rest.end);
        if !rest.is_empty() {
            self.read_content(line, at, rest, 0);
        }
    }

    fn read_item(&mut self, line: &PaperLine, at: usize, span: Span, column: usize) {
        self.pop_for_item(column);
        let dash = Span::new(span.start, span.start + 1);
        let node = self.add(TemplateNodeKind::Item, column, dash, line.pieces[at].token);
        self.state.stack.push(node);
        self.content = Some(Content { node, depth: self.saved.len(), valued: false });
        let blanks = span.slice(self.text)[1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = Span::new(span.start + 1 + blanks, span.end);
        if rest.is_empty() {
            return;
        }
        let bytes = rest.slice(self.text);
        let followed = line.pieces.get(at + 1).is_some();
        let is_entry = matches!(bytes, [b'-'] | [b'-', b' ' | b'\t', ..]) || key_colon(bytes, followed).is_some();
        if is_entry || self.templated_key(line, at).is_some() && opening(bytes) == Opening::Plain {
            self.read_content(line, at, rest, column + 1 + blanks);
        } else if let Some(content) = self.content {
            self.read_value(content, rest);
        }
    }

    fn read_key(&mut self, name: Option<String>, key: Span, column: usize, token: usize, rest: Span) {
        self.pop_for_key(column);
        let node = self.add(TemplateNodeKind::Key(name), column, key, token);
        self.state.stack.push(node);
        let content = Content { node, depth: self.saved.len(), valued: false };
        self.content = Some(content);
        let blanks = rest.slice(self.text).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let rest = Span::new(rest.start + blanks, rest.end);
        self.extend(node, key.end + 1);
        if rest.is_empty() {
            self.outline.nodes[node].value = Span::empty(rest.start);
        } else {
            self.read_value(content, rest);
        }
    }

    /// Text without a key: the next line of a plain scalar, or nothing that we know.
    fn read_scalar(&mut self, span: Span, column: usize) {
        while self.state.stack.len() > 1 && self.outline.nodes[self.top()].column >= column {
            self.state.stack.pop();
        }
        let node = self.top();
        self.extend(node, trim_end(self.text, span).end);
        self.content = Some(Content { node, depth: self.saved.len(), valued: true });
    }

    fn top(&self) -> usize {
        self.state.stack.last().copied().unwrap_or(0)
    }

    fn pop_for_key(&mut self, column: usize) {
        while self.state.stack.len() > 1 {
            let node = &self.outline.nodes[self.top()];
            if node.column < column && node.owns {
                break;
            }
            self.state.stack.pop();
        }
    }

    fn pop_for_item(&mut self, column: usize) {
        while self.state.stack.len() > 1 {
            let node = &self.outline.nodes[self.top()];
            let holds = match node.kind {
                TemplateNodeKind::Key(_) => node.column <= column && node.owns,
                _ => node.column < column && node.owns,
            };
            if holds {
                break;
            }
            self.state.stack.pop();
        }
    }

    fn read_action(&mut self, piece: &Piece, column: usize) {
        let Some(action) = self.action(piece.token).cloned() else { return };
        match action.kind {
            _ if action.opens() => self.open_block(&action, piece.token),
            ActionKind::Else | ActionKind::ElseIf | ActionKind::ElseWith => {
                if let Some(saved) = self.saved.last() {
                    self.state = saved.clone();
                }
                self.close_content(self.saved.len());
            }
            ActionKind::End => self.close_block(piece.token),
            _ if action.prints() => self.read_hole(&action, piece.token, column),
            _ => {}
        }
        if let Some(content) = self.content.filter(|content| content.depth != usize::MAX) {
            self.extend(content.node, piece.span.end);
            self.extend_value_by_action(content.node, piece.span);
        }
    }

    fn extend_value_by_action(&mut self, node: usize, span: Span) {
        let value = &mut self.outline.nodes[node].value;
        *value = if value.is_empty() { span } else { value.cover(span) };
    }

    /// A key ends where the branch ends that it began in.
    fn close_content(&mut self, depth: usize) {
        if self.content.is_some_and(|content| content.depth >= depth && content.depth != usize::MAX) {
            self.content = None;
        }
    }

    fn open_block(&mut self, action: &Action, token: usize) {
        self.saved.push(self.state.clone());
        if action.kind == ActionKind::Define {
            let block = self.template.holders[token].map_or(0, |(block, _)| block);
            let root = self.add_root(TemplateNodeKind::Define(block), action.span);
            self.state = State { stack: vec![root], open: None };
            self.content = None;
        }
    }

    fn close_block(&mut self, token: usize) {
        let depth = self.saved.len();
        let Some(saved) = self.saved.pop() else { return };
        let block = self.template.holders[token].map(|(block, _)| block);
        if block.is_some_and(|block| self.template.blocks[block].kind == ActionKind::Define) {
            self.state = saved;
            self.content = None;
        } else {
            self.close_content(depth);
        }
    }

    fn read_hole(&mut self, action: &Action, token: usize, column: usize) {
        let indentation = action.indentation(self.text);
        if indentation.is_some_and(|indentation| indentation.alone) {
            return;
        }
        let indentation = indentation.map(|indentation| indentation.columns);
        if let Some(content) = self.content {
            if content.depth != usize::MAX {
                let hole = self.add(TemplateNodeKind::Hole(token), column, action.span, token);
                self.outline.nodes[hole].above = Some(content.node);
                self.outline.nodes[hole].indentation = indentation;
                let node = &mut self.outline.nodes[content.node];
                // Without an indentation of its own the output is a scalar.
                node.owns = node.owns && (indentation.is_some() || content.valued && !node.value.is_empty());
                self.content = Some(Content { valued: true, ..content });
            }
            return;
        }
        if let Some((node, _)) = self.state.open {
            self.extend(node, action.span.end);
            return;
        }
        let column = indentation.unwrap_or(column);
        let above = self.top();
        // The stack stays: lines below may stand deeper than an action at the start of its line.
        let stack = self.state.stack.clone();
        self.pop_for_key(column);
        let node = self.add(TemplateNodeKind::Hole(token), column, action.span, token);
        self.state.stack = stack;
        let hole = &mut self.outline.nodes[node];
        (hole.owns, hole.above, hole.indentation) = (false, Some(above), indentation);
    }
}

/// Tells whether a value is only an anchor or a tag, so that its lines follow below.
fn is_property(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'&' | b'!')) && !value.iter().any(u8::is_ascii_whitespace)
}

fn key_colon_inside(text: &[u8], open_end: bool) -> Option<usize> {
    // Quotes around an action begin before this text.
    if text.first() == Some(&b':') && matches!(text.get(1), None | Some(b' ' | b'\t')) {
        return Some(0);
    }
    if matches!(text.first(), Some(b'"' | b'\'')) {
        return key_colon(&text[1..], open_end).map(|colon| colon + 1);
    }
    if text.first().is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
        return None;
    }
    key_colon(text, open_end)
}

fn trim_end(text: &[u8], span: Span) -> Span {
    let blanks = span.slice(text).iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    Span::new(span.start, span.end - blanks)
}
