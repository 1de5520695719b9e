//! What an affinity entry of a template belongs to.

use crate::affinity::NAMES;
use crate::decision::Decision;
use crate::site::{Site, SiteKind};
use crate::{Outcome, Policy, Resource, Rule, Severity, embedded, foreign};

use super::ChartSet;
use super::entry::TemplateEntry;
use super::object::TemplateObject;
use super::outlines::Outlines;
use super::place::{self, Place};

/// What an entry belongs to.
#[derive(Debug, Clone)]
pub(crate) enum Standing {
    /// Services; every place that prints it is one.
    Services(Vec<ServiceObject>),
    /// Something else, or nothing that could be told.
    Other(Remark),
}

/// A Service that a template writes.
#[derive(Debug, Clone)]
pub(crate) struct ServiceObject {
    /// The file and node that hold its fields.
    pub place: (usize, usize),
    /// What is known of it.
    pub object: TemplateObject,
}

/// What is told of an entry that is left alone.
#[derive(Debug, Clone)]
pub(crate) struct Remark {
    pub rule: Rule,
    pub severity: Severity,
    pub outcome: Outcome,
    pub resource: Option<Box<Resource>>,
    pub field: Option<String>,
    pub message: String,
    pub help: Option<String>,
}

const RENDERED: &str = "run unstick on the rendered manifests, as a post-renderer";

impl Remark {
    pub(crate) fn new(rule: Rule, severity: Severity, outcome: Outcome, message: impl Into<String>) -> Self {
        Self { rule, severity, outcome, resource: None, field: None, message: message.into(), help: None }
    }

    pub(crate) fn refused(rule: Rule, message: impl Into<String>) -> Self {
        Self { help: Some(RENDERED.into()), ..Self::new(rule, Severity::Error, Outcome::Refused, message) }
    }

