//! The values.yaml files of a chart and its sub-charts, and what a key is by default.

use unstick_yaml::{Content, NodeId, Outline, Span, read_yaml};

use crate::affinity::State;
use crate::merge::is_merge;

use super::ChartSet;
use super::path::{Step, ValuesPath};

/// One values.yaml.
pub(crate) struct ValuesFile {
    /// The file.
    pub file: usize,
    /// Its first document; Helm reads no other.
    pub outline: Outline,
    root: NodeId,
}

/// The values.yaml files of all charts of a set, by chart.
pub(crate) struct ValuesFiles {
    files: Vec<Option<ValuesFile>>,
}

/// A place in a values.yaml that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The chart whose values.yaml it is.
    pub chart: usize,
    /// The mapping that holds the key; `None` where the path ends at a list's item.
    pub entry: Option<(NodeId, usize)>,
    /// The value, unresolved.
    pub value: NodeId,
    /// The keys on the way, positions in lists as `[0]`.
    pub keys: Vec<String>,
    /// Some of it is reached through an anchor, or others use it through one.
    pub shared: bool,
}

/// What a key is when users say nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Default {
    /// The keys from the outermost chart's values.
    pub keys: Vec<String>,
    /// What it is there; [`State::Unset`] where no chart sets it.
    pub state: State,
    /// Where it is set; `None` where no chart sets it.
    pub hit: Option<Hit>,
    /// It lies in a list, which users can only replace as a whole.
    pub in_list: bool,
}

/// How far a walk along keys comes.
enum Reach {
    Found(Hit),
    /// Something stands in the way that replaces what lies below in the values of inner charts.
    Blocked,
    Absent,
}

impl ValuesFiles {
    /// Reads the values.yaml of each chart.
    pub(crate) fn new(set: &ChartSet<'_>) -> Self {
        let read = |file: usize| {
            let text = set.text(file);
            let outline = read_yaml(text, Span::new(0, text.len())).into_iter().next()?.ok()?;
            let root = outline.resolve(outline.root?)?;
            Some(ValuesFile { file, outline, root })
        };
        Self { files: set.charts.iter().map(|chart| chart.values.and_then(read)).collect() }
    }

    /// Returns a chart's values.yaml, if it can be read.
    pub(crate) fn get(&self, chart: usize) -> Option<&ValuesFile> {
        self.files[chart].as_ref()
    }

    /// Returns all places in a chart's own values.yaml that a path names.
    pub(crate) fn find(&self, path: &ValuesPath) -> Vec<Hit> {
        let Some(values) = self.get(path.chart) else { return Vec::new() };
        let start = Hit { chart: path.chart, entry: None, value: values.root, keys: Vec::new(), shared: false };
        let mut hits = vec![start];
        for step in &path.steps {
            hits = hits.iter().flat_map(|hit| values.step(hit, step)).collect();
        }
        hits.retain(|hit| !hit.keys.is_empty());
        hits
    }

    /// Returns what a path is by default, as seen from the outermost chart: once for each chain of aliases, and for
    /// each key or item that a `range` in it walks over.
    pub(crate) fn defaults(&self, set: &ChartSet<'_>, path: &ValuesPath) -> Vec<Default> {
        let mut all = Vec::new();
        for chain in path.instances(set) {
            let own = path.steps.len();
            let mut concrete: Vec<Vec<String>> = Vec::new();
            for level in &chain {
                for hit in self.find(level) {
                    let keys = hit.keys[level.steps.len() - own..].to_vec();
                    if !concrete.contains(&keys) {
                        concrete.push(keys);
                    }
                }
            }
            if concrete.is_empty() && path.steps.iter().all(|step| matches!(step, Step::Key(_))) {
                concrete.push(keys_of(&path.steps));
            }
            all.extend(concrete.into_iter().map(|keys| self.default_of(&chain, &keys)));
        }
        all
    }

