//! What the texts of an input tell of one another.

use std::collections::{BTreeMap, HashMap, HashSet};

use unstick_yaml::{NodeId, Outline};

use super::patch::{self, Kustomization, Operation, Presence, Target};
use super::workload::{Pods, Workloads};
use super::{documents, is_own_service};
use crate::affinity::{CONFIG, KEY, State};
use crate::decision::Decision;
use crate::merge::Lookup;
use crate::policy::{Action, Policy};
use crate::prefilter::may_hold;
use crate::site::{self, Site};
use crate::{Resource, Source, embedded};

/// What the texts of an input tell of one another: workloads behind Services, and Services under patches.
///
/// Made from each text, put together with [`Survey::extend`], and read by [`crate::Plan::advise`].
#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub(super) workloads: Workloads,
    /// Services by the path of their text.
    services: HashMap<String, Vec<ServiceFacts>>,
    /// By their folder.
    kustomizations: HashMap<String, Kustomization>,
    /// Who names a file of patches: the kustomization's folder, and the target.
    patch_users: HashMap<String, Vec<(String, Target)>>,
    /// Paths of all texts.
    texts: HashSet<String>,
}

/// What is known of one Service under a patch.
#[derive(Debug, Clone)]
struct ServiceFacts {
    resource: Resource,
    key: Presence,
    config: Presence,
}

/// What an operation meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It works, or there is nothing to work on.
    Works,
    /// It fails at a Service of that name, which has no such field, or none any more.
    Fails(String, Presence),
    /// What it works on is not in the input.
    Unknown,
}

impl Survey {
    /// Tells whether a text may ask for advice, so that a survey of its neighbours is worth the time.
    #[must_use]
    pub fn is_worthwhile(text: &[u8]) -> bool {
        may_hold(text) || embedded::may_default_to_client_ip(text)
    }

    /// Surveys one text; what cannot be read in it is passed over.
    #[must_use]
    pub fn new(source: Source<'_>, policy: &Policy) -> Self {
        let mut survey = Self::default();
        let path = source.path.unwrap_or_default();
        survey.texts.insert(path.to_owned());
        for (_, outline) in documents(source.bytes, matters) {
            let mut lookup = Lookup::new(&outline);
            let found = site::find(&outline, &mut lookup);
            for site in found.sites.iter().filter(|site| is_own_service(site)) {
                let decision = Decision::new(policy, site, source.path);
                let facts = ServiceFacts::new(&outline, &mut lookup, site, &decision);
                survey.services.entry(path.to_owned()).or_default().push(facts);
            }
            for (object, resource) in &found.objects {
                survey.workloads.note(&outline, &mut lookup, *object, resource);
                if let Some(kustomization) = Kustomization::read(&outline, *object, resource, path) {
                    survey.add_kustomization(patch::folder(path), kustomization);
                }
            }
        }
        survey
    }

    /// Adds what another text of the same input tells.
    pub fn extend(&mut self, other: Self) {
        self.workloads.extend(other.workloads);
        self.services.extend(other.services);
        self.texts.extend(other.texts);
        for (folder, kustomization) in other.kustomizations {
            self.add_kustomization(&folder, kustomization);
        }
    }

    fn add_kustomization(&mut self, folder: &str, kustomization: Kustomization) {
        for (file, target) in &kustomization.patch_files {
            self.patch_users.entry(file.clone()).or_default().push((folder.to_owned(), target.clone()));
        }
        self.kustomizations.insert(folder.to_owned(), kustomization);
    }

    /// Tells how many pods a Service's selector finds.
    pub(crate) fn pods(&self, resource: &Resource, selector: &BTreeMap<String, String>) -> Pods {
        self.workloads.pods(resource, selector)
    }

