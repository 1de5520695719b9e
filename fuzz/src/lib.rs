//! What must hold for any bytes, as functions that panic where it does not.
//!
//! Each target takes one input; cargo-fuzz wraps them in `fuzz_targets/`, and `src/bin/smoke.rs` runs them on stable.

mod chart;
#[path = "../../crates/unstick-yaml/tests/support/invariants.rs"]
mod invariants;
mod plan;
mod policies;

pub use chart::{plan_chart, read_template};
pub use plan::{krm_respond, plan_bytes};

use unstick_yaml::{Chunks, Span};

/// A target.
pub struct Target {
    /// The name of the function.
    pub name: &'static str,
    /// Panics where something does not hold for the input.
    pub check: fn(&[u8]),
    /// Seeds for it hold these bytes; others would be passed over at once.
    pub needle: &'static [u8],
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "plan_bytes", check: plan_bytes, needle: b"" },
    Target { name: "read_yaml", check: read_yaml, needle: b"" },
    Target { name: "read_json", check: read_json, needle: b"{" },
    Target { name: "read_template", check: read_template, needle: b"{{" },
    Target { name: "plan_chart", check: plan_chart, needle: b"{{" },
    Target { name: "krm_respond", check: krm_respond, needle: b"ResourceList" },
];

/// Chunks cover the text, documents lie in their chunk one after the other, and their spans keep their promises.
pub fn read_yaml(text: &[u8]) {
    let mut covered = 0;
    for chunk in Chunks::new(text) {
        assert_eq!(chunk.start, covered, "a chunk begins where the one before ends");
        assert!(!chunk.is_empty(), "an empty chunk at {covered}");
        covered = chunk.end;
        let mut reached = chunk.start;
        for document in unstick_yaml::read_yaml(text, chunk) {
            match document {
                Ok(outline) => {
                    assert!(reached <= outline.span.start && outline.span.end <= chunk.end, "{:?}", outline.span);
                    reached = outline.span.end;
                    invariants::check(text, &outline);
                }
                Err(error) => assert!(chunk.encloses(error.span), "the fault at {:?} leaves {chunk:?}", error.span),
            }
        }
    }
    assert_eq!(covered, text.len(), "the chunks together are the text");
}

/// JSON documents together are the text, and their spans keep their promises.
pub fn read_json(text: &[u8]) {
    let window = Span::new(0, text.len());
    match unstick_yaml::read_json(text, window) {
        Ok(outlines) => {
            let mut covered = 0;
            for outline in &outlines {
                assert_eq!(outline.span.start, covered, "a document begins where the one before ends");
                covered = outline.span.end;
                invariants::check(text, outline);
                // The same value alone reads the same.
                let alone = unstick_yaml::read_json(text, outline.span).expect("a document can be read alone");
                assert_eq!(alone.first(), Some(outline));
            }
            assert!(outlines.is_empty() || covered == text.len(), "the documents together are the text");
        }
        Err(error) => assert!(window.encloses(error.span), "the fault at {:?} leaves the text", error.span),
    }
}
