//! New values for scalars, in the style of the old ones.

use super::{ChangeError, Draft, Rewrite, Value};
use crate::layout::{after_break, line_break, next_line, skip_blanks};
use crate::{Content, NodeId, Outline, ScalarStyle, Span, Syntax};

/// Puts the new value in the place of the node's own; quotes, tag, spacing and trailing comment stay.
pub(super) fn rewrite(
    draft: &mut Draft,
    text: &[u8],
    outline: &Outline,
    id: NodeId,
    change: &Rewrite,
) -> Result<(), ChangeError> {
    let node = outline.node(id);
    let refuse = |reason| Err(ChangeError { reason, span: node.span });
    let plain = plain_text(&change.value, outline.syntax == Syntax::Json);
    let Some(plain) = plain else { return refuse("only a scalar can take a scalar's place") };
    let style = match &node.content {
        Content::Scalar { style, .. } => *style,
        Content::Alias { .. } => ScalarStyle::Plain,
        _ => return refuse("a collection stands where a scalar is expected"),
    };
    if let (true, Some(anchor)) = (change.detach, &node.anchor) {
        let after = skip_blanks(text, anchor.span.end);
        if anchor.span.end > node.span.start || after > node.span.start {
            return refuse("its anchor cannot be taken off");
        }
        draft.delete(Span::new(anchor.span.start, after));
    }
    match style {
        ScalarStyle::Plain if node.span.is_empty() => {
            if !follows_indicator(text, node.span.start) && node.anchor.is_none() && node.tag.is_none() {
                return refuse("the key has no value to rewrite");
            }
            draft.replace(node.span, format!(" {plain}"));
        }
        ScalarStyle::Plain => draft.replace(node.span, plain),
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
            let quote = if style == ScalarStyle::SingleQuoted { '\'' } else { '"' };
            let bare = plain_text(&change.value, false).unwrap_or_default();
            draft.replace(node.span, format!("{quote}{bare}{quote}"));
        }
        ScalarStyle::Literal | ScalarStyle::Folded => return block_scalar(draft, text, node.span, &plain),
    }
    Ok(())
}

fn follows_indicator(text: &[u8], offset: usize) -> bool {
    offset > 0 && matches!(text.get(offset - 1), Some(b':' | b'-' | b'?'))
}

/// Returns the value as it stands unquoted, or as a JSON token.
fn plain_text(value: &Value, json: bool) -> Option<String> {
    match value {
        Value::String(text) if json => Some(format!("\"{text}\"")),
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Single(..) => None,
    }
}

/// Puts the value in the place of a block scalar's content; its header then strips the final break, as the value has none.
fn block_scalar(draft: &mut Draft, text: &[u8], span: Span, plain: &str) -> Result<(), ChangeError> {
    let refuse = || ChangeError { reason: "the block scalar has no content to rewrite", span };
    let header_end = line_break(text, span.start).min(span.end);
    let indicators = Span::new(span.start + 1, header_end).slice(text);
    let indicators = indicators.iter().take_while(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9')).count();
    let header = Span::new(span.start + 1, span.start + 1 + indicators);
    let chomping = header.slice(text).iter().position(|byte| matches!(byte, b'-' | b'+'));
    match chomping.map(|at| header.start + at) {
        Some(at) if text[at] == b'-' => {}
        Some(at) => draft.replace(Span::new(at, at + 1), "-"),
        None => draft.replace(Span::empty(header.end), "-"),
    }
    let mut line = after_break(text, header_end);
    let mut content = skip_blanks(text, line);
    while content < span.end && matches!(text.get(content), Some(b'\n' | b'\r')) {
        line = next_line(text, content);
        content = skip_blanks(text, line);
    }
    if content >= span.end {
        return Err(refuse());
    }
    let first_end = line_break(text, content).min(span.end);
    draft.replace(Span::new(content, first_end), plain);
    draft.delete(Span::new(after_break(text, first_end).min(span.end), span.end));
    Ok(())
}
