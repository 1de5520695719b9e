//! Which edits belong together, so that a viewer may make some and leave others.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use unstick::{Finding, Outcome, Plan};
use unstick_yaml::{Edit, Span};

use super::log::{ArtifactChange, ArtifactLocation, Content, Fix, Message, Region, Replacement};
use super::region::Regions;

/// How many findings of one object have its fix.
const MOST_FINDINGS: usize = 16;

/// Returns the fixes of each finding, in the plan's order.
///
/// All changed findings of one object have the same fix, as half of it could leave a config without its key. Where an
/// edit moves an anchor or writes an alias, edits of other objects may rest on it: then the first changed finding has
/// all edits as one fix.
pub(super) fn fixes(plan: &Plan, location: &ArtifactLocation, regions: &Regions, text: &[u8]) -> Vec<Vec<Fix>> {
    let mut found: Vec<Vec<Fix>> = plan.findings.iter().map(|_| Vec::new()).collect();
    let edits = plan.edits.as_slice();
    if plan.blocked || edits.is_empty() {
        return found;
    }
    let groups = groups(&plan.findings);
    let make = |edits: &[Edit], words: &str| Fix {
        description: Message { text: words.to_owned() },
        artifact_changes: [ArtifactChange {
            artifact_location: location.clone(),
            replacements: edits.iter().map(|edit| replacement(edit, regions)).collect(),
        }],
    };
    if edits.iter().any(|edit| names_anchor(edit, text)) {
        if let Some(first) = groups.first().and_then(|group| group.first()) {
            found[*first].push(make(edits, "make all changes of this file"));
        }
        return found;
    }
    let mut left = edits;
    for (index, group) in groups.iter().enumerate() {
        let next = groups.get(index + 1).and_then(|group| group.first()).map(|next| plan.findings[*next].span.start);
        let count = next.map_or(left.len(), |next| count_before(left, next, text));
        let (own, others) = left.split_at(count);
        left = others;
        if own.is_empty() {
            continue;
        }
        // An object has few findings; objects without a name look like one, and would make the log grow by the square.
        let with_fix = if group.len() > MOST_FINDINGS { &group[..1] } else { &group[..] };
        for finding in with_fix {
            found[*finding].push(make(own, "make this object's changes"));
        }
    }
    found
}

/// Returns the changed findings by object, in the order of the text.
fn groups(findings: &[Finding]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, finding) in findings.iter().enumerate() {
        if finding.outcome != Outcome::Changed {
            continue;
        }
        let same = |other: &usize| {
            let other = &findings[*other];
            other.document == finding.document && other.resource == finding.resource
        };
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(same) => group.push(index),
            _ => groups.push(vec![index]),
        }
    }
    groups
}

/// Returns how many of the edits come before the object whose first finding starts at `next`.
///
/// An edit with only blanks and comments between it and that object's own is that object's too, such as the `{}`
/// behind the key of an emptied mapping.
fn count_before(edits: &[Edit], next: usize, text: &[u8]) -> usize {
    let ends_before = |edit: &Edit| if edit.span.is_empty() { edit.span.start < next } else { edit.span.end <= next };
    let mut count = edits.partition_point(ends_before);
    let mut start = edits.get(count).map_or(next, |edit| edit.span.start.min(next));
    while let Some(edit) = count.checked_sub(1).map(|last| &edits[last]) {
        if !is_blank(Span::new(edit.span.end, start).slice(text)) {
            break;
        }
        start = edit.span.start;
        count -= 1;
    }
    count
}

/// Tells whether a text is made of blanks and comments.
fn is_blank(text: &[u8]) -> bool {
    text.split(|byte| matches!(byte, b'\n' | b'\r')).all(|line| {
        let content = line.trim_ascii_start();
        content.is_empty() || content.starts_with(b"#")
    })
}

fn names_anchor(edit: &Edit, text: &[u8]) -> bool {
    let names = |bytes: &[u8]| bytes.iter().any(|byte| matches!(byte, b'&' | b'*'));
    names(&edit.replacement) || names(edit.span.slice(text))
}

fn replacement(edit: &Edit, regions: &Regions) -> Replacement {
    let bytes = &edit.replacement;
    let (deleted_region, content) = match std::str::from_utf8(bytes) {
        Ok(text) => (regions.region(edit.span), Content::Text(text.to_owned())),
        Err(_) => {
            let region = Region::Bytes { byte_offset: edit.span.start, byte_length: edit.span.len() };
            (region, Content::Binary(BASE64_STANDARD.encode(bytes)))
        }
    };
    Replacement { deleted_region, inserted_content: (!bytes.is_empty()).then_some(content) }
}
