//! Holds the rules' pages to one shape.

use unstick::Rule;

const HEADINGS: [&str; 5] = ["What it does", "Why it matters", "Example", "When to keep it", "Sources"];

#[test]
fn every_page_has_the_same_headings() {
    for rule in Rule::ALL {
        let page = rule.page();
        let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, HEADINGS, "{rule}");
        let sections = page.split("\n## ").skip(1);
        for (section, heading) in sections.zip(HEADINGS) {
            let text = section.trim_start_matches(heading).trim();
            assert!(text.len() > 10 || heading == "When to keep it" && text.len() > 5, "{rule}: {heading} is empty");
        }
        let (_, sources) = page.split_once("\n## Sources\n\n").expect("checked above");
        assert!(sources.starts_with("- "), "{rule}: {sources}");
    }
}

#[test]
fn every_summary_is_one_short_line() {
    for rule in Rule::ALL {
        let summary = rule.summary();
        assert!(summary.ends_with('.') && summary.chars().count() <= 100, "{rule}: {summary}");
        assert_eq!(rule.page().lines().nth(1), Some(""), "{rule}: the summary is one line");
    }
}

#[test]
fn ids_are_unique_and_the_same_everywhere() {
    for (rule, id) in Rule::ALL.iter().zip(Rule::IDS) {
        assert_eq!(rule.id(), *id);
        assert_eq!(id.parse(), Ok(*rule), "two rules are named {id}");
        assert_eq!(serde_json::to_value(rule).expect("a text"), *id);
    }
    assert_eq!(Rule::ALL.len(), Rule::IDS.len());
}

#[test]
fn the_ids_that_reports_have_used_so_far_stay() {
    let old = "sticky orphan-config not-sticky unknown-value embedded other-meaning schema-property managed-fields \
               in-string in-comment misplaced nested-service no-api-version template unreadable bad-policy";
    for id in old.split(' ') {
        assert!(id.parse::<Rule>().is_ok(), "{id}");
    }
}
