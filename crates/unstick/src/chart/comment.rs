//! Comment lines of a template that speak of an entry only.

use std::collections::BTreeSet;

use unstick_yaml::{Span, Template, TemplateOutline, Token};

use crate::affinity::NAMES;

use super::entry::TemplateEntry;

/// Returns the comment block directly above an entry, if it names a field that goes and none that stays.
///
/// `going` are the nodes that go. The block ends at a line that is no comment in the entry's own column, and where the
/// text before the entry begins.
pub(crate) fn owned_above(
    text: &[u8],
    template: &Template,
    outline: &TemplateOutline,
    node: usize,
    going: &[usize],
) -> Option<Span> {
    let own = &outline.nodes[node];
    let floor = text_token(template, own.key.start)?.start;
    let mut line = line_start(text, floor, own.key.start)?;
    let mut block: Option<Span> = None;
    while line > floor {
        let Some(above) = line_start(text, floor, line - 1) else { break };
        let content = Span::new(above, line).slice(text);
        let blanks = content.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if blanks != own.column || content.get(blanks) != Some(&b'#') {
            break;
        }
        let end = above + content.trim_ascii_end().len();
        block = Some(block.map_or(Span::new(above + blanks, end), |block| Span::new(above + blanks, block.end)));
        line = above;
    }
    let block = block?;
    let words: BTreeSet<&[u8]> =
        block.slice(text).split(|byte| !is_word(*byte)).filter(|word| !word.is_empty()).collect();
    let names_key = NAMES.iter().any(|name| words.contains(name.as_bytes()));
    let parent = own.parent?;
    let mut staying = outline.children(parent).filter(|child| !going.contains(child));
    let names_sibling =
        staying.any(|child| outline.nodes[child].key().is_some_and(|key| words.contains(key.as_bytes())));
    (names_key && !names_sibling).then_some(block)
}

/// Returns the entry's end, or that of the comment lines directly below that stand deeper than its key.
pub(crate) fn deeper_below(
    text: &[u8],
    template: &Template,
    outline: &TemplateOutline,
    entry: &TemplateEntry,
) -> usize {
    let column = outline.nodes[entry.node].column;
    let mut end = entry.span.end;
    let Some(own) = text_token(template, end.saturating_sub(1)).or_else(|| text_token(template, end)) else {
        return end;
    };
    loop {
        let rest = Span::new(end, own.end).slice(text);
        let Some(feed) = memchr::memchr(b'\n', rest) else { return end };
        if !rest[..feed].iter().all(u8::is_ascii_whitespace) {
            return end;
        }
        let line = &rest[feed + 1..];
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if blanks <= column || line.get(blanks) != Some(&b'#') {
            return end;
        }
        let length = memchr::memchr(b'\n', line).unwrap_or(line.len());
        end += feed + 1 + line[..length].trim_ascii_end().len();
    }
}

/// Returns the text token that holds a byte.
fn text_token(template: &Template, at: usize) -> Option<Span> {
    match template.tokens.get(template.token_at(at)?)? {
        Token::Text(span) => Some(*span),
        Token::Action(_) => None,
    }
}

/// Returns the start of the line that holds `at`, if it lies in the text that begins at `floor`.
fn line_start(text: &[u8], floor: usize, at: usize) -> Option<usize> {
    match memchr::memrchr(b'\n', &text[floor..at]) {
        Some(feed) => Some(floor + feed + 1),
        None => (floor == 0).then_some(0),
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
