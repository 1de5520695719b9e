//! The rules of removal, on small templates.

use super::*;
use crate::template::TemplateOutline;

/// Takes out every `key` and `keyConfig`.
fn cut(text: &str) -> String {
    let bytes = text.as_bytes();
    let template = Template::read(bytes).unwrap();
    let outline = TemplateOutline::read(bytes, &template);
    let wanted = outline.nodes.iter().filter(|node| matches!(node.key(), Some("key" | "keyConfig")));
    let removals: Vec<Removal> = wanted
        .map(|node| Removal { entry: node.span, column: node.column, behind_block_scalar: false, comments: None })
        .collect();
    assert!(!removals.is_empty());
    let plan = template.plan_removal(bytes, &removals);
    if let Some(refused) = plan.refused.iter().flatten().next() {
        return refused.to_string();
    }
    String::from_utf8(plan.edits.apply(bytes)).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(cut(text), expected, "{text}");
}

#[test]
fn cuts_whole_lines() {
    check("spec:\n  key: ClientIP # why\n  a: 1\n", "spec:\n  a: 1\n");
    check("spec:\r\n  a: 1\r\n  key: x", "spec:\r\n  a: 1\r\n");
    check(
        "spec:\n  labels: {{- include \"l\" . | nindent 4 }}\n  key: {{ .x }}\n  {{- with .y }}\n  b: 1\n  {{- end }}\n",
        "spec:\n  labels: {{- include \"l\" . | nindent 4 }}\n  {{- with .y }}\n  b: 1\n  {{- end }}\n",
    );
}

#[test]
fn cuts_blocks_that_become_empty() {
    check("a: 1\n{{- if .x }}\nkey: {{ .x }}\n{{- end }}\nb: 1\n", "a: 1\nb: 1\n");
    check("a: 1\n{{ if .x -}}\nkey: {{ .x }}\n{{ end -}}\nb: 1\n", "a: 1\nb: 1\n");
    check("a: 1\n{{ if .x }}\nkey: {{ .x }}\n{{ end }}\nb: 1\n", "a: 1\nb: 1\n");
    check(
        "a: 1\n  {{- if .x }}\n  key: {{ .x }}\n  {{- with .y }}\n  keyConfig:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n  {{- end }}\nb: 1\n",
        "a: 1\nb: 1\n",
    );
    check("a: 1\n  {{ if eq .n \"s\" }}key: ClientIP{{ end }}\nb: 1\n", "a: 1\nb: 1\n");
    check("a: X{{ if .x }}\n  key: y{{ end }}\nb: 1\n", "a: X\nb: 1\n");
}

#[test]
fn keeps_blocks_that_must_stay() {
    // Without the block the line above would swallow the next one.
    check(
        "a: 1\n{{- end -}}\n{{ if .x }}\nkey: 1\n{{- end }}\nports:\n"
            .replace("{{- end -}}", "{{- if .q }}{{- end -}}")
            .as_str(),
        "a: 1\n{{- if .q }}{{- end -}}\n{{ if .x }}\n{{- end }}\nports:\n",
    );
    check("{{- if required \"no\" .x }}\nkey: 1\n{{- end }}\n", "{{- if required \"no\" .x }}\n{{- end }}\n");
    check(
        "{{- if .x }}\n{{- $v = 1 }}\nkey: 1\n{{- end }}\na: {{ $v }}\n",
        "{{- if .x }}\n{{- $v = 1 }}\n{{- end }}\na: {{ $v }}\n",
    );
    check("{{- if .x }}\n{{- $v := 1 }}\nkey: 1\n{{- end }}\na: 1\n", "a: 1\n");
}

#[test]
fn drops_only_the_last_branch() {
    check("{{- if .x }}\na: 1\n{{- else }}\nkey: 1\n{{- end }}\n", "{{- if .x }}\na: 1\n{{- end }}\n");
    check("{{- if .x }}\nkey: 1\n{{- else }}\na: 1\n{{- end }}\n", "{{- if .x }}\n{{- else }}\na: 1\n{{- end }}\n");
    check("{{- if .x }}\nkey: 1\n{{- else if .y }}\nkey: 2\n{{- else }}\nkey: 3\n{{- end }}\nb: 1\n", "b: 1\n");
    check(
        "{{- if .x }}\na: 1\n{{- else if .y }}\nkey: 2\n{{- else }}\nkey: 3\n{{- end }}\nb: 1\n",
        "{{- if .x }}\na: 1\n{{- end }}\nb: 1\n",
    );
}

#[test]
fn minds_lines_that_take_their_indentation_from_before() {
    check("spec:\n  {{ if .x -}}\n  key: 1\n  m: 1\n  {{- end }}\n", "spec:\n  {{ if .x -}}\n  m: 1\n  {{- end }}\n");
    check(
        "spec:\n{{ include \"ports\" . | indent 2 -}}\n  key: 1\n  type: x\n",
        "spec:\n{{ include \"ports\" . | indent 2 -}}\n  type: x\n",
    );
}

#[test]
fn refuses_values_with_effects_and_crossed_blocks() {
    assert_eq!(cut("key: {{ set .x \"a\" 1 }}\n"), "its value sets something that is used elsewhere");
}
