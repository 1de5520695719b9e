//! The places where the parser's own spans mislead an editor, each with the exact spans that the outline has instead.

mod support;

use support::invariants;
use unstick_yaml::{Content, Entry, NodeId, Outline, ScalarStyle, Span, read_yaml};

/// Reads a text of one document and checks what holds for every outline.
fn read(text: &str) -> Outline {
    let mut documents = read_yaml(text.as_bytes(), Span::new(0, text.len()));
    assert_eq!(documents.len(), 1, "{text:?}");
    let outline = documents.remove(0).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    invariants::check(text.as_bytes(), &outline);
    outline
}

fn root(outline: &Outline) -> NodeId {
    outline.root.expect("the document has content")
}

/// Returns the entry at a path of keys; `#N` counts items of a sequence.
fn entry(outline: &Outline, path: &str) -> Entry {
    let mut node = root(outline);
    let mut found = None;
    for step in path.split('/') {
        let entry = match step.strip_prefix('#') {
            Some(index) => outline.items(node)[index.parse::<usize>().unwrap()],
            None => *outline.entry(node, step).unwrap_or_else(|| panic!("no {step}")),
        };
        node = entry.value;
        found = Some(entry);
    }
    found.expect("a path has a step")
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start..span.end]
}

fn entry_text<'t>(text: &'t str, outline: &Outline, path: &str) -> &'t str {
    slice(text, entry(outline, path).span())
}

fn value_text<'t>(text: &'t str, outline: &Outline, path: &str) -> &'t str {
    slice(text, outline.node(entry(outline, path).value).span)
}

#[test]
fn trap_01_block_scalar_spans_run_from_the_header_to_the_last_content_line() {
    let text = "a:\n  b: |\n    x\n  c: 1";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a/b"), "|\n    x\n");
    assert_eq!(entry_text(text, &outline, "a/b"), "b: |\n    x\n");
    assert_eq!(entry_text(text, &outline, "a/c"), "c: 1");

    let text = "a: |\nb: 1";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a"), "|", "without content, only the header is the scalar's own");
    assert_eq!(outline.text(root(&outline), "a"), Some(""));
    assert_eq!(entry(&outline, "b").start, 5);

    let text = "a: >2- # h\n    x\n\n\nb: 1";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a"), ">2- # h\n    x\n");
    assert_eq!(outline.text(root(&outline), "a"), Some("  x"));
    assert_eq!(outline.comments, [Span::new(7, 10)]);
}

#[test]
fn trap_01_stripped_block_scalar_at_the_end_leaves_the_blank_lines() {
    let text = "a: |-\n  x\n\n\n";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a"), "|-\n  x\n");
    let text = "a: |+\n  x\n\n\n";
    let outline = read(text);
    assert_eq!(outline.text(root(&outline), "a"), Some("x\n\n\n"));
    assert!(value_text(text, &outline, "a").starts_with("|+\n  x\n"));
    let text = "a: |\n  x";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a"), "|\n  x");
    assert_eq!(outline.text(root(&outline), "a"), Some("x"));
}

#[test]
fn trap_02_block_collections_end_with_their_last_entry() {
    let text = "a:\n  b: 1 # own\n\n# of the parent\n\nc: 1\n";
    let outline = read(text);
    assert_eq!(entry_text(text, &outline, "a"), "a:\n  b: 1");
    assert_eq!(value_text(text, &outline, "a"), "b: 1");
    assert_eq!(slice(text, outline.node(root(&outline)).span), "a:\n  b: 1 # own\n\n# of the parent\n\nc: 1");

    let text = "a:\n- x\n# of the parent\n\nb: 1\n";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a"), "- x");
}

#[test]
fn trap_03_empty_values_stand_behind_the_colon() {
    let text = "a:\nb: 1";
    let outline = read(text);
    assert_eq!(outline.node(entry(&outline, "a").value).span, Span::empty(2));
    assert_eq!(outline.text(root(&outline), "a"), Some(""));
    assert_eq!(entry(&outline, "a").span(), Span::new(0, 2));

    let text = "a: &x !!str # c\nb: *x\n";
    let outline = read(text);
    let value = outline.node(entry(&outline, "a").value);
    assert_eq!(value.span, Span::empty(11));
    assert_eq!(value.anchor.as_ref().map(|anchor| anchor.span), Some(Span::new(3, 5)));
    assert_eq!(value.tag.as_ref().map(|tag| (&*tag.name, tag.span)), Some(("tag:yaml.org,2002:str", Span::new(6, 11))));

    let text = "- \n-\n- x";
    let outline = read(text);
    assert_eq!(outline.node(entry(&outline, "#0").value).span, Span::empty(1));
    assert_eq!(outline.node(entry(&outline, "#1").value).span, Span::empty(4));
}

#[test]
fn trap_04_comments_and_anchors_come_in_source_order() {
    let text = "a: &x v # 1\nb: | # 2\n  t\nc: &y # 3\n# 4\nd: 1 # 5\n";
    let outline = read(text);
    let comments: Vec<&str> = outline.comments.iter().map(|comment| slice(text, *comment)).collect();
    assert_eq!(comments, ["# 1", "# 2", "# 3", "# 4", "# 5"]);
    let anchors: Vec<Span> = outline.nodes.iter().filter_map(|node| Some(node.anchor.as_ref()?.span)).collect();
    assert_eq!(anchors, [Span::new(3, 5), Span::new(28, 30)]);

    let text = "---\n# c\n---\na: 1\n";
    let documents = read_yaml(text.as_bytes(), Span::new(0, text.len()));
    let spans: Vec<Span> = documents.into_iter().map(|document| document.unwrap().span).collect();
    assert_eq!(spans, [Span::new(0, 8), Span::new(8, text.len())]);
}

