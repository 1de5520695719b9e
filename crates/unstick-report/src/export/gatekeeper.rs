//! Gatekeeper Assigns.
//!
//! An Assign cannot look at the old value, nor take a key out: it writes `None` everywhere, which is what an absent
//! key means, and the API server drops the config.

use unstick::{Action, LabelRequirement};

use super::clause::{Clause, match_expression, negated_label};
use super::glob::NameGlob;
use super::{ExportError, Exporter, indent, quoted};

pub(super) fn assigns(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    let mut documents = Vec::new();
    for clause in clauses {
        let globs: Vec<&String> = clause.selection.names.iter().chain(clause.only).collect();
        if !clause.only.is_empty() && !clause.selection.names.is_empty() {
            return Err(exporter.refuse("names in a rule beside --only", "use one of the two"));
        }
        let names: Vec<Option<NameGlob<'_>>> =
            if globs.is_empty() { vec![None] } else { globs.iter().map(|glob| Some(NameGlob::new(glob))).collect() };
        for name in names {
            documents.push(assign(exporter, clause, name.as_ref(), documents.len())?);
        }
    }
    let note = "# Gatekeeper cannot see the annotation unstick.dev/keep: except by label or namespace.\n";
    Ok(format!("{note}{}", documents.join("---\n")))
}

fn assign(
    exporter: Exporter,
    clause: &Clause<'_>,
    name: Option<&NameGlob<'_>>,
    index: usize,
) -> Result<String, ExportError> {
    if clause.action == Action::ClientIp {
        return Err(exporter.refuse("clientIP", "use an admission policy or Kyverno"));
    }
    let matches = conditions(exporter, clause, name)?;
    Ok(format!(
        "apiVersion: mutations.gatekeeper.sh/v1\nkind: Assign\nmetadata:\n  name: {}\nspec:\n  applyTo:\n  - groups: ['']\n    \
         versions: [v1]\n    kinds: [Service]\n  match:\n    scope: Namespaced\n{}  location: spec.sessionAffinity\n  \
         parameters:\n    assign:\n      value: None\n",
        clause.object_name(index),
        indent(&matches, 4)
    ))
}

fn conditions(exporter: Exporter, clause: &Clause<'_>, name: Option<&NameGlob<'_>>) -> Result<String, ExportError> {
    exporter.refuse_types(&clause.selection)?;
    let mut out = String::new();
    let mut namespaces: Vec<&str> = clause.selection.namespaces.iter().map(String::as_str).collect();
    if let Some(glob) = name {
        out += &format!("name: {}\n", quoted(checked(exporter, glob.name)?));
        namespaces.extend(glob.namespace);
    }
    let mut excluded = Vec::new();
    let mut labels: Vec<LabelRequirement> = clause.selection.labels.requirements.clone();
    for exception in &clause.exceptions {
        let by_namespace =
            exception.names.is_empty() && exception.types.is_empty() && exception.labels.requirements.is_empty();
        match negated_label(exception) {
            Some(requirement) => labels.push(requirement),
            None if by_namespace => excluded.extend(exception.namespaces.iter().map(String::as_str)),
            None => {
                let help = "except by one label, or by namespaces";
                return Err(exporter.refuse("an exception by name, type or several labels", help));
            }
        }
    }
    for (key, globs) in [("namespaces", namespaces), ("excludedNamespaces", excluded)] {
        if !globs.is_empty() {
            let globs: Result<Vec<String>, ExportError> =
                globs.iter().map(|glob| checked(exporter, glob).map(quoted)).collect();
            out += &format!("{key}: [{}]\n", globs?.join(", "));
        }
    }
    if !labels.is_empty() {
        out += "labelSelector:\n  matchExpressions:\n";
        for requirement in &labels {
            let expression = match_expression(requirement).ok_or_else(|| {
                exporter.refuse("a comparison of a label's value", "use =, !=, in, notin, or the label alone")
            })?;
            out += &format!("  - {expression}\n");
        }
    }
    Ok(out)
}

/// Returns a glob if it is plain but for one `*` at its start or end, which is all that Gatekeeper knows.
fn checked(exporter: Exporter, glob: &str) -> Result<&str, ExportError> {
    let core = glob.strip_prefix('*').unwrap_or(glob);
    let core = core.strip_suffix('*').unwrap_or(core);
    if core.contains(['*', '?', '[', ']', '{', '}', '\\', '!', '/']) {
        return Err(exporter.refuse(format!("the glob {glob}"), "use a * at the start or the end only"));
    }
    Ok(glob)
}
