//! Where Service specs live: documents, list items, wrapped objects, known custom resources.

use std::collections::{BTreeMap, HashSet};

use unstick_yaml::{Content, NodeId, Outline};

use crate::Resource;
use crate::embedded::{self, EmbeddedSpec};
use crate::merge::Lookup;

/// One place where a Service spec lives.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The object.
    pub resource: Resource,
    /// What kind of place it is.
    pub kind: SiteKind,
    /// The object's mapping; `None` where the site stands for a template's.
    pub object: Option<NodeId>,
    /// The mapping that holds the two fields.
    pub spec: NodeId,
    /// The alias through which the object reaches it; `None` where it is written in place.
    pub via: Option<NodeId>,
    /// Path of the spec from the object's root.
    pub path: String,
    /// What policies ask about.
    pub facts: Facts,
}

/// What kind of place a [`Site`] is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SiteKind {
    /// A `v1` Service.
    Service,
    /// A custom resource's embedded spec.
    Embedded(&'static EmbeddedSpec),
}

/// What policies ask about an object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// `spec.type`.
    pub service_type: Option<String>,
    /// `metadata.labels`.
    pub labels: BTreeMap<String, String>,
    /// The value of the annotation `unstick.dev/keep`.
    pub keep: Option<String>,
}

/// All sites of a document, and the objects met on the way.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// In source order of the objects.
    pub sites: Vec<Site>,
    /// Aliases that stand for a whole object, with the object.
    pub object_aliases: Vec<(NodeId, NodeId)>,
    /// Objects that were met, in their own place or through an alias.
    pub objects: Vec<(NodeId, Resource)>,
}

/// The annotation that keeps a Service as it is.
const KEEP_ANNOTATION: &str = "unstick.dev/keep";

/// Finds the sites of one document.
pub(crate) fn find<'o>(outline: &'o Outline, lookup: &mut Lookup<'o>) -> Sites {
    let mut finder = Finder { outline, lookup, found: Sites::default(), seen: HashSet::new() };
    let mut pending: Vec<Place> =
        outline.root.map(|node| Place { node, item_of_service_list: false }).into_iter().collect();
    while let Some(place) = pending.pop() {
        let mut inner = finder.visit(place);
        inner.reverse();
        pending.append(&mut inner);
    }
    finder.found
}

/// A node where an object is expected.
#[derive(Debug, Clone, Copy)]
struct Place {
    node: NodeId,
    item_of_service_list: bool,
}

struct Finder<'a, 'o> {
    outline: &'o Outline,
    lookup: &'a mut Lookup<'o>,
    found: Sites,
    /// Objects met in the same way before: aliases may lead in circles.
    seen: HashSet<(NodeId, Option<NodeId>)>,
}

impl Finder<'_, '_> {
    /// Notes the object's sites and returns the places of the objects inside it.
    fn visit(&mut self, place: Place) -> Vec<Place> {
        let Some(object) = self.outline.resolve(place.node) else { return Vec::new() };
        let via = (object != place.node).then_some(place.node);
        let is_mapping = matches!(self.outline.node(object).content, Content::Mapping { .. });
        if !is_mapping || !self.seen.insert((object, via)) {
            return Vec::new();
        }
        if let Some(alias) = via {
            self.found.object_aliases.push((alias, object));
        }
        let mut resource = self.resource(object);
        if place.item_of_service_list && resource.kind.is_empty() {
            resource = Resource { api_version: "v1".into(), kind: "Service".into(), ..resource };
        }
        self.found.objects.push((object, resource.clone()));
        if is_service(&resource) {
            self.add_service(object, via, resource);
            return Vec::new();
        }
        if via.is_none() {
            self.add_embedded(object, &resource);
        }
        self.inner_places(object, &resource)
    }

