//! Holds README.md and docs/rules.md to the rules; `UNSTICK_BLESS=1` writes them.

use std::fs;
use std::path::{Path, PathBuf};

use unstick_report::{rule_book, rule_table};

const BEGIN: &str = "<!-- rules: written by UNSTICK_BLESS=1 cargo test -p unstick-report --test rules -->\n";
const END: &str = "<!-- rules end -->\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn hold(path: &Path, wanted: &str) {
    if std::env::var_os("UNSTICK_BLESS").is_some() {
        fs::write(path, wanted).expect("written");
    }
    let text = fs::read_to_string(path).unwrap_or_default();
    assert!(text == wanted, "{} is behind the rules: run this test with UNSTICK_BLESS=1", path.display());
}

#[test]
fn the_readme_lists_all_rules() {
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).expect("readable");
    let (before, rest) = text.split_once(BEGIN).expect("the README has a place for the rules");
    let (_, after) = rest.split_once(END).expect("the place has an end");
    hold(&path, &format!("{before}{BEGIN}{}{END}{after}", rule_table("docs/rules.md")));
}

#[test]
fn the_pages_are_up_to_date() {
    hold(&root().join("docs/rules.md"), &rule_book());
}
