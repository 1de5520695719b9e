//! What the JSON reader takes and refuses, and where it says that things stand.
//!
//! What is taken, and the first character that is refused, are as in Go's `encoding/json`, except where a test says so.

mod support;

use serde_json::{Value as Json, json};
use support::{data::data, invariants};
use unstick_yaml::{Outline, ReadError, ReadErrorKind, Span, is_json, read_json};

fn read(text: &[u8]) -> Result<Vec<Outline>, ReadError> {
    let outlines = read_json(text, Span::new(0, text.len()))?;
    outlines.iter().for_each(|outline| invariants::check(text, outline));
    Ok(outlines)
}

#[test]
fn takes_what_go_takes() {
    let cases: &[(&[u8], Json)] = &[
        (b"", json!([])),
        (b" \t\r\n", json!([])),
        (b"{}", json!([{}])),
        (b" [ ] ", json!([[]])),
        (b"{}{}[]", json!([{}, {}, []])),
        (b"{}\n{}\r\n\r\n{}\n", json!([{}, {}, {}])),
        (b"1 -2\t0.5\n1e3 1E-3 1.25e+2", json!([1, -2, 0.5, 1e3, 1e-3, 125.0])),
        (b"truefalsenull\"a\"{}", json!([true, false, null, "a", {}])),
        (b"01", json!([0, 1])),
        (b"{\"a\":{\"b\":[1,[2],{\"c\":null}]}}", json!([{"a": {"b": [1, [2], {"c": null}]}}])),
        (b"{\"\":\"\"}", json!([{"": ""}])),
        (b"{\"a\":1,\"a\":2}", json!([{"a": 2}])),
        (br#""\"\\\/\b\f\n\r\t""#, json!(["\"\\/\u{8}\u{c}\n\r\t"])),
        (br#""\u0041\u00e9\u20AC\u0000""#, json!(["Aé€\0"])),
        (br#"{"session\u0041ffinity":1}"#, json!([{"sessionAffinity": 1}])),
        (br#""\ud83d\ude00""#, json!(["😀"])),
        (br#""\ud800""#, json!(["\u{FFFD}"])),
        (br#""\udc00\ud800""#, json!(["\u{FFFD}\u{FFFD}"])),
        (br#""\ud800\ud83d\ude00""#, json!(["\u{FFFD}😀"])),
        (br#""\ud800\u0041""#, json!(["\u{FFFD}A"])),
        (br#""\ud83d\\ude00""#, json!(["\u{FFFD}\\ude00"])),
        (b"\"\x7f\xc2\x85\xe2\x80\xa8\xef\xbf\xbf\xef\xbb\xbf\"", json!(["\u{7f}\u{85}\u{2028}\u{FFFF}\u{FEFF}"])),
        (b"\"a\xffb\"", json!(["a\u{FFFD}b"])),
        (b"\"\xe2\x82\"", json!(["\u{FFFD}\u{FFFD}"])),
        (b"\"\xed\xa0\x80\"", json!(["\u{FFFD}\u{FFFD}\u{FFFD}"])),
        (b"\"\xf0\x9f\x98\\u0041\"", json!(["\u{FFFD}\u{FFFD}\u{FFFD}A"])),
        // Go refuses a U+FEFF between values; kubectl reads files one by one, and joined files have it there.
        (b"\xef\xbb\xbf{}\xef\xbb\xbf\n\xef\xbb\xbf[]\xef\xbb\xbf", json!([{}, []])),
    ];
    for (text, expected) in cases {
        let outlines = read(text).unwrap_or_else(|error| panic!("{}: {error:?}", text.escape_ascii()));
        let found: Vec<Json> = outlines.iter().map(data).collect();
        assert_eq!(&Json::from(found), expected, "{}", text.escape_ascii());
    }
}

#[test]
fn takes_numbers_out_of_range_and_keys_of_any_length() {
    let text = format!("{{\"{}\":-1e999999}}", "k".repeat(100_000));
    let outlines = read(text.as_bytes()).unwrap();
    let entry = outlines[0].entries(outlines[0].root.unwrap())[0];
    assert_eq!(outlines[0].key(&entry).map(str::len), Some(100_000));
    assert_eq!(outlines[0].scalar(entry.value), Some("-1e999999"));
}

#[test]
fn refuses_what_go_refuses_and_says_where() {
    let end = "the text ends inside a value";
    let open = "this string has no end";
    let digit = "a digit is expected here";
    let value = "a value is expected here";
    let escape = "behind a backslash, one of \"\\/bfnrtu is expected";
    let hexadecimal = "\\u wants four hexadecimal digits";
    let control = "a control character stands in a string without an escape";
    let cases: &[(&[u8], usize, usize, &str)] = &[
        (b"{", 1, 1, end),
        (b"[1,", 3, 3, end),
        (b"{\"a\"", 4, 4, end),
        (b"{\"a\": ", 6, 6, end),
        (b"[tru", 4, 4, end),
        (b"[-", 2, 2, end),
        (b"[1.", 3, 3, end),
        (b"{\"a", 1, 2, open),
        (b"[\"\\", 1, 2, open),
        (b"[\"\\u00", 1, 2, open),
        (b"[\"\\\"", 1, 2, open),
        (b"{\"a\":1,}", 7, 8, "JSON has no comma before a closing brace"),
        (b"[1, ]", 4, 5, "JSON has no comma before a closing bracket"),
        (b"{'a':1}", 1, 2, "JSON has double quotes only"),
        (b"['a']", 1, 2, "JSON has double quotes only"),
        (b"{a:1}", 1, 2, "a key in double quotes, or }, is expected here"),
        (b"{1:1}", 1, 2, "a key in double quotes, or }, is expected here"),
        (b"{,}", 1, 2, "a key in double quotes, or }, is expected here"),
        (b"{]", 1, 2, "a key in double quotes, or }, is expected here"),
        (b"{\"a\":1,b:2}", 7, 8, "a key in double quotes is expected here"),
        (b"{\"a\":}", 5, 6, value),
        (b"[,]", 1, 2, value),
        (b"[}", 1, 2, value),
        (b"[+1]", 1, 2, value),
        (b"[.5]", 1, 2, value),
        (b"[NaN]", 1, 2, value),
        (b"[True]", 1, 2, value),
        (b"[\xe2\x82\xac]", 1, 4, value),
        (b"[\xff\xff]", 1, 2, value),
        (b"[\x0b]", 1, 2, value),
        (b"[\xef\xbb\xbf1]", 1, 4, value),
        (b"[# c\n]", 1, 2, value),
        (b"[/ 1]", 1, 2, value),
        (b"{} }", 3, 4, value),
        (b"{}\n---\n{}", 4, 5, digit),
        (b"[nul]", 4, 5, "this is no null"),
        (b"[falsy]", 5, 6, "this is no false"),
        (b"[-a]", 2, 3, digit),
        (b"[1.e5]", 3, 4, digit),
        (b"[1e+]", 4, 5, digit),
        (b"[01]", 2, 3, "a comma or ] is expected here"),
        (b"[1 2]", 3, 4, "a comma or ] is expected here"),
        (b"[1}", 2, 3, "a comma or ] is expected here"),
        (b"{\"a\":1 \"b\n\":2}", 7, 8, "a comma or } is expected here"),
        (b"{\"a\" 1}", 5, 6, "a colon is expected behind the key"),
        (b"{\"a\"\"b\n\"}", 4, 5, "a colon is expected behind the key"),
        (b"[\"a\nb\"]", 3, 4, control),
        (b"[\"\0\"]", 2, 3, control),
        (b"[\"\x1f\"]", 2, 3, control),
        (b"[\"\\x41\"]", 3, 4, escape),
        (b"[\"\\\xf0\x9f\x98\x80\"]", 3, 7, escape),
        (b"[\"\\'\"]", 3, 4, escape),
        (b"[\"\\u12g4\"]", 6, 7, hexadecimal),
        (b"[\"\\u+123\"]", 4, 5, hexadecimal),
        (b"[\"\\u\"]", 4, 5, hexadecimal),
    ];
    for (text, start, end, message) in cases {
        let error = read(text).map(|outlines| outlines.iter().map(data).collect::<Vec<_>>());
        let span = Span::new(*start, *end);
        let expected = ReadError { message: (*message).to_owned(), span, kind: ReadErrorKind::Syntax };
        assert_eq!(error, Err(expected), "{}", text.escape_ascii());
    }
}

#[test]
fn refuses_comments_as_such_wherever_a_token_may_stand() {
    for (text, start) in [
        (&b"// c\n{}"[..], 0),
        (b"{}/**/", 2),
        (b"{ // c\n}", 2),
        (b"{\"a\"/**/:1}", 4),
        (b"{\"a\": /* c */ 1}", 6),
        (b"[1 // c", 3),
    ] {
        let error = read(text).expect_err("comments are refused");
        assert_eq!((error.kind, error.span), (ReadErrorKind::JsonComment, Span::new(start, start + 2)));
    }
    assert!(read(b"\"// /* */\"").is_ok());
}

#[test]
fn takes_ten_thousand_levels_and_no_more() {
    for (open, close) in [(&b"["[..], &b"]"[..]), (b"{\"a\":", b"}")] {
        let nested = |levels: usize| [open.repeat(levels), b"1".to_vec(), close.repeat(levels)].concat();
        let deep = nested(10_000);
        assert_eq!(read(&deep).unwrap()[0].nodes.first().unwrap().span, Span::new(0, deep.len()));
        let error = read(&nested(10_001)).unwrap_err();
        let start = 10_000 * open.len();
        assert_eq!((error.kind, error.span), (ReadErrorKind::Depth, Span::new(start, start + 1)));
        // Go counts anew with each value of a stream.
        assert_eq!(read(&deep.repeat(2)).unwrap().len(), 2);
        assert_eq!(read(&open.repeat(1_000_000)).unwrap_err().kind, ReadErrorKind::Depth);
    }
}

#[test]
fn reads_nothing_outside_the_window() {
    let text = b"}}\xef\xbb\xbf {\"k\" : [1, \"\xc3\xa9\"]} {}\n{\"";
    let window = Span::new(2, text.len() - 2);
    let outlines = read_json(text, window).unwrap();
    outlines.iter().for_each(|outline| invariants::check(text, outline));
    let spans: Vec<Span> = outlines.iter().map(|outline| outline.span).collect();
    assert_eq!(spans, [Span::new(2, 24), Span::new(24, 27)]);
    let outline = &outlines[0];
    let root = outline.root.unwrap();
    let entry = outline.entries(root)[0];
    assert_eq!(outline.node(root).span, Span::new(6, 23));
    assert_eq!((entry.start, entry.colon, entry.end), (7, Some(11), 22));
    let items: Vec<Span> = outline.items(entry.value).iter().map(|item| item.span()).collect();
    assert_eq!(items, [Span::new(14, 15), Span::new(17, 21)]);
    assert_eq!(outlines[1].node(outlines[1].root.unwrap()).span, Span::new(24, 26));
    // Faults stay inside, too.
    let error = read_json(b"[\"\xc3\xa9\"]", Span::new(0, 4)).unwrap_err();
    assert_eq!((error.message.as_str(), error.span), ("this string has no end", Span::new(1, 2)));
    let error = read_json(b"[\xc3\xa9]", Span::new(0, 2)).unwrap_err();
    assert_eq!(error.span, Span::new(1, 2));
    assert_eq!(read_json(b"{}", Span::new(5, 9)), Ok(Vec::new()));
}

#[test]
fn tells_json_by_its_first_character() {
    for text in [&b"{"[..], b" \t\r\n{", b"\xef\xbb\xbf{", b"\xef\xbb\xbf\xef\xbb\xbf \n\xef\xbb\xbf{"] {
        assert!(is_json(text), "{}", text.escape_ascii());
    }
    for text in [&b""[..], b" ", b"\xef\xbb\xbf", b"[{", b"a: {", b"# {", b"---\n{", b"\xef\xbb{", b"\xff{"] {
        assert!(!is_json(text), "{}", text.escape_ascii());
    }
}
