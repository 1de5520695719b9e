//! The expressions inside actions: pipelines, commands and operands.

use crate::Span;

use super::lexer::TemplateError;

/// The pipeline of an action, with the variables that it sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// `$i, $x :=` or `$x =` before the pipeline.
    pub declaration: Option<Declaration>,
    /// The pipeline itself.
    pub pipeline: Pipeline,
}

/// Variables set by a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// Names without `$`; two in a `range` with an index.
    pub names: Vec<String>,
    /// `:=` makes new variables, `=` sets those that are there.
    pub new: bool,
}

/// Commands joined by `|`; each result is the last argument of the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// The commands, at least one.
    pub commands: Vec<Command>,
    /// The pipeline's bytes.
    pub span: Span,
}

/// A function with arguments, or one operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The operands, at least one.
    pub operands: Vec<Operand>,
}

/// One operand, with the fields taken from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// `.`, `.a.b`.
    Field(Vec<String>),
    /// `$`, `$.a`, `$x.a.b`: the name without `$`, and the fields.
    Variable(String, Vec<String>),
    /// `( … ).a.b`.
    Group(Box<Pipeline>, Vec<String>),
    /// A string, decoded as far as its plain escapes go.
    String(String),
    /// A number, or a character constant, as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// `nil`.
    Nil,
    /// The name of a function.
    Function(String),
}

/// Reads the expression in `span`, the bytes of [`super::Action::pipeline`].
///
/// # Errors
///
/// [`TemplateError`] where the bytes are no expression of Go's template language.
///
/// ```
/// use unstick_yaml::{Operand, Span, parse_expression};
/// let text = b".Values.a | default \"None\"";
/// let expression = parse_expression(text, Span::new(0, text.len()))?;
/// assert_eq!(expression.pipeline.commands.len(), 2);
/// assert_eq!(expression.pipeline.commands[0].operands[0], Operand::Field(vec!["Values".into(), "a".into()]));
/// # Ok::<(), unstick_yaml::TemplateError>(())
/// ```
pub fn parse_expression(text: &[u8], span: Span) -> Result<Expression, TemplateError> {
    let mut parser = Parser { text, at: span.start, end: span.end.min(text.len()), depth: 0 };
    let declaration = parser.declaration();
    let pipeline = parser.pipeline()?;
    if parser.at < parser.end {
        return Err(parser.fault("the expression does not end here"));
    }
    Ok(Expression { declaration, pipeline })
}

/// Parentheses inside parentheses beyond this are refused, so that no input can exhaust the stack.
const MAX_DEPTH: usize = 100;

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn fault(&self, reason: &'static str) -> TemplateError {
        TemplateError { reason, span: Span::new(self.at, self.at + 1) }
    }

    fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.text[self.at])
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> String {
        let rest = &self.text[self.at..self.end];
        let length =
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii()).count();
        self.at += length;
        String::from_utf8_lossy(&rest[..length]).into_owned()
    }

    /// Reads `$a, $b :=` if it stands here; else nothing is consumed.
    fn declaration(&mut self) -> Option<Declaration> {
        let start = self.at;
        let mut names = Vec::new();
        loop {
            self.skip_spaces();
            if self.peek() != Some(b'$') {
                break;
            }
            self.at += 1;
            names.push(self.word());
            self.skip_spaces();
            match self.peek() {
                Some(b',') if names.len() < 2 => self.at += 1,
                Some(b':') if self.text[self.at..self.end].starts_with(b":=") => {
                    self.at += 2;
                    return Some(Declaration { names, new: true });
                }
                Some(b'=') => {
                    self.at += 1;
                    return Some(Declaration { names, new: false });
                }
                _ => break,
            }
        }
        self.at = start;
        None
    }

    fn pipeline(&mut self) -> Result<Pipeline, TemplateError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fault("parentheses are nested too deeply"));
        }
        self.skip_spaces();
        let start = self.at;
        let mut commands = Vec::new();
        let mut end;
        loop {
            commands.push(self.command()?);
            end = self.at;
            self.skip_spaces();
            if self.peek() != Some(b'|') {
                break;
            }
            self.at += 1;
        }
        while end > start && self.text[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        self.depth -= 1;
        Ok(Pipeline { commands, span: Span::new(start, end) })
    }

    fn command(&mut self) -> Result<Command, TemplateError> {
        let mut operands = Vec::new();
        loop {
            self.skip_spaces();
            match self.peek() {
                None | Some(b'|' | b')') => break,
                Some(_) => operands.push(self.operand()?),
            }
        }
        if operands.is_empty() {
            return Err(self.fault("a command is missing"));
        }
        Ok(Command { operands })
    }

    fn operand(&mut self) -> Result<Operand, TemplateError> {
        let Some(byte) = self.peek() else { return Err(self.fault("an operand is missing")) };
        Ok(match byte {
            b'.' if !self.text[self.at + 1..self.end].first().is_some_and(u8::is_ascii_digit) => {
                Operand::Field(self.fields())
            }
            b'$' => {
                self.at += 1;
                let name = self.word();
                Operand::Variable(name, self.fields())
            }
            b'(' => {
                self.at += 1;
                let inner = self.pipeline()?;
                if self.peek() != Some(b')') {
                    return Err(self.fault("a closing parenthesis is missing"));
                }
                self.at += 1;
                Operand::Group(Box::new(inner), self.fields())
            }
            b'"' => self.quoted()?,
            b'`' => self.raw()?,
            b'\'' => self.character()?,
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number(),
            _ if byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii() => match self.word().as_str() {
                "true" => Operand::Bool(true),
                "false" => Operand::Bool(false),
                "nil" => Operand::Nil,
                name => Operand::Function(name.to_owned()),
            },
            _ => return Err(self.fault("the character has no meaning in an expression")),
        })
    }

    /// Reads `.a.b`; a lone dot gives no field.
    fn fields(&mut self) -> Vec<String> {
        let mut fields = Vec::new();
        while self.peek() == Some(b'.') {
            self.at += 1;
            let field = self.word();
            if field.is_empty() {
                break;
            }
            fields.push(field);
        }
        fields
    }

    fn quoted(&mut self) -> Result<Operand, TemplateError> {
        self.at += 1;
        let mut value = Vec::new();
        loop {
            let Some(byte) = self.peek() else { return Err(self.fault("the string has no end")) };
            self.at += 1;
            match byte {
                b'"' => return Ok(Operand::String(String::from_utf8_lossy(&value).into_owned())),
                b'\\' => {
                    let Some(escaped) = self.peek() else { return Err(self.fault("the string has no end")) };
                    self.at += 1;
                    match escaped {
                        b'n' => value.push(b'\n'),
                        b't' => value.push(b'\t'),
                        b'r' => value.push(b'\r'),
                        b'"' | b'\\' | b'\'' => value.push(escaped),
                        // Rare escapes stay as written: no name we look for needs them.
                        _ => value.extend([b'\\', escaped]),
                    }
                }
                _ => value.push(byte),
            }
        }
    }

    fn raw(&mut self) -> Result<Operand, TemplateError> {
        let start = self.at + 1;
        let Some(found) = memchr::memchr(b'`', &self.text[start..self.end]) else {
            return Err(self.fault("the raw string has no end"));
        };
        self.at = start + found + 1;
        Ok(Operand::String(String::from_utf8_lossy(&self.text[start..start + found]).into_owned()))
    }

    fn character(&mut self) -> Result<Operand, TemplateError> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'\'' {
                let end = self.at.min(self.end);
                return Ok(Operand::Number(String::from_utf8_lossy(&self.text[start..end]).into_owned()));
            }
        }
        Err(self.fault("the character constant has no end"))
    }

    fn number(&mut self) -> Operand {
        let start = self.at;
        self.at += 1;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'-'))
        {
            self.at += 1;
        }
        Operand::Number(String::from_utf8_lossy(&self.text[start..self.at]).into_owned())
    }
}

