//! Holds the rules to their pages, and both to what fires where; the README in `tests/rules` says how.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use unstick::{Advice, ChartFile, ChartPlan, Plan, Policy, Rule, Source, Survey, krm};
use unstick_yaml::LineIndex;

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

/// One input: texts with their paths.
type Input = Vec<(String, Vec<u8>)>;

/// Returns the path and line of each finding of a rule.
fn fired(rule: Rule, input: &Input) -> BTreeSet<(String, usize)> {
    let policy = Policy::default();
    if input.iter().any(|(path, _)| path == "Chart.yaml") {
        let plans = chart_plan(input).files;
        return input.iter().zip(&plans).flat_map(|((path, text), plan)| places(rule, path, text, plan)).collect();
    }
    let mut survey = Survey::default();
    for (path, text) in input {
        survey.extend(Survey::new(Source { path: Some(path), bytes: text }, &policy));
    }
    let mut fired = BTreeSet::new();
    for (path, text) in input {
        let source = Source { path: Some(path), bytes: text };
        let mut plan = krm::respond(source, &policy).map_or_else(|| Plan::new(source, &policy), |answer| answer.plan);
        plan.advise(source, &policy, &survey, Advice::All);
        fired.extend(places(rule, path, text, &plan));
    }
    fired
}

fn places(rule: Rule, path: &str, text: &[u8], plan: &Plan) -> Vec<(String, usize)> {
    let lines = LineIndex::new(text);
    let found = plan.findings.iter().filter(|finding| finding.rule == rule);
    found.map(|finding| (path.to_owned(), lines.position(text, finding.span.start).line)).collect()
}

fn chart_plan(input: &Input) -> ChartPlan {
    let files: Vec<ChartFile<'_>> = input.iter().map(|(path, bytes)| ChartFile { path, bytes }).collect();
    ChartPlan::new(&files, &Policy::default())
}

/// Returns the lines that say where the rule fires.
fn marked(rule: Rule, input: &Input) -> BTreeSet<(String, usize)> {
    let mark = format!("<- {rule}");
    let lines = input.iter().flat_map(|(path, text)| {
        let text = std::str::from_utf8(text).expect("UTF-8");
        let lines = text.lines().enumerate().filter(|(_, line)| line.ends_with(&mark));
        lines.map(|(at, _)| (path.clone(), at + 1))
    });
    lines.collect()
}

fn read_input(path: &Path) -> Input {
    fn add(path: &Path, root: &Path, input: &mut Input) {
        if path.is_dir() {
            for entry in fs::read_dir(path).expect("a folder").flatten() {
                add(&entry.path(), root, input);
            }
            return;
        }
        let name = path.strip_prefix(root).expect("below").to_str().expect("UTF-8").replace('\\', "/");
        input.push((name, fs::read(path).expect("readable")));
    }
    let mut input = Vec::new();
    add(path, if path.is_dir() { path } else { path.parent().expect("a folder") }, &mut input);
    input.sort();
    input
}

#[test]
fn rules_fire_where_they_should_and_nowhere_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rules");
    let mut failures = String::new();
    for rule in Rule::ALL.iter() {
        let folder = root.join(rule.id());
        let (mut fires, mut quiet) = (0, 0);
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
            let name = entry.file_name().into_string().expect("UTF-8");
            let input = read_input(&entry.path());
            let (wanted, got) = (marked(*rule, &input), fired(*rule, &input));
            assert!(name.starts_with("fires-") != wanted.is_empty(), "{rule}/{name} is named for something else");
            assert!(name.starts_with("fires-") || name.starts_with("quiet-"), "{rule}/{name}");
            fires += usize::from(!wanted.is_empty());
            quiet += usize::from(wanted.is_empty());
            if wanted != got {
                let _ = writeln!(failures, "{rule}/{name}: wanted {wanted:?}, got {got:?}");
            }
        }
        assert!(fires >= 2 && quiet >= 2, "{rule} has {fires} inputs that fire and {quiet} that do not");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn a_load_balancer_with_two_ports_fires_what_it_should() {
    let service = |policy: &str| -> Input {
        let text = format!(
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: phones\nspec:\n  type: LoadBalancer\n{policy}  \
             sessionAffinity: ClientIP\n  sessionAffinityConfig:\n    clientIP:\n      timeoutSeconds: 10800\n  \
             selector:\n    app: phones\n  ports:\n  - name: signal\n    port: 5061\n  - name: media\n    port: 7000\n"
        );
        vec![("service.yaml".into(), text.into_bytes())]
    };
    let rules = [Rule::Sticky, Rule::StickyMultiPort, Rule::StickyAcrossNodes];
    let told = |policy: &str| rules.map(|rule| !fired(rule, &service(policy)).is_empty());
    assert_eq!(told("  externalTrafficPolicy: Local\n"), [true, true, false]);
    assert_eq!(told("  externalTrafficPolicy: Cluster\n"), [true; 3]);
    assert_eq!(told(""), [true; 3], "Cluster is the default");
}

