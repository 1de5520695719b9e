//! What holds for any bytes: the readers do not panic, spans keep their promises, and changes come out as asked.

mod support;

use proptest::prelude::*;
use serde_json::Value as Json;
use support::{data::data, generator, invariants};
use unstick_yaml::{ChangeSet, Chunks, CommentRule, NodeId, Span, read_json, read_yaml};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn yaml_outlines_keep_their_promises(text in generator::yaml_like()) {
        let mut joined = Vec::new();
        for chunk in Chunks::new(&text) {
            joined.extend_from_slice(chunk.slice(&text));
            let mut reached = chunk.start;
            for outline in read_yaml(&text, chunk).into_iter().flatten() {
                invariants::check(&text, &outline);
                prop_assert!(reached <= outline.span.start && outline.span.end <= chunk.end);
                reached = outline.span.end;
            }
        }
        prop_assert_eq!(joined, text);
    }

    #[test]
    fn json_like_bytes_read_like_serde_json(text in generator::json_like()) {
        let ours = read_json(&text, Span::new(0, text.len()));
        for outline in ours.iter().flatten() {
            invariants::check(&text, outline);
        }
        let theirs: Result<Vec<Json>, _> = serde_json::Deserializer::from_slice(&text).into_iter().collect();
        // Where the other reader fails, ours may pass: lone surrogates, raw bytes and numbers out of range.
        if let (Ok(theirs), Ok(ours)) = (&theirs, &ours) {
            let ours: Vec<Json> = ours.iter().map(data).collect();
            prop_assert_eq!(&ours, theirs);
        }
        prop_assert!(theirs.is_err() || ours.is_ok(), "{}", text.escape_ascii());
    }

    #[test]
    fn json_values_come_back(value in generator::json_value(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) };
        let text = text.expect("a value can be written");
        let outlines = read_json(&text, Span::new(0, text.len())).expect("what was written is JSON");
        prop_assert_eq!(outlines.len(), 1);
        invariants::check(&text, &outlines[0]);
        prop_assert_eq!(outlines[0].span, Span::new(0, text.len()));
        prop_assert_eq!(data(&outlines[0]), value.clone());
        if is_yaml_too(&value) {
            let yaml = read_yaml(&text, Span::new(0, text.len()));
            prop_assert_eq!(yaml.len(), 1);
            let outline = yaml[0].as_ref().expect("JSON is YAML");
            invariants::check(&text, outline);
            prop_assert_eq!(data(outline), value);
        }
    }

    #[test]
    fn removals_change_nothing_else(
        manifest in generator::manifest(),
        choices in proptest::collection::vec(any::<proptest::sample::Index>(), 1..6),
        owned in any::<bool>(),
    ) {
        let text = manifest.as_bytes();
        let window = Span::new(0, text.len());
        let mut documents = read_yaml(text, window);
        prop_assert_eq!(documents.len(), 1, "{}", manifest);
        let outline = documents.remove(0).expect("what was generated is YAML");
        invariants::check(text, &outline);
        let places: Vec<(NodeId, usize)> = (0..outline.nodes.len())
            .map(|index| NodeId(u32::try_from(index).unwrap()))
            .flat_map(|id| (0..outline.entries(id).len()).map(move |index| (id, index)))
            .collect();
        prop_assume!(!places.is_empty());
        let mut changes = ChangeSet::new();
        for choice in choices {
            let (mapping, index) = places[choice.index(places.len())];
            changes.remove(mapping, index);
        }
        let comments = if owned { CommentRule::Owned(&["b", "key"]) } else { CommentRule::Keep };
        // A refusal is an answer; what is done must be right.
        let Ok(edits) = changes.edits(text, &outline, comments) else { return Ok(()) };
        prop_assert!(!edits.is_empty());
        let edited = edits.apply(text);
        let shown = format!("{manifest}\n-----\n{}", String::from_utf8_lossy(&edited));
        let mut after = read_yaml(&edited, Span::new(0, edited.len()));
        prop_assert_eq!(after.len(), 1, "{}", shown);
        let after = after.remove(0);
        prop_assert!(after.is_ok(), "{:?}\n{}", after, shown);
        let verified = changes.verify(&outline, &after.unwrap());
        prop_assert!(verified.is_ok(), "{:?}\n{}", verified, shown);
    }
}

/// Returns at least 2000 cases a property, more where `PROPTEST_CASES` asks for them.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.max(2000), failure_persistence: None, ..usual }
}

/// Tells whether a YAML parser takes the JSON too: it wants its characters printable, and its keys short.
fn is_yaml_too(value: &Json) -> bool {
    let printable =
        |text: &str| text.chars().all(|c| !c.is_control() && !matches!(c, '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}'));
    match value {
        Json::String(text) => printable(text),
        Json::Array(items) => items.iter().all(is_yaml_too),
        Json::Object(members) => members.iter().all(|(key, value)| printable(key) && is_yaml_too(value)),
        _ => true,
    }
}