#[test]
fn trap_05_long_comment_blocks_before_a_value_are_read() {
    for indicator in ["key:", "-"] {
        let comments = "  # c\n".repeat(97);
        let text = format!("{indicator}\n{comments}  a: 1\n");
        let outline = read(&text);
        assert_eq!(outline.comments.len(), 97);
        let first = match indicator {
            "-" => outline.items(root(&outline))[0],
            _ => outline.entries(root(&outline))[0],
        };
        assert_eq!(slice(&text, outline.node(first.value).span), "a: 1");
    }
}

#[test]
fn trap_06_deep_nesting_is_read_to_the_limit_and_refused_beyond() {
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let block = |depth: usize| format!("{}x", "- ".repeat(depth));
    assert_eq!(read(&flow(300)).nodes.len(), 300);
    assert_eq!(read(&block(300)).nodes.len(), 301);
    for text in [flow(5000), block(5000)] {
        let documents = read_yaml(text.as_bytes(), Span::new(0, text.len()));
        let kinds: Vec<_> = documents.iter().map(|document| document.as_ref().map_err(|error| error.kind)).collect();
        assert!(matches!(kinds[0], Err(unstick_yaml::ReadErrorKind::Depth)), "{:?}", kinds[0]);
    }
}

#[test]
fn trap_07_explicit_keys_include_their_indicators() {
    let text = "? a\n: b\n? c\nd: 1\n";
    let outline = read(text);
    let entries = outline.entries(root(&outline));
    let texts: Vec<&str> = entries.iter().map(|entry| slice(text, entry.span())).collect();
    assert_eq!(texts, ["? a\n: b", "? c", "d: 1"]);
    assert_eq!(entries.iter().map(|entry| entry.colon).collect::<Vec<_>>(), [Some(4), None, Some(13)]);
    assert_eq!(slice(text, outline.node(entries[0].key.unwrap()).span), "a");

    let text = "{? a : 1, b : 2,c: [x ,y]}";
    let outline = read(text);
    let texts: Vec<&str> = outline.entries(root(&outline)).iter().map(|entry| slice(text, entry.span())).collect();
    assert_eq!(texts, ["? a : 1", "b : 2", "c: [x ,y]"]);
    assert_eq!(entry_text(text, &outline, "c/#1"), "y");
}

#[test]
fn trap_08_indentless_sequences_begin_at_the_dash() {
    let text = "a:\n- x\n- y\nb: 1\n";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "a"), "- x\n- y");
    assert_eq!(entry_text(text, &outline, "a"), "a:\n- x\n- y");
    assert_eq!(entry_text(text, &outline, "a/#0"), "- x");
    assert_eq!(entry_text(text, &outline, "a/#1"), "- y");

    let text = "- - a\n  - b: 1\n    c:\n    - d\n";
    let outline = read(text);
    assert_eq!(value_text(text, &outline, "#0"), "- a\n  - b: 1\n    c:\n    - d");
    assert_eq!(value_text(text, &outline, "#0/#1/c"), "- d");
}

#[test]
fn trap_09_documents_begin_at_their_directives() {
    let text = "# first\n%TAG !y! tag:example.org,2000:\n---\na: !y!b 1\n...\n%YAML 1.1\n--- # c\nb: 2\n";
    let mut documents = read_yaml(text.as_bytes(), Span::new(0, text.len()));
    assert_eq!(documents.len(), 2);
    let second = documents.pop().unwrap().unwrap();
    let first = documents.pop().unwrap().unwrap();
    invariants::check(text.as_bytes(), &first);
    invariants::check(text.as_bytes(), &second);
    assert_eq!(first.span.start, 0);
    assert_eq!(slice(text, Span::new(first.span.end, second.span.end)), slice(text, second.span));
    assert_eq!(second.text(root(&second), "b"), Some("2"));
    let tag = first.node(entry(&first, "a").value).tag.as_ref().unwrap();
    assert_eq!((&*tag.name, slice(text, tag.span)), ("tag:example.org,2000:b", "!y!b"));
}

#[test]
fn trap_10_offsets_are_bytes() {
    let text = "ä: \"ö😀\" # ü\n日本: &é 語\n";
    let outline = read(text);
    assert_eq!(entry_text(text, &outline, "ä"), "ä: \"ö😀\"");
    assert_eq!(value_text(text, &outline, "ä"), "\"ö😀\"");
    assert_eq!(value_text(text, &outline, "日本"), "語");
    let node = outline.node(entry(&outline, "日本").value);
    assert_eq!(node.anchor.as_ref().map(|anchor| slice(text, anchor.span)), Some("&é"));
    assert_eq!(slice(text, outline.comments[0]), "# ü");
    assert!(matches!(node.content, Content::Scalar { style: ScalarStyle::Plain, .. }));
}
