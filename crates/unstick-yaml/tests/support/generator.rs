//! Texts for property tests: YAML-like and JSON-like noise, JSON values, and well-formed manifests.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value as Json;

const YAML_PIECES: &[&str] = &[
    "a",
    "key",
    "x y",
    "1",
    "~",
    ": ",
    ":",
    ":\n",
    "- ",
    "-",
    "-\n",
    "? ",
    "?\n",
    ", ",
    ",",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "\n",
    "\n  ",
    "\n  ",
    "\n    ",
    "\r\n",
    "\r",
    "\t",
    " ",
    "# c",
    " # c\n",
    "\"",
    "\"q\"",
    "'",
    "'s'",
    "\"e\\n\"",
    "|\n",
    "|-\n",
    ">+\n",
    "|2 # h\n",
    ">\n",
    "&a ",
    "&b\n",
    "*a",
    "*b ",
    "!t ",
    "!!str ",
    "!<t> ",
    "<<: *a",
    "---\n",
    "--- ",
    "...\n",
    "%YAML 1.2\n",
    "\u{FEFF}",
    "ä",
    "😀",
    "\u{2028}",
    "{{ x }}",
    "a: 1\n",
    "b:\n  - 1\n",
    "\\",
    "\0",
    "`",
    "@",
];

/// Bytes that come near to YAML.
pub fn yaml_like() -> impl Strategy<Value = Vec<u8>> {
    pieces(YAML_PIECES, 40)
}

const JSON_PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"a\"",
    "\"a\":",
    "\"\\u0061\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\n\"",
    "\"",
    "1",
    "-0.5",
    "1e5",
    "01",
    "-",
    "1.",
    "true",
    "false",
    "null",
    " ",
    "\n",
    "\t",
    "\r",
    "\u{FEFF}",
    "// c\n",
    "ä",
    "{\"k\":[1,2]}",
    "[]",
    "{}",
    "\u{7f}",
    "\\",
];

/// Bytes that come near to JSON.
pub fn json_like() -> impl Strategy<Value = Vec<u8>> {
    pieces(JSON_PIECES, 14)
}

fn pieces(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        30 => proptest::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 1..4),
    ];
    vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

/// JSON values with every kind of scalar; objects have distinct keys.
pub fn json_value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        // Eighths come back exactly; other fractions are rounded by either side.
        (-9000i32..9000).prop_map(|eighths| Json::from(f64::from(eighths) / 8.0)),
        any::<String>().prop_map(Json::from),
        "[a-z\\\\\"/ ]{0,8}".prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::from),
            vec((any::<String>(), inner), 0..6).prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// A YAML value, with how it is to be written.
#[derive(Debug, Clone)]
pub enum Tree {
    Scalar(&'static str),
    /// Header and lines of a block scalar; plain text in flow.
    Block(&'static str, &'static str),
    Mapping(Vec<Member>, bool),
    Sequence(Vec<Tree>, bool, bool),
}

/// One entry of a generated mapping.
#[derive(Debug, Clone)]
pub struct Member {
    key: &'static str,
    value: Tree,
    /// Lines above it.
    above: &'static str,
    /// What follows its value or, before a nested block, its colon.
    comment: &'static str,
}

/// Well-formed block and flow YAML, one mapping, with comments, blank lines and either line ending.
pub fn manifest() -> impl Strategy<Value = String> {
    let scalar = proptest::sample::select(
        &["1", "x y", "\"q # r\"", "'s: t'", "", "~", "!!str 1", "\"a\\\n   b\"", "a\n      b", "ä"][..],
    );
    let block =
        (proptest::sample::select(&["|", ">-", "|+", "|2"][..]), proptest::sample::select(&["t", "t\n\nu", ""][..]));
    let leaf = prop_oneof![
        4 => scalar.prop_map(Tree::Scalar),
        1 => block.prop_map(|(header, lines)| Tree::Block(header, lines)),
    ];
    let tree = leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            3 => (members(inner.clone(), 0), prop::bool::weighted(0.3)).prop_map(|(members, flow)| Tree::Mapping(members, flow)),
            1 => (vec(inner, 0..4), prop::bool::weighted(0.3), any::<bool>())
                .prop_map(|(items, flow, indent)| Tree::Sequence(items, flow, indent)),
        ]
    });
    (members(tree, 1), any::<bool>(), any::<bool>()).prop_map(|(members, crlf, ends)| {
        let mut out = String::new();
        write_members(&mut out, &members, 0, false);
        if !ends {
            out.truncate(out.trim_end_matches('\n').len());
        }
        if crlf { out.replace('\n', "\r\n") } else { out }
    })
}