    fn default_of(&self, chain: &[ValuesPath], own: &[String]) -> Default {
        let outer = &chain[0].steps[..chain[0].steps.len() - own.len()];
        let keys = [keys_of(outer), own.to_vec()].concat();
        let in_list = own.iter().any(|key| key.starts_with('['));
        for level in chain {
            let prefix = keys_of(&level.steps[..level.steps.len() - own.len()]);
            match self.reach(level.chart, &[prefix, own.to_vec()].concat()) {
                Reach::Found(hit) => {
                    let state = self.state(&hit);
                    return Default { keys, state, hit: Some(hit), in_list };
                }
                Reach::Blocked => break,
                Reach::Absent => {}
            }
        }
        Default { keys, state: State::Unset, hit: None, in_list }
    }

    /// Returns what the value of a place means.
    pub(crate) fn state(&self, hit: &Hit) -> State {
        self.get(hit.chart).map_or(State::Unknown, |values| State::read(&values.outline, hit.value))
    }

    fn reach(&self, chart: usize, keys: &[String]) -> Reach {
        let Some(values) = self.get(chart) else { return Reach::Absent };
        let mut hit = Hit { chart, entry: None, value: values.root, keys: Vec::new(), shared: false };
        for key in keys {
            let Some(next) = values.step(&hit, &Step::Key(key.clone())).pop() else {
                let is_mapping = values.outline.resolve(hit.value).map(|id| &values.outline.node(id).content);
                let open = matches!(is_mapping, Some(Content::Mapping { .. }));
                // An empty values.yaml takes nothing away.
                return if open || hit.keys.is_empty() { Reach::Absent } else { Reach::Blocked };
            };
            hit = next;
        }
        Reach::Found(hit)
    }
}

