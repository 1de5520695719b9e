//! Affinity in a spec that is written in braces: `spec: {type: ClusterIP, sessionAffinity: ClientIP}`.
//!
//! Such a spec is read by the strict reader, with words in the place of its output actions. One that holds another
//! action, or one that trims white space, is not read: its members depend on more than their text.

use unstick_yaml::{
    ChangeSet, Chunks, CommentRule, Content, Edit, EditSet, NodeId, Outline, Span, Template, TemplateOutline, Token,
    read_yaml,
};

use crate::affinity::{CONFIG, KEY, NAMES};
use crate::policy::Comments;

use super::entry::{EntryValue, TemplateEntry};

/// A spec in braces.
struct FlowSpec {
    /// Its bytes, with a word for each action.
    text: Vec<u8>,
    outline: Outline,
    root: NodeId,
    /// Offset of the first byte in the template.
    start: usize,
}

/// Returns the affinity entries of all specs in braces.
pub(crate) fn find(file: usize, text: &[u8], template: &Template, outline: &TemplateOutline) -> Vec<TemplateEntry> {
    let mut entries = Vec::new();
    for node in 0..outline.nodes.len() {
        let Some(spec) = FlowSpec::read(text, template, outline, node) else { continue };
        for member in spec.outline.members(spec.root) {
            let config = match spec.outline.key(member) {
                Some(KEY) => false,
                Some(CONFIG) => true,
                _ => continue,
            };
            let Some(key) = member.key else { continue };
            entries.push(TemplateEntry {
                file,
                node,
                config,
                key: spec.place(spec.outline.node(key).span),
                span: spec.place(member.span()),
                value: spec.value(template, member.value),
                holder: outline.nodes[node].holder,
                flow: true,
            });
        }
    }
    entries
}

/// Returns the edits that take entries out of the spec at `node`; `None` where they have no safe form.
pub(crate) fn removal(
    text: &[u8],
    template: &Template,
    outline: &TemplateOutline,
    node: usize,
    going: &[Span],
    comments: Comments,
) -> Option<EditSet> {
    let spec = FlowSpec::read(text, template, outline, node)?;
    let mut changes = ChangeSet::new();
    for (index, member) in spec.outline.members(spec.root).iter().enumerate() {
        if going.contains(&spec.place(member.span())) {
            changes.remove(spec.root, index);
        }
    }
    let rule = if comments == Comments::Owned { CommentRule::Owned(NAMES) } else { CommentRule::Keep };
    let made = changes.edits(&spec.text, &spec.outline, rule).ok()?;
    let mut edits = EditSet::new();
    for edit in made.as_slice() {
        edits.insert(Edit::replacement(spec.place(edit.span), edit.replacement.clone())).ok()?;
    }
    Some(edits)
}

impl FlowSpec {
    fn read(text: &[u8], template: &Template, outline: &TemplateOutline, node: usize) -> Option<Self> {
        let own = &outline.nodes[node];
        if own.key() != Some("spec") || text.get(own.value.start) != Some(&b'{') {
            return None;
        }
        // The value of a node is its first line; a comment may stand behind the last.
        let value = Span::new(own.value.start, own.span.end);
        let masked = mask(text, template, value)?;
        // An alias outside the braces may stand for what is inside.
        if memchr::memchr2(b'&', b'*', &masked).is_some() {
            return None;
        }
        let mut documents = Chunks::new(&masked).flat_map(|chunk| read_yaml(&masked, chunk));
        let (Some(Ok(outline)), None) = (documents.next(), documents.next()) else { return None };
        let root = outline.root?;
        let is_flow = matches!(outline.node(root).content, Content::Mapping { flow: true, .. });
        drop(documents);
        is_flow.then_some(Self { text: masked, outline, root, start: value.start })
    }

    fn place(&self, span: Span) -> Span {
        Span::new(span.start + self.start, span.end + self.start)
    }

    fn value(&self, template: &Template, value: NodeId) -> EntryValue {
        let own = &self.outline.node(value);
        let span = self.place(own.span);
        let first = template.tokens.partition_point(|token| token.span().end <= span.start);
        let actions: Vec<usize> = (first..template.tokens.len())
            .take_while(|token| template.tokens[*token].span().start < span.end)
            .filter(|token| template.action(*token).is_some())
            .collect();
        match (&own.content, &actions[..]) {
            (Content::Scalar { value, .. }, []) => EntryValue::Literal { text: value.to_string(), span },
            (Content::Scalar { .. }, [token]) if is_alone(&self.text, own.span, template, *token, self.start) => {
                EntryValue::Action { token: *token }
            }
            (Content::Scalar { .. }, _) => EntryValue::Mixed { actions },
            _ => EntryValue::Mapping { actions },
        }
    }
}

/// Tells whether an action is all of a value, quotes around it aside.
fn is_alone(text: &[u8], value: Span, template: &Template, token: usize, start: usize) -> bool {
    let action = template.tokens[token].span();
    let before = Span::new(value.start, action.start - start).slice(text);
    let after = Span::new(action.end - start, value.end).slice(text);
    before == after && matches!(before, b"" | b"\"" | b"'")
}

/// Copies bytes of a template with a word for each action; `None` where there is one that does more than print.
fn mask(text: &[u8], template: &Template, span: Span) -> Option<Vec<u8>> {
    let mut masked = span.slice(text).to_vec();
    let first = template.token_at(span.start)?;
    for token in &template.tokens[first..] {
        let own = token.span();
        if own.start >= span.end {
            break;
        }
        let Token::Action(action) = token else { continue };
        if !action.prints() || action.trims_left || action.trims_right || !span.encloses(own) {
            return None;
        }
        masked[own.start - span.start..own.end - span.start].fill(b'x');
    }
    Some(masked)
}
