//! From the text of a template to tokens.

use crate::Span;

use super::action::{Action, ActionKind};

/// One stretch of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// Text between actions; never empty.
    Text(Span),
    /// An action.
    Action(Action),
}

impl Token {
    /// Returns the token's bytes.
    #[must_use]
    pub const fn span(&self) -> Span {
        match self {
            Self::Text(span) => *span,
            Self::Action(action) => action.span,
        }
    }
}

/// A template that Go would refuse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct TemplateError {
    /// One clause, lower case, without position.
    pub reason: &'static str,
    /// Where the fault is.
    pub span: Span,
}

/// Splits a template into text and actions; together they cover every byte, in order.
///
/// # Errors
///
/// [`TemplateError`] where Go's lexer would stop: an action or string without end, a comment that does not fill its
/// action, a trim marker without space. What Go's parser alone refuses is not looked for.
///
/// ```
/// use unstick_yaml::{Token, lex_template};
/// let tokens = lex_template(b"a {{- if .x }} b {{ end }}")?;
/// assert_eq!(tokens.len(), 4);
/// assert!(matches!(&tokens[1], Token::Action(action) if action.trims_left && !action.trims_right));
/// # Ok::<(), unstick_yaml::TemplateError>(())
/// ```
pub fn lex_template(text: &[u8]) -> Result<Vec<Token>, TemplateError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for_each_opening(text, &mut at, &mut tokens)?;
    if at < text.len() {
        tokens.push(Token::Text(Span::new(at, text.len())));
    }
    Ok(tokens)
}

fn for_each_opening(text: &[u8], at: &mut usize, tokens: &mut Vec<Token>) -> Result<(), TemplateError> {
    while let Some(found) = memchr::memmem::find(&text[*at..], b"{{") {
        let start = *at + found;
        if found > 0 {
            tokens.push(Token::Text(Span::new(*at, start)));
        }
        let action = lex_action(text, start)?;
        *at = action.span.end;
        tokens.push(Token::Action(action));
    }
    Ok(())
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn fault(reason: &'static str, start: usize, end: usize) -> TemplateError {
    TemplateError { reason, span: Span::new(start, end) }
}

/// Returns the length of a closing delimiter at `at` and whether it trims.
fn closing(text: &[u8], at: usize) -> Option<(usize, bool)> {
    let rest = &text[at..];
    if rest.len() >= 4 && is_space(rest[0]) && &rest[1..4] == b"-}}" {
        return Some((4, true));
    }
    rest.starts_with(b"}}").then_some((2, false))
}

fn lex_action(text: &[u8], start: usize) -> Result<Action, TemplateError> {
    let marker = &text[start + 2..];
    let trims_left = marker.len() >= 2 && marker[0] == b'-' && is_space(marker[1]);
    let body = start + 2 + if trims_left { 2 } else { 0 };
    if text[body..].starts_with(b"/*") {
        return lex_comment(text, start, body, trims_left);
    }
    let (end, length, trims_right) = find_end(text, start, body)?;
    // The space of `{{- ` belongs to the marker, that of ` -}}` too.
    let body = Span::new(body, end);
    let kind = classify(text, body, start)?;
    Ok(Action { span: Span::new(start, end + length), body, trims_left, trims_right, kind })
}

fn lex_comment(text: &[u8], start: usize, body: usize, trims_left: bool) -> Result<Action, TemplateError> {
    let Some(found) = memchr::memmem::find(&text[body + 2..], b"*/") else {
        return Err(fault("the comment has no end", start, body + 2));
    };
    let end = body + 2 + found + 2;
    let Some((length, trims_right)) = closing(text, end) else {
        return Err(fault("the comment ends before its action does", start, end));
    };
    let span = Span::new(start, end + length);
    Ok(Action { span, body: Span::new(body, end), trims_left, trims_right, kind: ActionKind::Comment })
}

/// Returns where the closing delimiter stands, its length, and whether it trims.
fn find_end(text: &[u8], start: usize, body: usize) -> Result<(usize, usize, bool), TemplateError> {
    let mut at = body;
    let mut depth = 0usize;
    while at < text.len() {
        if let Some((length, trims)) = closing(text, at) {
            if depth > 0 {
                return Err(fault("a parenthesis is left open in the action", start, at));
            }
            return Ok((at, length, trims));
        }
        match text[at] {
            b'"' => at = skip_quoted(text, at, b'"')?,
            b'\'' => at = skip_quoted(text, at, b'\'')?,
            b'`' => {
                let Some(found) = memchr::memchr(b'`', &text[at + 1..]) else {
                    return Err(fault("the raw string has no end", at, at + 1));
                };
                at += found + 2;
            }
            b'(' => {
                depth += 1;
                at += 1;
            }
            b')' => {
                let Some(less) = depth.checked_sub(1) else {
                    return Err(fault("a parenthesis closes none", at, at + 1));
                };
                depth = less;
                at += 1;
            }
            b'{' | b'}' => return Err(fault("a brace has no meaning in an action", at, at + 1)),
            _ => at += 1,
        }
    }
    Err(fault("the action has no end", start, start + 2))
}

/// Returns the offset after a string or character constant; it may not hold a line break.
fn skip_quoted(text: &[u8], start: usize, quote: u8) -> Result<usize, TemplateError> {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1).is_some_and(|next| *next != b'\n') => at += 2,
            b'\n' | b'\\' => break,
            _ if byte == quote => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(fault("the string has no end on its line", start, start + 1))
}

