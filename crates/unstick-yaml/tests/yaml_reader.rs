//! The strict YAML reader on streams of documents, on real files, and on texts that grow.

mod support;

use std::path::{Path, PathBuf};
use std::time::Instant;

use support::invariants;
use unstick_yaml::{Chunks, Content, Outline, ReadError, ReadErrorKind, Span, read_yaml};

/// Reads all documents, and checks each of them and that no two share a byte.
fn read(text: &[u8]) -> Vec<Result<Outline, ReadError>> {
    let mut documents = Vec::new();
    let mut reached = 0;
    for chunk in Chunks::new(text) {
        let read = read_yaml(text, chunk);
        for outline in read.iter().flatten() {
            assert!(reached <= outline.span.start && outline.span.end <= chunk.end, "{:?}", outline.span);
            reached = outline.span.end;
            invariants::check(text, outline);
        }
        documents.extend(read);
    }
    documents
}

/// Returns each document's bytes; an error's are those of its place.
fn spans(text: &str) -> Vec<&str> {
    let span = |document| match document {
        Ok(Outline { span, .. }) | Err(ReadError { span, .. }) => &text[Range::from(span)],
    };
    read(text.as_bytes()).into_iter().map(span).collect()
}

type Range = std::ops::Range<usize>;

fn comments(text: &str) -> Vec<Vec<&str>> {
    let of = |outline: Outline| outline.comments.iter().map(|comment| &text[Range::from(*comment)]).collect();
    read(text.as_bytes()).into_iter().flatten().map(of).collect()
}

/// Returns the bytes of each entry of the document's own collection.
fn entries(text: &str) -> Vec<Vec<&str>> {
    let of = |outline: Outline| {
        let root = outline.root.expect("the document has content");
        let entries = outline.entries(root).iter().chain(outline.items(root));
        entries.map(|entry| &text[Range::from(entry.span())]).collect()
    };
    read(text.as_bytes()).into_iter().flatten().map(of).collect()
}

#[test]
fn a_broken_document_belongs_to_no_other() {
    let text = "a: 1\n...\n[x\n# q\n...\n# p\nb: 2\n";
    assert_eq!(spans(text), ["a: 1\n...\n", "[", "# p\nb: 2\n"]);
    assert_eq!(comments(text), [vec![], vec!["# p"]]);
    assert_eq!(spans("[x\n...\n# c\n!!str\n|\n x\n"), ["[", "# c\n!!str\n|\n x\n"]);
    assert_eq!(spans("[x\r...\r%YAML 1.1\r# c\r---\ra: 1\r"), ["[", "%YAML 1.1\r# c\r---\ra: 1\r"]);
    assert_eq!(spans("[x\r ...\r---\ra: 1\r"), ["[", "---\ra: 1\r"], "an indented `...` ends nothing");
}

#[test]
fn documents_end_behind_their_end_line() {
    let text = "a: 1\n... # end\n...\nb: 2\n...\n\u{FEFF}- c\n";
    assert_eq!(spans(text), ["a: 1\n... # end\n", "...\nb: 2\n...\n", "\u{FEFF}- c\n"]);
    assert_eq!(entries(text), [["a: 1"], ["b: 2"], ["- c"]]);
    assert_eq!(comments(text), [vec!["# end"], vec![], vec![]]);
    assert_eq!(spans("a: 1\n...\n|\n x\n"), ["a: 1\n...\n", "|\n x\n"]);
}

#[test]
fn every_comment_is_in_a_document() {
    assert_eq!(comments("a: 1\n# x\n...\n# y\n# z\n"), [["# x", "# y", "# z"]]);
    assert_eq!(comments("# only\n\n# these\n"), [["# only", "# these"]]);
    assert_eq!(comments("# c\n...\n# d\n"), [["# c", "# d"]]);
    assert_eq!(comments("--- # c\n\u{FEFF}a: 1 # d\n"), [["# c", "# d"]]);
    assert_eq!(comments("---\r# c\r---\ra: 1\r"), [vec!["# c"], vec![]]);
}

#[test]
fn byte_order_marks_are_passed_over_behind_bare_markers_only() {
    assert_eq!(entries("---\n\u{FEFF}a: 1\n"), [["a: 1"]]);
    assert_eq!(entries("\u{FEFF}\u{FEFF}--- # c\r\n\u{FEFF}a: 1\r\n"), [["a: 1"]]);
    let text = "---#c\n\u{FEFF}b\n";
    let outline = read(text.as_bytes()).remove(0).expect("a plain scalar");
    assert_eq!(outline.scalar(outline.root.unwrap()), Some("---#c \u{FEFF}b"));
}

