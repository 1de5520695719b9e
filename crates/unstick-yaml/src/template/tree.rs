//! The block tree of a template.

use crate::Span;

use super::action::{Action, ActionKind};
use super::lexer::{TemplateError, Token, lex_template};

/// A template as tokens and blocks.
///
/// ```
/// use unstick_yaml::{Item, Template};
/// let template = Template::read(b"{{ if .a }}x{{ else }}y{{ end }}z")?;
/// assert!(matches!(template.items[0], Item::Block(0)));
/// assert_eq!(template.blocks[0].branches.len(), 2);
/// # Ok::<(), unstick_yaml::TemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    /// Text and actions, covering every byte.
    pub tokens: Vec<Token>,
    /// All blocks; an outer one stands before those inside it.
    pub blocks: Vec<Block>,
    /// What stands outside every block.
    pub items: Vec<Item>,
    /// For each token, the block and branch that directly hold it; headers and `end` belong to their own block.
    pub holders: Vec<Option<(usize, usize)>>,
}

/// One element of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// Index of a token: text, or an action that is no part of a block's frame.
    Token(usize),
    /// Index of a block.
    Block(usize),
}

/// `{{ if }} … {{ else }} … {{ end }}` and its like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The opening action's kind.
    pub kind: ActionKind,
    /// The branches, in order; at least one.
    pub branches: Vec<Branch>,
    /// Token of the `end`.
    pub end: usize,
    /// The block and branch that hold it.
    pub holder: Option<(usize, usize)>,
    /// Bytes from the opening action to the end of `end`.
    pub span: Span,
}

