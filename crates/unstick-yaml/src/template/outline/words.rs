//! Keys, comments and openings of values in the text of one line.

/// How a value begins that may go on over lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// `|` or `>`.
    BlockScalar,
    /// `"` or `'`.
    Quote(u8),
    /// `{` or `[`.
    Flow,
    /// Anything else.
    Plain,
}

pub(super) fn opening(value: &[u8]) -> Opening {
    match value.first() {
        Some(b'|' | b'>') => Opening::BlockScalar,
        Some(quote @ (b'"' | b'\'')) => Opening::Quote(*quote),
        Some(b'{' | b'[') => Opening::Flow,
        _ => Opening::Plain,
    }
}

/// Returns the offset of the `:` that ends a key in `text`; `open_end` tells that an action follows the text.
pub(super) fn key_colon(text: &[u8], open_end: bool) -> Option<usize> {
    let mut at = 0;
    if let Some(quote @ (b'"' | b'\'')) = text.first() {
        at = quoted_end(text, *quote)?;
        at += text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        return (text.get(at) == Some(&b':') && ends_key(text, at, open_end)).then_some(at);
    }
    while at < text.len() {
        match text[at] {
            b':' if ends_key(text, at, open_end) => return Some(at),
            b'#' if at > 0 && matches!(text[at - 1], b' ' | b'\t') => return None,
            _ => at += 1,
        }
    }
    None
}

fn ends_key(text: &[u8], colon: usize, open_end: bool) -> bool {
    match text.get(colon + 1) {
        None => true,
        Some(next) => matches!(next, b' ' | b'\t') || colon + 1 == text.len() && open_end,
    }
}

/// Returns the offset after the closing quote of a string at the start of `text`.
pub(super) fn quoted_end(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote && quote == b'\'' && text.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Returns a key's name as it reads without its quotes.
pub(super) fn key_name(key: &[u8]) -> String {
    let key = key.trim_ascii();
    let inner = match key {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => key,
    };
    String::from_utf8_lossy(inner).into_owned()
}

/// Returns the offset of a comment's `#` in text that is not inside quotes.
pub(super) fn comment_start(text: &[u8], after_space: bool) -> Option<usize> {
    let mut before_is_space = after_space;
    for (at, byte) in text.iter().enumerate() {
        if *byte == b'#' && before_is_space {
            return Some(at);
        }
        before_is_space = matches!(byte, b' ' | b'\t');
    }
    None
}
