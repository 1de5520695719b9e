//! A ResourceList: what kustomize and kpt hand to a KRM function, and take back.
//!
//! The contract is `cmd/config/docs/api-conventions/functions-spec.md` of kubernetes-sigs/kustomize.

use std::fmt::Write as _;

use unstick_yaml::{Chunks, Content, Edit, EditSet, NodeId, Outline, Span, is_json, line_ending, read_json, read_yaml};

use crate::{Finding, Outcome, Plan, Policy, PolicyReadError, Resource, Rule, Severity, Source};

/// What a function answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The plan for the list's items; its edits include the appended results.
    pub plan: Plan,
    /// A result has the severity error, so that the function must fail.
    pub failed: bool,
}

/// Returns the plan for a ResourceList, or `None` where the text is no single ResourceList.
///
/// The settings come from the list's `functionConfig`: a policy document, or a ConfigMap's `data`; without one, or
/// with one that says nothing, `policy` counts. Items are edited in place; findings that changed, were refused or are
/// worth a warning are appended as `results`. Every other byte stays.
///
/// ```
/// use unstick::{Policy, Source, krm};
/// let list = b"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n";
/// let response = krm::respond(Source { path: None, bytes: list }, &Policy::default()).expect("a ResourceList");
/// assert!(!response.failed && response.plan.edits.is_empty());
/// assert!(krm::respond(Source { path: None, bytes: b"kind: Service\n" }, &Policy::default()).is_none());
/// ```
#[must_use]
pub fn respond(source: Source<'_>, policy: &Policy) -> Option<Response> {
    let outline = read_resource_list(source.bytes)?;
    let (mut plan, validate) = match read_config(&outline) {
        None => (Plan::new(source, policy), policy.validate),
        Some(Ok(configured)) => (Plan::new(source, &configured), configured.validate || policy.validate),
        Some(Err(error)) => (refuse_config(&outline, error), false),
    };
    if validate {
        forbid(&mut plan);
        hide_items(source.bytes, &outline, &mut plan);
    }
    let results: Vec<KrmResult<'_>> = plan
        .findings
        .iter()
        .filter(|finding| is_told(finding))
        .map(|finding| KrmResult::new(&outline, finding))
        .collect();
    let failed = results.iter().any(|result| result.severity == Severity::Error);
    if !results.is_empty()
        && let Some(edit) = append(source.bytes, &outline, &plan.edits, &results)
    {
        // An edit of the last item may end where the results begin; both then become one.
        let merged = join(&plan, edit);
        plan.edits = merged;
    }
    Some(Response { plan, failed })
}

fn read_resource_list(text: &[u8]) -> Option<Outline> {
    memchr::memmem::find(text, b"ResourceList")?;
    let window = Span::new(0, text.len());
    let outlines: Vec<Outline> = if is_json(text) {
        read_json(text, window).ok().unwrap_or_default()
    } else {
        Chunks::new(text).flat_map(|chunk| read_yaml(text, chunk)).flatten().collect()
    };
    let mut held = outlines.into_iter().filter(|outline| outline.root.is_some());
    let outline = held.next().filter(|_| held.next().is_none())?;
    let root = outline.root?;
    let group = outline.text(root, "apiVersion")?.split('/').next()?;
    let is_list = outline.text(root, "kind") == Some("ResourceList");
    (is_list && matches!(group, "config.kubernetes.io" | "config.k8s.io")).then_some(outline)
}

/// Reads the settings of the list's `functionConfig`.
fn read_config(outline: &Outline) -> Option<Result<Policy, PolicyReadError>> {
    let config = outline.value(outline.root?, "functionConfig").filter(|config| !outline.is_null(*config))?;
    if outline.text(config, "kind") != Some("ConfigMap") {
        return Some(Policy::read_node(outline, config));
    }
    let data = outline.value(config, "data").filter(|data| !outline.entries(*data).is_empty())?;
    Some(Policy::read_settings(outline, data))
}

/// Turns what would change into errors, and makes no edit.
fn forbid(plan: &mut Plan) {
    plan.edits = EditSet::new();
    for finding in plan.findings.iter_mut().filter(|finding| finding.outcome == Outcome::Changed) {
        finding.outcome = Outcome::Refused;
        finding.severity = Severity::Error;
        finding.message = "the policy does not allow this".into();
        finding.help = Some("run unstick as a transformer or mutator to mend it".into());
    }
}

