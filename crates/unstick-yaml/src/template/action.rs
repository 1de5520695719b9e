//! One action of a template: `{{ … }}`.

use crate::Span;

use super::expression::{Operand, parse_expression};

/// One action, delimiters included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Bytes from `{{` to just after `}}`.
    pub span: Span,
    /// Bytes between the delimiters and trim markers.
    pub body: Span,
    /// Written `{{-`: white space at the end of the text before it goes.
    pub trims_left: bool,
    /// Written `-}}`: white space at the start of the text after it goes.
    pub trims_right: bool,
    /// What it does.
    pub kind: ActionKind,
}

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// `{{/* … */}}`.
    Comment,
    /// `{{ if … }}`.
    If,
    /// `{{ with … }}`.
    With,
    /// `{{ range … }}`.
    Range,
    /// `{{ else }}`.
    Else,
    /// `{{ else if … }}`.
    ElseIf,
    /// `{{ else with … }}`.
    ElseWith,
    /// `{{ end }}`.
    End,
    /// `{{ define "name" }}`.
    Define,
    /// `{{ block "name" … }}`.
    Block,
    /// `{{ template "name" … }}`.
    Template,
    /// `{{ break }}`.
    Break,
    /// `{{ continue }}`.
    Continue,
    /// `{{ $x := … }}`.
    Declare,
    /// `{{ $x = … }}`.
    Assign,
    /// Anything whose value is printed.
    Output,
}

/// Blanks that an action prints in front of each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Indentation {
    /// How many.
    pub columns: usize,
    /// A line break comes first: `nindent`.
    pub breaks: bool,
    /// There is nothing behind them: `nindent 2 ""`.
    pub alone: bool,
}

/// No manifest is indented deeper; a number above it is none that is followed.
const MAX_COLUMNS: usize = 1000;

impl Action {
    /// Returns the bytes of the body that the keyword is followed by: a header's pipeline, or the whole body.
    #[must_use]
    pub fn pipeline(&self, text: &[u8]) -> Span {
        let words = match self.kind {
            ActionKind::If
            | ActionKind::With
            | ActionKind::Range
            | ActionKind::Define
            | ActionKind::Block
            | ActionKind::Template => 1,
            ActionKind::ElseIf | ActionKind::ElseWith => 2,
            ActionKind::Else | ActionKind::End | ActionKind::Break | ActionKind::Continue | ActionKind::Comment => {
                return Span::empty(self.body.end);
            }
            ActionKind::Declare | ActionKind::Assign | ActionKind::Output => 0,
        };
        let mut start = self.body.start;
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let skip_spaces = |at: usize| at + text[at..self.body.end].iter().take_while(|byte| is_space(byte)).count();
        for _ in 0..words {
            start = skip_spaces(start);
            start += text[start..self.body.end].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        }
        Span::new(skip_spaces(start), self.body.end)
    }

    /// Returns what it prints before all else where its last function is `nindent N` or `indent N`.
    #[must_use]
    pub fn indentation(&self, text: &[u8]) -> Option<Indentation> {
        let span = self.pipeline(text);
        let word = b"indent";
        if self.kind != ActionKind::Output || memchr::memmem::find(span.slice(text), word).is_none() {
            return None;
        }
        let expression = parse_expression(text, span).ok()?;
        let last = expression.pipeline.commands.last()?;
        let [Operand::Function(name), Operand::Number(columns), rest @ ..] = &last.operands[..] else { return None };
        let breaks = match name.as_str() {
            "nindent" => true,
            "indent" => false,
            _ => return None,
        };
        let columns = columns.parse().ok().filter(|columns| *columns <= MAX_COLUMNS)?;
        let alone = matches!(rest, [Operand::String(empty)] if empty.is_empty());
        Some(Indentation { columns, breaks, alone })
    }

    /// Tells whether it opens a block that an `end` closes.
    #[must_use]
    pub const fn opens(&self) -> bool {
        matches!(
            self.kind,
            ActionKind::If | ActionKind::With | ActionKind::Range | ActionKind::Define | ActionKind::Block
        )
    }

    /// Tells whether it prints something at its own place.
    #[must_use]
    pub const fn prints(&self) -> bool {
        matches!(self.kind, ActionKind::Output | ActionKind::Template)
    }
}
