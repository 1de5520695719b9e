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

/// Returns the first source of a rule, an address where it has one, and the command that tells more.
pub(crate) fn rule_source(rule: Rule) -> String {
    let page = rule.page();
    let sources = page.split_once("\n## Sources\n").map(|(_, sources)| sources).unwrap_or_default();
    let address = sources.split(['(', ')', ' ', '\n']).find(|word| word.starts_with("https://"));
    let first = || {
        let items = sources.trim().trim_start_matches("- ").split("\n- ").next().unwrap_or_default();
        items.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "")
    };
    format!("{} (unstick rules {rule})", address.map_or_else(first, str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_source_to_name() {
        for rule in Rule::ALL {
            let source = rule_source(*rule);
            let named = source.strip_suffix(&format!(" (unstick rules {rule})")).expect("the command");
            assert!(named.len() > 10 && !named.contains(['\n', '[', '`']), "{rule}: {source}");
        }
    }
}
