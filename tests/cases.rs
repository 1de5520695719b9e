//! Runs the case folders under `tests/cases`; the README there says what a case is made of.

#[path = "support/frame.rs"]
mod frame;
#[path = "support/position.rs"]
mod position;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use unstick::{Plan, Policy};

/// One folder, read.
struct Case {
    name: String,
    folder: PathBuf,
    file: &'static str,
    policy: Policy,
    input: Vec<u8>,
    expected: Vec<u8>,
    report: String,
    variants: Vec<Variant>,
}

/// A way to write the same case with other bytes around the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    AsIs,
    Crlf,
    LoneCr,
    ByteOrderMark,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Variant {
    const DERIVED: [Self; 3] = [Self::Crlf, Self::LoneCr, Self::ByteOrderMark];

    const fn word(self) -> &'static str {
        match self {
            Self::AsIs => "as it is",
            Self::Crlf => "crlf",
            Self::LoneCr => "cr",
            Self::ByteOrderMark => "bom",
        }
    }

    fn of(self, text: &[u8]) -> Vec<u8> {
        let replaced = |end: &[u8]| {
            let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
            lines.join(end)
        };
        match self {
            Self::AsIs => text.to_vec(),
            Self::Crlf => replaced(b"\r\n"),
            Self::LoneCr => replaced(b"\r"),
            Self::ByteOrderMark => [BYTE_ORDER_MARK, text].concat(),
        }
    }
}

impl Case {
    fn read(folder: &Path, root: &Path) -> Option<Self> {
        let file = ["input.yaml", "input.json"].into_iter().find(|file| folder.join(file).is_file())?;
        let input = read(&folder.join(file));
        let options = folder.join("options.json");
        let policy = if options.is_file() {
            serde_json::from_slice(&read(&options)).unwrap_or_else(|error| panic!("{}: {error}", options.display()))
        } else {
            Policy::default()
        };
        let expected = folder.join("expected");
        let expected = if expected.is_file() { read(&expected) } else { input.clone() };
        let report = folder.join("report.tsv");
        let report =
            if report.is_file() { String::from_utf8_lossy(&read(&report)).into_owned() } else { String::new() };
        let variants = variants(folder, &input);
        let name = folder.strip_prefix(root).unwrap_or(folder).display().to_string();
        Some(Self { name, folder: folder.to_owned(), file, policy, input, expected, report, variants })
    }

    fn check(&self, variant: Variant) -> Vec<String> {
        let input = variant.of(&self.input);
        let expected = variant.of(&self.expected);
        let plan = frame::plan(&input, self.file, &self.policy);
        let mut failures = Vec::new();
        let result = plan.apply(&input);
        if result != expected {
            failures.push(format!("wrong bytes\n{}", difference(&show(&expected), &show(&result))));
        }
        let report = report(&input, &plan);
        let wanted = self.wanted_report(variant);
        if report != wanted {
            let mut text = format!("wrong report\n{}", difference(&wanted, &report));
            for finding in &plan.findings {
                let _ = writeln!(text, "      {} {}: {}", finding.rule.id(), finding.outcome.word(), finding.message);
            }
            failures.push(text);
        }
        failures.extend(frame::broken_laws(&input, self.file, &self.policy, &plan));
        failures
    }