/// One branch: a header and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Token of the header: the opening action, or an `else`.
    pub header: usize,
    /// What stands in it.
    pub items: Vec<Item>,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// [`TemplateError`] where the text cannot be split into actions, or where blocks do not balance.
    pub fn read(text: &[u8]) -> Result<Self, TemplateError> {
        let tokens = lex_template(text)?;
        let mut template = Self { holders: vec![None; tokens.len()], ..Self::default() };
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let Token::Action(action) = token else {
                template.add(&open, index, Item::Token(index));
                continue;
            };
            match action.kind {
                _ if action.opens() => template.open(&mut open, index, action),
                ActionKind::Else | ActionKind::ElseIf | ActionKind::ElseWith => {
                    template.branch(&open, index, action, &tokens)?;
                }
                ActionKind::End => template.close(&mut open, index, action)?,
                _ => template.add(&open, index, Item::Token(index)),
            }
        }
        if let Some(block) = open.last() {
            let span = template.blocks[*block].span;
            return Err(TemplateError { reason: "the block has no end", span });
        }
        template.tokens = tokens;
        Ok(template)
    }

    /// Returns the items of a branch, or those outside every block.
    #[must_use]
    pub fn body(&self, holder: Option<(usize, usize)>) -> &[Item] {
        holder.map_or(&self.items, |(block, branch)| &self.blocks[block].branches[branch].items)
    }

    /// Returns an item's bytes.
    #[must_use]
    pub fn item_span(&self, item: Item) -> Span {
        match item {
            Item::Token(token) => self.tokens[token].span(),
            Item::Block(block) => self.blocks[block].span,
        }
    }

    /// Returns a token's action.
    #[must_use]
    pub fn action(&self, token: usize) -> Option<&Action> {
        match self.tokens.get(token)? {
            Token::Action(action) => Some(action),
            Token::Text(_) => None,
        }
    }

    /// Returns the token that holds the byte at `offset`.
    #[must_use]
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let index = self.tokens.partition_point(|token| token.span().end <= offset);
        (index < self.tokens.len()).then_some(index)
    }

    /// Returns the action before or after the token, if it touches it.
    #[must_use]
    pub fn neighbour(&self, token: usize, after: bool) -> Option<&Action> {
        self.action(if after { token + 1 } else { token.checked_sub(1)? })
    }

    /// Returns what is left of a text token when its neighbours have trimmed it; empty spans lie inside it.
    #[must_use]
    pub fn trimmed(&self, text: &[u8], token: usize) -> Span {
        let Span { mut start, mut end } = self.tokens[token].span();
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        if self.neighbour(token, false).is_some_and(|action| action.trims_right) {
            start += text[start..end].iter().take_while(|byte| is_space(byte)).count();
        }
        if self.neighbour(token, true).is_some_and(|action| action.trims_left) {
            end -= text[start..end].iter().rev().take_while(|byte| is_space(byte)).count();
        }
        Span::new(start, end)
    }

    fn add(&mut self, open: &[usize], token: usize, item: Item) {
        let holder = open.last().map(|block| (*block, self.blocks[*block].branches.len() - 1));
        self.holders[token] = holder;
        match holder {
            Some((block, branch)) => self.blocks[block].branches[branch].items.push(item),
            None => self.items.push(item),
        }
    }

    fn open(&mut self, open: &mut Vec<usize>, token: usize, action: &Action) {
        let block = self.blocks.len();
        self.add(open, token, Item::Block(block));
        self.blocks.push(Block {
            kind: action.kind,
            branches: vec![Branch { header: token, items: Vec::new() }],
            end: token,
            holder: self.holders[token],
            span: action.span,
        });
        self.holders[token] = Some((block, 0));
        open.push(block);
    }

    fn branch(&mut self, open: &[usize], token: usize, action: &Action, tokens: &[Token]) -> Result<(), TemplateError> {
        let Some(&block) = open.last() else {
            return Err(TemplateError { reason: "else stands outside every block", span: action.span });
        };
        let takes_else = matches!(self.blocks[block].kind, ActionKind::If | ActionKind::With | ActionKind::Range);
        let last = self.blocks[block].branches.last().map_or(token, |branch| branch.header);
        let closed = matches!(&tokens[last], Token::Action(action) if action.kind == ActionKind::Else);
        if !takes_else || closed {
            return Err(TemplateError { reason: "the block takes no else here", span: action.span });
        }
        self.blocks[block].branches.push(Branch { header: token, items: Vec::new() });
        self.holders[token] = Some((block, self.blocks[block].branches.len() - 1));
        Ok(())
    }

    fn close(&mut self, open: &mut Vec<usize>, token: usize, action: &Action) -> Result<(), TemplateError> {
        let Some(block) = open.pop() else {
            return Err(TemplateError { reason: "end closes no block", span: action.span });
        };
        self.holders[token] = Some((block, self.blocks[block].branches.len() - 1));
        self.blocks[block].end = token;
        self.blocks[block].span.end = action.span.end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_nested_blocks() {
        let text = b"a{{ if .x }}b{{ with .y }}c{{ end }}{{ else }}d{{ end }}{{ define \"n\" }}e{{ end }}";
        let template = Template::read(text).unwrap();
        assert_eq!(template.blocks.len(), 3);
        assert_eq!(template.blocks[1].holder, Some((0, 0)));
        assert_eq!(template.blocks[0].branches[1].items.len(), 1);
        assert_eq!(template.items.len(), 3);
        assert_eq!(template.blocks[0].span.slice(text), b"{{ if .x }}b{{ with .y }}c{{ end }}{{ else }}d{{ end }}");
    }

    #[test]
    fn refuses_blocks_that_do_not_balance() {
        let reason = |text: &[u8]| Template::read(text).unwrap_err().reason;
        assert_eq!(reason(b"{{ if .a }}"), "the block has no end");
        assert_eq!(reason(b"{{ end }}"), "end closes no block");
        assert_eq!(reason(b"{{ else }}"), "else stands outside every block");
        assert_eq!(reason(b"{{ if .a }}{{ else }}{{ else }}{{ end }}"), "the block takes no else here");
    }

    #[test]
    fn trims_text_by_its_neighbours() {
        let text = b"a \n{{- .x -}} \n b {{ .y }}";
        let template = Template::read(text).unwrap();
        assert_eq!(template.trimmed(text, 0).slice(text), b"a");
        assert_eq!(template.trimmed(text, 2).slice(text), b"b ");
    }
}
