//! Outlines of small and difficult texts, against the table in `outline/cases.txt`.
//!
//! A case is a line `== name`, a line with the input as an escaped byte string, and the outline. Set
//! `UNSTICK_BLESS=1` to write the table anew from what the readers say, then read the difference with care.

mod support;

use std::fmt::Write as _;
use std::path::Path;

use support::{dump::dump, invariants};
use unstick_yaml::{Chunks, Outline, ReadError, Span, is_json, read_json, read_yaml};

struct Case<'a> {
    name: &'a str,
    input: &'a str,
    expected: &'a str,
}

#[test]
fn outlines_are_as_in_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outline/cases.txt");
    let table = std::fs::read_to_string(&path).expect("the table is readable");
    let cases = parse(&table);
    assert!(cases.len() >= 40, "the table has only {} cases", cases.len());
    let mut blessed = String::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let text = unescape(case.input);
        let found = describe(&text);
        let _ = write!(blessed, "== {}\n{}\n{found}\n", case.name, case.input);
        if found.trim_end() != case.expected.trim_end() {
            wrong.push(format!("{} {}\nexpected:\n{}\nfound:\n{found}", case.name, case.input, case.expected));
        }
    }
    if std::env::var_os("UNSTICK_BLESS").is_some() {
        std::fs::write(&path, blessed).expect("the table is writable");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn parse(table: &str) -> Vec<Case<'_>> {
    let case = |section| {
        let (name, rest) = str::split_once(section, '\n')?;
        let (input, expected) = rest.split_once('\n').unwrap_or((rest, ""));
        Some(Case { name, input, expected })
    };
    table.split("== ").skip(1).filter_map(case).collect()
}

/// Reads a text as a planner does, and writes down every document or fault.
fn describe(text: &[u8]) -> String {
    let documents: Vec<Result<Outline, ReadError>> = if is_json(text)
        && let Ok(outlines) = read_json(text, Span::new(0, text.len()))
    {
        outlines.into_iter().map(Ok).collect()
    } else {
        Chunks::new(text).flat_map(|chunk| read_yaml(text, chunk)).collect()
    };
    let mut out = String::new();
    for document in documents {
        match document {
            Ok(outline) => {
                invariants::check(text, &outline);
                out.push_str(&dump(text, &outline));
            }
            Err(error) => {
                let _ = writeln!(out, "error at {}..{}: {error}", error.span.start, error.span.end);
            }
        }
    }
    out
}

/// Reads `"…"` with the escapes of a Rust byte string.
fn unescape(input: &str) -> Vec<u8> {
    let inner = input.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect("the input is in quotes");
    let mut bytes = Vec::new();
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().expect("a backslash has something behind it") {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'x' => {
                let digits = [rest.next().expect("a digit"), rest.next().expect("a digit")];
                u8::from_str_radix(std::str::from_utf8(&digits).expect("ASCII"), 16).expect("two hexadecimal digits")
            }
            other @ (b'"' | b'\\') => other,
            other => panic!("unknown escape \\{}", char::from(other)),
        });
    }
    bytes
}
