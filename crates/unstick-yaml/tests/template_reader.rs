//! The template lexer and the tolerant reader, on real files and against the strict reader.

use std::path::{Path, PathBuf};

use unstick_yaml::{
    Chunks, Content, NodeId, Outline, Span, Template, TemplateNodeKind, TemplateOutline, Token, parse_expression,
    read_yaml,
};

/// A key with the keys above it; items are `*`.
type Key = (usize, Vec<String>);

/// Returns the keys of all block mappings that stand in block collections only, with their place.
fn strict_keys(outline: &Outline) -> Vec<Key> {
    fn walk(outline: &Outline, id: NodeId, path: &mut Vec<String>, keys: &mut Vec<Key>) {
        match &outline.node(id).content {
            Content::Mapping { entries, flow: false } => {
                for entry in entries {
                    let Some(key) = entry.key else { continue };
                    let span = outline.node(key).span;
                    path.push(outline.scalar(key).unwrap_or("*").to_owned());
                    keys.push((span.start, path.clone()));
                    walk(outline, entry.value, path, keys);
                    path.pop();
                }
            }
            Content::Sequence { entries, flow: false } => {
                for entry in entries {
                    path.push("*".to_owned());
                    walk(outline, entry.value, path, keys);
                    path.pop();
                }
            }
            _ => {}
        }
    }
    let mut keys = Vec::new();
    if let Some(root) = outline.root {
        walk(outline, root, &mut Vec::new(), &mut keys);
    }
    keys
}

fn tolerant_keys(text: &[u8]) -> Vec<Key> {
    let template = Template::read(text).expect("without actions, every text is a template");
    let outline = TemplateOutline::read(text, &template);
    let is_key = |node: &usize| matches!(outline.nodes[*node].kind, TemplateNodeKind::Key(_));
    let owned = |path: Vec<&str>| path.into_iter().map(str::to_owned).collect();
    let mut keys: Vec<Key> = (0..outline.nodes.len())
        .filter(is_key)
        .map(|node| (outline.nodes[node].key.start, owned(outline.path(node))))
        .collect();
    keys.sort();
    keys
}

/// Returns the keys that the strict reader sees; `None` where it cannot read the text.
fn all_strict_keys(text: &[u8]) -> Option<Vec<Key>> {
    let mut keys = Vec::new();
    for chunk in Chunks::new(text) {
        for document in read_yaml(text, chunk) {
            keys.extend(strict_keys(&document.ok()?));
        }
    }
    keys.sort();
    Some(keys)
}

#[test]
fn without_actions_both_readers_see_the_same_keys() {
    for text in [
        "a: 1\nb:\n  c: x\n  d:\n  - e: 1\n    f: 2\n  - g\n",
        "a:\n- b: 1\n  c:\n    - - d: 1\n      - e: 2\n",
        "\"a b\": 1\n'c': \n  'd e': x # f: g\n# h: i\n",
        "a: |\n  b: c\n   d: e\nf: >-\n\n  g: h\n\ni: j\n",
        "a: \"x\n  b: c\"\nd: 'e\n  f: g'\nh: i\n",
        "a: 'b\n\n  c\nd: e'\n",
        "a:\n  b: 'c\n  d: e ''f''\n  g: h' # i\n  j: k\n",
        "a:\n  b: \"c\n  d: e \\\"f\"\n  g: h\n",
        "a: {b: c,\n  d: e}\nf: [g: h,\n  i]\nj: k\n",
        "a: x\n  y z\nb: c\n",
        "---\na: 1\n---\nb: 2\n...\n---\n- c: 3\n",
        "a: &x\n  b: 1\nc: *x\nd: !!map\n  e: f\n",
        "a: 1\r\nb:\r\n  c: d\r\n",
    ] {
        let strict = all_strict_keys(text.as_bytes()).expect(text);
        assert_eq!(tolerant_keys(text.as_bytes()), strict, "{text}");
    }
}

#[test]
fn real_manifests_without_actions_have_the_same_keys_in_both_readers() {
    let mut keys = 0;
    let mut different = Vec::new();
    let files = corpus("real_manifests_without_actions_have_the_same_keys_in_both_readers", &["yaml", "yml"]);
    for (path, text) in &files {
        if memchr::memmem::find(text, b"{{").is_some() {
            continue;
        }
        let Some(strict) = all_strict_keys(text) else { continue };
        keys += strict.len();
        let tolerant = tolerant_keys(text);
        if tolerant != strict {
            let first = tolerant.iter().zip(&strict).find(|(a, b)| a != b);
            different.push((path, tolerant.len(), strict.len(), first.map(|(a, b)| (a.clone(), b.clone()))));
        }
    }
    println!("{keys} keys; {} files differ: {different:#?}", different.len());
    assert!(files.is_empty() || keys > 30_000, "only {keys} keys");
    assert!(different.is_empty());
}

#[test]
fn real_templates_are_lexed_without_an_error() {
    let files = corpus("real_templates_are_lexed_without_an_error", &["yaml", "yml", "tpl", "txt"]);
    let (mut templates, mut actions) = (0, 0);
    for (path, text) in files.iter().filter(|(path, _)| path.iter().any(|part| part == "templates")) {
        let template = Template::read(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut end = 0;
        for token in &template.tokens {
            assert_eq!(token.span().start, end, "{}", path.display());
            end = token.span().end;
            if let Token::Action(action) = token {
                actions += 1;
                let expression = parse_expression(text, action.pipeline(text));
                assert!(expression.is_ok() || !action.prints(), "{}: {:?}", path.display(), show(text, action.span));
            }
        }
        assert_eq!(end, text.len());
        templates += 1;
    }
    println!("{templates} templates with {actions} actions");
    assert!(files.is_empty() || templates > 1000, "only {templates} templates");
}

fn show(text: &[u8], span: Span) -> String {
    String::from_utf8_lossy(span.slice(text)).into_owned()
}

/// Reads all files of the corpus that end in one of the extensions; none, saying so, where there is no corpus.
fn corpus(test: &str, extensions: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
    let root = std::env::var_os("UNSTICK_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    if !root.is_dir() {
        println!("skipped: {test}: no corpus at {}; set UNSTICK_CORPUS", root.display());
        return Vec::new();
    }
    let mut folders = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the corpus is readable") {
            let path = entry.expect("the corpus is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted)) {
                let text = std::fs::read(&path).expect("the corpus is readable");
                files.push((path, text));
            }
        }
    }
    files
}
