//! From the documents of one window of a text to findings and edits.

use std::collections::{HashMap, HashSet};

use unstick_yaml::{ChangeSet, CommentRule, Content, EditSet, NodeId, Outline, ReadError, Span, has_foreign_breaks};

use crate::affinity::{CONFIG, KEY, NAMES};
use crate::decision::Decision;
use crate::merge::Lookup;
use crate::occurrence::{self, Remainder};
use crate::policy::Comments;
use crate::service::{self, Planner, SitePlan};
use crate::sharing::Sharing;
use crate::site;
use crate::{Finding, Outcome, Policy, Resource, Rule, Severity};

/// Reads a window of a text again after the edits.
pub(crate) type Reader = fn(&[u8], Span) -> Vec<Result<Outline, ReadError>>;

/// One stretch of a text that is read at once: a YAML chunk, or a whole JSON text.
pub(crate) struct Window<'a> {
    pub text: &'a [u8],
    pub span: Span,
    pub reader: Reader,
    /// Zero-based index of its first document in the text.
    pub first_document: usize,
}

/// How many sites of a window are tried one by one after their edits failed together.
const MAX_SINGLE_TRIES: usize = 64;

/// One document's plan before its edits are tried.
struct DocumentPlan {
    outline: Outline,
    index: usize,
    sites: Vec<SitePlan>,
    objects: HashMap<NodeId, Resource>,
    /// Why nothing of the document may be edited, with the rule that says so.
    obstacle: Option<(Rule, &'static str, &'static str)>,
}

/// The changes of one site, by document and site.
type Group = (usize, usize);

/// What could be made, and why the rest could not.
#[derive(Default)]
struct Trial {
    edits: EditSet,
    rejected: HashMap<Group, String>,
}

impl Window<'_> {
    /// Plans all documents that could be read.
    pub(crate) fn plan(&self, outlines: Vec<Outline>, policy: &Policy, path: Option<&str>) -> (Vec<Finding>, EditSet) {
        let documents: Vec<DocumentPlan> = outlines
            .into_iter()
            .enumerate()
            .map(|(index, outline)| self.plan_document(outline, self.first_document + index, policy, path))
            .collect();
        let trial = self.try_changes(&documents, comment_rule(policy));
        let mut findings = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            findings.extend(self.tell(document, at, &trial));
        }
        (findings, trial.edits)
    }

    fn plan_document(&self, outline: Outline, index: usize, policy: &Policy, path: Option<&str>) -> DocumentPlan {
        let mut lookup = Lookup::new(&outline);
        let found = site::find(&outline, &mut lookup);
        let decisions: Vec<Decision> = found.sites.iter().map(|site| Decision::new(policy, site, path)).collect();
        let sharing = Sharing::new(&outline, &found.sites);
        let mut planner = Planner {
            outline: &outline,
            lookup: &mut lookup,
            sites: &found.sites,
            decisions: &decisions,
            sharing: &sharing,
            document: index,
        };
        let mut sites: Vec<SitePlan> = (0..found.sites.len()).map(|site| planner.plan(site)).collect();
        service::settle(&mut sites);
        let objects = found.objects.into_iter().collect();
        let obstacle = self.obstacle(&outline);
        DocumentPlan { outline, index, sites, objects, obstacle }
    }

    /// Tells why a document that reads well must be left alone all the same.
    fn obstacle(&self, outline: &Outline) -> Option<(Rule, &'static str, &'static str)> {
        if is_template(self.text, outline) {
            return Some((
                Rule::Template,
                "a Helm template: not handled here",
                "run unstick on the rendered manifests",
            ));
        }
        has_foreign_breaks(self.text, outline).then_some((
            Rule::Unreadable,
            "U+0085, U+2028 or U+2029 stands in this document, which kubectl takes for a line break: left as it is",
            "replace the character, or write it as an escape in double quotes",
        ))
    }

    /// Makes all changes, or as many sites' as come out right.
    fn try_changes(&self, documents: &[DocumentPlan], comments: CommentRule<'_>) -> Trial {
        let groups: Vec<Group> = documents
            .iter()
            .enumerate()
            .filter(|(_, document)| document.obstacle.is_none())
            .flat_map(|(at, document)| (0..document.sites.len()).map(move |site| (at, site)))
            .filter(|(at, site)| !documents[*at].sites[*site].changes.is_empty())
            .collect();
        if groups.is_empty() {
            return Trial::default();
        }
        let reason = match self.edits_of(documents, &groups, comments) {
            Ok(edits) => return Trial { edits, rejected: HashMap::new() },
            Err(reason) => reason,
        };
        let mut trial = Trial::default();
        if groups.len() > MAX_SINGLE_TRIES {
            trial.rejected = groups.into_iter().map(|group| (group, reason.clone())).collect();
            return trial;
        }
        let mut accepted: Vec<Group> = Vec::new();
        for group in groups {
            accepted.push(group);
            match self.edits_of(documents, &accepted, comments) {
                Ok(edits) => trial.edits = edits,
                Err(reason) => {
                    accepted.pop();
                    trial.rejected.insert(group, reason);
                }
            }
        }
        trial
    }

    /// Returns the edits for some sites after a re-read has shown that they do what they should, and nothing else.
    fn edits_of(
        &self,
        documents: &[DocumentPlan],
        groups: &[Group],
        comments: CommentRule<'_>,
    ) -> Result<EditSet, String> {
        let mut edits = EditSet::new();
        let mut changes: HashMap<usize, ChangeSet> = HashMap::new();
        for (at, site) in groups {
            changes.entry(*at).or_default().extend(&documents[*at].sites[*site].changes);
        }
        for (at, document) in documents.iter().enumerate() {
            let Some(changes) = changes.get(&at) else { continue };
            let made = changes.edits(self.text, &document.outline, comments).map_err(|e| e.to_string())?;
            for edit in made.as_slice() {
                edits.insert(edit.clone()).map_err(|e| e.to_string())?;
            }
        }
        let edited = edits.apply_within(self.text, self.span);
        let again = (self.reader)(&edited, Span::new(0, edited.len()));
        let again: Vec<Outline> = again.into_iter().flatten().collect();
        if again.len() != documents.len() {
            return Err("the edited text would not hold the same documents".into());
        }
        for (at, (document, new)) in documents.iter().zip(&again).enumerate() {
            let unchanged = ChangeSet::new();
            let expected = changes.get(&at).unwrap_or(&unchanged);
            expected.verify(&document.outline, new).map_err(|mismatch| mismatch.to_string())?;
        }
        Ok(edits)
    }

    /// Returns a document's findings: those of its sites as the trial ended, and the other occurrences.
    fn tell(&self, document: &DocumentPlan, at: usize, trial: &Trial) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut claimed = HashSet::new();
        for site in &document.sites {
            claimed.extend(site.claimed.iter().copied());
            for draft in &site.drafts {
                let mut finding = draft.finding.clone();
                let rejected = draft.depends_on.and_then(|site| trial.rejected.get(&(at, site)));
                if let Some((rule, message, help)) = document.obstacle {
                    if matches!(finding.outcome, Outcome::Changed | Outcome::Refused) {
                        refuse(&mut finding, message, help);
                        finding.rule = rule;
                    }
                } else if let Some(reason) = rejected {
                    refuse(&mut finding, &format!("left as it is: {reason}"), "edit this Service by hand");
                }
                findings.push(finding);
            }
        }
        let (text, outline, objects) = (self.text, &document.outline, &document.objects);
        let remainder = Remainder { text, outline, document: document.index, objects, claimed: &claimed };
        // What goes along with a removed entry needs no note of its own.
        let kept = |finding: &Finding| finding.outcome != Outcome::Noted || !is_edited(&trial.edits, finding.span);
        findings.extend(remainder.findings().into_iter().filter(kept));
        if let Some((rule, message, help)) = document.obstacle {
            refuse_rest(&mut findings, rule, message, help);
        }
        findings
    }
}

