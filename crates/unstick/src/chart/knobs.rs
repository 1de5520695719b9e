//! The values keys that switch affinity: what becomes of them when the templates are planned.

use std::collections::BTreeMap;

use unstick_yaml::{EditSet, Outline, Span};

use crate::affinity::{CONFIG, KEY, State};
use crate::policy::Knobs;
use crate::{Finding, Outcome, Policy, Rule, Severity};

use super::ChartSet;
use super::amendment::{Amendment, AmendmentPart, read_documents};
use super::entry::EntryValue;
use super::fate::Fate;
use super::path::{Step, ValuesPath};
use super::resolve::{Opacity, Read, Resolution, Resolver};
use super::schema::SchemaFile;
use super::source::{PlannedEntry, SourcePlan};
use super::values::{Hit, ValuesFiles};

mod dead;
mod example;
mod keep;
mod message;
mod strip;
mod switch;

/// What becomes of the values keys, and what is told of the entries that they decide.
#[derive(Debug, Default)]
pub(crate) struct KnobPlan {
    /// Findings, by file.
    pub findings: BTreeMap<usize, Vec<Finding>>,
    /// Edits of values.yaml and values.schema.json, by file.
    pub edits: BTreeMap<usize, EditSet>,
}

/// What an entry means for the keys that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The keys decide, and the entry stays.
    Knob,
    /// The entry goes, or its own constants do.
    Edited,
    /// It has to stay as it is; so do its keys.
    Fixed,
}

/// An entry in a template with the keys that it reads.
struct Use<'a> {
    file: usize,
    planned: &'a PlannedEntry,
    role: Role,
    resolution: Resolution,
}

/// A key in a values.yaml that is to be changed or told of.
struct Target {
    hit: Hit,
    /// The path that led to it, as the entry's own chart sees it.
    path: ValuesPath,
    state: State,
    config: bool,
}

struct Planner<'a> {
    set: &'a ChartSet<'a>,
    policy: &'a Policy,
    sources: &'a [SourcePlan],
    resolver: &'a Resolver<'a, 'a>,
    values: ValuesFiles,
    /// For each chart, its values.schema.json.
    schemas: Vec<Option<SchemaFile>>,
    uses: Vec<Use<'a>>,
    /// All reads of values keys, but for those whose action goes.
    reads: Vec<Read>,
    /// Reads whose action goes.
    gone: Vec<Read>,
}

/// A change of one file, with the findings that tell of it.
struct Part {
    amendment: AmendmentPart,
    findings: Vec<Finding>,
}

pub(crate) use switch::{Setting, Switches};

/// Plans the values keys of a chart; `sources` are the plans of its templates, by file.
pub(crate) fn plan(
    set: &ChartSet<'_>,
    policy: &Policy,
    resolver: &Resolver<'_, '_>,
    sources: &[SourcePlan],
) -> KnobPlan {
    Planner::new(set, policy, resolver, sources).plan()
}

/// Finds the settings that switch affinity off; `holes` are the actions that print into a Service's spec as a whole.
pub(crate) fn switches(
    set: &ChartSet<'_>,
    policy: &Policy,
    resolver: &Resolver<'_, '_>,
    sources: &[SourcePlan],
    holes: Vec<(usize, Finding)>,
    all: bool,
) -> Switches {
    let planner = Planner::new(set, policy, resolver, sources);
    let mut switches = planner.switches(all);
    for (file, finding) in holes {
        planner.switch_whole(&mut switches, file, finding, all);
    }
    switches
}

impl<'a> Planner<'a> {
    fn new(
        set: &'a ChartSet<'a>,
        policy: &'a Policy,
        resolver: &'a Resolver<'a, 'a>,
        sources: &'a [SourcePlan],
    ) -> Self {
        let values = ValuesFiles::new(set);
        let schemas = (0..set.charts.len()).map(|chart| SchemaFile::read(set, chart)).collect();
        let (uses, reads, gone) = (Vec::new(), Vec::new(), Vec::new());
        let mut planner = Self { set, policy, sources, resolver, values, schemas, uses, reads, gone };
        planner.collect();
        planner
    }

