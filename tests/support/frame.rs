//! What must hold for every plan of every text.

use unstick::{Advice, Finding, Outcome, Plan, Policy, Rule, Source, Survey};

/// Returns what a plan says of a text.
pub fn plan(text: &[u8], path: &str, policy: &Policy) -> Plan {
    Plan::new(Source { path: Some(path), bytes: text }, policy)
}

/// Checks the laws that need no knowledge of the right answer; each broken one is a sentence.
pub fn broken_laws(text: &[u8], path: &str, policy: &Policy, plan: &Plan) -> Vec<String> {
    let mut broken = Vec::new();
    let result = plan.apply(text);
    match splice(text, plan) {
        Ok(spliced) if spliced == result => {}
        Ok(_) => broken.push("bytes outside the edits differ".into()),
        Err(reason) => broken.push(reason),
    }
    let again = self::plan(&result, path, policy);
    if !again.edits.is_empty() {
        broken.push(format!("a second run edits again: {:?}", again.edits.as_slice()));
    }
    if again.blocked != plan.blocked {
        broken.push("a second run disagrees on whether the text can be read".into());
    }
    for pair in plan.findings.windows(2) {
        if pair[0].span.start > pair[1].span.start {
            broken.push(format!("findings out of source order: {:?} before {:?}", pair[0].span, pair[1].span));
        }
    }
    let blocking = |finding: &Finding| {
        matches!(finding.rule, Rule::Unreadable | Rule::Template) && finding.outcome == Outcome::Refused
    };
    if plan.blocked && !plan.findings.iter().any(blocking) {
        broken.push("the text is blocked, and no finding says why".into());
    }
    for finding in &plan.findings {
        if finding.span.end > text.len() {
            broken.push(format!("a finding ends after the text: {:?}", finding.span));
        }
        let touched = plan.edits.as_slice().iter().any(|edit| {
            // A kept value that was an alias may have to become the anchored value itself.
            let moves_anchor = edit.replacement.starts_with(b"&");
            !moves_anchor
                && !edit.span.is_empty()
                && edit.span.start < finding.span.end
                && finding.span.start < edit.span.end
        });
        if touched && finding.outcome != Outcome::Changed {
            broken.push(format!("an edit touches a {} finding: {finding:?}", finding.outcome.word()));
        }
    }
    // Reading each text twice more costs as much as all the rest: every fourth one is enough.
    if text.len().is_multiple_of(4) {
        broken.extend(broken_laws_of_advice(text, path, policy, plan));
    }
    broken
}

/// Checks that advice adds notes in the text's order and leaves the rest of the plan alone.
fn broken_laws_of_advice(text: &[u8], path: &str, policy: &Policy, plan: &Plan) -> Vec<String> {
    let source = Source { path: Some(path), bytes: text };
    let mut advised = plan.clone();
    advised.advise(source, policy, &Survey::new(source, policy), Advice::All);
    let mut broken = Vec::new();
    if (&advised.edits, advised.blocked) != (&plan.edits, plan.blocked) {
        broken.push("advice changes the plan".into());
    }
    let mut planned = plan.findings.iter().peekable();
    for finding in &advised.findings {
        if planned.next_if_eq(&finding).is_none()
            && (finding.outcome != Outcome::Noted || finding.span.end > text.len() || finding.help.is_none())
        {
            broken.push(format!("no advice: {finding:?}"));
        }
    }
    if planned.next().is_some() {
        broken.push("advice hides or moves a finding".into());
    }
    if advised.findings.windows(2).any(|pair| pair[0].span > pair[1].span) {
        broken.push("advice stands out of source order".into());
    }
    broken
}

/// Applies the edits without the help of the code under test.
fn splice(text: &[u8], plan: &Plan) -> Result<Vec<u8>, String> {
    let mut result = Vec::new();
    let mut at = 0;
    for edit in plan.edits.as_slice() {
        if edit.span.start < at || edit.span.end > text.len() {
            return Err(format!("edits overlap or leave the text: {:?}", plan.edits.as_slice()));
        }
        result.extend_from_slice(&text[at..edit.span.start]);
        result.extend_from_slice(&edit.replacement);
        at = edit.span.end;
    }
    result.extend_from_slice(&text[at..]);
    Ok(result)
}
