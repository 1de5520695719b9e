//! Many charts with many values sets in one run of Helm.
//!
//! Each chart stands once under `charts/` and is named as a dependency once for each values set, under an alias. Another
//! template is no YAML, so that Helm hands over what the templates made, byte for byte.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::bench;
use crate::helm::Helm;
use crate::manifest;

/// A chart to render, and the values sets to render it with.
pub(crate) struct Part<'a> {
    pub name: &'a str,
    pub folder: PathBuf,
    pub sets: &'a [Value],
}

/// What a template made: the part's name, the index of the values set, the template's path in its chart.
pub(crate) type Made = BTreeMap<(String, usize, String), String>;

/// Renders all parts with all their values sets, below `folder`.
pub(crate) fn render(helm: &Helm, folder: &Path, parts: &[Part<'_>]) -> Result<Made, String> {
    let mut description = String::from("apiVersion: v2\nname: umbrella\nversion: 0.1.0\ndependencies:\n");
    let mut values = Map::new();
    let mut aliases = BTreeMap::new();
    for (number, part) in parts.iter().enumerate() {
        let inside = folder.join("charts").join(part.name);
        bench::copy(&part.folder, &inside);
        bench::write(&inside.join("Chart.yaml"), chart_file(part.name));
        for (index, set) in part.sets.iter().enumerate() {
            let alias = format!("p{number}s{index}");
            let _ = writeln!(description, "- {{name: {}, version: 0.1.0, alias: {alias}}}", part.name);
            values.insert(alias.clone(), set.clone());
            aliases.insert(alias, (part.name.to_owned(), index));
        }
    }
    bench::write(&folder.join("Chart.yaml"), description);
    bench::write(&folder.join("values.yaml"), Value::Object(values).to_string());
    bench::write(&folder.join("templates/no-yaml.yaml"), "a: [\n");
    let rendered = helm.raw(folder, &[])?;
    let mut made = Made::new();
    for (source, text) in manifest::raw(&rendered) {
        // umbrella/charts/ALIAS/templates/...
        let mut steps = source.splitn(4, '/').skip(2);
        let (Some(alias), Some(template)) = (steps.next(), steps.next()) else { continue };
        if let Some((name, index)) = aliases.get(alias) {
            made.insert((name.clone(), *index, template.to_owned()), text);
        }
    }
    Ok(made)
}

/// The description of a chart that needs none of its own.
pub(crate) fn chart_file(name: &str) -> String {
    format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n")
}
