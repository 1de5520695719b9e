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

    /// Returns the path as seen from each chart above and from its own: the chart, and the steps in its values.
    ///
    /// The outermost chart comes first, since its values win. A chart that is used under several aliases has several
    /// paths. `global` is shared by all charts of a set.
    pub(crate) fn views(&self, set: &ChartSet<'_>) -> Vec<Self> {
        let mut all = vec![self.clone()];
        let mut level = vec![self.clone()];
        let global = self.steps.first() == Some(&Step::Key("global".into()));
        while let Some(parent) = set.charts[level[0].chart].parent {
            let chart = level[0].chart;
            let mut above = Vec::new();
            for path in &level {
                above.extend(set.charts[chart].prefixes.iter().map(|prefix| {
                    let first = Step::Key(prefix.clone());
                    let steps = std::iter::once(first).chain(path.steps.iter().cloned()).collect();
                    Self { chart: parent, steps }
                }));
            }
            if global {
                above.insert(0, Self { chart: parent, steps: self.steps.clone() });
            }
            all.splice(0..0, above.iter().cloned());
            level = above;
        }
        all
    }

    /// Returns the paths from the outermost chart's values; one for each alias on the way.
    pub(crate) fn outermost(&self, set: &ChartSet<'_>) -> Vec<Self> {
        if self.steps.first() == Some(&Step::Key("global".into())) {
            return vec![Self { chart: 0, steps: self.steps.clone() }];
        }
        self.views(set).into_iter().filter(|view| view.chart == 0).collect()
    }
}

impl fmt::Display for ValuesPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if is_plain(key) => write!(f, "{}{key}", if at == 0 { "" } else { "." })?,
                Step::Key(key) => write!(f, "[{key:?}]")?,
                Step::Each => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
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
