//! One chart of the corpus, made ready to be rendered.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use yaml_rust2::YamlLoader;

use super::sets;
use crate::bench;
use crate::helm::Helm;

/// A copy of a chart with what it needs to render.
pub(crate) struct Chart {
    pub name: String,
    /// A folder that is ours; the chart stands in `original`.
    pub folder: TempDir,
    /// Values without which it does not render, written for these tests.
    pub base: Option<PathBuf>,
    /// More arguments for `helm template`.
    pub arguments: Vec<&'static str>,
    /// Sub-charts that are not at hand, in whose place an empty chart stands.
    pub stubs: Vec<String>,
}

/// Names the charts of the corpus whose templates or values mention affinity.
pub(crate) fn names(corpus: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(corpus.join("charts")).expect("charts").flatten() {
        let files = bench::files(&entry.path());
        let mentions = |file: &PathBuf| {
            file.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "tpl")
                && bench::read(file).contains("sessionAffinity")
        };
        if files.iter().any(mentions) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found.sort();
    found
}

impl Chart {
    pub(crate) fn prepare(corpus: &Path, name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let original = folder.path().join("original");
        bench::copy(&corpus.join("charts").join(name), &original);
        let stubs = add_missing_charts(&original, corpus);
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/charts/values").join(format!("{name}.yaml"));
        let base = base.is_file().then_some(base);
        Self { name: name.to_owned(), folder, base, arguments: Vec::new(), stubs }
    }

    pub(crate) fn original(&self) -> PathBuf {
        self.folder.path().join("original")
    }

    /// Copies a chart of this folder beside it.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let to = self.folder.path().join(name);
        bench::copy(from, &to);
        to
    }

    /// Renders a copy of the chart with its base values and more.
    pub(crate) fn render(&self, helm: &Helm, chart: &Path, values: &Value) -> Result<String, String> {
        let file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
        fs::write(file.path(), values.to_string()).expect("written");
        let files: Vec<&Path> = self.base.as_deref().into_iter().chain([file.path()]).collect();
        helm.template(chart, &files, &self.arguments)
    }

    /// Finds out how the chart renders with its defaults, or why it does not.
    pub(crate) fn settle(&mut self, helm: &Helm) -> Result<(), String> {
        let nothing = serde_json::json!({});
        match self.render(helm, &self.original(), &nothing) {
            Err(words) if words.contains("failing loading") => {
                // Its schema stands on a server.
                self.arguments.push("--skip-schema-validation");
                self.render(helm, &self.original(), &nothing).map(drop)
            }
            other => other.map(drop),
        }
    }
}

/// Puts a chart that renders nothing where a sub-chart is missing, and returns their names. Helm wants each of them to be
/// there, and asks no more of most.
fn add_missing_charts(chart: &Path, corpus: &Path) -> Vec<String> {
    let mut added = Vec::new();
    for file in ["Chart.yaml", "requirements.yaml"] {
        let path = chart.join(file);
        if !path.is_file() {
            continue;
        }
        let documents = YamlLoader::load_from_str(&bench::read(&path)).expect("YAML");
        let description = documents.first().map(sets::from_yaml).unwrap_or_default();
        for dependency in description["dependencies"].as_array().into_iter().flatten() {
            let (Some(name), version) = (dependency["name"].as_str(), &dependency["version"]) else { continue };
            let folder = chart.join("charts").join(name);
            if folder.is_dir() {
                continue;
            }
            let library = corpus.join("charts/bitnami__charts__redis/charts").join(name);
            if library.is_dir() {
                bench::copy(&library, &folder);
            } else {
                let version = lowest(version.as_str().unwrap_or_default());
                let text = format!("apiVersion: v2\nname: {name}\nversion: {version}\n");
                bench::write(&folder.join("Chart.yaml"), text);
                // Parents ask for nothing else.
                let name_template = format!("{{{{- define \"{name}.fullname\" -}}}}{name}{{{{- end -}}}}\n");
                bench::write(&folder.join("templates/_names.tpl"), name_template);
            }
            added.push(name.to_owned());
        }
    }
    added
}

/// Makes a version that a range takes: `^1.2.x` takes `1.2.0`.
fn lowest(range: &str) -> String {
    let first = range.split([' ', ',']).find(|word| word.contains(|c: char| c.is_ascii_digit())).unwrap_or("0.0.0");
    let numbers = first.trim_matches(|c: char| !c.is_ascii_alphanumeric()).split('.');
    let mut numbers: Vec<String> = numbers.map(|number| number.parse::<u32>().unwrap_or(0).to_string()).collect();
    numbers.resize(3, "0".into());
    numbers.join(".")
}
