//! Occurrences of the two names that are no Service's fields: nothing that holds a name goes untold.

use std::collections::{HashMap, HashSet};

use memchr::memmem;
use unstick_yaml::{Content, Entry, NodeId, Outline, Span};

use crate::affinity::NAMES;
use crate::foreign::{self, ForeignField};
use crate::prefilter::{BASE64, NEEDLE};
use crate::site::is_service;
use crate::{Finding, Outcome, Resource, Rule, Severity};

/// Returns the spans of both names in `window`, whole words only.
pub(crate) fn spans(text: &[u8], window: Span) -> Vec<Span> {
    let bytes = window.slice(text);
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let found = memmem::find_iter(bytes, NEEDLE).filter_map(|start| {
        let short = start + NEEDLE.len();
        let end = if bytes[short..].starts_with(b"Config") { short + b"Config".len() } else { short };
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        // An escape such as `\nsessionAffinity` in a JSON string ends in a letter that is none of the name's.
        let escaped = start >= 2 && bytes[start - 2] == b'\\';
        let whole = (!is_word(before) || escaped) && !is_word(bytes.get(end));
        whole.then(|| Span::new(start, end).shift(window.start))
    });
    found.collect()
}

/// Tells whether a decoded text holds one of the names as a whole word.
fn names_key(value: &str) -> bool {
    value.len() >= NEEDLE.len() && !spans(value.as_bytes(), Span::new(0, value.len())).is_empty()
}

/// What is known of a document when its remaining occurrences are told.
pub(crate) struct Remainder<'a> {
    pub text: &'a [u8],
    pub outline: &'a Outline,
    pub document: usize,
    /// Objects of the document, by their mapping.
    pub objects: &'a HashMap<NodeId, Resource>,
    /// Keys that were spoken of before.
    pub claimed: &'a HashSet<NodeId>,
}

impl Remainder<'_> {
    /// Returns a finding for each key, string and comment that holds a name and is not claimed.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let holders = self.holders();
        let mut findings = Vec::new();
        let mut keys = HashSet::new();
        for node in &self.outline.nodes {
            let Content::Mapping { entries, .. } = &node.content else { continue };
            for entry in entries {
                let Some(key) = entry.key else { continue };
                keys.insert(key);
                if let Some(name) = self.outline.key(entry)
                    && !self.claimed.contains(&key)
                {
                    findings.extend(self.key_finding(entry, key, name, &holders));
                }
            }
        }
        findings.extend(self.string_findings(&keys, &holders));
        let comments = self.outline.comments.iter();
        let naming = comments.filter(|comment| !spans(self.text, **comment).is_empty());
        findings.extend(naming.map(|comment| {
            let message = "named in a comment";
            self.finding(Rule::InComment, Severity::Info, *comment, None, None, message.into())
        }));
        findings
    }

    /// Returns, for each value, the key that holds it.
    fn holders(&self) -> HashMap<NodeId, NodeId> {
        let mappings = self.outline.nodes.iter().filter_map(|node| match &node.content {
            Content::Mapping { entries, .. } => Some(entries),
            _ => None,
        });
        mappings.flatten().filter_map(|entry| Some((entry.value, entry.key?))).collect()
    }

    fn key_finding(
        &self,
        entry: &Entry,
        key: NodeId,
        name: &str,
        holders: &HashMap<NodeId, NodeId>,
    ) -> Option<Finding> {
        if let Some(finding) = self.base64_finding(key) {
            return Some(finding);
        }
        let exact = NAMES.contains(&name);
        if !exact && !names_key(name) {
            return None;
        }
        let context = self.context(key, holders);
        let span = if exact { entry.span() } else { self.outline.node(key).span };
        let (rule, severity, message) = context.judge(exact, self.is_anchored(key));
        let source = context.foreign().filter(|_| rule == Rule::OtherMeaning).map(|row| row.source);
        let field = context.field(name);
        let mut finding = self.finding(rule, severity, span, context.resource, Some(field), message);
        finding.help = source.map(|source| format!("source: {source}"));
        Some(finding)
    }

    fn string_findings(&self, keys: &HashSet<NodeId>, holders: &HashMap<NodeId, NodeId>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (index, node) in self.outline.nodes.iter().enumerate() {
            let Content::Scalar { value, .. } = &node.content else { continue };
            let Ok(index) = u32::try_from(index) else { continue };
            let id = NodeId(index);
            if keys.contains(&id) {
                continue;
            }
            findings.extend(self.base64_finding(id));
            if !names_key(value) {
                continue;
            }
            let context = self.context(id, holders);
            let last_applied = context.path.last().is_some_and(|key| key.ends_with("last-applied-configuration"));
            let message = match (last_applied, value.contains("ClientIP")) {
                (true, true) => "the last applied configuration was sticky; kubectl rewrites it on the next apply",
                (true, false) => "in the last applied configuration, which kubectl keeps",
                (false, _) => "in a string: text is not edited",
            };
            let field = Some(context.path.join(".").replace(".[]", "[]"));
            findings.push(self.finding(
                Rule::InString,
                Severity::Info,
                node.span,
                context.resource,
                field,
                message.into(),
            ));
        }
        findings
    }

    /// Speaks of a name that is written in base64 with the tag `!!binary`.
    fn base64_finding(&self, id: NodeId) -> Option<Finding> {
        let node = self.outline.node(id);
        let binary = node.tag.as_ref().is_some_and(|tag| &*tag.name == "tag:yaml.org,2002:binary");
        let Content::Scalar { value, .. } = &node.content else { return None };
        let compact: Vec<u8> = value.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        if !binary || !compact.starts_with(BASE64) {
            return None;
        }
        let message = "the name in base64 (!!binary): left as it is";
        let mut finding = self.finding(Rule::InString, Severity::Error, node.span, None, None, message.into());
        finding.outcome = Outcome::Refused;
        finding.help = Some("write the key in plain letters".into());
        Some(finding)
    }

    fn is_anchored(&self, key: NodeId) -> bool {
        let mapping = self.outline.node(key).parent.map(|parent| self.outline.node(parent));
        mapping.is_some_and(|mapping| mapping.anchor.is_some())
    }

    /// Walks up from a node to its object and the document's root.
    fn context(&self, id: NodeId, holders: &HashMap<NodeId, NodeId>) -> Context {
        let mut context = Context::default();
        let mut child = id;
        let mut path = Vec::new();
        while let Some(parent) = self.outline.node(child).parent {
            if child != id || holders.contains_key(&child) {
                path.push(match holders.get(&child) {
                    Some(key) => self.outline.resolve(*key).and_then(|key| self.outline.scalar(key)).unwrap_or("?"),
                    None => "[]",
                });
            }
            if context.resource.is_none() {
                context.note(self.outline, parent, self.objects);
            }
            child = parent;
        }
        context.path = path.into_iter().rev().map(str::to_owned).collect();
        context
    }

    fn finding(
        &self,
        rule: Rule,
        severity: Severity,
        span: Span,
        resource: Option<Resource>,
        field: Option<String>,
        message: String,
    ) -> Finding {
        let outcome = Outcome::Noted;
        Finding { rule, severity, outcome, span, document: self.document, resource, field, message, help: None }
    }
}

