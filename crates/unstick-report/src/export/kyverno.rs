//! A Kyverno ClusterPolicy that mutates.

use unstick::{Action, LabelSelector, Match};

use super::clause::{Clause, match_expression};
use super::glob::{NameGlob, is_wildcard};
use super::{ExportError, Exporter, indent, quoted};

pub(super) fn cluster_policy(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    let mut rules = String::new();
    for (index, clause) in clauses.iter().enumerate() {
        rules += &rule(exporter, clause, index)?;
    }
    let head = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata:\n  name: unstick-services\nspec:\n  rules:\n";
    Ok(format!("{head}{}", indent(&rules, 2)))
}

fn rule(exporter: Exporter, clause: &Clause<'_>, index: usize) -> Result<String, ExportError> {
    let mut out = format!("- name: {}\n", clause.object_name(index).replace("services", "service"));
    out += &format!("  match:\n    all:\n{}", resources(exporter, &clause.selection, clause.only, 4)?);
    out += "  exclude:\n    any:\n    - resources:\n        annotations:\n          unstick.dev/keep: '*'\n";
    for exception in &clause.exceptions {
        exporter.refuse_types(exception)?;
        out += &resources(exporter, exception, &[], 4)?;
    }
    out += &preconditions(clause);
    out += "  mutate:\n    patchStrategicMerge:\n      spec:\n";
    out += &match (clause.action, exporter.seconds(clause)?) {
        (Action::ClientIp, Some(seconds)) => {
            format!(
                "        sessionAffinity: ClientIP\n        sessionAffinityConfig:\n          clientIP:\n            timeoutSeconds: {seconds}\n"
            )
        }
        _ => "        sessionAffinity: None\n".into(),
    };
    Ok(out)
}

fn preconditions(clause: &Clause<'_>) -> String {
    let mut all = Vec::new();
    let named = !clause.only.is_empty() || !clause.selection.names.is_empty();
    if clause.action != Action::ClientIp || !named {
        all.push(
            "{key: \"{{ request.object.spec.sessionAffinity || 'None' }}\", operator: Equals, value: ClientIP}"
                .to_owned(),
        );
    }
    if !clause.selection.types.is_empty() {
        let types: Vec<String> = clause.selection.types.iter().map(|kind| quoted(kind)).collect();
        let key = "{key: \"{{ request.object.spec.type || 'ClusterIP' }}\", operator: AnyIn";
        all.push(format!("{key}, value: [{}]}}", types.join(", ")));
    }
    if all.is_empty() {
        return String::new();
    }
    let lines: String = all.iter().map(|line| format!("    - {line}\n")).collect();
    format!("  preconditions:\n    all:\n{lines}")
}

/// Returns `resources` entries that all of a match's conditions stand in.
fn resources(exporter: Exporter, selection: &Match, only: &[String], columns: usize) -> Result<String, ExportError> {
    let mut out = String::new();
    let blocks: Vec<&[String]> = [&selection.names[..], only].into_iter().filter(|globs| !globs.is_empty()).collect();
    let namespaces: Vec<&str> = selection.namespaces.iter().map(String::as_str).collect();
    if blocks.is_empty() {
        out += &block(exporter, &[], &namespaces, &selection.labels)?;
    }
    for globs in blocks {
        let globs: Vec<NameGlob<'_>> = globs.iter().map(|glob| NameGlob::new(glob)).collect();
        let pinned: Vec<&str> = globs.iter().filter_map(|glob| glob.namespace).collect();
        if !pinned.is_empty() && (globs.len() > 1 || !namespaces.is_empty()) {
            let help = "give such a glob a rule of its own, without namespaces beside it";
            return Err(exporter.refuse("namespace/name among other names", help));
        }
        let names: Vec<&str> = globs.iter().map(|glob| glob.name).collect();
        let within = if pinned.is_empty() { &namespaces } else { &pinned };
        out += &block(exporter, &names, within, &selection.labels)?;
    }
    Ok(indent(&out, columns))
}

fn block(
    exporter: Exporter,
    names: &[&str],
    namespaces: &[&str],
    labels: &LabelSelector,
) -> Result<String, ExportError> {
    let mut out = String::from("- resources:\n    kinds: [v1/Service]\n");
    for (key, globs) in [("names", names), ("namespaces", namespaces)] {
        if globs.iter().any(|glob| !is_wildcard(glob)) {
            return Err(exporter.refuse("a glob with more than * and ?", "write the names out, or use * and ?"));
        }
        if !globs.is_empty() {
            let globs: Vec<String> = globs.iter().map(|glob| quoted(glob)).collect();
            out += &format!("    {key}: [{}]\n", globs.join(", "));
        }
    }
    if !labels.requirements.is_empty() {
        out += "    selector:\n      matchExpressions:\n";
        for requirement in &labels.requirements {
            let expression = match_expression(requirement).ok_or_else(|| {
                exporter.refuse("a comparison of a label's value", "use =, !=, in, notin, or the label alone")
            })?;
            out += &format!("      - {expression}\n");
        }
    }
    Ok(out)
}