    /// Tells what an operation of the text at `path` will meet.
    pub(crate) fn fate(&self, operation: &Operation, path: &str) -> Fate {
        if let Some(target) = &operation.target {
            let scope = operation.in_kustomization.then(|| patch::folder(path));
            return self.fate_in(operation, target, scope);
        }
        // A file of its own: whoever names it says what it works on.
        let users = self.patch_users.get(path).into_iter().flatten();
        let mut fates: Vec<Fate> =
            users.map(|(folder, target)| self.fate_in(operation, target, Some(folder))).collect();
        fates.sort_by_key(|fate| match fate {
            Fate::Fails(..) => 0,
            Fate::Unknown => 1,
            Fate::Works => 2,
        });
        fates.into_iter().next().unwrap_or(Fate::Unknown)
    }

    fn fate_in(&self, operation: &Operation, target: &Target, folder: Option<&str>) -> Fate {
        if !target.may_be_service() {
            return Fate::Works;
        }
        let Some(folder) = folder else { return Fate::Unknown };
        let reach = self.reach(folder);
        let services = reach.texts.iter().filter_map(|path| self.services.get(path)).flatten();
        let mut met = services.filter(|service| target.matches(&service.resource)).peekable();
        if met.peek().is_none() {
            return if reach.complete { Fate::Works } else { Fate::Unknown };
        }
        let failing = met.find_map(|service| {
            let presence = if operation.on_config { service.config } else { service.key };
            let name = service.resource.name.clone().unwrap_or_default();
            (presence != Presence::Stays).then_some(Fate::Fails(name, presence))
        });
        failing.unwrap_or(Fate::Works)
    }

    /// Finds the texts that a kustomization builds from.
    fn reach(&self, folder: &str) -> Reach {
        let mut reach = Reach { texts: HashSet::new(), complete: true };
        let mut folders = HashSet::from([folder.to_owned()]);
        let mut pending = vec![folder.to_owned()];
        while let Some(folder) = pending.pop() {
            let Some(kustomization) = self.kustomizations.get(&folder) else {
                reach.complete = false;
                continue;
            };
            reach.complete &= !kustomization.generates;
            for resource in &kustomization.resources {
                if self.kustomizations.contains_key(resource) {
                    pending.extend(folders.insert(resource.clone()).then(|| resource.clone()));
                } else if self.texts.contains(resource) {
                    reach.texts.insert(resource.clone());
                } else {
                    reach.complete = false;
                }
            }
        }
        reach
    }
}

/// What a kustomization builds from.
struct Reach {
    texts: HashSet<String>,
    /// All of it is in the input.
    complete: bool,
}

impl ServiceFacts {
    fn new<'o>(outline: &'o Outline, lookup: &mut Lookup<'o>, site: &Site, decision: &Decision) -> Self {
        let key = lookup.get(site.spec, KEY);
        let config = lookup.get(site.spec, CONFIG);
        let state = key.map_or(State::Unset, |key| State::read(outline, key.value));
        let acts = matches!(decision.action, Action::Remove | Action::None);
        let key_goes = decision.action == Action::Remove
            && (state.is_sticky() || decision.include_none && state != State::Unknown);
        let config_is_null = |id: NodeId| outline.resolve(id).is_some_and(|id| outline.is_null(id));
        let config_goes = acts && config.is_some_and(|config| state.is_sticky() || !config_is_null(config.value));
        // What comes in through an alias or a merge key may end as an explicit None.
        let presence = |found: Option<crate::merge::Found>, goes| match found {
            None => Presence::Absent,
            Some(found) if goes && found.alias.is_none() && site.via.is_none() => Presence::Goes,
            Some(_) => Presence::Stays,
        };
        Self { resource: site.resource.clone(), key: presence(key, key_goes), config: presence(config, config_goes) }
    }
}

/// Tells whether a stretch of text may hold a Service, a workload, what scales one, or a kustomization.
fn matters(chunk: &[u8]) -> bool {
    let words: [&[u8]; 7] = [b"Service", b"template", b"Pod", b"scaleTargetRef", b"ustomiz", b"resources", b"patches"];
    words.iter().any(|word| memchr::memmem::find(chunk, word).is_some())
}
