//! Service specs that a template takes from somewhere else, so that affinity can come in unseen.

use unstick_yaml::{Span, Template, TemplateNodeKind, TemplateOutline, parse_expression};

use crate::{Finding, Outcome, Rule, Severity};

use super::ChartSet;
use super::outlines::{Outlines, included};

const HELP: &str = "leave the field out of the values that are printed here, or run unstick on the rendered manifests, \
                    as a post-renderer";

/// Returns a finding for each action that prints into a Service's own spec what is not written in the chart's templates.
pub(crate) fn find(set: &ChartSet<'_>, outlines: &Outlines, file: usize) -> Vec<Finding> {
    let (Some(template), Some(outline)) = (&set.templates[file], &outlines.files[file]) else { return Vec::new() };
    let text = set.files[file].bytes;
    let mut findings = Vec::new();
    for node in &outline.nodes {
        let TemplateNodeKind::Hole(token) = node.kind else { continue };
        let Some(parent) = node.parent else { continue };
        let place = if is_service_spec(outline, parent, text) {
            "the whole spec, or more of it,"
        } else if is_bare_document(outline, parent) {
            "a whole object"
        } else {
            continue;
        };
        findings.extend(judge(outlines, text, template, token, place));
    }
    findings
}

/// Tells whether a node is the `spec` of an object that is, or may be, a Service.
fn is_service_spec(outline: &TemplateOutline, node: usize, text: &[u8]) -> bool {
    if outline.nodes[node].key() != Some("spec") {
        return false;
    }
    let Some(object) = outline.nodes[node].parent else { return false };
    let is_container = !matches!(outline.nodes[object].kind, TemplateNodeKind::Key(_));
    let mut kinds = outline.children(object).filter(|child| outline.nodes[*child].key() == Some("kind")).peekable();
    is_container && kinds.peek().is_some() && kinds.any(|kind| outline.nodes[kind].value.slice(text) == b"Service")
}

/// Tells whether a hole is in a document that writes no key itself.
fn is_bare_document(outline: &TemplateOutline, parent: usize) -> bool {
    outline.nodes[parent].kind == TemplateNodeKind::Document
        && !outline.children(parent).any(|child| matches!(outline.nodes[child].kind, TemplateNodeKind::Key(_)))
}

fn judge(outlines: &Outlines, text: &[u8], template: &Template, token: usize, place: &str) -> Option<Finding> {
    let action = template.action(token)?;
    let includes = included(text, action);
    let unknown = includes.iter().find(|(name, _)| !outlines.defines.contains_key(name));
    let whole_spec = place.starts_with("the whole spec");
    let message = if let Some((name, _)) = unknown {
        if !whole_spec && !may_print_services(name) {
            return None;
        }
        format!("{place} comes from \"{name}\", which this chart does not define: what it prints was not looked at")
    } else if !includes.is_empty() && includes.iter().all(|(_, direct)| *direct) {
        return None;
    } else if whole_spec {
        format!("{place} comes from {}: affinity can come in with it", source(text, action.pipeline(text))?)
    } else {
        return None;
    };
    Some(Finding {
        rule: Rule::OpaqueSpec,
        severity: Severity::Warning,
        outcome: Outcome::Noted,
        span: action.span,
        document: 0,
        resource: None,
        field: None,
        message,
        help: Some(HELP.into()),
    })
}

/// Tells whether a define of a library may print Services, as far as its name tells.
fn may_print_services(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["service", "svc", "all", "loader", "render", "resources", "main", "app"].iter().any(|word| name.contains(word))
}

/// Names what an expression prints, where it can print keys: a map as YAML, or a text from the values.
fn source(text: &[u8], span: Span) -> Option<String> {
    let expression = parse_expression(text, span).ok()?;
    let functions = expression.pipeline.functions();
    let prints_maps = ["toYaml", "toJson", "tpl", "include", "merge", "mergeOverwrite", "omit", "pick"];
    let from_maps = functions.iter().any(|name| prints_maps.contains(name));
    from_maps.then(|| format!("`{}`", String::from_utf8_lossy(expression.pipeline.span.slice(text))))
}
