//! JSON patches (RFC 6902) of the two fields, and the kustomizations that hold them.

use unstick_yaml::{Content, NodeId, Outline, Span, is_json, read_json, read_yaml};

use crate::affinity::{CONFIG, KEY};
use crate::merge::Lookup;
use crate::site;
use crate::{Resource, Source};

/// One operation of a JSON patch that needs one of the two fields to be there.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// What it does, such as `remove`.
    pub word: String,
    /// Its path, such as `/spec/sessionAffinity`.
    pub path: String,
    /// It works on the config, else on the key.
    pub on_config: bool,
    /// It works on something inside the field.
    pub inside: bool,
    /// Its bytes, or where it is in a string the path's.
    pub span: Span,
    /// What it works on; `None` in a file of operations.
    pub target: Option<Target>,
    /// The text is a kustomization, which says what it builds from.
    pub in_kustomization: bool,
    /// The object that holds it.
    pub resource: Option<Resource>,
}

/// Whether a field is there for a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is, and stays.
    Stays,
    /// The policy takes it out.
    Goes,
    /// It is not.
    Absent,
}

/// The `target` of a patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Target {
    kind: Option<String>,
    name: Option<String>,
    namespace: Option<String>,
}

/// What bears on patches in a kustomization.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kustomization {
    /// Paths of the texts and folders that it builds from, as reports show paths.
    pub resources: Vec<String>,
    /// It also makes objects by means that are not in the input, such as charts, or is a part of others.
    pub generates: bool,
    /// Files of operations, with their targets.
    pub patch_files: Vec<(String, Target)>,
}

impl Target {
    fn read(outline: &Outline, patch: NodeId) -> Self {
        let Some(target) = outline.value(patch, "target") else { return Self::default() };
        let text = |key| outline.text(target, key).filter(|text| !text.is_empty()).map(str::to_owned);
        Self { kind: text("kind"), name: text("name"), namespace: text("namespace") }
    }

    pub(crate) fn may_be_service(&self) -> bool {
        self.kind.as_deref().is_none_or(|kind| kind == "Service" || !is_literal(kind))
    }

    /// Tells whether the target may be that Service; patterns that are no plain names match all.
    pub(crate) fn matches(&self, service: &Resource) -> bool {
        let fits = |wanted: &Option<String>, name: &Option<String>| {
            wanted.as_deref().is_none_or(|wanted| !is_literal(wanted) || name.as_deref().is_none_or(|n| n == wanted))
        };
        self.may_be_service() && fits(&self.name, &service.name) && fits(&self.namespace, &service.namespace)
    }
}

