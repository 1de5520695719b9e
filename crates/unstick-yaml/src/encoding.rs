//! What the bytes of a text are: UTF-8, nearly so, or an encoding that is refused.

use std::borrow::Cow;

use crate::{ReadError, ReadErrorKind, Span};

/// U+FEFF in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Checks that a text is no UTF-16 or UTF-32.
///
/// Invalid UTF-8 passes: it is read through [`parse_copy`] and kept as it is.
///
/// # Errors
///
/// [`ReadErrorKind::Encoding`], with an empty span at the start of the text.
pub fn check_encoding(text: &[u8]) -> Result<(), ReadError> {
    let name = match text {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => "UTF-32",
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "UTF-16",
        [0, 0, 0, first, ..] | [first, 0, 0, 0, ..] if first.is_ascii_graphic() => "UTF-32",
        [0, first, 0, second, ..] | [first, 0, second, 0, ..] if first.is_ascii_graphic() && second.is_ascii() => {
            "UTF-16"
        }
        _ => return Ok(()),
    };
    Err(ReadError {
        message: format!("the text is {name}; only UTF-8 is read"),
        span: Span::empty(0),
        kind: ReadErrorKind::Encoding,
    })
}

/// Returns a copy of the same length that is valid UTF-8, for parsing only.
///
/// Each invalid byte becomes an `x`: a letter that changes the structure of no scalar. The text itself is never
/// rebuilt from this copy.
///
/// ```
/// assert_eq!(unstick_yaml::parse_copy(b"caf\xe9: 1"), "cafx: 1");
/// ```
#[must_use]
pub fn parse_copy(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut copy = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        copy.push_str(chunk.valid());
        copy.extend(chunk.invalid().iter().map(|_| 'x'));
    }
    Cow::Owned(copy)
}

/// Returns the length in bytes of all U+FEFF at the start.
#[must_use]
pub fn leading_boms(bytes: &[u8]) -> usize {
    bytes.chunks_exact(BOM.len()).take_while(|chunk| *chunk == BOM).count() * BOM.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_wide_encodings_only() {
        for text in [&b"\xFF\xFEa\0"[..], b"\xFE\xFF\0a", b"a\0b\0", b"\0a\0b", b"\xFF\xFE\0\0", b"a\0\0\0"] {
            assert_eq!(check_encoding(text).map_err(|error| error.kind), Err(ReadErrorKind::Encoding), "{text:?}");
        }
        for text in [&b""[..], b"a", b"\xEF\xBB\xBFa: 1", b"\xe9\xe8", b"a: \0b", b"ab\0\0"] {
            assert_eq!(check_encoding(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn copies_keep_their_length() {
        for bytes in [&b"plain"[..], b"\xe9", b"a\xff\xfeb", b"\xf0\x9f\x98", "ä😀".as_bytes()] {
            assert_eq!(parse_copy(bytes).len(), bytes.len(), "{bytes:?}");
        }
    }

    #[test]
    fn counts_every_leading_mark() {
        assert_eq!(leading_boms(b"\xEF\xBB\xBF\xEF\xBB\xBFa"), 6);
        assert_eq!(leading_boms(b"a\xEF\xBB\xBF"), 0);
        assert_eq!(leading_boms(b"\xEF\xBB"), 0);
    }
}
