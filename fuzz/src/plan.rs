//! What must hold for plans.

use unstick::{Outcome, Plan, Policy, Source, krm};
use unstick_yaml::{Chunks, Span, check_encoding, is_json};

use crate::policies::policy;

/// Plans the bytes behind the first one, under the policy that the first one stands for.
///
/// Bytes outside the edits stay, a second run edits nothing, what could be read still can, and no occurrence of the two
/// names is passed over.
pub fn plan_bytes(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let policy = policy(*first);
    let plan = Plan::new(source(text), &policy);
    let output = plan.apply(text);
    check_untouched(text, &plan, &output);
    check_told(text, &plan);
    // Of a text that could not be handled as a whole nothing is written.
    if !plan.blocked {
        let again = Plan::new(source(&output), &policy);
        assert!(again.edits.is_empty(), "a second run edits {:?} in\n{}", again.edits, show(&output));
    }
    if is_readable(text) {
        assert!(is_readable(&output), "what comes out cannot be read:\n{}", show(&output));
    }
    assert_eq!(plan, Plan::new(source(text), &policy), "two plans for the same bytes differ");
}

/// Answers a ResourceList: what comes out is one too, and its items need no change any more.
pub fn krm_respond(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let policy: Policy = policy(*first);
    let Some(response) = krm::respond(source(text), &policy) else { return };
    let output = response.plan.apply(text);
    check_untouched(text, &response.plan, &output);
    let Some(again) = krm::respond(source(&output), &policy) else {
        panic!("what comes out is no ResourceList:\n{}", show(&output));
    };
    let changed = again.plan.count(Outcome::Changed);
    assert_eq!(changed, 0, "a second run changes {:?} in\n{}", again.plan.edits, show(&output));
}

fn source(bytes: &[u8]) -> Source<'_> {
    Source { path: Some("charts/a.yaml"), bytes }
}

/// Checks that the output is the text with exactly the edits, and findings stay inside the text in source order.
pub(crate) fn check_untouched(text: &[u8], plan: &Plan, output: &[u8]) {
    let mut expected: Vec<u8> = Vec::new();
    let mut copied = 0;
    for edit in plan.edits.as_slice() {
        assert!(copied <= edit.span.start && edit.span.end <= text.len(), "{:?} after {copied}", edit.span);
        expected.extend_from_slice(&text[copied..edit.span.start]);
        expected.extend_from_slice(&edit.replacement);
        copied = edit.span.end;
    }
    expected.extend_from_slice(&text[copied..]);
    assert!(expected == output, "the edits do not give the output:\n{}", show(output));
    for finding in &plan.findings {
        assert!(finding.span.end <= text.len(), "a finding leaves the text: {:?}", finding.span);
    }
    assert!(plan.findings.is_sorted_by_key(|finding| finding.span.start), "findings are out of order");
}

/// Checks that each of the two names, as a whole word, lies in a finding or an edit.
pub(crate) fn check_told(text: &[u8], plan: &Plan) {
    if check_encoding(text).is_err() {
        return;
    }
    let findings = plan.findings.iter().map(|finding| finding.span);
    let told: Vec<Span> = findings.chain(plan.edits.as_slice().iter().map(|edit| edit.span)).collect();
    for word in words(text) {
        let name = word.slice(text);
        if name == b"sessionAffinity" || name == b"sessionAffinityConfig" {
            assert!(told.iter().any(|span| span.encloses(word)), "{word:?} is passed over:\n{}", show(text));
        }
    }
}

/// Returns the runs of ASCII letters, digits and underscores.
fn words(text: &[u8]) -> impl Iterator<Item = Span> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().position(is_word)?;
        let length = text[at..].iter().take_while(|byte| is_word(byte)).count();
        let word = Span::new(at, at + length);
        at = word.end;
        Some(word)
    })
}

/// Tells whether all of a text can be read, as JSON or as YAML.
pub(crate) fn is_readable(text: &[u8]) -> bool {
    let json = is_json(text) && unstick_yaml::read_json(text, Span::new(0, text.len())).is_ok();
    json || Chunks::new(text).all(|chunk| unstick_yaml::read_yaml(text, chunk).iter().all(Result::is_ok))
}

pub(crate) fn show(text: &[u8]) -> std::slice::EscapeAscii<'_> {
    text.escape_ascii()
}
