//! Whether a piece of text can hold an occurrence at all.
//!
//! A key or value that decodes to one of the two names is written in one of these ways, and no other (YAML 1.2,
//! chapters 5 to 8; RFC 8259):
//!
//! - letter for letter: plain, single-quoted and block scalars have no escapes, and a line break inside one folds to
//!   a blank or stays a break, neither of which is part of the names;
//! - in double quotes, with a letter as `\x`, `\u` or `\U` escape, or cut by an escaped line break; every other escape
//!   gives a character that is no letter of the names;
//! - with the tag `!!binary`, in base64.

use memchr::{memchr_iter, memmem};

/// The letters that both names begin with.
pub(crate) const NEEDLE: &[u8] = b"sessionAffinity";
/// [`NEEDLE`] in base64; its length is a multiple of three, so that the longer name begins with the same letters.
pub(crate) const BASE64: &[u8] = b"c2Vzc2lvbkFmZmluaXR5";

/// Tells whether `text` may hold an occurrence; false is certain, true is not.
pub(crate) fn may_hold(text: &[u8]) -> bool {
    memmem::find(text, NEEDLE).is_some() || may_hold_disguised(text)
}

/// Tells whether `text` may hold an occurrence that is not written letter for letter.
pub(crate) fn may_hold_disguised(text: &[u8]) -> bool {
    memchr_iter(b'\\', text).any(|at| escapes_letter(&text[at + 1..])) || memmem::find(text, b"binary").is_some()
}

/// Tells whether the bytes behind a backslash can stand for a letter of the names, or for nothing at all.
fn escapes_letter(rest: &[u8]) -> bool {
    let digits = |count: usize| {
        let digits = rest.get(1..=count)?;
        let digits = std::str::from_utf8(digits).ok()?;
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
    };
    let letter = match rest.first() {
        Some(b'x') => digits(2),
        Some(b'u') => digits(4),
        Some(b'U') => digits(8),
        // Go's YAML library takes U+0085, U+2028 and U+2029 for line breaks as well.
        Some(b'\n' | b'\r' | 0xC2 | 0xE2) => return true,
        _ => return false,
    };
    letter.is_some_and(|letter| "sessionAffinityConfig".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_every_disguise() {
        for text in [
            &br#""session\u0041ffinity": x"#[..],
            br#""session\x41ffinity": x"#,
            br#""session\U00000041ffinity": x"#,
            b"\"session\\\n  Affinity\": x",
            b"\"session\\\r\n  Affinity\": x",
            br#"{"\u0073\u0065\u0073sionAffinity":"ClientIP"}"#,
            b"!!binary c2Vzc2lvbkFmZmluaXR5: x",
            b"# sessionAffinity",
        ] {
            assert!(may_hold(text), "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn passes_over_ordinary_escapes() {
        for text in [&br#""a\u003cb\n\t\\ \"x\"""#[..], br"C:\dir\new", b"a\\", br#""\u00""#] {
            assert!(!may_hold(text), "{}", String::from_utf8_lossy(text));
        }
    }
}
