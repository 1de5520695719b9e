//! Paths of values keys.

use std::fmt;

use super::ChartSet;

/// A path in the values of one chart, such as `servers[*].service.sessionAffinity`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ValuesPath {
    /// The chart whose `.Values` it starts from.
    pub chart: usize,
    /// The steps from there.
    pub steps: Vec<Step>,
}

/// One step of a [`ValuesPath`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    /// A key.
    Key(String),
    /// Any key of a mapping or any item of a list: what a `range` walks over.
    Each,
}

impl ValuesPath {
    /// Makes the path of a chart's whole values.
    pub(crate) const fn root(chart: usize) -> Self {
        Self { chart, steps: Vec::new() }
    }

    /// Returns the path one step further.
    pub(crate) fn with(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self { chart: self.chart, steps }
    }

    /// Returns the path under the keys.
    pub(crate) fn join(&self, keys: &[String]) -> Self {
        keys.iter().fold(self.clone(), |path, key| path.with(Step::Key(key.clone())))
    }

    /// Returns the last key, if it is one.
    pub(crate) fn last_key(&self) -> Option<&str> {
        match self.steps.last()? {
            Step::Key(key) => Some(key),
            Step::Each => None,
        }
    }

    /// Tells whether both may name the same place.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.steps.len() == other.steps.len() && self.is_above(other)
    }

    /// Tells whether `other` may be this place, or lie below it.
    pub(crate) fn is_above(&self, other: &Self) -> bool {
        let same = |(a, b): (&Step, &Step)| a == b || *a == Step::Each || *b == Step::Each;
        self.chart == other.chart
            && self.steps.len() <= other.steps.len()
            && self.steps.iter().zip(&other.steps).all(same)
    }

    /// Tells whether it lies in `global`, which all charts of a set share.
    pub(crate) fn is_global(&self) -> bool {
        self.steps.first() == Some(&Step::Key("global".into()))
    }

    /// Returns how each chart from the outermost to its own names the place; one list for each chain of aliases.
    ///
    /// The values of the outermost chart win.
    pub(crate) fn instances(&self, set: &ChartSet<'_>) -> Vec<Vec<Self>> {
        let mut chains = vec![vec![self.clone()]];
        let mut chart = self.chart;
        while let Some(parent) = set.charts[chart].parent {
            let prefixes = &set.charts[chart].prefixes;
            let above = |chain: &Vec<Self>| -> Vec<Vec<Self>> {
                let outer = &chain[0].steps;
                let with_prefix = |prefix: &String| {
                    let steps = std::iter::once(Step::Key(prefix.clone())).chain(outer.iter().cloned()).collect();
                    [vec![Self { chart: parent, steps }], chain.clone()].concat()
                };
                match self.is_global() {
                    true => vec![[vec![Self { chart: parent, steps: outer.clone() }], chain.clone()].concat()],
                    false => prefixes.iter().map(with_prefix).collect(),
                }
            };
            chains = chains.iter().flat_map(above).take(MAX_CHAINS).collect();
            chart = parent;
        }
        chains
    }

    /// Returns the paths from the outermost chart's values; one for each chain of aliases.
    pub(crate) fn outermost(&self, set: &ChartSet<'_>) -> Vec<Self> {
        self.instances(set).into_iter().filter_map(|chain| chain.into_iter().next()).collect()
    }
}

/// More chains of aliases are not followed: each level may multiply them.
const MAX_CHAINS: usize = 64;

impl fmt::Display for ValuesPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if is_plain(key) => write!(f, "{}{key}", if at == 0 { "" } else { "." })?,
                Step::Key(key) if is_index(key) => f.write_str(key)?,
                Step::Key(key) => write!(f, "[{key:?}]")?,
                Step::Each => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// Returns the step of a key as [`super::values`] writes it; a position in a list may be any.
pub(crate) fn step(key: &str) -> Step {
    if is_index(key) { Step::Each } else { Step::Key(key.to_owned()) }
}

/// Tells whether it is the position in a list that [`super::values`] writes.
fn is_index(key: &str) -> bool {
    let inner = key.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Tells whether a key may stand between dots.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(steps: &[&str]) -> ValuesPath {
        let step = |step: &&str| if *step == "*" { Step::Each } else { Step::Key((*step).into()) };
        ValuesPath { chart: 0, steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn writes_paths_as_people_do() {
        assert_eq!(path(&["servers", "*", "service", "a.b"]).to_string(), "servers[*].service[\"a.b\"]");
    }

    #[test]
    fn meets_what_a_range_walks_over() {
        assert!(path(&["a", "*"]).meets(&path(&["a", "b"])));
        assert!(!path(&["a"]).meets(&path(&["a", "b"])));
        assert!(path(&["a"]).is_above(&path(&["a", "b"])));
        assert!(!path(&["a", "c"]).is_above(&path(&["a", "b"])));
    }
}
