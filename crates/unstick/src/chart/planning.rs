//! The plan of a whole chart.

use unstick_yaml::{Span, Token};

use crate::{Finding, Outcome, Plan, Policy, Rule, Severity, Source};

use crate::affinity::KEY;

use super::knobs::{self, KnobPlan};
use super::outlines::Outlines;
use super::resolve::Resolver;
use super::source::{self, SourcePlan};
use super::{ChartFile, ChartSet, follow_up, mention, opaque};

/// What becomes of each file of a chart.
///
/// ```
/// use unstick::{ChartFile, ChartPlan, Policy};
/// let template = b"apiVersion: v1\nkind: Service\nspec:\n  type: {{ .Values.type }}\n  sessionAffinity: ClientIP\n";
/// let files = [
///     ChartFile { path: "Chart.yaml", bytes: b"apiVersion: v2\nname: demo\nversion: 0.1.0\n" },
///     ChartFile { path: "templates/service.yaml", bytes: template },
/// ];
/// let plan = ChartPlan::new(&files, &Policy::default());
/// let fixed = plan.files[1].apply(template);
/// assert_eq!(fixed, b"apiVersion: v1\nkind: Service\nspec:\n  type: {{ .Values.type }}\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChartPlan {
    /// One plan for each file, in the order given.
    pub files: Vec<Plan>,
}

/// Tells whether the files are those of a chart: there is a Chart.yaml at the root.
#[must_use]
pub fn is_chart(files: &[ChartFile<'_>]) -> bool {
    files.iter().any(|file| file.path == "Chart.yaml")
}

impl ChartPlan {
    /// Plans a chart with its unpacked sub-charts.
    ///
    /// Templates are edited where each edit can be shown to change nothing else in any rendering. Never fails: what
    /// cannot be read or edited becomes a finding.
    #[must_use]
    pub fn new(files: &[ChartFile<'_>], policy: &Policy) -> Self {
        let set = ChartSet::new(files.to_vec());
        let outlines = Outlines::new(&set);
        let sources: Vec<SourcePlan> = (0..files.len())
            .map(|file| {
                if is_source(&set, file) { source::plan(&set, &outlines, policy, file) } else { SourcePlan::default() }
            })
            .collect();
        let mut knobs = plan_knobs(&set, policy, &sources);
        let changed = sources.iter().any(|source| !source.edits.is_empty()) || !knobs.edits.is_empty();
        let mut plans = Vec::with_capacity(files.len());
        for (file, source) in sources.into_iter().enumerate() {
            let findings = knobs.findings.remove(&file).unwrap_or_default();
            plans.push(if is_source(&set, file) {
                plan_source(&set, &outlines, file, source, findings)
            } else if let Some((_, error)) = set.faults.iter().find(|(at, _)| *at == file) {
                unreadable(set.text(file), error.reason, error.span)
            } else if set.templates[file].is_some() {
                Plan::new(Source { path: Some(set.files[file].path), bytes: set.text(file) }, policy)
            } else {
                let edits = knobs.edits.remove(&file).unwrap_or_default();
                follow_up::plan(&set, policy, file, findings, edits, changed)
            });
        }
        for plan in &mut plans {
            policy.severity.apply(&mut plan.findings);
        }
        Self { files: plans }
    }
}

/// Plans the values keys, where there are any to be planned.
fn plan_knobs(set: &ChartSet<'_>, policy: &Policy, sources: &[SourcePlan]) -> KnobPlan {
    let names_key = |file: usize| memchr::memmem::find(set.text(file), KEY.as_bytes()).is_some();
    let has_entries = sources.iter().any(|source| !source.entries.is_empty());
    if !has_entries && !set.charts.iter().filter_map(|chart| chart.values).any(names_key) {
        return KnobPlan::default();
    }
    knobs::plan(set, policy, &Resolver::new(set), sources)
}

/// Tells whether a file is a template that the reader of templates plans.
pub(super) fn is_source(set: &ChartSet<'_>, file: usize) -> bool {
    let Some(template) = &set.templates[file] else { return false };
    // Without any action it is a manifest, for which the strict reader knows more.
    let is_plain = template.tokens.iter().all(|token| matches!(token, Token::Text(_)));
    !(is_plain && set.is_printed(file))
}

fn plan_source(
    set: &ChartSet<'_>,
    outlines: &Outlines,
    file: usize,
    mut plan: SourcePlan,
    findings: Vec<Finding>,
) -> Plan {
    let Some(template) = &set.templates[file] else { return Plan::default() };
    plan.findings.extend(findings);
    plan.findings.extend(mention::find(set.text(file), template, outlines.files[file].as_ref(), &plan));
    plan.findings.extend(opaque::find(set, outlines, file));
    plan.findings.sort_by_key(|finding| (finding.span, finding.rule));
    Plan { findings: plan.findings, edits: plan.edits, blocked: false }
}

/// Tells of a template that Go cannot read; nothing of it is edited.
pub(super) fn unreadable(text: &[u8], reason: &str, span: Span) -> Plan {
    let mentions = crate::occurrence::spans(text, Span::new(0, text.len()));
    let names_key = !mentions.is_empty();
    let mut findings = vec![Finding {
        rule: Rule::Unreadable,
        severity: if names_key { Severity::Error } else { Severity::Warning },
        outcome: if names_key { Outcome::Refused } else { Outcome::Noted },
        span,
        document: 0,
        resource: None,
        field: None,
        message: format!("this is no template that Helm can read: {reason}"),
        help: Some("helm lint tells more".into()),
    }];
    findings.extend(mentions.into_iter().map(|span| Finding {
        rule: Rule::Unreadable,
        severity: Severity::Error,
        outcome: Outcome::Refused,
        span,
        document: 0,
        resource: None,
        field: None,
        message: "named in a template that cannot be read: left as it is".into(),
        help: None,
    }));
    findings.sort_by_key(|finding| (finding.span, finding.rule));
    Plan { findings, blocked: names_key, ..Plan::default() }
}
