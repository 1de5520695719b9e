//! The values that the generated templates read.

use serde_json::{Value, json};

/// Returns values sets with all combinations of the four flags, each with several values of the rest.
pub(crate) fn all() -> Vec<Value> {
    let words = ["ClientIP", "None", "ClientIP", ""];
    let mut sets = Vec::new();
    for round in 0..2 {
        for flags in 0..16_usize {
            let flag = |bit: usize| flags >> bit & 1 == 1;
            let word = words[(flags + flags / 4 + round * 3) % 4];
            let lists = [json!([]), json!(["x"]), json!(["x", "y"])];
            let config =
                if (flags + round) % 2 == 0 { json!({"clientIP": {"timeoutSeconds": 600}}) } else { json!({}) };
            let mapping = match (flags / 2 + round) % 3 {
                0 => json!({}),
                1 => json!({"s": "ClientIP", "t": "x"}),
                _ => json!({"s": "None", "t": "x"}),
            };
            sets.push(json!({
                "a": flag(0), "b": flag(1), "c": flag(2), "d": flag(3),
                "s": word, "t": "text", "n": 5, "m": mapping, "cfg": config,
                "l": lists[(flags / 3 + round) % 3], "o": lists[(flags / 5 + round) % 2],
                "labels": {"app": "shop", "tier": "web"},
            }));
        }
    }
    sets
}

/// Tells whether a set turns affinity off; an empty string does not everywhere, as a template may have a default.
pub(crate) fn is_off(set: &Value) -> bool {
    set["s"] == "None" && set["m"]["s"] != "ClientIP"
}