/// Takes the items out of the answer to kustomize: it compares what a validator returns with what it sent, and adds
/// annotations to items that come back, so that even unchanged ones differ. Other hosts take missing items for deleted.
fn hide_items(text: &[u8], outline: &Outline, plan: &mut Plan) {
    if memchr::memmem::find(text, b"kustomize.config.k8s.io/id").is_none() {
        return;
    }
    let items = outline.root.and_then(|root| outline.entry(root, "items"));
    let Some((items, colon)) = items.and_then(|items| Some((items, items.colon?))) else { return };
    let ending = if text[colon..items.end].ends_with(b"\n") { "\n" } else { "" };
    let edit = Edit::replacement(Span::new(colon + 1, items.end), format!(" []{ending}"));
    let inserted = plan.edits.insert(edit);
    debug_assert!(inserted.is_ok(), "{inserted:?}");
}

/// Makes the plan for a list whose settings cannot be read: nothing is edited, and the function fails.
fn refuse_config(outline: &Outline, error: PolicyReadError) -> Plan {
    let config = outline.root.and_then(|root| outline.value(root, "functionConfig"));
    let text = |key| config.and_then(|config| outline.text(config, key)).unwrap_or_default().to_owned();
    let metadata = config.and_then(|config| outline.value(config, "metadata"));
    let name = metadata.and_then(|metadata| outline.text(metadata, "name")).map(str::to_owned);
    let resource = Resource { api_version: text("apiVersion"), kind: text("kind"), namespace: None, name };
    let help = if resource.kind == "ConfigMap" {
        format!("{}; a ConfigMap holds texts only: what they cannot say, a SessionAffinityPolicy can", error.help)
    } else {
        error.help
    };
    let finding = Finding {
        rule: Rule::BadPolicy,
        severity: Severity::Error,
        outcome: Outcome::Refused,
        span: error.span,
        document: 0,
        resource: Some(resource),
        field: None,
        message: format!("the functionConfig cannot be used: {}", error.message),
        help: Some(help),
    };
    Plan { findings: vec![finding], ..Plan::default() }
}

fn is_told(finding: &Finding) -> bool {
    matches!(finding.outcome, Outcome::Changed | Outcome::Refused) || finding.severity >= Severity::Warning
}

/// One entry of `results`.
struct KrmResult<'a> {
    finding: &'a Finding,
    severity: Severity,
    path: Option<&'a str>,
    index: Option<&'a str>,
}

impl<'a> KrmResult<'a> {
    fn new(outline: &'a Outline, finding: &'a Finding) -> Self {
        // What was dealt with is no warning any more.
        let severity = if finding.outcome == Outcome::Changed { Severity::Info } else { finding.severity };
        let annotation = |names: [&str; 2]| {
            let item = item_at(outline, finding.span)?;
            let annotations = outline.value(outline.value(item, "metadata")?, "annotations")?;
            names.into_iter().find_map(|name| outline.text(annotations, name))
        };
        let path = annotation(["internal.config.kubernetes.io/path", "config.kubernetes.io/path"]);
        let index = annotation(["internal.config.kubernetes.io/index", "config.kubernetes.io/index"]);
        Self { finding, severity, path, index: index.filter(|index| index.bytes().all(|b| b.is_ascii_digit())) }
    }

    /// Returns the entry as keys and values in flow style, which JSON and YAML share.
    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![("message", quote(&self.message())), ("severity", quote(self.severity.word()))];
        if let Some(resource) = &self.finding.resource {
            let mut parts = vec![("apiVersion", quote(&resource.api_version)), ("kind", quote(&resource.kind))];
            parts.extend(resource.namespace.as_ref().map(|namespace| ("namespace", quote(namespace))));
            parts.push(("name", quote(resource.name.as_deref().unwrap_or_default())));
            fields.push(("resourceRef", object(&parts)));
            fields.extend(self.finding.field.as_ref().map(|path| ("field", object(&[("path", quote(path))]))));
        }
        if let Some(path) = self.path {
            let mut parts = vec![("path", quote(path))];
            parts.extend(self.index.filter(|index| !index.is_empty()).map(|index| ("index", index.to_owned())));
            fields.push(("file", object(&parts)));
        }
        fields.push(("tags", object(&[("rule", quote(self.finding.rule.id()))])));
        fields
    }

    fn message(&self) -> String {
        match &self.finding.help {
            Some(help) => format!("{} ({help})", self.finding.message),
            None => self.finding.message.clone(),
        }
    }
}

/// Returns the list's item that holds a span.
fn item_at(outline: &Outline, span: Span) -> Option<NodeId> {
    let items = outline.items(outline.value(outline.root?, "items")?);
    let after = items.partition_point(|item| item.start <= span.start);
    outline.resolve(items.get(after.checked_sub(1)?)?.value)
}