    pub(crate) fn noted(rule: Rule, message: impl Into<String>) -> Self {
        Self::new(rule, Severity::Info, Outcome::Noted, message)
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// Tells what an entry belongs to.
pub(crate) fn find(set: &ChartSet<'_>, outlines: &Outlines, entry: &TemplateEntry) -> Standing {
    let places = place::find(set, outlines, entry);
    let mut services = Vec::new();
    let mut remarks = Vec::new();
    for place in &places {
        match judge(set, outlines, entry, place) {
            Ok(service) => services.push(service),
            Err(remark) => remarks.push(remark),
        }
    }
    match (services.is_empty(), remarks.into_iter().next()) {
        (false, None) => Standing::Services(services),
        (true, Some(remark)) => Standing::Other(remark),
        (false, Some(_)) => Standing::Other(Remark::refused(
            Rule::Template,
            "these lines are printed into a Service and into something else: left as they are",
        )),
        (true, None) => Standing::Other(Remark::refused(Rule::Template, "where these lines are printed is not known")),
    }
}

fn judge(
    set: &ChartSet<'_>,
    outlines: &Outlines,
    entry: &TemplateEntry,
    place: &Place,
) -> Result<ServiceObject, Remark> {
    let name = NAMES[usize::from(entry.config)];
    match place {
        Place::Object { file, node, path, around } => {
            let (Some(template), Some(outline)) = (&set.templates[*file], &outlines.files[*file]) else {
                return Err(Remark::refused(Rule::Template, "its template cannot be read"));
            };
            let object = TemplateObject::read(set.files[*file].bytes, template, outline, *node);
            judge_object(&object, path, around, name)?;
            Ok(ServiceObject { place: (*file, *node), object })
        }
        Place::NoKind { path } if path.iter().any(|key| key == "properties" || key == "openAPIV3Schema") => {
            Err(Remark::noted(Rule::SchemaProperty, "a property of a schema"))
        }
        Place::NoKind { .. } => Err(Remark::refused(
            Rule::Template,
            "this document writes no kind of its own, so what it is cannot be told: left as it is",
        )),
        Place::Unused { define } => Err(Remark::new(
            Rule::Template,
            Severity::Warning,
            Outcome::Noted,
            format!("nothing in this chart prints the define \"{define}\": left as it is"),
        )
        .with_help("check the charts that include it")),
        Place::Opaque { define } => Err(Remark::refused(
            Rule::Template,
            format!("the text of the define \"{define}\" is read or changed before it is printed: left as it is"),
        )),
    }
}

fn judge_object(object: &TemplateObject, path: &[String], around: &[String], name: &str) -> Result<(), Remark> {
    let resource = &object.resource;
    let tell = |remark: Remark| Remark {
        resource: Some(Box::new(resource.clone())),
        field: Some(path.join(".").replace(".[]", "[]")),
        ..remark
    };
    if path.iter().any(|key| key == "properties" || key == "openAPIV3Schema") {
        return Err(tell(Remark::noted(Rule::SchemaProperty, "a property of a schema")));
    }
    if path.iter().any(|key| key == "managedFields") {
        return Err(tell(Remark::noted(Rule::ManagedFields, "bookkeeping of the API server")));
    }
    if object.kinds.iter().any(Option::is_none) {
        return Err(tell(Remark::refused(Rule::Template, "the kind is only known once rendered: left as it is")));
    }
    let is_service = |kind: &Option<String>| kind.as_deref() == Some("Service");
    if !object.kinds.iter().all(is_service) {
        return Err(tell(match object.kinds.iter().any(is_service) {
            true => Remark::refused(Rule::Template, "the object is a Service in one branch only: left as it is"),
            false => of_other_kind(object, path),
        }));
    }
    if object.kind_in_branch {
        return Err(tell(Remark::refused(Rule::Template, "its kind stands in a branch of its own: left as it is")));
    }
    if !(resource.api_version == "v1" || object.api_version_unknown) {
        let message = "kind Service without an apiVersion: not edited";
        return Err(tell(match resource.api_version.is_empty() {
            true => Remark::new(Rule::NoApiVersion, Severity::Warning, Outcome::Noted, message),
            false => Remark::noted(Rule::OtherMeaning, "a Service of another API group: not edited"),
        }));
    }
    if !(around.is_empty() || around == ["items"] || around == ["objects"]) {
        let message = "a Service inside an object that unstick does not know: not edited";
        return Err(tell(Remark::noted(Rule::NestedService, message)));
    }
    if path != ["spec", name] {
        let message = "the key has no meaning in this place";
        return Err(tell(Remark::new(Rule::Misplaced, Severity::Warning, Outcome::Noted, message)));
    }
    Ok(())
}

fn of_other_kind(object: &TemplateObject, path: &[String]) -> Remark {
    let resource = &object.resource;
    if let Some(row) = foreign::find(&resource.api_version, &resource.kind) {
        let remark = Remark::noted(Rule::OtherMeaning, format!("not a Service's field: {}", row.meaning));
        return remark.with_help(format!("source: {}", row.source));
    }
    let keys: Vec<&str> = path.iter().map(String::as_str).collect();
    if embedded::find(&resource.api_version, &resource.kind, &keys[..keys.len().saturating_sub(1)]).is_some() {
        let message = "a custom resource that embeds a Service spec: only reported in templates";
        return Remark::noted(Rule::Embedded, message).with_help(RENDERED);
    }
    let pods = ["Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "PodTemplate"];
    if pods.contains(&resource.kind.as_str()) {
        let message = "the key has no meaning in this place";
        return Remark::new(Rule::Misplaced, Severity::Warning, Outcome::Noted, message);
    }
    Remark::noted(Rule::Misplaced, "the key is in no Service spec that unstick knows")
}

impl ServiceObject {
    /// Decides what is to be done with it; tells why where the policy asks for what only a rendering can answer.
    pub(crate) fn decide(&self, policy: &Policy, path: &str) -> Result<Decision, Remark> {
        let object = &self.object;
        let unknown = |what: &str| {
            Remark::new(
                Rule::Sticky,
                Severity::Warning,
                Outcome::Kept,
                format!("the policy selects by {what}, which is only known once rendered: kept"),
            )
            .with_help(format!("select by file in the policy's rules, or {RENDERED}"))
        };
        let by_name = !policy.only.is_empty()
            || !policy.except.is_empty()
            || policy.rules.iter().any(|rule| !rule.matches.names.is_empty());
        if by_name && !(object.name_known && object.namespace_known) {
            return Err(unknown("name"));
        }
        let any = |test: &dyn Fn(&crate::Match) -> bool| policy.rules.iter().any(|rule| test(&rule.matches));
        if any(&|matches| !matches.namespaces.is_empty()) && !object.namespace_known {
            return Err(unknown("namespace"));
        }
        if any(&|matches| !matches.labels.requirements.is_empty()) && !object.labels_known {
            return Err(unknown("label"));
        }
        if any(&|matches| !matches.types.is_empty()) && !object.type_known {
            return Err(unknown("type"));
        }
        let site = Site {
            resource: object.resource.clone(),
            kind: SiteKind::Service,
            object: None,
            spec: unstick_yaml::NodeId(0),
            via: None,
            path: "spec".into(),
            facts: object.facts.clone(),
        };
        Ok(Decision::new(policy, &site, Some(path)))
    }
}