fn classify(text: &[u8], body: Span, start: usize) -> Result<ActionKind, TemplateError> {
    let bytes = body.slice(text).trim_ascii();
    let word = leading_word(bytes);
    let after = bytes[word.len()..].trim_ascii_start();
    Ok(match word {
        b"if" => ActionKind::If,
        b"with" => ActionKind::With,
        b"range" => ActionKind::Range,
        b"end" => ActionKind::End,
        b"define" => ActionKind::Define,
        b"block" => ActionKind::Block,
        b"template" => ActionKind::Template,
        b"break" => ActionKind::Break,
        b"continue" => ActionKind::Continue,
        b"else" => match leading_word(after) {
            b"if" => ActionKind::ElseIf,
            b"with" => ActionKind::ElseWith,
            b"" => ActionKind::Else,
            _ => return Err(fault("only if and with may follow else", start, body.end)),
        },
        _ if bytes.is_empty() => return Err(fault("the action is empty", start, body.end)),
        _ => assignment(bytes).unwrap_or(ActionKind::Output),
    })
}

fn leading_word(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    &bytes[..end]
}

/// Tells what `$x := …` and `$x = …` are.
fn assignment(bytes: &[u8]) -> Option<ActionKind> {
    let name = bytes.strip_prefix(b"$")?;
    let rest = name[leading_word(name).len()..].trim_ascii_start();
    if rest.starts_with(b":=") {
        Some(ActionKind::Declare)
    } else {
        rest.starts_with(b"=").then_some(ActionKind::Assign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<ActionKind> {
        let tokens = lex_template(text.as_bytes()).unwrap();
        tokens
            .iter()
            .filter_map(|token| match token {
                Token::Action(action) => Some(action.kind),
                Token::Text(_) => None,
            })
            .collect()
    }

    fn reason(text: &str) -> &'static str {
        lex_template(text.as_bytes()).unwrap_err().reason
    }

    #[test]
    fn covers_every_byte() {
        let text = "a{{- /* }} */ -}}\r\nb{{`}}`}}{{\"}}\"}}{{ '}' }}c";
        let tokens = lex_template(text.as_bytes()).unwrap();
        let mut at = 0;
        for token in &tokens {
            assert_eq!(token.span().start, at);
            at = token.span().end;
        }
        assert_eq!(at, text.len());
        assert_eq!(kinds(text), [ActionKind::Comment, ActionKind::Output, ActionKind::Output, ActionKind::Output]);
    }

    #[test]
    fn tells_actions_apart() {
        let text = "{{if .a}}{{else if .b}}{{else with .c}}{{ else }}{{range $i, $x := .l}}{{break}}{{end}}{{end}}\
                    {{$x := 1}}{{ $x = 2 }}{{ $x }}{{ template \"a\" }}{{ ifx }}{{-3}}{{- nindent 2 -}}";
        use ActionKind::*;
        let expected = [
            If, ElseIf, ElseWith, Else, Range, Break, End, End, Declare, Assign, Output, Template, Output, Output,
            Output,
        ];
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn reads_trim_markers_as_go_does() {
        let trims = |text: &str| match &lex_template(text.as_bytes()).unwrap()[0] {
            Token::Action(action) => (action.trims_left, action.trims_right),
            Token::Text(_) => unreachable!(),
        };
        assert_eq!(trims("{{-3}}"), (false, false));
        assert_eq!(trims("{{-\n3}}"), (true, false));
        assert_eq!(trims("{{ 3\n-}}"), (false, true));
        assert_eq!(trims("{{-\t/* a */ -}}"), (true, true));
    }

    #[test]
    fn refuses_what_go_refuses() {
        assert_eq!(reason("{{ \"a\n\" }}"), "the string has no end on its line");
        assert_eq!(reason("{{/* a */ x }}"), "the comment ends before its action does");
        assert_eq!(reason("{{/* a */  -}}"), "the comment ends before its action does");
        assert_eq!(reason("{{ a"), "the action has no end");
        assert_eq!(reason("{{{ a }}"), "a brace has no meaning in an action");
        assert_eq!(reason("{{ (a }}"), "a parenthesis is left open in the action");
        assert_eq!(reason("{{}}"), "the action is empty");
    }
}
