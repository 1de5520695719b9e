//! What holds for every outline, whatever the bytes.

use unstick_yaml::{Content, Entry, Node, NodeId, Outline, ScalarStyle, Span, Syntax, parse_copy};

/// Panics, with the place, where `outline` breaks a promise of its documentation.
pub fn check(text: &[u8], outline: &Outline) {
    assert!(outline.span.end <= text.len(), "the outline's span {:?} leaves the text", outline.span);
    let copy = parse_copy(text);
    check_comments(text, outline);
    assert_eq!(outline.root.is_none(), outline.nodes.is_empty(), "nodes without a root, or the other way round");
    let mut held = vec![0usize; outline.nodes.len()];
    for (index, node) in outline.nodes.iter().enumerate() {
        let id = NodeId(u32::try_from(index).expect("node ids are 32 bits"));
        let whole = outline.full_span(id);
        assert!(outline.span.encloses(whole), "node {index} at {whole:?} leaves the document {:?}", outline.span);
        check_properties(text, node);
        match &node.content {
            Content::Scalar { value, style } => check_scalar(text, &copy, node, value, *style),
            Content::Alias { name, target } => {
                let slice = node.span.slice(copy.as_bytes());
                assert_eq!(slice, format!("*{name}").as_bytes(), "alias at {:?}", node.span);
                assert!(target.is_none_or(|target| target < id), "an alias at {:?} points forward", node.span);
            }
            Content::Mapping { entries, flow } | Content::Sequence { entries, flow } => {
                let mapping = matches!(node.content, Content::Mapping { .. });
                check_collection(text, outline, node, entries, *flow);
                for entry in entries {
                    assert_eq!(entry.key.is_some(), mapping, "the key of the entry at {:?}", entry.span());
                    for child in entry.key.into_iter().chain([entry.value]) {
                        assert_eq!(outline.node(child).parent, Some(id), "the parent of {child:?}");
                        assert!(child > id, "{child:?} stands before its parent {id:?}");
                        held[child.0 as usize] += 1;
                    }
                }
            }
        }
    }
    for (index, count) in held.into_iter().enumerate() {
        let is_root = outline.root == Some(NodeId(index as u32));
        assert_eq!(count, usize::from(!is_root), "node {index} is held by {count} entries");
    }
}

fn check_comments(text: &[u8], outline: &Outline) {
    let mut reached = outline.span.start;
    for comment in &outline.comments {
        assert!(reached <= comment.start && comment.end <= outline.span.end, "comment {comment:?} after {reached}");
        reached = comment.end;
        let slice = comment.slice(text);
        assert!(slice.starts_with(b"#"), "comment at {comment:?}: {}", slice.escape_ascii());
        assert!(!slice.iter().any(|byte| matches!(byte, b'\n' | b'\r')), "comment {comment:?} holds a line break");
    }
}

fn check_properties(text: &[u8], node: &Node) {
    let copy = |span: Span| parse_copy(span.slice(text)).into_owned();
    if let Some(anchor) = &node.anchor {
        assert_eq!(copy(anchor.span), format!("&{}", anchor.name), "anchor at {:?}", anchor.span);
        assert!(anchor.span.end <= node.span.start, "the anchor {:?} is not before {:?}", anchor.span, node.span);
    }
    if let Some(tag) = &node.tag {
        assert!(tag.span.slice(text).starts_with(b"!"), "tag at {:?}", tag.span);
        assert!(tag.span.end <= node.span.start, "the tag {:?} is not before {:?}", tag.span, node.span);
    }
    if let (Some(anchor), Some(tag)) = (&node.anchor, &node.tag) {
        let apart = anchor.span.end <= tag.span.start || tag.span.end <= anchor.span.start;
        assert!(apart, "anchor {:?} and tag {:?} overlap", anchor.span, tag.span);
    }
}

fn check_scalar(text: &[u8], copy: &str, node: &Node, value: &str, style: ScalarStyle) {
    let slice = node.span.slice(text);
    let shown = slice.escape_ascii();
    match style {
        ScalarStyle::SingleQuoted => {
            assert!(slice.len() >= 2 && slice.starts_with(b"'") && slice.ends_with(b"'"), "{shown}");
        }
        ScalarStyle::DoubleQuoted => {
            assert!(slice.len() >= 2 && slice.starts_with(b"\"") && slice.ends_with(b"\""), "{shown}");
        }
        ScalarStyle::Literal => assert!(slice.starts_with(b"|"), "{shown}"),
        ScalarStyle::Folded => assert!(slice.starts_with(b">"), "{shown}"),
        ScalarStyle::Plain => {
            assert_eq!(slice.is_empty(), value.is_empty(), "{shown} against {value:?}");
            if !slice.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                assert_eq!(node.span.slice(copy.as_bytes()), value.as_bytes());
            }
        }
    }
    let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
    if block && slice.iter().any(|byte| matches!(byte, b'\n' | b'\r')) && node.span.end < text.len() {
        assert!(matches!(slice.last(), Some(b'\n' | b'\r')), "a block scalar ends inside a line: {shown}");
    }
}

fn check_collection(text: &[u8], outline: &Outline, node: &Node, entries: &[Entry], flow: bool) {
    let slice = node.span.slice(text);
    let bracketed = matches!(
        (&node.content, slice.first(), slice.last()),
        (Content::Mapping { .. }, Some(b'{'), Some(b'}')) | (Content::Sequence { .. }, Some(b'['), Some(b']'))
    );
    if flow && !bracketed {
        assert!(entries.len() <= 1, "a flow collection without brackets: {}", slice.escape_ascii());
    }
    let mut reached = node.span.start;
    for entry in entries {
        let span = entry.span();
        assert!(entry.start <= entry.end, "entry {}..{}", entry.start, entry.end);
        assert!(reached <= entry.start, "the entry {span:?} begins before {reached}");
        assert!(node.span.encloses(span), "the entry {span:?} leaves its collection {:?}", node.span);
        check_entry(text, outline, entry);
        reached = entry.end;
    }
    if let (false, Some(first), Some(last)) = (flow, entries.first(), entries.last()) {
        assert_eq!(node.span, Span::new(first.start, last.end), "a block collection is as long as its entries");
    }
}

fn check_entry(text: &[u8], outline: &Outline, entry: &Entry) {
    let span = entry.span();
    let value = outline.full_span(entry.value);
    assert!(span.encloses(value), "the value {value:?} leaves its entry {span:?}");
    let key = entry.key.map(|key| outline.full_span(key));
    if let Some(key) = key {
        assert!(span.encloses(key), "the key {key:?} leaves its entry {span:?}");
        assert!(key.end <= value.start, "the value {value:?} begins before the end of the key {key:?}");
    }
    if let Some(colon) = entry.colon {
        assert_eq!(text.get(colon), Some(&b':'), "the colon at {colon}");
        assert!(key.is_some_and(|key| key.end <= colon), "the colon at {colon} is before the key's end");
        assert!(colon < value.start, "the colon at {colon} is behind the value {value:?}");
    } else if outline.syntax == Syntax::Json {
        assert!(entry.key.is_none(), "a JSON member without a colon");
    }
}
