//! Strategic-merge patches with targets.
//!
//! `null` takes a key out where it is there and does nothing where it is not; a JSON 6902 `remove` fails there.

use unstick::{Action, LabelSelector};

use super::clause::{Clause, negated_label};
use super::glob::{NameGlob, any_regex};
use super::{ExportError, Exporter, indent, quoted};

/// Returns `patches:` for a kustomization.
pub(super) fn patches(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    Ok(format!("patches:\n{}", list(exporter, clauses)?))
}

/// Returns the part of a HelmRelease that post-renders its chart.
pub(super) fn flux(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    let list = indent(&list(exporter, clauses)?, 6);
    Ok(format!("# Merge this into the HelmRelease.\nspec:\n  postRenderers:\n  - kustomize:\n      patches:\n{list}"))
}

fn list(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    let mut out = String::new();
    // A later patch overrides an earlier one, and the first rule has to win.
    for clause in clauses.iter().rev() {
        let patch = patch(exporter, clause)?;
        for target in targets(exporter, clause)? {
            out += &format!("- target:\n{}  patch: |-\n{}", indent(&target, 4), indent(&patch, 4));
        }
    }
    Ok(out)
}

fn patch(exporter: Exporter, clause: &Clause<'_>) -> Result<String, ExportError> {
    let head = "apiVersion: v1\nkind: Service\nmetadata:\n  name: any\nspec:\n";
    let seconds = exporter.seconds(clause)?;
    Ok(match (clause.action, seconds) {
        (Action::ClientIp, Some(_)) if clause.selection.names.is_empty() && clause.only.is_empty() => {
            let help = "name the Services: a patch would make every Service sticky";
            return Err(exporter.refuse("clientIP for Services that are sticky already", help));
        }
        (Action::ClientIp, Some(seconds)) => format!(
            "{head}  sessionAffinity: ClientIP\n  sessionAffinityConfig:\n    clientIP:\n      timeoutSeconds: {seconds}\n"
        ),
        (Action::None, _) => format!("{head}  sessionAffinity: None\n  sessionAffinityConfig: null\n"),
        _ => format!("{head}  sessionAffinity: null\n  sessionAffinityConfig: null\n"),
    })
}

/// Returns the clause's targets: one for each pair of namespaces and names.
fn targets(exporter: Exporter, clause: &Clause<'_>) -> Result<Vec<String>, ExportError> {
    exporter.refuse_types(&clause.selection)?;
    let mut labels: LabelSelector = clause.selection.labels.clone();
    for exception in &clause.exceptions {
        let negated = negated_label(exception).ok_or_else(|| {
            let help = "except by one label, or with the annotation unstick.dev/keep";
            exporter.refuse("an exception by name, namespace or several labels", help)
        })?;
        labels.requirements.push(negated);
    }
    if !clause.only.is_empty() && !clause.selection.names.is_empty() {
        return Err(exporter.refuse("names in a rule beside --only", "use one of the two"));
    }
    let globs = if clause.only.is_empty() { &clause.selection.names[..] } else { clause.only };
    let namespaces: Vec<&str> = clause.selection.namespaces.iter().map(String::as_str).collect();
    let mut pairs: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for glob in globs.iter().map(|glob| NameGlob::new(glob)) {
        let within = match glob.namespace {
            Some(_) if !namespaces.is_empty() => {
                return Err(exporter.refuse("namespace/name beside namespaces", "use one of the two"));
            }
            Some(namespace) => vec![namespace],
            None => namespaces.clone(),
        };
        match pairs.iter_mut().find(|(known, _)| *known == within) {
            Some((_, names)) => names.push(glob.name),
            None => pairs.push((within, vec![glob.name])),
        }
    }
    if pairs.is_empty() {
        pairs.push((namespaces, Vec::new()));
    }
    pairs.iter().map(|(namespaces, names)| target(exporter, namespaces, names, &labels)).collect()
}

fn target(
    exporter: Exporter,
    namespaces: &[&str],
    names: &[&str],
    labels: &LabelSelector,
) -> Result<String, ExportError> {
    let regex = |globs: &[&str]| {
        any_regex(globs).ok_or_else(|| exporter.refuse("a negated or unusual glob", "use *, ?, [...] and {a,b}"))
    };
    let mut out = String::from("version: v1\nkind: Service\n");
    if !namespaces.is_empty() {
        out += &format!("namespace: {}\n", quoted(&regex(namespaces)?));
    }
    if !names.is_empty() {
        out += &format!("name: {}\n", quoted(&regex(names)?));
    }
    if !labels.requirements.is_empty() {
        out += &format!("labelSelector: {}\n", quoted(&labels.to_string()));
    }
    out += "annotationSelector: '!unstick.dev/keep'\n";
    Ok(out)
}
