//! The values that switch a chart's affinity off.

use std::fmt::Write as _;

use unstick_yaml::LineIndex;

use crate::{Finding, Outcome, Plan, Policy, Rule, Source};

use super::knobs::{self, Setting, Switches};
use super::outlines::Outlines;
use super::planning::{is_source, unreadable};
use super::resolve::Resolver;
use super::source::{self, SourcePlan};
use super::{ChartFile, ChartSet, mention, opaque};

/// The smallest values that render a chart without sticky Services, as far as values can.
///
/// ```
/// use unstick::{ChartFile, Policy, ValuesOverride};
/// let template = b"apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: {{ .Values.service.affinity }}\n";
/// let files = [
///     ChartFile { path: "Chart.yaml", bytes: b"apiVersion: v2\nname: demo\nversion: 0.1.0\n" },
///     ChartFile { path: "values.yaml", bytes: b"service: {affinity: ClientIP}\n" },
///     ChartFile { path: "templates/service.yaml", bytes: template },
/// ];
/// let values = ValuesOverride::new(&files, &Policy::default(), false);
/// assert!(values.yaml.ends_with("service:\n  affinity: None\n"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValuesOverride {
    /// The values as YAML, with comments on what they do not reach.
    pub yaml: String,
    /// Sticky Services that no value reaches, with the index of their file.
    pub unreached: Vec<(usize, Finding)>,
    /// What could not be followed and may be sticky, with the index of its file.
    pub unknown: Vec<(usize, Finding)>,
}