    fn resource(&mut self, object: NodeId) -> Resource {
        let text = |lookup: &mut Lookup<'_>, key| lookup.text(object, key).unwrap_or_default().to_owned();
        let api_version = text(self.lookup, "apiVersion");
        let kind = text(self.lookup, "kind");
        let metadata = self.lookup.value(object, "metadata");
        let mut of_metadata = |key| {
            let value = metadata.and_then(|metadata| self.lookup.text(metadata, key));
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let namespace = of_metadata("namespace");
        let name = of_metadata("name").or_else(|| of_metadata("generateName"));
        Resource { api_version, kind, namespace, name }
    }

    /// Adds a site for each spec of a Service: every `spec` in its own lines, and one that a merge key brings in.
    fn add_service(&mut self, object: NodeId, via: Option<NodeId>, resource: Resource) {
        let facts = self.facts(object);
        let mut specs: Vec<NodeId> = Vec::new();
        let outline = self.outline;
        let own = outline.entries(object).iter().filter(|entry| outline.key(entry) == Some("spec"));
        specs.extend(own.map(|entry| entry.value));
        let merged = self.lookup.get(object, "spec").filter(|found| found.mapping != object);
        let merged_alias = merged.and_then(|found| found.alias);
        specs.extend(merged.map(|found| found.value));
        for value in specs {
            let Some(spec) = outline.resolve(value) else { continue };
            if !matches!(outline.node(spec).content, Content::Mapping { .. }) {
                continue;
            }
            let spec_alias = (spec != value).then_some(value);
            let merged_alias = merged_alias.filter(|_| merged.is_some_and(|found| found.value == value));
            self.found.sites.push(Site {
                resource: resource.clone(),
                kind: SiteKind::Service,
                object: Some(object),
                spec,
                via: via.or(merged_alias).or(spec_alias),
                path: "spec".into(),
                facts: facts.clone(),
            });
        }
    }

    fn facts(&mut self, object: NodeId) -> Facts {
        let service_type = self.lookup.value(object, "spec").and_then(|spec| self.lookup.text(spec, "type"));
        let metadata = self.lookup.value(object, "metadata");
        let labels = metadata.and_then(|metadata| self.lookup.value(metadata, "labels"));
        let labels = labels.map_or(&[][..], |labels| self.outline.entries(labels)).iter();
        let labels = labels.filter_map(|entry| {
            let value = self.outline.resolve(entry.value).and_then(|value| self.outline.scalar(value))?;
            Some((self.outline.key(entry)?.to_owned(), value.to_owned()))
        });
        let labels = labels.collect();
        let annotations = metadata.and_then(|metadata| self.lookup.value(metadata, "annotations"));
        let keep = annotations.and_then(|annotations| self.lookup.text(annotations, KEEP_ANNOTATION));
        Facts { service_type: service_type.map(str::to_owned), labels, keep: keep.map(str::to_owned) }
    }

    /// Adds a site for each mapping below the object whose path is in the table of custom resources.
    fn add_embedded(&mut self, object: NodeId, resource: &Resource) {
        let group = resource.api_version.split_once('/').map(|(group, _)| group);
        if !embedded::EMBEDDED.iter().any(|row| Some(row.group) == group) {
            return;
        }
        let outline = self.outline;
        let mut facts = None;
        let mut pending: Vec<(NodeId, Vec<&str>)> = vec![(object, Vec::new())];
        while let Some((node, path)) = pending.pop() {
            if let Some(row) = embedded::find(&resource.api_version, &resource.kind, &path) {
                let facts: &Facts = facts.get_or_insert_with(|| self.facts(object));
                self.found.sites.push(Site {
                    resource: resource.clone(),
                    kind: SiteKind::Embedded(row),
                    object: Some(object),
                    spec: node,
                    via: None,
                    path: path.join(".").replace(".[]", "[]"),
                    facts: facts.clone(),
                });
            }
            if path.len() >= MAX_EMBEDDED_DEPTH {
                continue;
            }
            let below = |key| path.iter().copied().chain([key]).collect::<Vec<&str>>();
            let is_collection =
                |id: NodeId| matches!(outline.node(id).content, Content::Mapping { .. } | Content::Sequence { .. });
            let children = outline.entries(node).iter().chain(outline.items(node));
            for entry in children.rev().filter(|entry| is_collection(entry.value)) {
                let key = if entry.key.is_some() { outline.key(entry) } else { Some("[]") };
                pending.extend(key.map(|key| (entry.value, below(key))));
            }
        }
    }

    /// Returns the places of the objects that a wrapper holds.
    fn inner_places(&self, object: NodeId, resource: &Resource) -> Vec<Place> {
        let api = resource.api_version.as_str();
        let group = api.split_once('/').map_or("", |(group, _)| group);
        let service_list = api == "v1" && resource.kind == "ServiceList";
        let paths: &[&str] = match (group, resource.kind.as_str()) {
            ("config.kubernetes.io" | "config.k8s.io", "ResourceList") => &["items.[]"],
            ("" | "template.openshift.io", "Template") => &["objects.[]"],
            ("work.open-cluster-management.io", "ManifestWork") => &["spec.workload.manifests.[]"],
            ("work.open-cluster-management.io", "ManifestWorkReplicaSet") => {
                &["spec.manifestWorkTemplate.workload.manifests.[]"]
            }
            ("kubernetes.crossplane.io" | "kubernetes.m.crossplane.io", "Object") => &["spec.forProvider.manifest"],
            ("apiextensions.crossplane.io", "Composition") => {
                &["spec.resources.[].base", "spec.pipeline.[].input.resources.[].base"]
            }
            (_, kind) if kind.ends_with("List") => &["items.[]"],
            _ => &[],
        };
        let nodes = paths.iter().flat_map(|path| self.nodes_at(object, path));
        nodes.map(|node| Place { node, item_of_service_list: service_list }).collect()
    }

    /// Returns the nodes at a path of keys and `[]`; the last step's aliases stay unresolved.
    fn nodes_at(&self, object: NodeId, path: &str) -> Vec<NodeId> {
        let outline = self.outline;
        let mut nodes = vec![object];
        for key in path.split('.') {
            let parents = nodes.iter().filter_map(|node| outline.resolve(*node)).collect::<Vec<_>>();
            nodes = parents
                .iter()
                .flat_map(|parent| match key {
                    "[]" => outline.items(*parent).iter().map(|item| item.value).collect::<Vec<_>>(),
                    _ => {
                        let entries = outline.entries(*parent).iter();
                        entries.filter(|entry| outline.key(entry) == Some(key)).map(|entry| entry.value).collect()
                    }
                })
                .collect();
        }
        nodes
    }
}

/// No known custom resource holds a Service spec deeper than this.
const MAX_EMBEDDED_DEPTH: usize = 16;

/// Tells whether an object is a core Service: the kind alone is no proof.
pub(crate) fn is_service(resource: &Resource) -> bool {
    resource.api_version == "v1" && resource.kind == "Service"
}