/// Turns notes on keys and comments of a document that is left alone into refusals: they may be keys after all.
fn refuse_rest(findings: &mut [Finding], rule: Rule, message: &str, help: &str) {
    for finding in findings {
        if matches!(finding.rule, Rule::InComment | Rule::Misplaced) && finding.outcome == Outcome::Noted {
            refuse(finding, message, help);
            finding.rule = rule;
        }
    }
}

fn refuse(finding: &mut Finding, message: &str, help: &str) {
    finding.outcome = Outcome::Refused;
    finding.severity = Severity::Error;
    message.clone_into(&mut finding.message);
    finding.help = Some(help.to_owned());
}

fn is_edited(edits: &EditSet, span: Span) -> bool {
    let edits = edits.as_slice();
    let after = edits.partition_point(|edit| edit.span.start <= span.start);
    after > 0 && edits[after - 1].span.encloses(span)
}

fn comment_rule(policy: &Policy) -> CommentRule<'static> {
    match policy.comments {
        Comments::Keep => CommentRule::Keep,
        Comments::Owned => CommentRule::Owned(NAMES),
    }
}

/// Tells whether a document that reads as YAML is the source of a template: `{{ .Values.x }}` reads as a mapping in a
/// mapping, and an affinity value may hold an action in quotes.
pub(crate) fn is_template(text: &[u8], outline: &Outline) -> bool {
    let is_action = |node: &unstick_yaml::Node| {
        matches!(node.content, Content::Mapping { flow: true, .. }) && node.span.slice(text).starts_with(b"{{")
    };
    let holds_action = |entry: &unstick_yaml::Entry| {
        matches!(outline.key(entry), Some(KEY | CONFIG))
            && outline.scalar(entry.value).is_some_and(|value| value.contains("{{"))
    };
    outline.nodes.iter().any(|node| match &node.content {
        Content::Mapping { entries, .. } => is_action(node) || entries.iter().any(holds_action),
        _ => false,
    })
}

/// Returns the findings for a stretch of text that cannot be read, one for the fault and one for each name in it.
pub(crate) fn unreadable(text: &[u8], window: Span, error: &ReadError, document: usize) -> Vec<Finding> {
    let template = memchr::memmem::find(window.slice(text), b"{{").is_some();
    let rule = if template { Rule::Template } else { Rule::Unreadable };
    let make = |span, message: String, help: &str| Finding {
        rule,
        severity: Severity::Error,
        outcome: Outcome::Refused,
        span,
        document,
        resource: None,
        field: None,
        message,
        help: Some(help.to_owned()),
    };
    let help = if template {
        "run unstick on the rendered manifests"
    } else {
        "mend the document; it is left as it is until then"
    };
    let fault = make(error.span, format!("this document cannot be read: {}", error.message), help);
    let names = occurrence::spans(text, window).into_iter();
    let named = names.map(|span| {
        let message = if template { "a Helm template: not handled here" } else { "in a document that cannot be read" };
        make(span, message.into(), help)
    });
    std::iter::once(fault).chain(named).collect()
}
