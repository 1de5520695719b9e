//! Kubernetes' own admission policies, in CEL.

use unstick::{Action, LabelRequirement, LabelTest, Match};

use super::clause::Clause;
use super::glob::{NameGlob, regex};
use super::{ExportError, Exporter, indent};

const CONSTRAINTS: &str = "matchConstraints:\n  resourceRules:\n  - apiGroups: ['']\n    apiVersions: [v1]\n    operations: \
                           [CREATE, UPDATE]\n    resources: [services]\n";

/// Returns MutatingAdmissionPolicies with their bindings.
pub(super) fn mutating(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    let mut documents = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        let value = match exporter.seconds(clause)? {
            Some(seconds) => format!(
                "Object{{spec: Object.spec{{sessionAffinity: \"ClientIP\", sessionAffinityConfig: \
                 Object.spec.sessionAffinityConfig{{clientIP: \
                 Object.spec.sessionAffinityConfig.clientIP{{timeoutSeconds: {seconds}}}}}}}}}"
            ),
            None => "Object{spec: Object.spec{sessionAffinity: \"None\"}}".to_owned(),
        };
        let name = clause.object_name(index);
        let spec = format!(
            "failurePolicy: Ignore\nreinvocationPolicy: IfNeeded\n{CONSTRAINTS}{}mutations:\n- patchType: \
             ApplyConfiguration\n  applyConfiguration:\n    expression: >-\n      {value}\n",
            conditions(exporter, clause)?
        );
        documents.push(object("MutatingAdmissionPolicy", &name, &spec));
        documents.push(object("MutatingAdmissionPolicyBinding", &name, &format!("policyName: {name}\n")));
    }
    Ok(documents.join("---\n"))
}

/// Returns ValidatingAdmissionPolicies that warn, with their bindings; Services that are sticky already may be updated.
pub(super) fn validating(exporter: Exporter, clauses: &[Clause<'_>]) -> Result<String, ExportError> {
    let mut documents = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        if clause.action == Action::ClientIp {
            return Err(exporter.refuse("clientIP", "a validating policy can only forbid: use a mutating one"));
        }
        let name = clause.object_name(index);
        let reason = clause.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let message = serde_json::Value::from(format!("spec.sessionAffinity must be None{reason}"));
        let newly = "- name: newly-sticky\n  expression: >-\n    oldObject == null || !has(oldObject.spec.sessionAffinity) || \
                     oldObject.spec.sessionAffinity != \"ClientIP\"\n";
        let spec = format!(
            "failurePolicy: Fail\n{CONSTRAINTS}{}{}validations:\n- expression: >-\n    !has(object.spec.sessionAffinity) || \
             object.spec.sessionAffinity != \"ClientIP\"\n  message: {message}\n",
            conditions(exporter, clause)?,
            indent(newly, 2)
        );
        documents.push(object("ValidatingAdmissionPolicy", &name, &spec));
        let binding = format!("policyName: {name}\nvalidationActions: [Warn, Audit]\n");
        documents.push(object("ValidatingAdmissionPolicyBinding", &name, &binding));
    }
    Ok(documents.join("---\n"))
}

fn object(kind: &str, name: &str, spec: &str) -> String {
    let head = format!("apiVersion: admissionregistration.k8s.io/v1\nkind: {kind}\nmetadata:\n  name: {name}\nspec:\n");
    format!("{head}{}", indent(spec, 2))
}

/// Returns `matchConditions`: sticky, not kept, selected, and none of what is decided before.
fn conditions(exporter: Exporter, clause: &Clause<'_>) -> Result<String, ExportError> {
    let mut conditions: Vec<(String, String)> = Vec::new();
    let named = !clause.only.is_empty() || !clause.selection.names.is_empty();
    if clause.action != Action::ClientIp || !named {
        let sticky = "has(object.spec.sessionAffinity) && object.spec.sessionAffinity == \"ClientIP\"";
        conditions.push(("sticky".into(), sticky.into()));
    }
    let keep = "!has(object.metadata.annotations) || !(\"unstick.dev/keep\" in object.metadata.annotations)";
    conditions.push(("not-kept".into(), keep.into()));
    if !clause.only.is_empty() {
        conditions.push(("selected".into(), any_name(exporter, clause.only)?));
    }
    if let Some(expression) = matches(exporter, &clause.selection)? {
        conditions.push(("matched".into(), expression));
    }
    for (index, exception) in clause.exceptions.iter().enumerate() {
        if let Some(expression) = matches(exporter, exception)? {
            conditions.push((format!("not-decided-before-{}", index + 1), format!("!({expression})")));
        }
    }
    let lines = conditions.iter().map(|(name, cel)| format!("- name: {name}\n  expression: >-\n    {cel}\n"));
    Ok(format!("matchConditions:\n{}", indent(&lines.collect::<String>(), 2)))
}

/// Returns the expression for a match; `None` where it holds always.
fn matches(exporter: Exporter, selection: &Match) -> Result<Option<String>, ExportError> {
    let mut all = Vec::new();
    if !selection.names.is_empty() {
        all.push(any_name(exporter, &selection.names)?);
    }
    if !selection.namespaces.is_empty() {
        let tests: Result<Vec<String>, ExportError> =
            selection.namespaces.iter().map(|glob| glob_test(exporter, "request.namespace", glob)).collect();
        all.push(format!("({})", tests?.join(" || ")));
    }
    all.extend(selection.labels.requirements.iter().map(label_test));
    if !selection.types.is_empty() {
        let types: Vec<String> = selection.types.iter().map(|kind| format!("\"{kind}\"")).collect();
        all.push(format!("(has(object.spec.type) ? object.spec.type : \"ClusterIP\") in [{}]", types.join(", ")));
    }
    Ok((!all.is_empty()).then(|| all.join(" && ")))
}

fn any_name(exporter: Exporter, globs: &[String]) -> Result<String, ExportError> {
    let tests: Result<Vec<String>, ExportError> = globs
        .iter()
        .map(|glob| {
            let glob = NameGlob::new(glob);
            let name = glob_test(exporter, "object.metadata.name", glob.name)?;
            match glob.namespace {
                Some(namespace) => Ok(format!("({} && {name})", glob_test(exporter, "request.namespace", namespace)?)),
                None => Ok(name),
            }
        })
        .collect();
    Ok(format!("({})", tests?.join(" || ")))
}

fn glob_test(exporter: Exporter, subject: &str, glob: &str) -> Result<String, ExportError> {
    if glob.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Ok(format!("{subject} == \"{glob}\""));
    }
    let regex = regex(glob).ok_or_else(|| exporter.refuse("a negated or unusual glob", "use *, ?, [...] and {a,b}"))?;
    Ok(format!("{subject}.matches(r'^{regex}$')"))
}

fn label_test(requirement: &LabelRequirement) -> String {
    let LabelRequirement { key, test } = requirement;
    let there = format!("(has(object.metadata.labels) && \"{key}\" in object.metadata.labels)");
    let value = format!("object.metadata.labels[\"{key}\"]");
    let list = |values: &[String]| values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(", ");
    match test {
        LabelTest::In(values) => format!("({there} && {value} in [{}])", list(values)),
        LabelTest::NotIn(values) => format!("!({there} && {value} in [{}])", list(values)),
        LabelTest::Exists => there,
        LabelTest::Absent => format!("!{there}"),
        LabelTest::Above(bound) => format!("({there} && {value}.matches(r'^[-+]?[0-9]+$') && int({value}) > {bound})"),
        LabelTest::Below(bound) => format!("({there} && {value}.matches(r'^[-+]?[0-9]+$') && int({value}) < {bound})"),
    }
}
