//! One line, and where each format says that something stands in it.

use serde_json::{Value, json};
use unstick::{Plan, Policy, Source};
use unstick_report::{Colour, FileReport, Human, Summary, annotations, json_v1, sarif};

/// What stands in a line before the key, and how long that is: in code points, in UTF-16 and in columns of a terminal.
const LINES: [(&str, usize, usize, usize); 6] = [
    ("a: 1, ", 6, 6, 6),
    ("é: ü, ", 6, 6, 6),
    ("a: 😀, ", 6, 7, 7),
    ("表: 計, ", 6, 6, 8),
    ("e\u{301}: 1, ", 7, 7, 6),
    ("\u{1f1e9}\u{1f1ea}: 𝒳, ", 7, 10, 7),
];

fn text(before: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Service\nmetadata: {{name: web}}\nspec: {{{before}sessionAffinity: ClientIP, z: é}} # 😀\n"
    )
}

#[test]
fn every_format_counts_columns_as_it_should() {
    for mark in ["", "\u{feff}"] {
        for (before, points, units, cells) in LINES {
            let text = format!("{mark}{}", text(before));
            let plan = Plan::new(Source { path: None, bytes: text.as_bytes() }, &Policy::default());
            let report = FileReport { path: "é.yaml", text: text.as_bytes(), plan: &plan, of_chart: false };
            let start = "spec: {".len() + 1;
            let length = "sessionAffinity: ClientIP".len();
            let json: Value =
                serde_json::from_str(&json_v1::render(&[json_v1::File::new(report)], &[], Summary::default())).unwrap();
            let finding = &json["files"][0]["findings"][0];
            assert_eq!(finding["start"], json!({"line": 4, "column": start + points}), "{text}");
            assert_eq!(finding["end"], json!({"line": 4, "column": start + points + length}), "{text}");
            let bytes = |end: &str| usize::try_from(finding["span"][end].as_u64().unwrap()).unwrap();
            assert_eq!(&text[bytes("start")..bytes("end")], "sessionAffinity: ClientIP");
            let log: Value = serde_json::from_str(&sarif::render(&[sarif::File::new(report, false)], &[])).unwrap();
            let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
            let (first, last) = (start + units, start + units + length);
            let wanted = json!({"startLine": 4, "startColumn": first, "endLine": 4, "endColumn": last});
            assert_eq!(region, &wanted, "{text}");
            let (first, last) = (start + points, start + points + length);
            let wanted = format!("::warning file=é.yaml,line=4,col={first},endLine=4,endColumn={last},");
            assert!(annotations(report, false).starts_with(&wanted), "{text}");
            let human = Human::new(Colour::Off, false).render(report);
            assert!(human.contains(&format!(" --> é.yaml:4:{} ", start + points)), "{human}");
            let carets = human.lines().find(|line| line.contains('^')).expect("carets");
            assert_eq!(carets.find('^'), Some("   | ".len() + start - 1 + cells), "{human}");
        }
    }
}