/// Makes the edit that appends the results to the list's `results`, or adds them.
fn append(text: &[u8], outline: &Outline, edits: &EditSet, results: &[KrmResult<'_>]) -> Option<Edit> {
    let root = outline.root?;
    let old = outline.entry(root, "results").copied();
    let flow = matches!(outline.node(root).content, Content::Mapping { flow: true, .. });
    let objects: Vec<String> = results.iter().map(|result| object(&result.fields())).collect();
    let members = objects.join(", ");
    match old {
        None if flow => {
            let end = outline.entries(root).last()?.end;
            Some(Edit::insertion(end, format!(", \"results\": [{members}]")))
        }
        None => {
            let column = 0;
            let (place, open) = end_of_lines(text, edits, outline.entries(root).last()?.end);
            Some(Edit::insertion(place, lines(text, place, open, "results:", column, results)))
        }
        Some(entry) => {
            let value = outline.resolve(entry.value)?;
            let node = outline.node(value);
            match &node.content {
                Content::Sequence { entries, flow: true } => match entries.last() {
                    Some(last) => Some(Edit::insertion(last.end, format!(", {members}"))),
                    None => Some(Edit::replacement(node.span, format!("[{members}]"))),
                },
                Content::Sequence { entries, flow: false } => {
                    let last = entries.last()?;
                    let column = column_of(text, entries.first()?.start);
                    let (place, open) = end_of_lines(text, edits, last.end);
                    Some(Edit::insertion(place, lines(text, place, open, "", column, results)))
                }
                _ if outline.is_null(value) => Some(Edit::replacement(node.span, format!(" [{members}]"))),
                _ => None,
            }
        }
    }
}

/// Returns the start of the line after the one that holds the byte before `end`, and whether a break must come first:
/// where that line has none, and does not go as a whole.
fn end_of_lines(text: &[u8], edits: &EditSet, end: usize) -> (usize, bool) {
    if end > 0 && matches!(text.get(end - 1), Some(b'\n' | b'\r')) {
        return (end, false);
    }
    let line_break = memchr::memchr2(b'\n', b'\r', text.get(end..).unwrap_or_default()).map(|at| end + at);
    let place = line_break.map_or(text.len(), |at| at + if text[at..].starts_with(b"\r\n") { 2 } else { 1 });
    let goes = edits.as_slice().last().is_some_and(|edit| {
        let line_first = matches!(text.get(edit.span.start.wrapping_sub(1)), Some(b'\n' | b'\r'));
        edit.span.end == place && edit.replacement.is_empty() && line_first
    });
    (place, line_break.is_none() && !goes)
}

fn column_of(text: &[u8], offset: usize) -> usize {
    offset - memchr::memrchr2(b'\n', b'\r', &text[..offset]).map_or(0, |at| at + 1)
}

/// Writes the results as block sequence items under `header`.
fn lines(text: &[u8], place: usize, open: bool, header: &str, column: usize, results: &[KrmResult<'_>]) -> String {
    let ending = line_ending(text, place);
    let mut rows: Vec<String> = Vec::new();
    if !header.is_empty() {
        rows.push(header.to_owned());
    }
    let indent = " ".repeat(column);
    for result in results {
        for (at, (key, value)) in result.fields().into_iter().enumerate() {
            let mark = if at == 0 { "- " } else { "  " };
            rows.push(format!("{indent}{mark}{key}: {value}"));
        }
    }
    let body = rows.join(ending);
    if open { format!("{ending}{body}") } else { format!("{body}{ending}") }
}

fn object(fields: &[(&str, String)]) -> String {
    let members: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    format!("{{{}}}", members.join(", "))
}

/// Returns a JSON string, which YAML takes as a double-quoted scalar too.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{85}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{FEFF}'
            | '\0'..='\u{1F}'
            | '\u{7F}'..='\u{84}'
            | '\u{86}'..='\u{9F}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Adds an edit to a plan's; one that begins where a deletion does becomes its replacement.
fn join(plan: &Plan, edit: Edit) -> EditSet {
    let mut edits = EditSet::new();
    let mut edit = Some(edit);
    for old in plan.edits.as_slice() {
        let mut old = old.clone();
        if let Some(new) = edit.take_if(|new| new.span.is_empty() && new.span.start == old.span.start) {
            old.replacement.extend_from_slice(&new.replacement);
        }
        let inserted = edits.insert(old);
        debug_assert!(inserted.is_ok(), "{inserted:?}");
    }
    if let Some(new) = edit {
        let inserted = edits.insert(new);
        debug_assert!(inserted.is_ok(), "{inserted:?}");
    }
    edits
}
