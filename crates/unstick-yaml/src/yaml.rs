//! The strict reader: YAML through the events of `granit-parser`.
//!
//! The parser alone gives byte spans and comments, but its spans are not the ones an editor needs: it says nothing of
//! `-`, `?` and `:`, puts a block scalar's start at its content, an empty value before its colon, and a block
//! collection's end at the next token. So the reader follows the events with a cursor through the text: between two
//! events there are only white space, comments and indicators, and each of them has one meaning in its place.

use granit_parser::{ErrorKind, Options, Parser};

use crate::{Outline, ReadError, ReadErrorKind, Span, Syntax, leading_boms, parse_copy};

mod builder;
mod cursor;

use builder::Builder;

/// How deep collections may nest; Go's YAML library takes 10,000, no manifest comes near.
const NESTING_LIMIT: usize = 1000;

/// Reads all documents of a chunk, as [`crate::Chunks`] makes them.
///
/// Spans are offsets into `text`. A document that cannot be read becomes an error in its place, and reading goes on at
/// the next one. U+FEFF at the start of the chunk, and at the start of the line behind a bare `---`, is passed over.
/// Bytes that are no UTF-8 are read as `x`. An anchor on a collection that is still open counts as target of an alias
/// inside it.
///
/// # Errors
///
/// Each [`ReadError`] has the span of the fault, empty where only its place is known.
#[must_use]
pub fn read_yaml(text: &[u8], chunk: Span) -> Vec<Result<Outline, ReadError>> {
    let (start, comment) = content_start(text, chunk);
    let copy = parse_copy(Span::new(start, chunk.end).slice(text));
    let mut parser = Parser::new_from_str_with_options(&copy, options());
    let mut builder = Builder::new(text, chunk, start, comment);
    loop {
        match parser.next_event() {
            None => break,
            Some(Ok((event, span))) => builder.take(event, &span),
            Some(Err(error)) => {
                builder.fail(read_error(&error, start, chunk));
                if !matches!(parser.proceed_next_document(), Ok(true)) {
                    break;
                }
            }
        }
    }
    builder.finish(chunk)
}

fn options() -> Options {
    let mut options = Options::default();
    options.emit_anchor_events = true;
    options.emit_comments = true;
    options.max_buffered_comment_events = usize::MAX;
    options.flow_nesting_limit = NESTING_LIMIT;
    options.block_nesting_limit = NESTING_LIMIT;
    // As Go's YAML library has it.
    options.block_scalar_eof_without_line_feed = true;
    options.bom_inside_document_as_content = true;
    options
}

/// Returns where the parser begins: behind U+FEFF at the chunk's start, or on the line behind a bare marker, with the
/// comment on the marker's line.
fn content_start(text: &[u8], chunk: Span) -> (usize, Option<Span>) {
    let start = chunk.start + leading_boms(chunk.slice(text));
    let rest = Span::new(start, chunk.end).slice(text);
    let Some(line) = memchr::memchr(b'\n', rest).map(|at| at + 1) else { return (start, None) };
    let boms = leading_boms(&rest[line..]);
    let [b'-', b'-', b'-', behind @ ..] = &rest[..line] else { return (start, None) };
    if boms == 0 || !behind.first().is_some_and(u8::is_ascii_whitespace) {
        return (start, None);
    }
    let comment = behind.trim_ascii();
    let comment_start = start + line - behind.trim_ascii_start().len();
    match comment.first() {
        None => (start + line + boms, None),
        Some(b'#') => (start + line + boms, Some(Span::new(comment_start, comment_start + comment.len()))),
        Some(_) => (start, None),
    }
}

fn read_error(error: &granit_parser::ScanError, start: usize, chunk: Span) -> ReadError {
    let offset = error.marker().byte_offset().map_or(start, |offset| start + offset).min(chunk.end);
    let kind = match error.kind() {
        ErrorKind::RecursionLimitExceeded => ReadErrorKind::Depth,
        _ => ReadErrorKind::Syntax,
    };
    ReadError { message: error.info(), span: Span::new(offset, (offset + 1).min(chunk.end)), kind }
}

/// Tells whether U+0085, U+2028 or U+2029 stands in the document where it makes a difference.
///
/// They are line breaks to Go's YAML library, and ordinary characters to this reader. They make none in quoted scalars,
/// and in a comment that has nothing behind them on its line.
#[must_use]
pub fn has_foreign_breaks(text: &[u8], outline: &Outline) -> bool {
    let bytes = outline.span.slice(text);
    let is_break = |at: &usize| matches!(&bytes[*at..], [0xC2, 0x85, ..] | [0xE2, 0x80, 0xA8 | 0xA9, ..]);
    let mut found = memchr::memchr2_iter(0xC2, 0xE2, bytes).filter(is_break).peekable();
    if found.peek().is_none() || outline.syntax == Syntax::Json {
        return false;
    }
    let quoted = outline.quoted_spans();
    let holder = |spans: &[Span], offset: usize| {
        let after = spans.partition_point(|span| span.start <= offset);
        after.checked_sub(1).map(|at| spans[at]).filter(|span| span.contains(offset))
    };
    found.any(|at| {
        let offset = outline.span.start + at;
        let length = if bytes[at] == 0xC2 { 2 } else { 3 };
        let ends_comment = holder(&outline.comments, offset)
            .is_some_and(|comment| Span::new(offset + length, comment.end).slice(text).trim_ascii().is_empty());
        !ends_comment && holder(&quoted, offset).is_none()
    })
}
