//! How fast texts are read, planned and edited: small, large, and shaped to hurt.
//!
//! `cargo bench -p unstick` prints times and bytes a second; no figure is judged. The shapes of `pathological` are made
//! to find time that grows faster than the text.

use std::fmt::{self, Display, Write as _};
use std::hint::black_box;

use divan::Bencher;
use divan::counter::BytesCount;
use unstick::{Plan, Policy, Source};
use unstick_yaml::{Chunks, Span, is_json, read_json, read_yaml};

fn main() {
    divan::main();
}

/// A text by name.
struct Text {
    name: &'static str,
    make: fn() -> String,
}

impl Display for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name)
    }
}

const TEXTS: &[Text] = &[
    Text { name: "small: one Service", make: || service("web", true) },
    Text { name: "large: 8 MB of manifests", make: manifests },
    Text { name: "many documents", make: || documents(50_000, false) },
    Text { name: "many edits", make: || documents(20_000, true) },
    Text { name: "one huge document", make: huge_document },
    Text { name: "deep block nesting", make: deep_blocks },
    Text { name: "deep flow nesting", make: deep_flow },
    Text { name: "one very long line", make: long_line },
    Text { name: "one very long member list", make: long_members },
    Text { name: "400,000 comment lines", make: comment_lines },
    Text { name: "10,000 anchors and aliases", make: anchors },
    Text { name: "5,000 merge keys", make: merges },
    Text { name: "JSON List on one line", make: json_list },
];

/// Reads every document.
#[divan::bench(args = TEXTS, sample_count = 10)]
fn parse(bencher: Bencher<'_, '_>, text: &Text) {
    let text = (text.make)().into_bytes();
    bencher.counter(BytesCount::of_slice(&text)).bench(|| read(black_box(&text)));
}

/// Finds everything and works out the edits, the check of the result included.
#[divan::bench(args = TEXTS, sample_count = 10)]
fn plan(bencher: Bencher<'_, '_>, text: &Text) {
    let text = (text.make)().into_bytes();
    let policy = Policy::default();
    let source = Source { path: None, bytes: &text };
    bencher.counter(BytesCount::of_slice(&text)).bench(|| Plan::new(black_box(source), &policy));
}

/// Copies the text with the edits made.
#[divan::bench(args = TEXTS, sample_count = 10)]
fn apply(bencher: Bencher<'_, '_>, text: &Text) {
    let text = (text.make)().into_bytes();
    let plan = Plan::new(Source { path: None, bytes: &text }, &Policy::default());
    bencher.counter(BytesCount::of_slice(&text)).bench(|| plan.apply(black_box(&text)));
}

/// Returns the number of nodes, so that nothing is left out.
fn read(text: &[u8]) -> usize {
    if is_json(text)
        && let Ok(outlines) = read_json(text, Span::new(0, text.len()))
    {
        return outlines.iter().map(|outline| outline.nodes.len()).sum();
    }
    let documents = Chunks::new(text).flat_map(|chunk| read_yaml(text, chunk));
    documents.flatten().map(|outline| outline.nodes.len()).sum()
}

fn service(name: &str, sticky: bool) -> String {
    let affinity = if sticky { "  sessionAffinity: ClientIP\n" } else { "" };
    format!(
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: {name}\n  labels:\n    app: {name}\nspec:\n{affinity}  \
         selector:\n    app: {name}\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n"
    )
}

/// What a storage system's install manifest looks like: CRDs with long schemas, workloads, and two sticky Services.
fn manifests() -> String {
    let mut unit = String::new();
    for kind in 0..12 {
        let _ = write!(
            unit,
            "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: \
             kind{kind}s.example.io\nspec:\n  group: example.io\n  versions:\n  - name: v1\n    schema:\n      \
             openAPIV3Schema:\n        description: Kind{kind} is a part of the storage system.\n        properties:\n"
        );
        for field in 0..60 {
            let _ = write!(
                unit,
                "          field{field}:\n            description: |-\n              What field {field} says, in words \
                 that go on\n              over two lines.\n            type: string\n            enum: [\"a\", 'b', c]\n"
            );
        }
    }
    for name in ["manager", "driver", "ui", "webhook"] {
        let sticky = matches!(name, "manager" | "ui");
        let _ = write!(unit, "---\n# Source: templates/{name}.yaml\n{}", service(name, sticky));
    }
    unit.repeat(8_000_000 / unit.len() + 1)
}

fn documents(count: usize, sticky: bool) -> String {
    (0..count).map(|index| format!("---\n{}", service(&format!("s{index}"), sticky || index % 100 == 0))).collect()
}

fn huge_document() -> String {
    let mut text = "apiVersion: v1\nkind: List\nitems:\n".to_owned();
    for index in 0..20_000 {
        let item = service(&format!("s{index}"), index % 100 == 0);
        for (at, line) in item.lines().enumerate() {
            let _ = writeln!(text, "{}{line}", if at == 0 { "- " } else { "  " });
        }
    }
    text
}

/// Nests to just under the reader's limit, many times over.
fn deep_blocks() -> String {
    let mut unit = String::from("---\n");
    for depth in 0..900 {
        let _ = writeln!(unit, "{}a:", " ".repeat(depth));
    }
    let _ = writeln!(unit, "{}sessionAffinity: ClientIP", " ".repeat(900));
    unit.repeat(8)
}

fn deep_flow() -> String {
    let unit = format!("---\n{}sessionAffinity{}\n", "{a: [".repeat(400), "]}".repeat(400));
    unit.repeat(100)
}

fn long_line() -> String {
    format!("{}  x: \"{}\"\n", service("a", true), "word ".repeat(800_000))
}

fn long_members() -> String {
    let mut members = String::new();
    for index in 0..100_000 {
        let _ = write!(members, "key{index}: {index}, ");
    }
    format!(
        "{{apiVersion: v1, kind: Service, metadata: {{labels: {{{members}}}}}, spec: {{sessionAffinity: ClientIP, x: 1}}}}\n"
    )
}

fn comment_lines() -> String {
    format!("{}  # sessionAffinity and other words\n{}", service("a", true), "  # c\n".repeat(400_000))
}

fn anchors() -> String {
    let mut text = "values:\n".to_owned();
    for index in 0..10_000 {
        let _ = write!(text, "- &a{index} {{x: {index}}}\n- *a{index}\n");
    }
    format!("{text}{}", service("a", true))
}

fn merges() -> String {
    let mut text = "base: &base\n  sessionAffinity: ClientIP\n  type: ClusterIP\n".to_owned();
    text.push_str("apiVersion: v1\nkind: List\nitems:\n");
    for _ in 0..5_000 {
        text.push_str("- apiVersion: v1\n  kind: Service\n  spec:\n    <<: *base\n    ports: []\n");
    }
    text
}

fn json_list() -> String {
    let item = |index: usize| {
        let affinity = if index.is_multiple_of(100) { r#""sessionAffinity":"ClientIP","# } else { "" };
        format!(
            r#"{{"apiVersion":"v1","kind":"Service","metadata":{{"name":"s{index}"}},"spec":{{{affinity}"ports":[{{"port":80}}]}}}}"#
        )
    };
    let items: Vec<String> = (0..20_000).map(item).collect();
    format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, items.join(","))
}