#[test]
fn single_pairs_with_a_collection_as_key_begin_at_its_bracket() {
    let text = "[{a: b}: c, [d]: e, &x {f: g}: h, ? {i: j} : k]";
    let outline = read(text.as_bytes()).remove(0).expect("a flow sequence");
    let pairs = outline.items(outline.root.unwrap()).iter().map(|item| outline.entries(item.value)[0]);
    let pairs: Vec<&str> = pairs.map(|pair| &text[Range::from(pair.span())]).collect();
    assert_eq!(pairs, ["{a: b}: c", "[d]: e", "&x {f: g}: h", "? {i: j} : k"]);
}

#[test]
fn lines_of_blanks_are_content_where_they_reach_beyond_the_indentation() {
    assert_eq!(entries("a: |\n  x\n    \n \nb: 1\n"), [["a: |\n  x\n    \n", "b: 1"]]);
    assert_eq!(entries("a: |2\n\n  \n   \n\nb: 1\n"), [["a: |2\n\n  \n   \n", "b: 1"]]);
    assert_eq!(entries("a: >-\n  x\n  \n\nb: 1\n"), [["a: >-\n  x\n", "b: 1"]]);
    assert_eq!(entries("a: |+\r\n  x\r\n\r\n  \r\nb: 1"), [["a: |+\r\n  x\r\n\r\n  \r\n", "b: 1"]]);
    assert_eq!(entries("- |\n \n-  >+\n\n- |+\n  x\n\n  "), [["- |", "-  >+\n\n", "- |+\n  x\n\n"]]);
}

#[test]
fn faults_have_a_kind_a_place_and_words_without_one() {
    let error = |text: &str| read(text.as_bytes()).remove(0).expect_err("the text is broken");
    let deep = error(&"[".repeat(2000));
    assert_eq!((deep.kind, deep.span), (ReadErrorKind::Depth, Span::new(1000, 1001)));
    let open = error("---\na: 'x\n");
    assert_eq!((open.kind, open.span), (ReadErrorKind::Syntax, Span::new(7, 8)));
    assert!(!open.message.contains("line") && !open.message.contains("byte"), "{}", open.message);
}

#[test]
fn real_files_are_read_without_loss() {
    let root = std::env::var_os("UNSTICK_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if !root.is_dir() {
        println!("skipped: no corpus at {}; set UNSTICK_CORPUS", root.display());
        return;
    }
    let mut folders = vec![root];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the corpus is readable") {
            let path = entry.expect("the corpus is readable").path();
            let extension = path.extension().unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if ["yaml", "yml", "json"].iter().any(|wanted| extension == *wanted) {
                let text = std::fs::read(&path).expect("the corpus is readable");
                let joined: Vec<u8> = Chunks::new(&text).flat_map(|chunk| chunk.slice(&text).to_vec()).collect();
                assert!(joined == text, "{}", path.display());
                read(&text);
                count += 1;
            }
        }
    }
    assert!(count > 0, "the corpus has no file");
}

/// Makes a text of a size.
type Make = fn(usize) -> String;

/// Prints how long texts of one, two and four times a size take to read; run with `--ignored --nocapture`, in release.
#[test]
#[ignore = "prints figures and judges none"]
fn growth() {
    let shapes: [(&str, Make); 12] = [
        ("comments before a value", |n| format!("a:\n{}  b: 1\n", "# comment\n".repeat(100_000 * n))),
        ("one document", |n| format!("a:\n{}", "- name: x\n  port: 80 # c\n  v: \"q\"\n".repeat(50_000 * n))),
        ("explicit keys over comments", |n| format!("{}a\n{}", "? ".repeat(500), "# c\n".repeat(250_000 * n))),
        ("long line", |n| format!("a: {}\n", "x y ".repeat(500_000 * n))),
        ("anchors and aliases", |n| (0..20_000 * n).map(|i| format!("- &a{i} x\n- *a{i}\n")).collect()),
        ("unterminated quote", |n| format!("a: \"{}", "x\n ".repeat(500_000 * n))),
        ("documents", |n| "a: 1\n...\n".repeat(25_000 * n)),
        ("broken documents", |n| "a: 1\n...\n# c\n[x\n# d\n...\n".repeat(12_000 * n)),
        ("open braces", |n| "{a: ".repeat(25_000 * n)),
        ("keys alone in flow", |n| format!("{{{}}}", "a, # c\n".repeat(100_000 * n))),
        ("blank lines behind a literal", |n| format!("a: |\n  x\n{}b: 1\n", "\n".repeat(1_000_000 * n))),
        ("directives", |n| format!("{}---\n", "%x\n".repeat(100_000 * n))),
    ];
    for (name, make) in shapes {
        let times = [1, 2, 4].map(|factor| {
            let text = make(factor);
            let start = Instant::now();
            let nodes: usize = Chunks::new(text.as_bytes())
                .flat_map(|chunk| read_yaml(text.as_bytes(), chunk))
                .flatten()
                .map(|outline| {
                    outline.nodes.iter().filter(|node| !matches!(node.content, Content::Alias { .. })).count()
                })
                .sum();
            (start.elapsed(), nodes)
        });
        println!("{name}: {times:?}");
    }
}
