//! The rules for readers: a list, single pages, and the whole as Markdown.

use std::fmt::Write as _;

use unstick::Rule;

/// Returns all rules as aligned lines: name, severity, summary.
///
/// ```
/// let list = unstick_report::rule_list();
/// assert!(list.lines().any(|line| line.starts_with("sticky-headless ")));
/// ```
#[must_use]
pub fn rule_list() -> String {
    let width = Rule::IDS.iter().map(|id| id.len()).max().unwrap_or_default();
    let mut list = String::new();
    for rule in Rule::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{:width$}  {:7}  {}", rule.id(), rule.severity().word(), rule.summary());
    }
    list
}

/// Returns one rule's page as Markdown, under a heading with its name.
///
/// ```
/// let page = unstick_report::rule_page(unstick::Rule::Sticky);
/// assert!(page.starts_with("# sticky (warning)\n\nA Service is sticky"));
/// ```
#[must_use]
pub fn rule_page(rule: Rule) -> String {
    format!("# {rule} ({})\n\n{}", rule.severity().word(), rule.page())
}

/// Returns a Markdown table of all rules, with links to their pages below `pages`.
///
/// ```
/// assert!(unstick_report::rule_table("rules.md").contains("| [`sticky`](rules.md#sticky) | warning |"));
/// ```
#[must_use]
pub fn rule_table(pages: &str) -> String {
    let mut table = String::from("| rule | severity | meaning |\n| --- | --- | --- |\n");
    for rule in Rule::ALL {
        let _ = writeln!(table, "| [`{rule}`]({pages}#{rule}) | {} | {} |", rule.severity().word(), rule.summary());
    }
    table
}

/// Returns the pages of all rules as one Markdown document; each rule's name is its anchor.
///
/// ```
/// assert!(unstick_report::rule_book().contains("\n## sticky-headless\n"));
/// ```
#[must_use]
pub fn rule_book() -> String {
    let mut book = String::from("# Rules\n");
    for rule in Rule::ALL {
        // Sections of a page stand one level deeper than the rule.
        let page = rule.page().replace("\n## ", "\n### ");
        let _ = write!(book, "\n## {rule}\n\nSeverity: {}.\n\n{page}", rule.severity().word());
    }
    book
}
