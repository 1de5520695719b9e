//! JSON's tokens.

use crate::{ReadError, ReadErrorKind, Span, leading_boms};

/// One token, or the first byte of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Colon,
    Comma,
    /// The quote of a string, which [`Tokens::string`] reads.
    Quote,
    /// The first byte of a number, `true`, `false` or `null`, which [`Tokens::word`] reads.
    Word,
    /// A character that begins no token.
    Unknown,
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

    /// Returns the next token and its bytes; a string, number or word is not passed, so that a fault in front of it is
    /// seen before one inside it.
    pub(super) fn next(&mut self) -> Result<(Token, Span), ReadError> {
        self.skip_space();
        self.refuse_comment()?;
        let span = self.character();
        let Some(first) = self.rest().first() else { return Err(self.fault("")) };
        let token = match first {
            b'{' => Token::OpenObject,
            b'}' => Token::CloseObject,
            b'[' => Token::OpenArray,
            b']' => Token::CloseArray,
            b':' => Token::Colon,
            b',' => Token::Comma,
            b'"' => return Ok((Token::Quote, span)),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => return Ok((Token::Word, span)),
            _ => return Ok((Token::Unknown, span)),
        };
        self.at = span.end;
        Ok((token, span))
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

    /// Returns the bytes of the next character, or the next byte where it is no UTF-8; empty at the end.
    fn character(&self) -> Span {
        let few = self.rest().get(..4).unwrap_or(self.rest());
        let character = few.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        let length = character.map_or(1, char::len_utf8).min(few.len());
        Span::new(self.at, self.at + length)
    }

    /// Makes the error that the next character is wrong, or missing.
    fn fault(&self, message: &str) -> ReadError {
        let message = if self.rest().is_empty() { "the text ends inside a value" } else { message };
        ReadError { message: message.into(), span: self.character(), kind: ReadErrorKind::Syntax }
    }

    /// Reads a number, `true`, `false` or `null`, and returns its bytes.
    pub(super) fn word(&mut self) -> Result<Span, ReadError> {
        let start = self.at;
        match self.rest().first() {
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            _ => self.number()?,
        }
        Ok(Span::new(start, self.at))
    }

    fn literal(&mut self, word: &str) -> Result<(), ReadError> {
        let same = self.rest().iter().zip(word.as_bytes()).take_while(|(found, wanted)| found == wanted).count();
        self.at += same;
        if same < word.len() {
            return Err(self.fault(&format!("this is no {word}")));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), ReadError> {
        self.take(b"-");
        if !self.take(b"0") {
            self.digits()?;
        }
        if self.take(b".") {
            self.digits()?;
        }
        if self.take(b"eE") {
            self.take(b"+-");
            self.digits()?;
        }
        Ok(())
    }

    /// Moves over one byte if it is one of these.
    fn take(&mut self, bytes: &[u8]) -> bool {
        let found = self.rest().first().is_some_and(|first| bytes.contains(first));
        self.at += usize::from(found);
        found
    }

    /// Moves over digits, of which there must be one.
    fn digits(&mut self) -> Result<(), ReadError> {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += digits;
        if digits == 0 { Err(self.fault("a digit is expected here")) } else { Ok(()) }
    }

    /// Reads a string; returns what it says, and its bytes with the quotes.
    pub(super) fn string(&mut self) -> Result<(Box<str>, Span), ReadError> {
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
                    return Ok((decode(value), Span::new(start, self.at)));
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(&mut value)?;
                }
                Some(_) => return Err(self.fault("a control character stands in a string without an escape")),
                None => {}
            }
            if self.rest().is_empty() {
                let (message, span) = ("this string has no end".into(), Span::new(start, start + 1));
                return Err(ReadError { message, span, kind: ReadErrorKind::Syntax });
            }
        }
    }

    /// Reads what stands behind a backslash.
    fn escape(&mut self, value: &mut Vec<u8>) -> Result<(), ReadError> {
        let plain = match self.rest().first() {
            Some(quoted @ (b'"' | b'\\' | b'/')) => *quoted,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0C,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => return self.unicode_escape(value),
            // The string has no end.
            None => return Ok(()),
            Some(_) => return Err(self.fault("behind a backslash, one of \"\\/bfnrtu is expected")),
        };
        value.push(plain);
        self.at += 1;
        Ok(())
    }

    /// Reads `uXXXX`, with the second half where the first is a high surrogate; a lone half becomes U+FFFD.
    fn unicode_escape(&mut self, value: &mut Vec<u8>) -> Result<(), ReadError> {
        let Some(first) = unit(self.rest()) else {
            self.at += 1 + self.rest().iter().skip(1).take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let unfinished = self.rest().is_empty();
            return if unfinished { Ok(()) } else { Err(self.fault("\\u wants four hexadecimal digits")) };
        };
        self.at += 5;
        let second = self.rest().strip_prefix(b"\\").and_then(unit);
        let low = second.filter(|low| (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(low));
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

/// Decodes as Go does: each byte that is no UTF-8 becomes a U+FFFD of its own.
fn decode(value: Vec<u8>) -> Box<str> {
    let text = String::from_utf8(value).unwrap_or_else(|error| {
        let mut text = String::with_capacity(error.as_bytes().len());
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
        }
        text
    });
    text.into_boxed_str()
}

/// Returns the code unit of a `uXXXX` at the start.
fn unit(rest: &[u8]) -> Option<u32> {
    let digits = rest.strip_prefix(b"u")?.get(..4)?;
    digits.iter().try_fold(0, |code, digit| Some(code * 16 + char::from(*digit).to_digit(16)?))
}
