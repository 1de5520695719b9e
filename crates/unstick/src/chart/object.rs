//! What a template says of an object: its kind, its name, what policies ask about.

use std::collections::BTreeMap;

use unstick_yaml::{Template, TemplateOutline};

use crate::Resource;
use crate::site::Facts;

/// An object of a template, as far as its literal text tells.
#[derive(Debug, Clone, Default)]
pub(crate) struct TemplateObject {
    /// What is written literally; parts that hold an action are empty.
    pub resource: Resource,
    /// All kinds that its branches name; `None` for one that holds an action.
    pub kinds: Vec<Option<String>>,
    /// `kind` stands in a block that does not hold the spec: without it the object is none.
    pub kind_in_branch: bool,
    /// `apiVersion` holds an action, or comes from one beside it.
    pub api_version_unknown: bool,
    /// `metadata.name` is literal.
    pub name_known: bool,
    /// `metadata.namespace` is literal or absent.
    pub namespace_known: bool,
    /// `metadata.labels` holds no action.
    pub labels_known: bool,
    /// `spec.type` is literal or absent.
    pub type_known: bool,
    /// What policies ask about, as far as it is literal.
    pub facts: Facts,
}

impl TemplateObject {
    /// Reads the object whose fields are children of `node`.
    pub(crate) fn read(text: &[u8], template: &Template, outline: &TemplateOutline, node: usize) -> Self {
        let reader = Reader { text, template, outline };
        let kinds = reader.values(node, "kind");
        let versions = reader.values(node, "apiVersion");
        let metadata = reader.child(node, "metadata");
        let of_metadata = |key: &str| metadata.map_or_else(Vec::new, |metadata| reader.values(metadata, key));
        let names = of_metadata("name");
        let namespaces = of_metadata("namespace");
        let spec = reader.child(node, "spec");
        let types = spec.map_or_else(Vec::new, |spec| reader.values(spec, "type"));
        let labels = metadata.and_then(|metadata| reader.child(metadata, "labels"));
        let (labels, labels_known) = labels.map_or((BTreeMap::new(), true), |labels| reader.map(labels));
        let annotations = metadata.and_then(|metadata| reader.child(metadata, "annotations"));
        let keep = annotations.and_then(|annotations| reader.map(annotations).0.remove("unstick.dev/keep"));
        let only = |values: &[Option<String>]| match values {
            [Some(value)] => Some(value.clone()),
            _ => None,
        };
        Self {
            resource: Resource {
                api_version: only(&versions).unwrap_or_default(),
                kind: only(&kinds).unwrap_or_default(),
                namespace: only(&namespaces),
                name: only(&names),
            },
            api_version_unknown: versions.iter().any(Option::is_none) || versions.is_empty() && reader.has_hole(node),
            kind_in_branch: reader.is_in_branch(node, spec),
            name_known: only(&names).is_some(),
            namespace_known: namespaces.iter().all(Option::is_some) && namespaces.len() < 2,
            labels_known,
            type_known: types.iter().all(Option::is_some) && types.len() < 2,
            facts: Facts { service_type: only(&types), labels, keep },
            kinds,
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    template: &'a Template,
    outline: &'a TemplateOutline,
}

impl Reader<'_> {
    fn child(&self, node: usize, key: &str) -> Option<usize> {
        self.outline.children(node).find(|child| self.outline.nodes[*child].key() == Some(key))
    }

    /// Returns the values under a key in all branches; `None` for one that is not literal.
    fn values(&self, node: usize, key: &str) -> Vec<Option<String>> {
        let named = self.outline.children(node).filter(|child| self.outline.nodes[*child].key() == Some(key));
        let mut values: Vec<Option<String>> = named.map(|child| self.literal(child)).collect();
        values.dedup();
        values
    }

    /// Tells whether the only `kind` stands in a block that the spec is not in.
    fn is_in_branch(&self, node: usize, spec: Option<usize>) -> bool {
        let mut kinds = self.outline.children(node).filter(|child| self.outline.nodes[*child].key() == Some("kind"));
        let (Some(kind), None, Some(spec)) = (kinds.next(), kinds.next(), spec) else { return false };
        let Some(own) = self.outline.nodes[kind].holder else { return false };
        let mut holder = self.outline.nodes[spec].holder;
        while let Some((block, branch)) = holder {
            if (block, branch) == own {
                return false;
            }
            holder = self.template.blocks[block].holder;
        }
        true
    }

    fn literal(&self, node: usize) -> Option<String> {
        literal(self.text, self.template, self.outline, node)
    }

    fn has_hole(&self, node: usize) -> bool {
        let is_hole = |child: usize| matches!(self.outline.nodes[child].kind, unstick_yaml::TemplateNodeKind::Hole(_));
        self.outline.children(node).any(is_hole)
    }

    /// Returns the literal entries under a node, and whether that is all.
    fn map(&self, node: usize) -> (BTreeMap<String, String>, bool) {
        let mut known = true;
        let mut entries = BTreeMap::new();
        for child in self.outline.children(node) {
            match (self.outline.nodes[child].key(), self.literal(child)) {
                (Some(key), Some(value)) => {
                    entries.insert(key.to_owned(), value);
                }
                _ => known = false,
            }
        }
        (entries, known)
    }
}

/// Returns a key's scalar, without quotes, where no action stands in it.
pub(crate) fn literal(text: &[u8], template: &Template, outline: &TemplateOutline, node: usize) -> Option<String> {
    let value = outline.nodes[node].value;
    let token = template.token_at(value.start);
    let within = token.is_none_or(|token| template.tokens[token].span().encloses(value));
    if !value.is_empty() && (!within || token.is_some_and(|token| template.action(token).is_some())) {
        return None;
    }
    if value.is_empty() && outline.children(node).next().is_some() {
        return None;
    }
    Some(scalar(value.slice(text)))
}

/// Returns a scalar's text without quotes.
pub(crate) fn scalar(bytes: &[u8]) -> String {
    let inner = match bytes {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => bytes,
    };
    String::from_utf8_lossy(inner).into_owned()
}
