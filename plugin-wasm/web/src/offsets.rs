//! Places of a text as JavaScript counts them.

use unstick::Plan;
use unstick_yaml::{Span, utf16_offsets};

/// Returns the UTF-16 offsets of a plan's places: start and end of each finding, then start and end of each edit.
pub(crate) fn of_plan(text: &[u8], plan: &Plan) -> Vec<u32> {
    let findings = plan.findings.iter().map(|finding| finding.span);
    let edits = plan.edits.as_slice().iter().map(|edit| edit.span);
    let places: Vec<usize> = findings.chain(edits).flat_map(|Span { start, end }| [start, end]).collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let units = utf16_offsets(text, &sorted);
    let unit = |place: &usize| sorted.binary_search(place).map_or(0, |index| units[index]);
    places.iter().map(|place| u32::try_from(unit(place)).unwrap_or(u32::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use unstick::{Policy, Source};

    use super::*;

    #[test]
    fn counts_units_and_keeps_the_plans_order() {
        let text = "# é😀\nkind: Service\napiVersion: v1\nspec:\n  sessionAffinity: ClientIP # 😀\n  ports: []\n";
        let plan = Plan::new(Source { path: None, bytes: text.as_bytes() }, &Policy::default());
        let units: Vec<u16> = text.encode_utf16().collect();
        let found: Vec<String> = of_plan(text.as_bytes(), &plan)
            .chunks(2)
            .map(|pair| String::from_utf16_lossy(&units[pair[0] as usize..pair[1] as usize]))
            .collect();
        assert_eq!(found, ["sessionAffinity: ClientIP", "  sessionAffinity: ClientIP # 😀\n"]);
    }
}
