//! From the files of a folder to charts and sub-charts.

use unstick_yaml::Template;

use super::ChartFile;

/// A chart with its unpacked sub-charts.
pub(crate) struct ChartSet<'a> {
    /// All files, in the order given.
    pub files: Vec<ChartFile<'a>>,
    /// For each file, its template where it is one that Go can read.
    pub templates: Vec<Option<Template>>,
    /// The charts; a parent stands before its sub-charts.
    pub charts: Vec<Chart>,
    /// For each file, the chart that holds it.
    pub owners: Vec<Option<usize>>,
}

/// One chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chart {
    /// Path of its folder with a slash at the end; empty for the outermost.
    pub folder: String,
    /// `name` in Chart.yaml; the folder's name where it has none.
    pub name: String,
    /// The chart that holds it under `charts/`.
    pub parent: Option<usize>,
    /// Its values stand under these keys of the parent's values: its aliases, or its name.
    pub prefixes: Vec<String>,
    /// `type: library`.
    pub library: bool,
    /// Its values.yaml.
    pub values: Option<usize>,
    /// Its values.schema.json.
    pub schema: Option<usize>,
    /// The files under templates/ that Helm renders or reads defines from.
    pub templates: Vec<usize>,
}