/// Tells whether kustomize's pattern is a plain name.
fn is_literal(pattern: &str) -> bool {
    pattern.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// API groups whose objects hold patches for kustomize, and the built-in transformers' word.
const GROUPS: &[&str] =
    &["kustomize.config.k8s.io", "kustomize.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io", "argoproj.io", "builtin"];

/// Finds the operations of one document.
pub(crate) fn find(source: Source<'_>, outline: &Outline) -> Vec<Operation> {
    let Some(root) = outline.root else { return Vec::new() };
    if matches!(outline.node(root).content, Content::Sequence { .. }) {
        let found = operations(outline, root).into_iter();
        return found.map(|(operation, span)| Operation { span, ..operation }).collect();
    }
    let path = source.path.unwrap_or_default();
    let mut found = Vec::new();
    for (object, resource) in site::find(outline, &mut Lookup::new(outline)).objects {
        let group = resource.api_version.split('/').next().unwrap_or_default();
        let in_kustomization = is_kustomization(&resource, path);
        if !in_kustomization && !GROUPS.contains(&group) {
            continue;
        }
        let below = Operation { in_kustomization, resource: Some(resource), ..Operation::none() };
        found.extend(patches_below(source.bytes, outline, object, &below));
    }
    found
}

/// Finds mappings with a `patch` below an object.
fn patches_below(text: &[u8], outline: &Outline, object: NodeId, like: &Operation) -> Vec<Operation> {
    let mut found = Vec::new();
    let mut pending = vec![object];
    while let Some(node) = pending.pop() {
        let children = outline.entries(node).iter().chain(outline.items(node));
        pending.extend(children.map(|entry| entry.value));
        let Some(patch) = outline.value(node, "patch") else { continue };
        let target = Target::read(outline, node);
        let make = |(operation, span): (Operation, Span)| Operation {
            span,
            target: Some(target.clone()),
            in_kustomization: like.in_kustomization,
            resource: like.resource.clone(),
            ..operation
        };
        found.extend(match outline.scalar(patch) {
            Some(inner) => operations_of_text(text, outline.node(patch).span, inner).into_iter().map(make).collect(),
            None => operations(outline, patch).into_iter().map(make).collect::<Vec<_>>(),
        });
    }
    found
}

/// Finds the operations of a patch that is written in a string.
fn operations_of_text(text: &[u8], string: Span, inner: &str) -> Vec<(Operation, Span)> {
    let bytes = inner.as_bytes();
    let all = Span::new(0, bytes.len());
    let outlines = if is_json(bytes) || bytes.trim_ascii_start().starts_with(b"[") {
        read_json(bytes, all).unwrap_or_default()
    } else {
        read_yaml(bytes, all).into_iter().flatten().collect()
    };
    let mut found: Vec<(Operation, Span)> =
        outlines.iter().filter_map(|outline| Some(operations(outline, outline.root?))).flatten().collect();
    // The string's own bytes may be escaped or indented: the paths are looked for in their order.
    let mut from = string.start;
    for (operation, span) in &mut found {
        let rest = Span::new(from, string.end).slice(text);
        match memchr::memmem::find(rest, operation.path.as_bytes()) {
            Some(at) => {
                *span = Span::new(from + at, from + at + operation.path.len());
                from = span.end;
            }
            None => *span = string,
        }
    }
    found
}

/// Returns the operations of a sequence that need one of the two fields, with their spans.
fn operations(outline: &Outline, sequence: NodeId) -> Vec<(Operation, Span)> {
    let items = outline.items(sequence).iter();
    let found = items.filter_map(|item| {
        let mapping = outline.resolve(item.value)?;
        let word = outline.text(mapping, "op")?;
        let key = if matches!(word, "move" | "copy") { "from" } else { "path" };
        let entry = outline.entry(mapping, key)?;
        let path = outline.scalar(outline.resolve(entry.value)?)?;
        let (on_config, inside) = field_of(path)?;
        // A whole field may be added in any case, and kustomize copies nothing from a field that is not there.
        (inside || !matches!(word, "add" | "copy")).then(|| {
            let operation =
                Operation { word: word.to_owned(), path: path.to_owned(), on_config, inside, ..Operation::none() };
            (operation, entry.span())
        })
    });
    found.collect()
}

/// Tells which of the two fields a path leads to (the config, else the key), and whether it leads on inside.
fn field_of(path: &str) -> Option<(bool, bool)> {
    let mut parts = path.strip_prefix("/spec/")?.split('/');
    let on_config = match parts.next()? {
        KEY => false,
        CONFIG => true,
        _ => return None,
    };
    Some((on_config, parts.next().is_some()))
}

impl Operation {
    /// Tells whether kustomize, Flux and kubectl write the field where it is not there, against the RFC.
    pub(crate) fn is_forgiven(&self) -> bool {
        self.word == "replace" && !self.inside
    }

    fn none() -> Self {
        Self {
            word: String::new(),
            path: String::new(),
            on_config: false,
            inside: false,
            span: Span::empty(0),
            target: None,
            in_kustomization: false,
            resource: None,
        }
    }
}

impl Kustomization {
    /// Reads a kustomization; `None` for other objects.
    pub(crate) fn read(outline: &Outline, object: NodeId, resource: &Resource, path: &str) -> Option<Self> {
        if !is_kustomization(resource, path) {
            return None;
        }
        let folder = folder(path);
        let list = |key| outline.value(object, key).map_or(&[][..], |list| outline.items(list)).iter();
        let mut read = Self { generates: resource.kind == "Component", ..Self::default() };
        for item in ["resources", "bases", "components"].into_iter().flat_map(list) {
            read.resources.extend(outline.scalar(item.value).map(|name| join(folder, name)));
        }
        for key in ["helmCharts", "helmChartInflationGenerator", "generators", "transformers", "crds"] {
            read.generates |= list(key).next().is_some();
        }
        for item in ["patches", "patchesJson6902"].into_iter().flat_map(list) {
            let Some(patch) = outline.resolve(item.value) else { continue };
            let file = outline.text(patch, "path").map(|name| join(folder, name));
            read.patch_files.extend(file.map(|file| (file, Target::read(outline, patch))));
        }
        Some(read)
    }
}

/// Tells whether an object is a kustomization; in a file of that name it need not say so.
fn is_kustomization(resource: &Resource, path: &str) -> bool {
    let group = resource.api_version.split('/').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    group == "kustomize.config.k8s.io" && matches!(resource.kind.as_str(), "Kustomization" | "Component")
        || resource.api_version.is_empty()
            && resource.kind.is_empty()
            && matches!(name, "kustomization.yaml" | "kustomization.yml" | "Kustomization")
}

/// Returns the folder of a path, without the slash.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the path of `name` as it is seen from `folder`, without `.` and `..` where that can be told.
fn join(folder: &str, name: &str) -> String {
    let absolute = name.starts_with('/');
    let mut parts: Vec<&str> = if absolute { Vec::new() } else { folder.split('/').collect() };
    if folder.is_empty() {
        parts.clear();
    }
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_paths() {
        for (folder, name, joined) in [
            ("overlays/prod", "../../base", "base"),
            ("overlays/prod", "./patch.yaml", "overlays/prod/patch.yaml"),
            ("", "base/", "base"),
            ("", "../base", "../base"),
            ("../a", "../b", "../b"),
            ("./a", "b.yaml", "./a/b.yaml"),
            ("./a", "../b.yaml", "./b.yaml"),
            ("/x/a", "../b", "/x/b"),
            ("a", "/x/b", "/x/b"),
        ] {
            assert_eq!(join(folder, name), joined, "{folder} {name}");
        }
    }

    #[test]
    fn tells_which_operations_need_a_field() {
        let text = "- {op: remove, path: /spec/sessionAffinity}\n- {op: add, path: /spec/sessionAffinity, value: None}\n\
                    - {op: add, path: /spec/sessionAffinityConfig/clientIP/timeoutSeconds, value: 5}\n\
                    - {op: add, path: /spec/sessionAffinityConfig, value: {}}\n\
                    - {op: copy, from: /spec/sessionAffinity, path: /metadata/labels/x}\n\
                    - {op: move, from: /spec/sessionAffinity, path: /metadata/labels/x}\n\
                    - {op: copy, from: /spec/sessionAffinityConfig/clientIP, path: /metadata/labels/x}\n\
                    - {op: remove, path: /spec/sessionAffinityx}\n- {op: test, path: /spec/type, value: x}\n";
        let outline = read_yaml(text.as_bytes(), Span::new(0, text.len())).remove(0).unwrap();
        let found = find(Source { path: None, bytes: text.as_bytes() }, &outline);
        let found: Vec<(&str, bool)> = found.iter().map(|found| (found.word.as_str(), found.on_config)).collect();
        assert_eq!(found, [("remove", false), ("add", true), ("move", false), ("copy", true)]);
    }
}