impl ValuesFile {
    /// Goes one step on from a place.
    fn step(&self, hit: &Hit, step: &Step) -> Vec<Hit> {
        let outline = &self.outline;
        let Some(node) = outline.resolve(hit.value) else { return Vec::new() };
        let shared = hit.shared || node != hit.value || self.is_used_elsewhere(node);
        let next = |mapping: Option<(NodeId, usize)>, value: NodeId, key: String, shared: bool| {
            let mut keys = hit.keys.clone();
            keys.push(key);
            Hit { chart: hit.chart, entry: mapping, value, keys, shared }
        };
        match (&outline.node(node).content, step) {
            (Content::Mapping { entries, .. }, Step::Key(key)) => {
                let found = entries.iter().rposition(|entry| outline.key(entry) == Some(key));
                if let Some(at) = found {
                    let doubled = entries.iter().filter(|entry| outline.key(entry) == Some(key)).count() > 1;
                    return vec![next(Some((node, at)), entries[at].value, key.clone(), shared || doubled)];
                }
                let merges = entries.iter().filter(|entry| is_merge(outline, entry)).rev();
                let merged = merges.flat_map(|entry| crate::merge::merged(outline, entry));
                let inner = merged.filter_map(|merged| {
                    let at =
                        outline.entries(merged.mapping).iter().rposition(|entry| outline.key(entry) == Some(key))?;
                    let value = outline.entries(merged.mapping)[at].value;
                    Some(next(Some((merged.mapping, at)), value, key.clone(), true))
                });
                inner.take(1).collect()
            }
            (Content::Mapping { entries, .. }, Step::Each) => {
                let entry = |(at, entry): (usize, &unstick_yaml::Entry)| {
                    let key = outline.key(entry)?;
                    Some(next(Some((node, at)), entry.value, key.to_owned(), shared || is_merge(outline, entry)))
                };
                entries.iter().enumerate().filter_map(entry).collect()
            }
            (Content::Sequence { entries, .. }, Step::Each) => {
                let item =
                    |(at, entry): (usize, &unstick_yaml::Entry)| next(None, entry.value, format!("[{at}]"), shared);
                entries.iter().enumerate().map(item).collect()
            }
            (Content::Sequence { entries, .. }, Step::Key(key)) => {
                let at = key.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
                let item = at.and_then(|at| entries.get(at));
                item.map(|entry| next(None, entry.value, key.clone(), shared)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Tells whether an alias stands for the node.
    fn is_used_elsewhere(&self, node: NodeId) -> bool {
        self.outline.node(node).anchor.is_some()
            && self
                .outline
                .nodes
                .iter()
                .any(|other| matches!(other.content, Content::Alias { target: Some(target), .. } if target == node))
    }
}

fn keys_of(steps: &[Step]) -> Vec<String> {
    let key = |step: &Step| match step {
        Step::Key(key) => key.clone(),
        Step::Each => "*".to_owned(),
    };
    steps.iter().map(key).collect()
}

/// Writes keys as people do.
pub(crate) fn dotted(keys: &[String]) -> String {
    let steps = keys.iter().map(|key| if key == "*" { Step::Each } else { Step::Key(key.clone()) }).collect();
    ValuesPath { chart: 0, steps }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::ChartFile;

    fn defaults(files: &[(&str, &str)], chart: usize, steps: &str) -> Vec<String> {
        let files = files.iter().map(|(path, text)| ChartFile { path, bytes: text.as_bytes() }).collect();
        let set = ChartSet::new(files);
        let step = |step: &str| if step == "*" { Step::Each } else { Step::Key(step.to_owned()) };
        let path = ValuesPath { chart, steps: steps.split('.').map(step).collect() };
        let found = ValuesFiles::new(&set).defaults(&set, &path);
        found.iter().map(|found| format!("{} {:?}", dotted(&found.keys), found.state)).collect()
    }

    const SUB: &[(&str, &str)] = &[
        (
            "Chart.yaml",
            "name: top\ndependencies: [{name: sub, alias: one, version: 1.x}, {name: sub, alias: two, version: 1.x}]",
        ),
        ("values.yaml", "one:\n  s: {a: None}\ntwo:\n  t: null\n"),
        ("charts/sub/Chart.yaml", "name: sub"),
        ("charts/sub/values.yaml", "s: {a: ClientIP}\nt: {a: ClientIP}\n"),
    ];

    #[test]
    fn lets_the_outer_chart_win() {
        assert_eq!(defaults(SUB, 1, "s.a"), ["one.s.a None", "two.s.a Sticky(\"ClientIP\")"]);
        assert_eq!(defaults(SUB, 1, "t.a"), ["one.t.a Sticky(\"ClientIP\")", "two.t.a Unset"]);
        assert_eq!(defaults(SUB, 1, "no.a"), ["one.no.a Unset", "two.no.a Unset"]);
    }

    #[test]
    fn walks_over_mappings_and_lists() {
        let files = [
            ("Chart.yaml", "name: a"),
            ("values.yaml", "m:\n  x: {k: ClientIP}\n  y: {}\nl:\n- k: ClientIP\n- k: \"\"\n"),
        ];
        assert_eq!(defaults(&files, 0, "m.*.k"), ["m.x.k Sticky(\"ClientIP\")"]);
        assert_eq!(defaults(&files, 0, "l.*.k"), ["l[0].k Sticky(\"ClientIP\")", "l[1].k Unset"]);
        assert!(defaults(&files, 0, "n.*.k").is_empty());
    }

    #[test]
    fn knows_what_others_share() {
        let text = "a: &a\n  k: ClientIP\nb: *a\nc:\n  <<: *a\nd: {k: None, k: ClientIP}\ne: {k: None}\n";
        let files = vec![
            ChartFile { path: "Chart.yaml", bytes: b"name: a" },
            ChartFile { path: "values.yaml", bytes: text.as_bytes() },
        ];
        let set = ChartSet::new(files);
        let values = ValuesFiles::new(&set);
        let shared = |key: &str| {
            let hits = values.find(&ValuesPath::root(0).join(&[key.to_owned(), "k".to_owned()]));
            (hits[0].shared, values.state(&hits[0]).is_sticky())
        };
        assert_eq!(
            ["a", "b", "c", "d", "e"].map(shared),
            [(true, true), (true, true), (true, true), (true, true), (false, false)]
        );
    }
}
