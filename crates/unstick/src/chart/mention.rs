//! Every mention of the two names in a template that is no entry.

use unstick_yaml::{Action, ActionKind, Span, Template, TemplateOutline, Token};

use crate::occurrence;
use crate::{Finding, Outcome, Rule, Severity};

use super::source::SourcePlan;

/// Returns a finding for each mention that no finding and no edit covers.
pub(crate) fn find(
    text: &[u8],
    template: &Template,
    outline: Option<&TemplateOutline>,
    plan: &SourcePlan,
) -> Vec<Finding> {
    let entries: Vec<Span> = plan.entries.iter().map(|planned| planned.entry.span).collect();
    let mut covered: Vec<Span> = plan.findings.iter().map(|finding| finding.span).collect();
    covered.extend(plan.edits.as_slice().iter().map(|edit| edit.span));
    covered.extend(&entries);
    let mut told: Vec<Span> = Vec::new();
    let mut findings = Vec::new();
    for span in occurrence::spans(text, Span::new(0, text.len())) {
        if covered.iter().chain(&told).any(|other| other.encloses(span)) {
            continue;
        }
        let Some(token) = template.token_at(span.start) else { continue };
        let finding = match &template.tokens[token] {
            Token::Action(action) => of_action(text, template, token, action, span, plan),
            Token::Text(_) => of_text(text, outline, span),
        };
        told.push(finding.span);
        findings.push(finding);
    }
    findings
}

fn noted(rule: Rule, severity: Severity, span: Span, message: &str, help: Option<&str>) -> Finding {
    Finding {
        rule,
        severity,
        outcome: Outcome::Noted,
        span,
        document: 0,
        resource: None,
        field: None,
        message: message.into(),
        help: help.map(str::to_owned),
    }
}

fn of_action(
    text: &[u8],
    template: &Template,
    token: usize,
    action: &Action,
    span: Span,
    plan: &SourcePlan,
) -> Finding {
    if action.kind == ActionKind::Comment {
        return noted(Rule::InComment, Severity::Info, span, "named in a template's comment", None);
    }
    if is_quoted(text, span) {
        let help = "run unstick on the rendered manifests, as a post-renderer, or change the expression by hand";
        let message = "an expression builds the field itself: it is not edited, and what it renders was not looked at";
        return noted(Rule::OpaqueSpec, Severity::Warning, span, message, Some(help));
    }
    let guards = template.holders[token].is_some_and(|(block, _)| {
        let span = template.blocks[block].span;
        action.opens() && plan.entries.iter().any(|planned| span.encloses(planned.entry.span))
    });
    if guards {
        let message = "the condition of an entry below: it stays with it";
        return Finding { outcome: Outcome::Kept, ..noted(Rule::Template, Severity::Info, span, message, None) };
    }
    noted(Rule::Template, Severity::Info, span, "an expression reads a value of this name", None)
}

/// Tells whether the name is a whole string.
fn is_quoted(text: &[u8], span: Span) -> bool {
    let before = span.start.checked_sub(1).and_then(|at| text.get(at));
    matches!((before, text.get(span.end)), (Some(b'"'), Some(b'"')) | (Some(b'`'), Some(b'`')))
}

fn of_text(text: &[u8], outline: Option<&TemplateOutline>, span: Span) -> Finding {
    let comment = outline.and_then(|outline| outline.comments.iter().find(|comment| comment.encloses(span)));
    if let Some(comment) = comment {
        return noted(Rule::InComment, Severity::Info, *comment, "named in a comment", None);
    }
    if outline.is_some_and(|outline| is_flow_key(text, outline, span)) {
        let message = "in a flow mapping of a template: left as it is, and what it belongs to was not looked at";
        let help = "write the mapping in block style, or run unstick on the rendered manifests, as a post-renderer";
        let finding = noted(Rule::Template, Severity::Error, span, message, Some(help));
        return Finding { outcome: Outcome::Refused, ..finding };
    }
    noted(Rule::InString, Severity::Info, span, "in text that is not edited", None)
}

/// Tells whether the name is a key inside braces.
fn is_flow_key(text: &[u8], outline: &TemplateOutline, span: Span) -> bool {
    let after = text[span.end..].iter().find(|byte| !matches!(byte, b'"' | b'\'' | b' '));
    let innermost = outline.nodes.iter().rev().find(|node| node.span.encloses(span) && node.key.end <= span.start);
    after == Some(&b':') && innermost.is_some_and(|node| matches!(text.get(node.value.start), Some(b'{' | b'[')))
}
