//! What must hold for templates and charts.

use unstick::{ChartFile, ChartPlan, Outcome};
use unstick_yaml::{EditSet, Item, Span, Template, TemplateOutline, Token, derive_texts, parse_expression};

use crate::plan::{check_told, check_untouched, is_readable, show};
use crate::policies::policy;

/// Stands between the files of a chart in one input: a template, then helpers, then values, then a schema.
const SEPARATOR: &[u8] = b"%%%\n";

const PATHS: [&str; 4] = ["templates/service.yaml", "templates/_helpers.tpl", "values.yaml", "values.schema.json"];

const DESCRIPTION: ChartFile<'_> =
    ChartFile { path: "Chart.yaml", bytes: b"apiVersion: v2\nname: a\nversion: 0.1.0\n" };

/// Tokens together are the text, each belongs to one place of the block tree, and expressions and outlines can be made of
/// whatever stands there.
pub fn read_template(text: &[u8]) {
    let template = match Template::read(text) {
        Ok(template) => template,
        Err(error) => {
            assert!(error.span.end <= text.len(), "the fault at {:?} leaves the text", error.span);
            return;
        }
    };
    let mut covered = 0;
    for token in &template.tokens {
        assert_eq!(token.span().start, covered, "a token begins where the one before ends");
        assert!(!token.span().is_empty(), "an empty token at {covered}");
        covered = token.span().end;
        if let Token::Action(action) = token {
            assert!(action.span.encloses(action.body), "{action:?}");
            if let Err(error) = parse_expression(text, action.pipeline(text)) {
                assert!(error.span.end <= text.len(), "the fault at {:?} leaves the text", error.span);
            }
        }
    }
    assert_eq!(covered, text.len(), "the tokens together are the text");
    let frame: usize = template.blocks.iter().map(|block| block.branches.len() + 1).sum();
    let held = |items: &[Item]| items.iter().filter(|item| matches!(item, Item::Token(_))).count();
    let bodies = template.blocks.iter().flat_map(|block| &block.branches);
    let inside: usize = bodies.map(|branch| held(&branch.items)).sum();
    assert_eq!(frame + inside + held(&template.items), template.tokens.len(), "each token has one place");
    let outline = TemplateOutline::read(text, &template);
    for node in 0..outline.nodes.len() {
        let _ = outline.path(node);
    }
}

/// Plans the chart behind the first byte, under the policy that it stands for.
///
/// Bytes outside the edits stay, a second run edits nothing where nothing was refused and what is rendered can be read,
/// templates that Go can read still can be, and no occurrence of the two names is passed over.
pub fn plan_chart(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let policy = policy(*first);
    let texts = split(rest);
    let plan = ChartPlan::new(&files(&texts), &policy);
    let mut fixed: Vec<Vec<u8>> = Vec::new();
    // The description comes first.
    for (text, plan) in texts.iter().zip(&plan.files[1..]) {
        let output = plan.apply(text);
        check_untouched(text, plan, &output);
        check_told(text, plan);
        fixed.push(output);
    }
    let outputs: Vec<&[u8]> = fixed.iter().map(Vec::as_slice).collect();
    for (text, output) in texts.iter().zip(&outputs).take(2) {
        if Template::read(text).is_ok() {
            assert!(Template::read(output).is_ok(), "Go cannot read what comes out:\n{}", show(output));
        }
    }
    let again = ChartPlan::new(&files(&outputs), &policy);
    // What stood beside an entry that is gone may be plain enough then.
    let refused = plan.files.iter().flat_map(|plan| &plan.findings).any(|finding| finding.outcome == Outcome::Refused);
    let settled = !refused && texts.iter().take(2).all(|text| renders_yaml(text));
    for (output, plan) in outputs.iter().zip(&again.files[1..]).filter(|_| settled) {
        assert!(plan.edits.is_empty(), "a second run edits {:?} in\n{}", plan.edits, show(output));
    }
    assert_eq!(plan, ChartPlan::new(&files(&texts), &policy), "two plans for the same bytes differ");
}

/// Tells whether some ways through a template give texts that the strict reader can read.
fn renders_yaml(text: &[u8]) -> bool {
    let Ok(template) = Template::read(text) else { return false };
    let derived = derive_texts(text, &template, &EditSet::new());
    derived.is_some_and(|texts| texts.iter().all(|derived| is_readable(&derived.before)))
}

/// Splits an input into the texts of at most four files.
fn split(mut rest: &[u8]) -> Vec<&[u8]> {
    let mut texts = Vec::new();
    while texts.len() + 1 < PATHS.len() {
        let Some(at) = rest.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) else { break };
        texts.push(Span::new(0, at).slice(rest));
        rest = &rest[at + SEPARATOR.len()..];
    }
    texts.push(rest);
    texts
}

fn files<'a>(texts: &[&'a [u8]]) -> Vec<ChartFile<'a>> {
    let files = PATHS.into_iter().zip(texts).map(|(path, bytes)| ChartFile { path, bytes });
    [DESCRIPTION].into_iter().chain(files).collect()
}