    fn collect(&mut self) {
        for (file, source) in self.sources.iter().enumerate() {
            for planned in &source.entries {
                let role = role(planned);
                let resolution = self.resolve(file, &planned.entry.value);
                self.uses.push(Use { file, planned, role, resolution });
            }
        }
        let cut = |read: &Read| self.is_cut(read.file, read.token);
        let (gone, left): (Vec<Read>, Vec<Read>) = self.resolver.reads().into_iter().partition(cut);
        // What a removed call passed on is read by nobody any more.
        self.reads = match gone.is_empty() {
            true => left,
            false => Resolver::without(self.set, &|file, token| self.is_cut(file, token)).reads(),
        };
        self.gone = gone;
    }

    /// Resolves all actions in an entry's value.
    fn resolve(&self, file: usize, value: &EntryValue) -> Resolution {
        let mut all = Resolution::default();
        for token in value.actions() {
            let found = self.resolver.resolve(file, *token);
            all.paths.extend(found.paths);
            all.literals.extend(found.literals);
            all.guards.extend(found.guards);
            all.fallback = all.fallback.or(found.fallback);
            all.opaque = all.opaque.or(found.opaque);
        }
        all.paths.dedup();
        all
    }

    /// Tells whether an action lies in what the template's own plan takes out.
    fn is_cut(&self, file: usize, token: usize) -> bool {
        let Some(action) = self.set.templates[file].as_ref().and_then(|template| template.action(token)) else {
            return false;
        };
        let edits = self.sources[file].edits.as_slice();
        let after = edits.partition_point(|edit| edit.span.start <= action.span.start);
        let Some(edit) = after.checked_sub(1).map(|at| &edits[at]) else { return false };
        edit.span.encloses(action.span) && memchr::memmem::find(&edit.replacement, b"{{").is_none()
    }

    fn plan(&self) -> KnobPlan {
        let mut plan = KnobPlan::default();
        self.tell_entries(&mut plan);
        let mut parts: BTreeMap<usize, Vec<Part>> = BTreeMap::new();
        match self.policy.knobs {
            Knobs::Keep => self.keep(&mut plan, &mut parts),
            Knobs::Strip => self.strip(&mut plan, &mut parts),
        }
        self.tell_dead(&mut plan, &parts);
        for (file, parts) in parts {
            self.make(&mut plan, file, parts);
        }
        plan
    }

    /// Makes the changes of one file, and turns the findings of those that cannot be made into refusals.
    fn make(&self, plan: &mut KnobPlan, file: usize, parts: Vec<Part>) {
        let text = self.set.text(file);
        let Ok(documents) = read_documents(text) else { return };
        let changes = parts.iter().map(|part| part.amendment.clone()).collect();
        let amended = Amendment { text, documents, parts: changes }.make();
        let told = plan.findings.entry(file).or_default();
        for (part, refused) in parts.into_iter().zip(amended.refused) {
            for mut finding in part.findings {
                if let (Some(reason), Outcome::Changed) = (&refused, finding.outcome) {
                    finding.outcome = Outcome::Refused;
                    finding.severity = Severity::Error;
                    finding.message = format!("left as it is: {reason}");
                    finding.help = Some("edit it by hand".into());
                }
                told.push(finding);
            }
        }
        if !amended.edits.is_empty() {
            plan.edits.insert(file, amended.edits);
        }
    }

    /// Returns the last keys of all paths that entries read: the names that own a comment.
    fn names(&self) -> Vec<String> {
        let mut names = vec![KEY.to_owned(), CONFIG.to_owned()];
        let paths = self.uses.iter().flat_map(|used| &used.resolution.paths);
        for key in paths.filter_map(ValuesPath::last_key) {
            if !names.iter().any(|name| name == key) {
                names.push(key.to_owned());
            }
        }
        names
    }

