//! Affinity entries as they stand in templates.

use unstick_yaml::{Span, Template, TemplateNodeKind, TemplateOutline};

use crate::affinity::{CONFIG, KEY};

use super::flow;
use super::object::scalar;

/// One `sessionAffinity` or `sessionAffinityConfig` entry in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TemplateEntry {
    /// Index of the file in its [`super::ChartSet`].
    pub file: usize,
    /// Index of its node in the file's outline.
    pub node: usize,
    /// It is `sessionAffinityConfig`.
    pub config: bool,
    /// The key's own bytes.
    pub key: Span,
    /// Key and value, up to the last byte of the value's last line, without the line break.
    pub span: Span,
    /// What stands after the colon.
    pub value: EntryValue,
    /// The block and branch that hold the key, as in [`unstick_yaml::Template::blocks`].
    pub holder: Option<(usize, usize)>,
    /// It is a member of a spec in braces; then the node is that of the spec.
    pub flow: bool,
}

impl TemplateEntry {
    /// Returns the key's name.
    pub(crate) const fn name(&self) -> &'static str {
        if self.config { CONFIG } else { KEY }
    }
}

/// What stands after an entry's colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryValue {
    /// Text only; empty where nothing stands there.
    Literal {
        /// The scalar without its quotes.
        text: String,
        /// Its bytes, quotes included.
        span: Span,
    },
    /// One output action, perhaps in YAML quotes: `{{ .Values.a }}`, `"{{ .Values.a }}"`; its token.
    Action {
        /// Index of the action's token.
        token: usize,
    },
    /// A mapping on the lines below, of a config.
    Mapping {
        /// Tokens of the output actions inside it.
        actions: Vec<usize>,
    },
    /// Text and actions mixed: `{{ if .a }}ClientIP{{ else }}None{{ end }}`.
    Mixed {
        /// Tokens of the output actions inside it.
        actions: Vec<usize>,
    },
}

impl EntryValue {
    /// Returns the bytes of a literal between its quotes.
    pub(crate) fn inner(text: &[u8], span: Span) -> Span {
        let bytes = span.slice(text);
        let quoted = bytes.len() >= 2 && matches!(bytes[0], b'"' | b'\'') && bytes.last() == bytes.first();
        if quoted { Span::new(span.start + 1, span.end - 1) } else { span }
    }

    /// Returns the tokens of the output actions in the value.
    pub(crate) fn actions(&self) -> &[usize] {
        match self {
            Self::Literal { .. } => &[],
            Self::Action { token } => std::slice::from_ref(token),
            Self::Mapping { actions } | Self::Mixed { actions } => actions,
        }
    }
}

/// Returns all entries of a template, in source order.
pub(crate) fn find(file: usize, text: &[u8], template: &Template, outline: &TemplateOutline) -> Vec<TemplateEntry> {
    let mut entries = Vec::new();
    for (index, node) in outline.nodes.iter().enumerate() {
        let config = match node.key() {
            Some(KEY) => false,
            Some(CONFIG) => true,
            _ => continue,
        };
        entries.push(TemplateEntry {
            file,
            node: index,
            config,
            key: node.key,
            span: node.span,
            value: read_value(text, template, outline, index),
            holder: node.holder,
            flow: false,
        });
    }
    entries.extend(flow::find(file, text, template, outline));
    entries.sort_by_key(|entry| entry.span);
    entries
}

fn read_value(text: &[u8], template: &Template, outline: &TemplateOutline, node: usize) -> EntryValue {
    let own = &outline.nodes[node];
    let first = template.tokens.partition_point(|token| token.span().end <= own.key.end);
    let inside = (first..template.tokens.len()).take_while(|token| template.tokens[*token].span().start < own.span.end);
    let actions: Vec<usize> = inside.filter(|token| template.action(*token).is_some()).collect();
    let printing: Vec<usize> =
        actions.iter().copied().filter(|token| template.action(*token).is_some_and(|action| action.prints())).collect();
    if own.value.is_empty() {
        let has_children = outline.children(node).next().is_some() || !actions.is_empty();
        return match has_children {
            true => EntryValue::Mapping { actions: printing },
            false => EntryValue::Literal { text: String::new(), span: own.value },
        };
    }
    if actions.is_empty() {
        let has_children =
            outline.children(node).any(|child| matches!(outline.nodes[child].kind, TemplateNodeKind::Key(_)));
        return match has_children {
            true => EntryValue::Mapping { actions: Vec::new() },
            false => EntryValue::Literal { text: scalar(own.value.slice(text)), span: own.value },
        };
    }
    match actions[..] {
        [token] if printing.len() == 1 && is_alone(text, own.value, template.tokens[token].span()) => {
            EntryValue::Action { token }
        }
        _ => EntryValue::Mixed { actions: printing },
    }
}

/// Tells whether an action is all of a value, quotes around it aside.
fn is_alone(text: &[u8], value: Span, action: Span) -> bool {
    let before = Span::new(value.start, action.start).slice(text);
    let after = Span::new(action.end, value.end).slice(text);
    before == after && matches!(before, b"" | b"\"" | b"'")
}