impl Pipeline {
    /// Returns the names of all functions in it, those in parentheses included.
    #[must_use]
    pub fn functions(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut open = vec![self];
        while let Some(pipeline) = open.pop() {
            for operand in pipeline.commands.iter().flat_map(|command| &command.operands) {
                match operand {
                    Operand::Function(name) => names.push(name.as_str()),
                    Operand::Group(inner, _) => open.push(inner),
                    _ => {}
                }
            }
        }
        names
    }
}

impl Pipeline {
    /// Returns the number of fields in the longest chain, such as 3 for `.Values.a.b`.
    #[must_use]
    pub fn longest_chain(&self) -> usize {
        let mut longest = 0;
        let mut open = vec![self];
        while let Some(pipeline) = open.pop() {
            for operand in pipeline.commands.iter().flat_map(|command| &command.operands) {
                let fields = match operand {
                    Operand::Field(fields) | Operand::Variable(_, fields) => fields,
                    Operand::Group(inner, fields) => {
                        open.push(inner);
                        fields
                    }
                    _ => continue,
                };
                longest = longest.max(fields.len());
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Expression {
        parse_expression(text.as_bytes(), Span::new(0, text.len())).unwrap()
    }

    #[test]
    fn reads_pipelines() {
        let expression = parse("include \"a.b\" (dict \"value\" .Values.x.y \"context\" $) | nindent 4");
        let [first, second] = &expression.pipeline.commands[..] else { panic!("two commands") };
        assert_eq!(first.operands[0], Operand::Function("include".into()));
        assert_eq!(first.operands[1], Operand::String("a.b".into()));
        assert!(matches!(&first.operands[2], Operand::Group(inner, _) if inner.commands[0].operands.len() == 5));
        assert_eq!(second.operands[1], Operand::Number("4".into()));
        assert_eq!(expression.pipeline.functions(), ["include", "nindent", "dict"]);
    }

    #[test]
    fn reads_declarations() {
        let range = parse("$i, $x := .Values.list");
        assert_eq!(range.declaration, Some(Declaration { names: vec!["i".into(), "x".into()], new: true }));
        assert_eq!(parse("$x = 1").declaration, Some(Declaration { names: vec!["x".into()], new: false }));
        assert_eq!(parse("$x.y").declaration, None);
    }

    #[test]
    fn refuses_what_is_no_expression() {
        for text in ["", "| a", "(a", "a )", "\"a", "a ; b"] {
            assert!(parse_expression(text.as_bytes(), Span::new(0, text.len())).is_err(), "{text}");
        }
    }
}
