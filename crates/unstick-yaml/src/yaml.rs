//! The strict reader: YAML through the events of `granit-parser`.
//!
//! The parser alone gives byte spans and comments, but its spans are not the ones an editor needs: it says nothing of
//! `-`, `?` and `:`, puts a block scalar's start at its content, an empty value before its colon, and a block
//! collection's end at the next token. So the reader follows the events with a cursor through the text: between two
//! events there are only white space, comments and indicators, and each of them has one meaning in its place.

use granit_parser::{Options, Parser};

use crate::{Outline, ReadError, ReadErrorKind, Span, leading_boms, parse_copy};

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
    let start = content_start(text, chunk);
    let copy = parse_copy(Span::new(start, chunk.end).slice(text));
    let mut parser = Parser::new_from_str_with_options(&copy, options());
    let mut builder = Builder::new(text, chunk, start);
    let mut documents = Vec::new();
    loop {
        match parser.next_event() {
            None => break,
            Some(Ok((event, span))) => documents.extend(builder.take(event, &span).map(Ok)),
            Some(Err(error)) => {
                builder.abandon();
                documents.push(Err(read_error(&error, text, start, chunk)));
                if !matches!(parser.proceed_next_document(), Ok(true)) {
                    break;
                }
            }
        }
    }
    close_spans(&mut documents, chunk);
    documents
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

/// Returns where the parser begins: behind U+FEFF at the chunk's start, or on the line behind a bare marker.
fn content_start(text: &[u8], chunk: Span) -> usize {
    let start = chunk.start + leading_boms(chunk.slice(text));
    let rest = Span::new(start, chunk.end).slice(text);
    if !rest.starts_with(b"---") {
        return start;
    }
    let Some(line) = memchr::memchr(b'\n', rest).map(|at| at + 1) else { return start };
    let marker = rest[3..line].trim_ascii();
    let boms = leading_boms(&rest[line..]);
    if boms > 0 && (marker.is_empty() || marker.starts_with(b"#")) { start + line + boms } else { start }
}

fn read_error(error: &granit_parser::ScanError, text: &[u8], start: usize, chunk: Span) -> ReadError {
    let offset = error.marker().byte_offset().map_or(start, |offset| start + offset).min(chunk.end);
    let end = (offset + 1).min(chunk.end).min(text.len());
    let message = error.info();
    let kind = if message.contains("nesting") || message.contains("recursion") {
        ReadErrorKind::Depth
    } else {
        ReadErrorKind::Syntax
    };
    ReadError { message, span: Span::new(offset, end), kind }
}

/// Stretches each document to the start of the next, and the first and last to the chunk's ends.
fn close_spans(documents: &mut [Result<Outline, ReadError>], chunk: Span) {
    let mut end = chunk.end;
    for (index, document) in documents.iter_mut().enumerate().rev() {
        let Ok(outline) = document else { continue };
        if index == 0 {
            outline.span.start = chunk.start;
        }
        outline.span = Span::new(outline.span.start, end);
        end = outline.span.start;
    }
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
    if found.peek().is_none() || outline.syntax == crate::Syntax::Json {
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
