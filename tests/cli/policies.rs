//! Policies that cannot be used, and what is said of them; the README in `tests/policies` says how.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, STICKY, folder, read, run_in};

/// Files, in any of which a case holds its bad policy.
const FORMS: [&str; 5] = ["policy.yaml", "policy.json", "arguments", "list.yaml", "list.json"];

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/policies/bad");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(root).expect("cases").map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    cases
}

/// Runs a case; a bad policy must leave every manifest as it is.
fn run_case(form: &str, text: &str) -> Ran {
    let files = [("svc.yaml", STICKY), (form, text)];
    let folder = folder(&files);
    let ran = if form.starts_with("list.") {
        let ran = run_in(folder.path(), &[] as &[&str], text.as_bytes());
        let edited = ran.out().replacen("ClientIP", "", 1);
        assert!(text.contains("ClientIP") && edited != ran.out(), "the item must stay sticky: {}", ran.out());
        ran
    } else {
        let arguments = match form {
            "arguments" => text.lines().collect(),
            file => vec!["--policy", file],
        };
        let ran = run_in(folder.path(), &[&["fix", "svc.yaml"], &arguments[..]].concat(), b"");
        assert_eq!((ran.code, ran.out()), (2, ""), "{}", ran.stderr);
        ran
    };
    assert_ne!(ran.code, 0);
    assert_eq!(read(&folder, "svc.yaml"), STICKY);
    ran
}

/// Returns what people and hosts get to see: standard error, and the results of a ResourceList.
fn message(ran: &Ran) -> String {
    let mut message = ran.stderr.clone();
    if let Some(at) = ran.out().find("results") {
        let _ = write!(message, "--- results\n{}", &ran.out()[at..]);
    }
    message
}

#[test]
fn bad_policies_are_told_in_words_that_say_what_to_do() {
    let bless = std::env::var_os("UNSTICK_BLESS").is_some();
    let cases = cases();
    let mut failures = String::new();
    for case in &cases {
        let form = FORMS.into_iter().find(|form| case.join(form).exists()).expect("a case has one of the forms");
        let text = fs::read_to_string(case.join(form)).expect("UTF-8");
        let message = message(&run_case(form, &text));
        let expected = case.join("message.txt");
        if bless {
            fs::write(&expected, &message).expect("written");
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default().replace("\r\n", "\n");
        if message != wanted {
            let _ = writeln!(failures, "{}: wanted\n{wanted}\ngot\n{message}", case.display());
        }
        if form.starts_with("policy.") {
            let place = message.lines().any(|line| line.starts_with(&format!("  --> {form}:")));
            assert!(place && message.contains('^') && message.contains("= help: "), "{message}");
        }
    }
    assert!(cases.len() >= 30, "{}", cases.len());
    assert!(failures.is_empty(), "\n{failures}");
}