fn members(value: impl Strategy<Value = Tree> + 'static, least: usize) -> impl Strategy<Value = Vec<Member>> {
    let key = proptest::sample::select(&["a", "key", "\"b\"", "'c'", "d e", "? f"][..]);
    let above = proptest::sample::select(&["", "", "", "# about key", "# other", "\n", "# b\n# key\n"][..]);
    let comment = proptest::sample::select(&["", "", " # c", "  # key"][..]);
    let member =
        (key, value, above, comment).prop_map(|(key, value, above, comment)| Member { key, value, above, comment });
    vec(member, least..5)
}

fn write_members(out: &mut String, members: &[Member], indent: usize, first_in_line: bool) {
    for (index, member) in members.iter().enumerate() {
        if !(first_in_line && index == 0) {
            for line in member.above.lines() {
                out.push_str(&format!("{}{line}\n", " ".repeat(indent)));
            }
            out.push_str(&" ".repeat(indent));
        }
        let (key, separator) = match member.key.strip_prefix("? ") {
            Some(key) if is_block_collection(&member.value) => (key, ":".to_owned()),
            Some(_) => (member.key, format!("\n{}:", " ".repeat(indent))),
            None => (member.key, ":".to_owned()),
        };
        out.push_str(key);
        out.push_str(&separator);
        write_value(out, &member.value, indent, member.comment);
    }
}

fn is_block_collection(tree: &Tree) -> bool {
    match tree {
        Tree::Mapping(members, flow) => !flow && !members.is_empty(),
        Tree::Sequence(items, flow, _) => !flow && !items.is_empty(),
        _ => false,
    }
}

/// Writes what follows an entry's indicator, through the line's end.
fn write_value(out: &mut String, value: &Tree, indent: usize, comment: &str) {
    match value {
        Tree::Mapping(members, false) if !members.is_empty() => {
            out.push_str(&format!("{comment}\n"));
            write_members(out, members, indent + 2, false);
        }
        Tree::Sequence(items, false, deeper) if !items.is_empty() => {
            out.push_str(&format!("{comment}\n"));
            let indent = if *deeper { indent + 2 } else { indent };
            for item in items {
                out.push_str(&" ".repeat(indent));
                out.push('-');
                match item {
                    Tree::Mapping(members, false) if !members.is_empty() => {
                        out.push(' ');
                        write_members(out, members, indent + 2, true);
                    }
                    Tree::Sequence(..) if is_block_collection(item) => write_value(out, item, indent + 2, ""),
                    _ => write_value(out, item, indent, ""),
                }
            }
        }
        Tree::Block(header, lines) => {
            out.push_str(&format!(" {header}{comment}\n"));
            for line in lines.lines() {
                let pad = if line.is_empty() { 0 } else { indent + 2 };
                out.push_str(&format!("{}{line}\n", " ".repeat(pad)));
            }
        }
        flow => {
            out.push(' ');
            write_flow(out, flow, indent + 2);
            out.push_str(&format!("{comment}\n"));
        }
    }
}

fn write_flow(out: &mut String, tree: &Tree, indent: usize) {
    let line = format!("\n{}", " ".repeat(indent));
    match tree {
        // A line break in a scalar is written with as much indentation as the place asks for.
        Tree::Scalar(text) => out.push_str(&text.replace('\n', &line)),
        Tree::Block(..) => out.push_str("text"),
        Tree::Mapping(members, _) => {
            out.push('{');
            for (index, member) in members.iter().enumerate() {
                let between = if index == 0 { "" } else { ", " };
                out.push_str(between);
                if member.comment.len() > 4 {
                    out.push_str(&format!(" #{}{line}", member.comment));
                }
                out.push_str(&format!("{}: ", member.key.trim_start_matches("? ")));
                write_flow(out, &member.value, indent);
            }
            out.push('}');
        }
        Tree::Sequence(items, ..) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ",  " });
                match item {
                    Tree::Scalar("") => out.push('~'),
                    item => write_flow(out, item, indent),
                }
            }
            out.push(']');
        }
    }
}