    /// Returns the report, with the columns of the first line moved by a byte order mark.
    fn wanted_report(&self, variant: Variant) -> String {
        if variant != Variant::ByteOrderMark {
            return self.report.clone();
        }
        let moved = self.report.lines().map(|line| {
            let mut fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if let [row, column, ..] = fields.as_mut_slice()
                && row.as_str() == "1"
                && let Ok(number) = column.parse::<usize>()
            {
                *column = (number + BYTE_ORDER_MARK.len()).to_string();
            }
            fields.join("\t") + "\n"
        });
        moved.collect()
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn variants(folder: &Path, input: &[u8]) -> Vec<Variant> {
    let mut variants = vec![Variant::AsIs];
    let listed = folder.join("variants");
    if listed.is_file() {
        let words = String::from_utf8_lossy(&read(&listed)).into_owned();
        for word in words.split_whitespace() {
            let variant = Variant::DERIVED.into_iter().find(|variant| variant.word() == word);
            variants.push(variant.unwrap_or_else(|| panic!("{}: no variant {word:?}", listed.display())));
        }
    } else if !input.contains(&b'\r') && !input.contains(&0) {
        variants.extend(Variant::DERIVED);
    }
    variants
}

fn report(text: &[u8], plan: &Plan) -> String {
    let mut report = String::new();
    for finding in &plan.findings {
        let (line, column) = position::line_and_column(text, finding.span.start);
        let _ = writeln!(report, "{line}\t{column}\t{}\t{}", finding.rule.id(), finding.outcome.word());
    }
    report
}

/// Returns a text with every byte visible, one line of it on one line.
fn show(text: &[u8]) -> String {
    let mut shown = String::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let _ = writeln!(shown, "{}", line.escape_ascii());
    }
    shown
}

/// Returns the lines of both texts: `-` wanted, `+` got, common lines at both ends left out but for one.
fn difference(wanted: &str, got: &str) -> String {
    let (wanted, got): (Vec<_>, Vec<_>) = (wanted.lines().collect(), got.lines().collect());
    let same_start = wanted.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let most = wanted.len().min(got.len()) - same_start;
    let same_end = wanted.iter().rev().zip(got.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    if let Some(before) = same_start.checked_sub(1) {
        let _ = writeln!(text, "        {}", clip(wanted[before]));
    }
    for line in &wanted[same_start..wanted.len() - same_end] {
        let _ = writeln!(text, "      - {}", clip(line));
    }
    for line in &got[same_start..got.len() - same_end] {
        let _ = writeln!(text, "      + {}", clip(line));
    }
    text
}

fn clip(line: &str) -> String {
    line.chars().take(160).collect()
}

fn collect(folder: &Path, root: &Path, cases: &mut Vec<Case>) {
    cases.extend(Case::read(folder, root));
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for folder in folders {
        collect(&folder, root, cases);
    }
}

#[test]
fn cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut cases = Vec::new();
    collect(&root, &root, &mut cases);
    assert!(cases.len() > 130, "only {} cases found under {}", cases.len(), root.display());
    if std::env::var_os("UNSTICK_BLESS").is_some() {
        for case in &mut cases {
            let report = report(&case.input, &frame::plan(&case.input, case.file, &case.policy));
            fs::write(case.folder.join("report.tsv"), &report).expect("the report can be written");
            case.report = report;
        }
    }
    let mut failures = String::new();
    let mut failed = 0;
    for case in &cases {
        for variant in &case.variants {
            let found = case.check(*variant);
            failed += usize::from(!found.is_empty());
            for failure in found {
                let _ = writeln!(failures, "  {} ({}): {failure}", case.name, variant.word());
            }
        }
    }
    let runs: usize = cases.iter().map(|case| case.variants.len()).sum();
    assert!(failures.is_empty(), "{failed} of {runs} runs of {} cases failed:\n{failures}", cases.len());
}

#[test]
fn only_an_unreadable_document_that_names_a_key_blocks() {
    let blocked = |text: &str| frame::plan(text.as_bytes(), "input.yaml", &Policy::default()).blocked;
    let service = "apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: ClientIP\n";
    assert!(!blocked(service));
    assert!(!blocked(&format!("a: [\n---\n{service}")));
    assert!(blocked(&format!("a: [ # sessionAffinity\n---\n{service}")));
    assert!(blocked(&format!("{service}---\na: [ \"session\\x41ffinity\"\n")));
    assert!(blocked(&format!("{{{{- if .Values.on }}}}\n{service}{{{{- end }}}}\n")));
    assert!(!blocked("{{- if .Values.on }}\nkind: Service\n{{- end }}\n"));
}
