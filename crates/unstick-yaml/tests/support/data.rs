//! What a document says, as JSON.

use serde_json::Value as Json;
use unstick_yaml::{Content, Entry, NodeId, Outline, ScalarStyle};

/// Returns a document's data as JSON has it; the last of duplicate keys counts.
pub fn data(outline: &Outline) -> Json {
    fn value(outline: &Outline, id: NodeId) -> Json {
        match &outline.node(id).content {
            Content::Scalar { value, style: ScalarStyle::Plain } => {
                serde_json::from_str(value).expect("a plain scalar is a word of JSON")
            }
            Content::Scalar { value, .. } => Json::String(value.to_string()),
            Content::Alias { .. } => panic!("JSON has no aliases"),
            Content::Mapping { entries, .. } => {
                let pair = |entry: &Entry| {
                    let key = outline.key(entry).expect("a key is a string").to_owned();
                    (key, value(outline, entry.value))
                };
                entries.iter().map(pair).collect()
            }
            Content::Sequence { entries, .. } => entries.iter().map(|entry| value(outline, entry.value)).collect(),
        }
    }
    outline.root.map_or(Json::Null, |root| value(outline, root))
}