/// Where a key or string stands.
#[derive(Debug, Default)]
struct Context {
    /// The nearest object that was met.
    resource: Option<Resource>,
    /// Keys from the document's root to the node's own mapping; `[]` for list items.
    path: Vec<String>,
    /// A Service inside an object that is no wrapper.
    nested_service: bool,
}

impl Context {
    fn note(&mut self, outline: &Outline, mapping: NodeId, objects: &HashMap<NodeId, Resource>) {
        if let Some(resource) = objects.get(&mapping) {
            self.resource = Some(resource.clone());
        } else if outline.text(mapping, "kind") == Some("Service")
            && outline.text(mapping, "apiVersion").is_none_or(|version| version == "v1")
        {
            self.nested_service = true;
        }
    }

    fn foreign(&self) -> Option<&'static ForeignField> {
        let resource = self.resource.as_ref()?;
        foreign::find(&resource.api_version, &resource.kind)
    }

    fn field(&self, name: &str) -> String {
        let mut field = self.path.join(".").replace(".[]", "[]");
        if !field.is_empty() {
            field.push('.');
        }
        field + name
    }

    fn judge(&self, exact: bool, anchored: bool) -> (Rule, Severity, String) {
        let none = Resource::default();
        let resource = self.resource.as_ref().unwrap_or(&none);
        let info = |rule, message: &str| (rule, Severity::Info, message.to_owned());
        let holds = |name: &str| self.path.iter().any(|key| key == name);
        if holds("managedFields") {
            return info(Rule::ManagedFields, "bookkeeping of the API server");
        }
        if !exact {
            return info(Rule::InString, "part of another key");
        }
        if self.path.last().is_some_and(|key| key == "properties") || holds("openAPIV3Schema") {
            return info(Rule::SchemaProperty, "a property of a schema");
        }
        if let Some(row) = self.foreign() {
            return (Rule::OtherMeaning, Severity::Info, format!("not a Service's field: {}", row.meaning));
        }
        if self.nested_service {
            return info(Rule::NestedService, "a Service inside an object that unstick does not know: not edited");
        }
        if resource.kind == "Service" && resource.api_version.is_empty() {
            let message = "kind Service without an apiVersion: not edited";
            return (Rule::NoApiVersion, Severity::Warning, message.into());
        }
        if resource.kind == "Service" && !is_service(resource) {
            return info(Rule::OtherMeaning, "a Service of another API group: not edited");
        }
        if anchored {
            return info(Rule::Misplaced, "in a shared mapping: the Services that use it are handled one by one");
        }
        let pods = ["Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "PodTemplate"];
        if is_service(resource) || pods.contains(&resource.kind.as_str()) {
            return (Rule::Misplaced, Severity::Warning, "the key has no meaning in this place".into());
        }
        info(Rule::Misplaced, "the key is in no Service spec that unstick knows")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_whole_names_only() {
        let text =
            b"sessionAffinity sessionAffinityConfig sessionAffinityState cookiesessionAffinity f:sessionAffinity";
        let found: Vec<&[u8]> =
            spans(text, Span::new(0, text.len())).into_iter().map(|span| span.slice(text)).collect();
        assert_eq!(found, [&b"sessionAffinity"[..], b"sessionAffinityConfig", b"sessionAffinity"]);
    }
}
