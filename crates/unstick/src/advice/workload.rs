//! Workloads of an input: how many pods a selector finds.

use std::collections::{BTreeMap, HashMap, HashSet};

use unstick_yaml::{NodeId, Outline};

use crate::Resource;
use crate::merge::Lookup;

/// All workloads of an input, and what scales them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workloads {
    workloads: Vec<Workload>,
    /// Positions in `workloads`, by namespace, label and its value: an input may hold many thousands.
    by_label: HashMap<(String, String, String), Vec<usize>>,
    /// Namespace, kind and name of what an autoscaler scales.
    scaled: HashSet<(String, String, String)>,
}

/// What makes pods.
#[derive(Debug, Clone)]
struct Workload {
    namespace: String,
    kind: String,
    name: String,
    /// How many pods; `None` where nobody can tell from the manifest.
    pods: Option<u64>,
    labels: BTreeMap<String, String>,
}

/// What a selector finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pods {
    /// One pod, of the workload with that kind and name.
    One(String, String),
    /// None, several, or an unknown number.
    Other,
}

/// Kinds whose replicas are 1 where nothing is said.
const ONE_BY_DEFAULT: &[&str] =
    &["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DeploymentConfig", "Rollout"];

impl Workloads {
    /// Notes an object, if it makes pods or scales what does.
    pub(crate) fn note<'o>(
        &mut self,
        outline: &'o Outline,
        lookup: &mut Lookup<'o>,
        object: NodeId,
        resource: &Resource,
    ) {
        let spec = lookup.value(object, "spec");
        if let Some(target) = spec.and_then(|spec| lookup.value(spec, "scaleTargetRef")) {
            let kind = lookup.text(target, "kind").unwrap_or("Deployment").to_owned();
            let name = lookup.text(target, "name").unwrap_or_default().to_owned();
            self.scaled.insert((namespace(resource), kind, name));
            return;
        }
        let metadata = lookup.value(object, "metadata");
        let is_pod = resource.kind == "Pod" && resource.api_version == "v1";
        let pod_metadata = if is_pod {
            metadata
        } else {
            let template = spec.and_then(|spec| lookup.value(spec, "template"));
            template.and_then(|template| lookup.value(template, "metadata"))
        };
        let Some(labels) = pod_metadata.and_then(|metadata| lookup.value(metadata, "labels")) else { return };
        // What another workload of the input has made would be counted twice.
        let is_owned = metadata.is_some_and(|metadata| lookup.value(metadata, "ownerReferences").is_some());
        if is_owned && (is_pod || resource.kind == "ReplicaSet") {
            return;
        }
        let replicas = spec.and_then(|spec| lookup.value(spec, "replicas")).filter(|id| !outline.is_null(*id));
        let pods = match replicas {
            Some(replicas) => outline.scalar(replicas).and_then(|text| text.parse().ok()),
            None => (is_pod || ONE_BY_DEFAULT.contains(&resource.kind.as_str())).then_some(1),
        };
        self.add(Workload {
            namespace: namespace(resource),
            kind: resource.kind.clone(),
            name: resource.name.clone().unwrap_or_default(),
            pods,
            labels: texts(outline, labels),
        });
    }

    fn add(&mut self, workload: Workload) {
        for (key, value) in &workload.labels {
            let place = (workload.namespace.clone(), key.clone(), value.clone());
            self.by_label.entry(place).or_default().push(self.workloads.len());
        }
        self.workloads.push(workload);
    }

    pub(crate) fn extend(&mut self, other: Self) {
        other.workloads.into_iter().for_each(|workload| self.add(workload));
        self.scaled.extend(other.scaled);
    }

    /// Tells what a Service's selector finds in its namespace.
    pub(crate) fn pods(&self, resource: &Resource, selector: &BTreeMap<String, String>) -> Pods {
        let namespace = namespace(resource);
        let place = |(key, value): (&String, &String)| (namespace.clone(), key.clone(), value.clone());
        let lists = selector.iter().map(|pair| self.by_label.get(&place(pair)).map_or(&[][..], Vec::as_slice));
        // Whatever matches stands in every one of the lists.
        let Some(shortest) = lists.min_by_key(|list| list.len()) else { return Pods::Other };
        let mut single = None;
        for workload in shortest.iter().map(|at| &self.workloads[*at]).filter(|workload| workload.matches(selector)) {
            let name = (namespace.clone(), workload.kind.clone(), workload.name.clone());
            match workload.pods {
                Some(0) => {}
                Some(1) if single.is_none() && !self.scaled.contains(&name) => single = Some(workload),
                _ => return Pods::Other,
            }
        }
        single.map_or(Pods::Other, |workload| Pods::One(workload.kind.clone(), workload.name.clone()))
    }
}

impl Workload {
    fn matches(&self, selector: &BTreeMap<String, String>) -> bool {
        selector.iter().all(|(key, value)| self.labels.get(key) == Some(value))
    }
}

/// Returns the texts of a mapping, such as labels.
pub(crate) fn texts(outline: &Outline, mapping: NodeId) -> BTreeMap<String, String> {
    let pairs = outline.entries(mapping).iter().filter_map(|entry| {
        let value = outline.resolve(entry.value).and_then(|value| outline.scalar(value))?;
        Some((outline.key(entry)?.to_owned(), value.to_owned()))
    });
    pairs.collect()
}

fn namespace(resource: &Resource) -> String {
    resource.namespace.clone().unwrap_or_default()
}
