//! The lines of a template on paper: broken where text breaks, never inside an action.

use crate::Span;
use crate::template::lexer::Token;
use crate::template::tree::Template;

/// One line on paper.
#[derive(Debug, Default)]
pub(super) struct PaperLine {
    /// Text without its line break, and actions, in order.
    pub pieces: Vec<Piece>,
}

/// A stretch of one token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// The token.
    pub token: usize,
    /// The stretch.
    pub span: Span,
    /// It is an action.
    pub action: bool,
}

/// Splits a template into lines; a carriage return before a line feed belongs to the break.
pub(super) fn split(text: &[u8], template: &Template) -> Vec<PaperLine> {
    let mut lines = vec![PaperLine::default()];
    for (index, token) in template.tokens.iter().enumerate() {
        match token {
            Token::Action(action) => push(&mut lines, Piece { token: index, span: action.span, action: true }),
            Token::Text(span) => split_text(&mut lines, text, index, *span),
        }
    }
    lines
}

fn split_text(lines: &mut Vec<PaperLine>, text: &[u8], token: usize, span: Span) {
    let mut start = span.start;
    for at in memchr::memchr_iter(b'\n', span.slice(text)) {
        let end = span.start + at;
        let content = if end > start && text[end - 1] == b'\r' { end - 1 } else { end };
        push(lines, Piece { token, span: Span::new(start, content), action: false });
        lines.push(PaperLine::default());
        start = end + 1;
    }
    push(lines, Piece { token, span: Span::new(start, span.end), action: false });
}

fn push(lines: &mut [PaperLine], piece: Piece) {
    if let (false, Some(line)) = (piece.span.is_empty(), lines.last_mut()) {
        line.pieces.push(piece);
    }
}
