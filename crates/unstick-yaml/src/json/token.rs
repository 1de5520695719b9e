//! JSON's tokens.

use crate::{ReadError, ReadErrorKind, Span, leading_boms};

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Colon,
    Comma,
    /// A string, decoded.
    String(Box<str>),
    /// A number, `true`, `false` or `null`.
    Word,
}

/// The tokens of a window of a text.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    end: usize,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8], window: Span) -> Self {
        Self { text, end: window.end.min(text.len()), at: window.start }
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Moves over white space and U+FEFF to the next value of the stream, and returns its offset.
    pub(super) fn first_of_document(&mut self) -> Result<Option<usize>, ReadError> {
        loop {
            let boms = leading_boms(self.rest());
            self.at += boms;
            let before = self.at;
            self.skip_space();
            if boms == 0 && before == self.at {
                break;
            }
        }
        self.refuse_comment()?;
        Ok((self.at < self.end).then_some(self.at))
    }

    /// Returns the next token and its bytes.
    pub(super) fn next(&mut self) -> Result<(Token, Span), ReadError> {
        self.skip_space();
        self.refuse_comment()?;
        let start = self.at;
        let Some(first) = self.rest().first().copied() else {
            return Err(self.error("the text ends inside a value", Span::empty(start)));
        };
        let token = match first {
            b'{' => Token::OpenObject,
            b'}' => Token::CloseObject,
            b'[' => Token::OpenArray,
            b']' => Token::CloseArray,
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => {
                let value = self.string()?;
                return Ok((Token::String(value), Span::new(start, self.at)));
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.word()?;
                return Ok((Token::Word, Span::new(start, self.at)));
            }
            _ => return Err(self.error("this is no JSON", Span::new(start, start + 1))),
        };
        self.at += 1;
        Ok((token, Span::new(start, self.at)))
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
    }

    fn refuse_comment(&self) -> Result<(), ReadError> {
        match self.rest() {
            [b'/', b'/' | b'*', ..] => Err(ReadError {
                message: "JSON with // or /* */ comments is not read; YAML comments (#) are".into(),
                span: Span::new(self.at, self.at + 2),
                kind: ReadErrorKind::JsonComment,
            }),
            _ => Ok(()),
        }
    }

    fn error(&self, message: &str, span: Span) -> ReadError {
        let end = span.end.min(self.end).max(span.start);
        ReadError { message: message.into(), span: Span::new(span.start, end), kind: ReadErrorKind::Syntax }
    }

    /// Reads a number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<(), ReadError> {
        let rest = self.rest();
        for word in [&b"true"[..], b"false", b"null"] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(());
            }
        }
        let length = number(rest);
        if length == 0 {
            return Err(self.error("this is no number, true, false or null", Span::new(self.at, self.at + 1)));
        }
        self.at += length;
        Ok(())
    }

    /// Reads a string and decodes it.
    fn string(&mut self) -> Result<Box<str>, ReadError> {
        let start = self.at;
        self.at += 1;
        let mut value = Vec::new();
        loop {
            let rest = self.rest();
            let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F)).count();
            value.extend_from_slice(&rest[..plain]);
            self.at += plain;
            match rest.get(plain) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(decode(value));
                }
                Some(b'\\') => self.escape(&mut value)?,
                Some(_) => {
                    let span = Span::new(self.at, self.at + 1);
                    return Err(self.error("a control character stands in a string without an escape", span));
                }
                None => return Err(self.error("this string has no end", Span::new(start, start + 1))),
            }
        }
    }

    fn escape(&mut self, value: &mut Vec<u8>) -> Result<(), ReadError> {
        let plain = match self.rest().get(1) {
            Some(b'"') => b'"',
            Some(b'\\') => b'\\',
            Some(b'/') => b'/',
            Some(b'b') => 0x08,
            Some(b'f') => 0x0C,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => return self.unicode_escape(value),
            _ => return Err(self.error("this escape is unknown", Span::new(self.at, self.at + 2))),
        };
        value.push(plain);
        self.at += 2;
        Ok(())
    }

    /// Reads `\uXXXX`, with the second half where the first is a high surrogate; a lone half becomes U+FFFD.
    fn unicode_escape(&mut self, value: &mut Vec<u8>) -> Result<(), ReadError> {
        let Some(first) = unit(self.rest()) else {
            return Err(self.error("four hexadecimal digits are expected behind \\u", Span::new(self.at, self.at + 2)));
        };
        self.at += 6;
        let pair = (0xD800..0xDC00).contains(&first).then(|| unit(self.rest())).flatten();
        let low = pair.filter(|low| (0xDC00..0xE000).contains(low));
        let code = match low {
            Some(low) => {
                self.at += 6;
                0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00)
            }
            None => first,
        };
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        value.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}

fn decode(value: Vec<u8>) -> Box<str> {
    match String::from_utf8(value) {
        Ok(text) => text.into_boxed_str(),
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned().into_boxed_str(),
    }
}

/// Returns the code unit of a `\uXXXX` at the start.
fn unit(rest: &[u8]) -> Option<u32> {
    let digits = rest.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |code, digit| Some(code * 16 + char::from(*digit).to_digit(16)?))
}

/// Returns the length of the number at the start; zero where there is none.
fn number(rest: &[u8]) -> usize {
    let digits = |from: usize| rest.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = usize::from(rest.first() == Some(&b'-'));
    let whole = if rest.get(length) == Some(&b'0') { 1 } else { digits(length) };
    if whole == 0 {
        return 0;
    }
    length += whole;
    if rest.get(length) == Some(&b'.') {
        let fraction = digits(length + 1);
        if fraction == 0 {
            return 0;
        }
        length += 1 + fraction;
    }
    if matches!(rest.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        if exponent == 0 {
            return 0;
        }
        length += 1 + sign + exponent;
    }
    length
}
