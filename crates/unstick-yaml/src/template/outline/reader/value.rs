//! Values: plain text, and quotes, brackets and block scalars that go on over lines.

use crate::Span;
use crate::template::lexer::Token;

use super::super::words::{Opening, comment_start, key_colon, opening};
use super::{Content, Reader, is_property, trim_end};

/// What a value began with that goes on over lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    BlockScalar,
    Quote {
        mark: u8,
        /// It ends as a value does, so that all before is text, whatever it looks like.
        closed: bool,
    },
    Flow(usize),
}

impl Reader<'_> {
    /// Handles text inside a value that began on an earlier line.
    pub(super) fn continues_open(&mut self, span: Span, column: usize) -> bool {
        let Some((node, open)) = self.state.open else { return false };
        let begins_anew = column <= self.outline.nodes[node].column;
        let bytes = span.slice(self.text);
        let ends = match open {
            Open::BlockScalar => begins_anew,
            Open::Quote { closed: true, .. } => false,
            // Only a chart's mistake leaves them open: what looks like the next entry is taken for it.
            Open::Quote { .. } | Open::Flow(_) => {
                begins_anew && (key_colon(bytes, true).is_some() || bytes.starts_with(b"---"))
            }
        };
        if ends {
            self.state.open = None;
            return false;
        }
        if open == Open::BlockScalar {
            self.extend(node, trim_end(self.text, span).end);
        } else {
            self.follow_open(node, span);
        }
        self.content = Some(Content { node, depth: self.saved.len(), valued: true });
        true
    }

    /// Reads text that belongs to the value of a key or item on its own line.
    pub(super) fn read_value(&mut self, content: Content, span: Span) {
        if content.depth == usize::MAX {
            // Inside a comment.
            if let Some(comment) = self.outline.comments.last_mut() {
                comment.end = trim_end(self.text, span).end;
            }
            return;
        }
        let node = content.node;
        if self.state.open.is_some_and(|(_, open)| open != Open::BlockScalar) {
            self.extend_value(node, span);
            return self.follow_open(node, span);
        }
        if let Some((_, Open::BlockScalar)) = self.state.open {
            return self.extend(node, trim_end(self.text, span).end);
        }
        let bytes = span.slice(self.text);
        let opening = if content.valued { Opening::Plain } else { opening(bytes) };
        if matches!(opening, Opening::Quote(_) | Opening::Flow) {
            self.extend_value(node, span);
            let open = match opening {
                Opening::Quote(mark) => Open::Quote { mark, closed: self.is_closed(span.start, mark) },
                _ => Open::Flow(0),
            };
            self.state.open = Some((node, open));
            self.outline.nodes[node].owns = false;
            self.follow_open(node, span);
        } else {
            self.read_plain(node, span, opening);
        }
        self.content = Some(Content { valued: true, ..content });
    }

    /// Tells whether the string that begins at `start` ends where its line, a comment or an action follows.
    fn is_closed(&self, start: usize, mark: u8) -> bool {
        let Some(first) = self.template.token_at(start) else { return false };
        let texts = self.template.tokens[first..].iter().filter_map(|token| match token {
            Token::Text(text) => Some(*text),
            Token::Action(_) => None,
        });
        for text in texts {
            let from = text.start.max(start + 1);
            let bytes = Span::new(from, text.end).slice(self.text);
            let mut at = 0;
            while at < bytes.len() {
                match bytes[at] {
                    b'\\' if mark == b'"' => at += 1,
                    byte if byte == mark && mark == b'\'' && bytes.get(at + 1) == Some(&mark) => at += 1,
                    byte if byte == mark => {
                        let rest = &bytes[at + 1..];
                        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                        return matches!(rest.get(blanks), None | Some(b'\r' | b'\n' | b'#'));
                    }
                    b'\n' if bytes[at + 1..].starts_with(b"---") => return false,
                    _ => {}
                }
                at += 1;
            }
        }
        false
    }

    /// Reads plain text, or the header of a block scalar; both may end in a comment.
    fn read_plain(&mut self, node: usize, span: Span, opening: Opening) {
        let bytes = span.slice(self.text);
        let after_space = span.start > 0 && matches!(self.text[span.start - 1], b' ' | b'\t');
        let comment = comment_start(bytes, after_space);
        let value = trim_end(self.text, Span::new(span.start, span.start + comment.unwrap_or(bytes.len())));
        if !value.is_empty() {
            self.extend_value(node, value);
        }
        if let Some(comment) = comment {
            let comment = trim_end(self.text, Span::new(span.start + comment, span.end));
            self.extend(node, comment.end);
            self.outline.comments.push(comment);
        }
        if opening == Opening::BlockScalar {
            self.state.open = Some((node, Open::BlockScalar));
        }
        if !value.is_empty() && !is_property(value.slice(self.text)) {
            self.outline.nodes[node].owns = false;
        }
    }

    fn extend_value(&mut self, node: usize, span: Span) {
        let span = trim_end(self.text, span);
        let value = &mut self.outline.nodes[node].value;
        *value = if value.is_empty() { span } else { value.cover(span) };
        self.extend(node, span.end);
    }

    /// Follows quotes and brackets through one stretch of text.
    fn follow_open(&mut self, node: usize, span: Span) {
        let mut open = self.state.open.map(|(_, open)| open);
        let mut quote = None;
        let bytes = span.slice(self.text);
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            match (open, quote) {
                (Some(Open::Quote { mark, .. }), _) => {
                    let begins = at == 0 && self.outline.nodes[node].value.start == span.start;
                    if byte == b'\\' && mark == b'"' {
                        at += 1;
                    } else if byte == mark && !begins {
                        if mark == b'\'' && bytes.get(at + 1) == Some(&mark) {
                            at += 1;
                        } else {
                            open = None;
                        }
                    }
                }
                (Some(Open::Flow(_)), Some(mark)) => match byte {
                    b'\\' if mark == b'"' => at += 1,
                    _ if byte == mark => quote = None,
                    _ => {}
                },
                (Some(Open::Flow(depth)), None) => match byte {
                    b'"' | b'\'' => quote = Some(byte),
                    b'{' | b'[' => open = Some(Open::Flow(depth + 1)),
                    b'}' | b']' if depth <= 1 => open = None,
                    b'}' | b']' => open = Some(Open::Flow(depth - 1)),
                    _ => {}
                },
                _ => break,
            }
            at += 1;
        }
        self.extend(node, trim_end(self.text, span).end);
        self.state.open = open.map(|open| (node, open));
        if self.state.open.is_none() && at < bytes.len() {
            let rest = Span::new(span.start + at, span.end);
            if let Some(comment) = comment_start(rest.slice(self.text), true) {
                self.outline.comments.push(trim_end(self.text, Span::new(rest.start + comment, rest.end)));
                let value = &mut self.outline.nodes[node].value;
                value.end = value.end.min(rest.start + comment);
                *value = trim_end(self.text, *value);
            }
        }
    }
}