    /// Returns all places in values.yaml files that a path names: in its chart's own, and in those of the charts above.
    fn targets(&self, path: &ValuesPath, config: bool) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for level in path.instances(self.set).into_iter().flatten() {
            for hit in self.values.find(&level) {
                if !targets.iter().any(|target| target.hit == hit) {
                    let state = self.values.state(&hit);
                    targets.push(Target { hit, path: path.clone(), state, config });
                }
            }
        }
        targets
    }

    /// Returns why the key under a path must stay for the sake of entries that stay as they are.
    fn fixed(&self, path: &ValuesPath) -> Option<String> {
        let levels: Vec<ValuesPath> = path.instances(self.set).into_iter().flatten().collect();
        let holds = |used: &&Use<'_>| {
            let mut paths = used.resolution.paths.iter();
            used.role == Role::Fixed && paths.any(|other| levels.iter().any(|level| other.meets(level)))
        };
        let used = self.uses.iter().find(holds)?;
        Some(format!("{} needs it, and stays as it is", self.set.files[used.file].path))
    }

    fn outline(&self, hit: &Hit) -> Option<&Outline> {
        self.values.get(hit.chart).map(|values| &values.outline)
    }

    /// Returns the bytes of the key and its value.
    fn span(&self, hit: &Hit) -> Span {
        let Some(outline) = self.outline(hit) else { return Span::empty(0) };
        match hit.entry {
            Some((mapping, at)) => outline.members(mapping)[at].span(),
            None => outline.node(hit.value).span,
        }
    }

    fn file(&self, hit: &Hit) -> Option<usize> {
        self.values.get(hit.chart).map(|values| values.file)
    }

    fn finding(&self, target: &Target, rule: Rule, outcome: Outcome, message: String) -> Finding {
        let severity = match (outcome, target.state.is_sticky()) {
            (Outcome::Refused, _) => Severity::Error,
            (Outcome::Changed, _) | (_, true) => Severity::Warning,
            _ => Severity::Info,
        };
        Finding {
            rule,
            severity,
            outcome,
            span: self.span(&target.hit),
            document: 0,
            resource: None,
            field: Some(message::dotted(&target.hit.keys)),
            message,
            help: None,
        }
    }
}

/// Returns the path cut off behind the first step that is one of the two names: what lies below goes with it.
fn cut_to_name(path: &ValuesPath) -> ValuesPath {
    let is_name = |step: &Step| matches!(step, Step::Key(key) if key == KEY || key == CONFIG);
    match path.steps.iter().position(is_name) {
        Some(at) => ValuesPath { chart: path.chart, steps: path.steps[..=at].to_vec() },
        None => path.clone(),
    }
}

fn role(planned: &PlannedEntry) -> Role {
    match &planned.fate {
        Some(Fate::Knob) => Role::Knob,
        Some(Fate::Remove(_) | Fate::Rewrite(..)) => Role::Edited,
        Some(Fate::Stay(_)) | None => Role::Fixed,
    }
}

/// Says in words why a value cannot be traced.
fn reason(opacity: &Opacity) -> String {
    match opacity {
        Opacity::Function(name) => format!("the function {name} computes it"),
        Opacity::Builtin(name) => format!("it comes from .{name}"),
        Opacity::Variable(name) => format!("the variable ${name} is declared nowhere in sight"),
        Opacity::NeverIncluded => "nothing in this chart includes the define around it".into(),
        Opacity::Undefined(name) => format!("\"{name}\" is defined in none of the charts at hand"),
        Opacity::RangeKey => "it is the name or position of an element that is walked over".into(),
        Opacity::Built => "the template builds it".into(),
        Opacity::NotPassed(name) => format!("nothing is passed on as .{name}"),
        Opacity::Unreadable => "the expression cannot be read".into(),
        Opacity::TooMany => "it can come from too many places to follow".into(),
    }
}