impl ValuesOverride {
    /// Finds the values for a chart with its unpacked sub-charts; with `all`, also keys that are not sticky by default.
    #[must_use]
    pub fn new(files: &[ChartFile<'_>], policy: &Policy, all: bool) -> Self {
        let set = ChartSet::new(files.to_vec());
        let outlines = Outlines::new(&set);
        let mut sources = Vec::with_capacity(files.len());
        let mut holes = Vec::new();
        let mut plain = Vec::new();
        let mut built = Vec::new();
        for file in 0..files.len() {
            sources.push(match (is_source(&set, file), set.templates[file].is_some()) {
                (true, _) => {
                    holes.extend(opaque::find(&set, &outlines, file).into_iter().map(|finding| (file, finding)));
                    let source = source::plan(&set, &outlines, policy, file);
                    for finding in untold(&set, &outlines, file, &source) {
                        let told = if finding.outcome == Outcome::Refused { &mut plain } else { &mut built };
                        told.push((file, finding));
                    }
                    source
                }
                (false, true) => {
                    plain.extend(written(&set, policy, file).into_iter().map(|finding| (file, finding)));
                    SourcePlan::default()
                }
                (false, false) => SourcePlan::default(),
            });
        }
        for (file, error) in set.faults.iter().filter(|(file, _)| names_key(set.text(*file))) {
            plain.extend(
                unreadable(set.text(*file), error.reason, error.span)
                    .findings
                    .into_iter()
                    .take(1)
                    .map(|finding| (*file, finding)),
            );
        }
        let mut found = knobs::switches(&set, policy, &Resolver::new(&set), &sources, holes, all);
        let mut unreached = found.unreached.clone();
        unreached.extend(plain);
        found.unknown.extend(built);
        let yaml = render(&set, &found, &unreached);
        Self { yaml, unreached, unknown: found.unknown }
    }
}

fn names_key(text: &[u8]) -> bool {
    memchr::memmem::find(text, crate::affinity::KEY.as_bytes()).is_some()
}

/// Returns the findings for sticky Services of a template without any action.
fn written(set: &ChartSet<'_>, policy: &Policy, file: usize) -> Vec<Finding> {
    let plan = Plan::new(Source { path: Some(set.files[file].path), bytes: set.text(file) }, policy);
    let sticky = |finding: &Finding| {
        finding.outcome == Outcome::Changed
            && finding.field.as_ref().is_some_and(|field| field.ends_with(crate::affinity::KEY))
    };
    let told = plan.findings.into_iter().filter(sticky);
    told.map(|finding| Finding {
        outcome: Outcome::Noted,
        message: "ClientIP is written in the template itself: no value switches it off".into(),
        help: Some("edit the template with unstick fix, or run unstick as a post-renderer".into()),
        ..finding
    })
    .collect()
}

/// Returns the findings of a template that concern no entry of a known Service: what they speak of may be sticky.
fn untold(set: &ChartSet<'_>, outlines: &Outlines, file: usize, source: &SourcePlan) -> Vec<Finding> {
    let Some(template) = &set.templates[file] else { return Vec::new() };
    let mentions = mention::find(set.text(file), template, outlines.files[file].as_ref(), source);
    let known = |finding: &Finding| {
        let mut entries = source.entries.iter().filter(|planned| !planned.services.is_empty());
        entries.any(|planned| planned.entry.span == finding.span)
    };
    let all = source.findings.iter().cloned().chain(mentions);
    let may_be_sticky = |finding: &Finding| match finding.outcome {
        Outcome::Refused => !known(finding),
        _ => finding.rule == Rule::OpaqueSpec,
    };
    all.filter(may_be_sticky).collect()
}

fn render(set: &ChartSet<'_>, found: &Switches, unreached: &[(usize, Finding)]) -> String {
    let settings = &found.settings;
    let mut yaml = String::new();
    let name = set.charts.first().map_or("this chart", |chart| chart.name.as_str());
    let _ = match settings.is_empty() {
        true => writeln!(yaml, "# No values key of {name} makes a Service sticky by default."),
        false => writeln!(yaml, "# Switches session affinity off in {name}: pass it with --values, after your own."),
    };
    comment(&mut yaml, set, "Not reached by any values", unreached);
    comment(&mut yaml, set, "Not followed", &found.unknown);
    for pattern in &found.patterns {
        let _ = writeln!(yaml, "# Also, in each element: {}", one_line(pattern));
    }
    if settings.is_empty() {
        yaml.push_str("{}\n");
    }
    let mut open: Vec<String> = Vec::new();
    let mut sorted: Vec<&Setting> = settings.iter().collect();
    sorted.sort_by(|a, b| a.keys.cmp(&b.keys));
    for setting in sorted {
        let Some((last, above)) = setting.keys.split_last() else { continue };
        let same = open.iter().zip(above).take_while(|(a, b)| a == b).count();
        open.truncate(same);
        for key in &above[same..] {
            if open.is_empty()
                && let Some(condition) = condition(set, key)
            {
                let _ = writeln!(yaml, "# {} is used where {condition} is set.", quoted(key));
            }
            let _ = writeln!(yaml, "{}{}:", "  ".repeat(open.len()), quoted(key));
            open.push(key.clone());
        }
        let _ = writeln!(yaml, "{}{}: {}", "  ".repeat(open.len()), quoted(last), setting.value);
    }
    yaml
}

fn comment(yaml: &mut String, set: &ChartSet<'_>, title: &str, findings: &[(usize, Finding)]) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(yaml, "# {title}:");
    for (file, finding) in findings {
        let text = set.text(*file);
        let line = LineIndex::new(text).position(text, finding.span.start).line;
        let _ = writeln!(yaml, "# - {}:{line}: {}", one_line(set.files[*file].path), one_line(&finding.message));
    }
}

/// Names of files and keys may hold anything; a comment is one line.
fn one_line(words: &str) -> String {
    words.chars().filter(|c| !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')).collect()
}

/// Returns the condition under which the outermost chart uses a sub-chart.
fn condition<'s>(set: &'s ChartSet<'_>, key: &str) -> Option<&'s str> {
    let own = set.charts.iter().filter(|chart| chart.parent == Some(0));
    let mut conditions = own.flat_map(|chart| chart.prefixes.iter().zip(&chart.conditions));
    conditions.find_map(|(prefix, condition)| condition.as_deref().filter(|_| prefix == key))
}

/// Writes a key as YAML.
fn quoted(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/'))
        && !crate::affinity::is_typed(key)
        && !matches!(key, "null" | "Null" | "NULL");
    if plain {
        return key.to_owned();
    }
    let mut text = String::from("\"");
    for c in key.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(text, "\\U{:08X}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}