/// Returns a page's example; one that names files in lines of their own is a chart.
fn example(rule: Rule, word: &str) -> Input {
    let page = rule.page();
    let (_, rest) = page.split_once(&format!("\n{word}:\n\n```yaml\n")).expect("an example");
    let (text, _) = rest.split_once("```").expect("the example's end");
    let names = |line: &str| line.strip_prefix("# ").filter(|name| name.ends_with(".yaml")).map(str::to_owned);
    let mut input = Input::new();
    for line in text.lines() {
        match (names(line), input.last_mut()) {
            (Some(name), _) => input.push((name, Vec::new())),
            (None, Some((_, file))) => file.extend([line.as_bytes(), b"\n"].concat()),
            (None, None) => return vec![("kustomization.yaml".into(), text.as_bytes().to_vec())],
        }
    }
    input.push(("Chart.yaml".into(), b"apiVersion: v2\nname: example\nversion: 1.0.0\n".to_vec()));
    input
}

#[test]
fn examples_fire_before_and_not_after() {
    for rule in Rule::ALL {
        assert!(!fired(*rule, &example(*rule, "Before")).is_empty(), "{rule}: the example before does not fire");
        assert_eq!(fired(*rule, &example(*rule, "After")), BTreeSet::new(), "{rule}: the example after fires");
    }
}

#[test]
fn charts_become_what_the_examples_show() {
    for rule in [Rule::HardCoded, Rule::StickyByDefault] {
        let before = example(rule, "Before");
        let plans = chart_plan(&before).files;
        let fixed: Input =
            before.iter().zip(&plans).map(|((path, text), plan)| (path.clone(), plan.apply(text))).collect();
        let show = |input: &Input| -> Vec<String> {
            input.iter().map(|(path, text)| format!("{path}:\n{}", String::from_utf8_lossy(text))).collect()
        };
        assert_eq!(show(&fixed), show(&example(rule, "After")), "{rule}");
    }
}

#[test]
fn advice_on_a_large_dump_takes_time_in_proportion() {
    const COUNT: usize = 5_000;
    let mut items = Vec::new();
    for at in 0..COUNT {
        items.push(format!(
            r#"{{"apiVersion":"v1","kind":"Service","metadata":{{"name":"s{at}","uid":"u"}},"spec":{{"selector":{{"all":"same","app":"a{at}"}},"sessionAffinity":"ClientIP","ports":[{{"port":80}}]}}}}"#
        ));
        items.push(format!(
            r#"{{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"d{at}"}},"spec":{{"template":{{"metadata":{{"labels":{{"all":"same","app":"a{at}"}}}}}}}}}}"#
        ));
    }
    let text = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, items.join(",\n"));
    let policy = Policy::default();
    let source = Source { path: None, bytes: text.as_bytes() };
    let survey = Survey::new(source, &policy);
    let mut plan = Plan::new(source, &policy);
    let started = std::time::Instant::now();
    plan.advise(source, &policy, &survey, Advice::All);
    for rule in [Rule::StickySingleReplica, Rule::RemovalNeedsNone, Rule::TimeoutDefault] {
        assert_eq!(plan.findings.iter().filter(|finding| finding.rule == rule).count(), COUNT, "{rule}");
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
