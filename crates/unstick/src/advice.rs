//! Advice: what a Service's affinity does, and what a change of it will do. Nothing here edits.

use std::collections::HashSet;

use unstick_yaml::{Chunks, Outline, Span, check_encoding, is_json, read_json, read_yaml};

use crate::affinity::{CONFIG, KEY};
use crate::decision::Decision;
use crate::document::is_template;
use crate::embedded;
use crate::merge::Lookup;
use crate::policy::Action;
use crate::prefilter::may_hold;
use crate::rule;
use crate::site::{self, Site, SiteKind};
use crate::{Finding, Outcome, Plan, Policy, Resource, Rule, Severity, Source};

mod patch;
mod subject;
mod survey;
mod workload;

pub(crate) use patch::{Operation, Presence};
pub(crate) use subject::{Subject, TIMEOUT_FIELD, Timeout, defaults_to_client_ip};
pub(crate) use survey::Fate;
pub use survey::Survey;
pub(crate) use workload::{Pods, texts};

/// How much advice is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// All of it: what affinity does, and what a change will do.
    All,
    /// What the plan's changes will do on a live cluster.
    OfChanges,
}

/// One piece of advice on one Service.
#[derive(Debug)]
pub(crate) struct Remark {
    pub rule: Rule,
    pub span: Span,
    /// Path of the field below the Service's spec; empty for the spec itself.
    pub field: &'static str,
    pub message: String,
    pub help: String,
}

/// Looks at one Service.
type Check = fn(&mut Subject<'_, '_>) -> Option<Remark>;

/// What affinity does.
const ALL: &[Check] = &[
    rule::sticky_multi_port::check,
    rule::sticky_across_nodes::check,
    rule::sticky_aws_load_balancer::check,
    rule::sticky_azure_service_gateway::check,
    rule::sticky_headless::check,
    rule::sticky_external_name::check,
    rule::sticky_single_replica::check,
    rule::unknown_value::check,
    rule::timeout_out_of_range::check,
    rule::timeout_truncated::check,
    rule::timeout_default::check,
    rule::embedded_default_sticky::check,
];

/// What a change will do.
const OF_CHANGES: &[Check] = &[
    rule::removal_needs_none::check,
    rule::gce_recreates::check,
    rule::octavia_not_updated::check,
    rule::gke_strong_affinity::check,
];

impl Plan {
    /// Adds advice to the plan of a text: findings with [`Outcome::Noted`] beside those on the same Services.
    ///
    /// `survey` tells what the other texts of the input hold; an empty one stands for a text on its own. Advice on a
    /// Service that the policy keeps is for information, unless it is an error.
    ///
    /// ```
    /// use unstick::{Advice, Plan, Policy, Rule, Source, Survey};
    /// let text = b"apiVersion: v1\nkind: Service\nspec: {clusterIP: None, sessionAffinity: ClientIP}\n";
    /// let source = Source { path: None, bytes: text };
    /// let mut plan = Plan::new(source, &Policy::default());
    /// plan.advise(source, &Policy::default(), &Survey::default(), Advice::All);
    /// assert!(plan.findings.iter().any(|finding| finding.rule == Rule::StickyHeadless));
    /// ```
    pub fn advise(&mut self, source: Source<'_>, policy: &Policy, survey: &Survey, advice: Advice) {
        let mut findings = Vec::new();
        let changed = self.changed_specs();
        for (document, outline) in documents(source.bytes, |chunk| concerns(chunk, advice)) {
            if is_template(source.bytes, &outline) {
                continue;
            }
            let mut lookup = Lookup::new(&outline);
            let sites = site::find(&outline, &mut lookup).sites;
            for site in &sites {
                let decision = Decision::new(policy, site, source.path);
                let changed = changed.contains(&(document, site.resource.clone(), site.path.clone()));
                let place = Place { outline: &outline, document, site, decision: &decision, changed };
                findings.extend(place.findings(&mut lookup, survey, advice));
            }
            if advice == Advice::All {
                let operations = patch::find(source, &outline);
                findings.extend(rule::patch_will_fail::check(survey, source.path, document, operations));
            }
        }
        policy.severity.apply(&mut findings);
        self.findings.append(&mut findings);
        self.findings.sort_by_key(|finding| (finding.span, finding.rule));
    }

    /// Returns the specs that the plan edits: document, object, path of the spec.
    fn changed_specs(&self) -> HashSet<(usize, Resource, String)> {
        let changed = self.findings.iter().filter(|finding| finding.outcome == Outcome::Changed);
        let specs = changed.filter_map(|finding| {
            let field = finding.field.as_deref()?;
            // A finding on an alias or a merge key speaks of the spec itself.
            let spec = [KEY, CONFIG].iter().find_map(|name| field.strip_suffix(name)?.strip_suffix('.'));
            Some((finding.document, finding.resource.clone()?, spec.unwrap_or(field).to_owned()))
        });
        specs.collect()
    }
}

/// A site with all that is known of it.
struct Place<'a, 'o> {
    outline: &'o Outline,
    document: usize,
    site: &'a Site,
    decision: &'a Decision,
    changed: bool,
}

impl<'o> Place<'_, 'o> {
    fn findings(&self, lookup: &mut Lookup<'o>, survey: &Survey, advice: Advice) -> Vec<Finding> {
        let subject = Subject::new(self.outline, lookup, self.site, self.decision, survey, self.changed);
        let Some(mut subject) = subject else { return Vec::new() };
        let general = if advice == Advice::All { ALL } else { &[] };
        let checks = general.iter().chain(OF_CHANGES);
        let remarks: Vec<Remark> = checks.filter_map(|check| check(&mut subject)).collect();
        remarks.into_iter().map(|remark| self.finding(remark)).collect()
    }

    fn finding(&self, remark: Remark) -> Finding {
        let severity = match remark.rule.severity() {
            Severity::Error => Severity::Error,
            _ if self.decision.action == Action::Keep => Severity::Info,
            other => other,
        };
        let dot = if remark.field.is_empty() { "" } else { "." };
        Finding {
            rule: remark.rule,
            severity,
            outcome: Outcome::Noted,
            span: remark.span,
            document: self.document,
            resource: Some(self.site.resource.clone()),
            field: Some(format!("{}{dot}{}", self.site.path, remark.field)),
            message: remark.message,
            help: Some(remark.help),
        }
    }
}

/// Tells whether a stretch of text may ask for advice.
fn concerns(chunk: &[u8], advice: Advice) -> bool {
    may_hold(chunk) || advice == Advice::All && embedded::may_default_to_client_ip(chunk)
}

/// Reads the documents of those chunks of a text that are wanted; what cannot be read was told before.
pub(crate) fn documents(text: &[u8], wanted: impl Fn(&[u8]) -> bool) -> Vec<(usize, Outline)> {
    if check_encoding(text).is_err() || !wanted(text) {
        return Vec::new();
    }
    if is_json(text)
        && let Ok(outlines) = read_json(text, Span::new(0, text.len()))
    {
        return outlines.into_iter().enumerate().collect();
    }
    let mut documents = Vec::new();
    let mut index = 0;
    for chunk in Chunks::new(text) {
        if !wanted(chunk.slice(text)) {
            index += 1;
            continue;
        }
        let read = read_yaml(text, chunk);
        let count = read.len().max(1);
        documents.extend(read.into_iter().enumerate().filter_map(|(at, read)| Some((index + at, read.ok()?))));
        index += count;
    }
    documents
}

/// Tells whether the site is a Service of its own, and no part of a custom resource.
pub(crate) fn is_own_service(site: &Site) -> bool {
    matches!(site.kind, SiteKind::Service)
}
