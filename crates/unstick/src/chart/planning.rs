//! The plan of a whole chart.

use unstick_yaml::{Span, Token};

use crate::{Finding, Outcome, Plan, Policy, Rule, Severity, Source};

use super::outlines::Outlines;
use super::{ChartFile, ChartSet, mention, opaque, source};

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
        let plans = (0..files.len()).map(|file| {
            let mut plan = plan_file(&set, &outlines, policy, file);
            policy.severity.apply(&mut plan.findings);
            plan
        });
        Self { files: plans.collect() }
    }
}

fn plan_file(set: &ChartSet<'_>, outlines: &Outlines, policy: &Policy, file: usize) -> Plan {
    let own = set.files[file];
    let fault = set.faults.iter().find(|(at, _)| *at == file);
    if let Some((_, error)) = fault {
        return unreadable(own.bytes, error.reason, error.span);
    }
    let Some(template) = &set.templates[file] else {
        return Plan::new(Source { path: Some(own.path), bytes: own.bytes }, policy);
    };
    // Without any action it is a manifest, for which the strict reader knows more.
    let is_plain = template.tokens.iter().all(|token| matches!(token, Token::Text(_)));
    if is_plain && set.is_printed(file) {
        return Plan::new(Source { path: Some(own.path), bytes: own.bytes }, policy);
    }
    let mut plan = source::plan(set, outlines, policy, file);
    plan.findings.extend(mention::find(own.bytes, template, outlines.files[file].as_ref(), &plan));
    plan.findings.extend(opaque::find(set, outlines, file));
    plan.findings.sort_by_key(|finding| (finding.span, finding.rule));
    Plan { findings: plan.findings, edits: plan.edits, blocked: false }
}

/// Tells of a template that Go cannot read; nothing of it is edited.
fn unreadable(text: &[u8], reason: &str, span: Span) -> Plan {
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
