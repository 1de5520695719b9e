//! From the files of a folder to charts and sub-charts.

use std::collections::HashMap;

use unstick_yaml::{ActionKind, Content, NodeId, Operand, Outline, Span, Template, TemplateError, parse_expression};

use super::ChartFile;
use super::ignore::Ignore;

/// A chart with its unpacked sub-charts.
pub(crate) struct ChartSet<'a> {
    /// All files, in the order given.
    pub files: Vec<ChartFile<'a>>,
    /// For each file, its template where it is one that Go can read.
    pub templates: Vec<Option<Template>>,
    /// Templates that Go cannot read, by file.
    pub faults: Vec<(usize, TemplateError)>,
    /// The charts; a parent stands before its sub-charts, and the first is the outermost.
    pub charts: Vec<Chart>,
    /// For each file, the innermost chart that holds it.
    pub owners: Vec<Option<usize>>,
    /// For each name, the files and blocks that `define` it, in the order of the files.
    pub defines: HashMap<String, Vec<(usize, usize)>>,
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
    /// Its values stand under these keys of the parent's values: its aliases, or its name. Empty for the outermost.
    pub prefixes: Vec<String>,
    /// For each prefix, the `condition` that switches it on: paths in the parent's values, with commas between them.
    pub conditions: Vec<Option<String>>,
    /// Keys of dependencies that are not unpacked here: what stands under them is read by templates that cannot be seen.
    pub absent: Vec<String>,
    /// `type: library`: its defines serve others, and its manifests are not rendered.
    pub library: bool,
    /// Its values.yaml.
    pub values: Option<usize>,
    /// Its values.schema.json.
    pub schema: Option<usize>,
    /// The files under templates/ that Helm renders or reads defines from.
    pub templates: Vec<usize>,
}

/// An entry of `dependencies`.
struct Dependency {
    name: String,
    alias: Option<String>,
    condition: Option<String>,
    /// The range of versions; Helm takes nothing for a dependency without one.
    version: Option<String>,
}

impl Dependency {
    /// Returns the key of the parent's values that its values stand under.
    fn prefix(&self) -> String {
        self.alias.clone().unwrap_or_else(|| self.name.clone())
    }

    /// Tells whether a chart of that name and version serves it; ranges are taken to hold.
    fn takes(&self, name: &str, version: Option<&str>) -> bool {
        let is_exact = |range: &str| {
            range.matches('.').count() == 2
                && range.split('.').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let fits = |range: &String| !is_exact(range) || version.is_none_or(|version| version == range);
        self.name == name && self.version.as_ref().is_some_and(fits)
    }
}

impl<'a> ChartSet<'a> {
    /// Reads the layout of a chart's folder; without a Chart.yaml at its root there is no chart.
    ///
    /// As in Helm, all that stands under `templates/` is a template, whatever its ending, unless the outermost
    /// chart's .helmignore leaves it out; sub-charts are the folders of `charts/` with a Chart.yaml.
    pub(crate) fn new(files: Vec<ChartFile<'a>>) -> Self {
        let places: HashMap<&str, usize> = files.iter().enumerate().map(|(at, file)| (file.path, at)).collect();
        let ignore = Ignore::new(places.get(".helmignore").map_or(&[][..], |at| files[*at].bytes));
        let mut charts = Vec::new();
        let mut dependencies = Vec::new();
        for folder in chart_folders(&places, &ignore) {
            let (chart, needs) = read_chart(&files, &places, &ignore, &folder, &charts, &dependencies);
            charts.push(chart);
            dependencies.push(needs);
        }
        for (at, needs) in dependencies.iter().enumerate() {
            let present = |need: &Dependency| {
                charts.iter().any(|chart: &Chart| chart.parent == Some(at) && chart.prefixes.contains(&need.prefix()))
            };
            let absent = needs.iter().filter(|need| !present(need)).map(Dependency::prefix).collect();
            charts[at].absent = absent;
        }
        let owners: Vec<Option<usize>> = files.iter().map(|file| owner(&charts, file.path)).collect();
        let mut set = Self {
            templates: vec![None; files.len()],
            faults: Vec::new(),
            defines: HashMap::new(),
            files,
            charts,
            owners,
        };
        for file in 0..set.files.len() {
            if !ignore.holds(set.files[file].path) {
                set.add_template(file);
            }
        }
        set
    }

    /// Takes in a file if it is a template.
    fn add_template(&mut self, file: usize) {
        let Some(owner) = self.owners[file] else { return };
        let chart = &mut self.charts[owner];
        let within = &self.files[file].path[chart.folder.len()..];
        if !within.starts_with("templates/") {
            return;
        }
        chart.templates.push(file);
        match Template::read(self.files[file].bytes) {
            Ok(template) => {
                for (block, name) in defines(&template, self.files[file].bytes) {
                    self.defines.entry(name).or_default().push((file, block));
                }
                self.templates[file] = Some(template);
            }
            Err(error) => self.faults.push((file, error)),
        }
    }

    /// Returns the bytes of a file.
    pub(crate) fn text(&self, file: usize) -> &'a [u8] {
        self.files[file].bytes
    }

    /// Tells whether Helm prints what a template renders to: not that of a partial or of a library chart.
    pub(crate) fn is_printed(&self, file: usize) -> bool {
        let path = self.files[file].path;
        let name = path.rsplit('/').next().unwrap_or(path);
        let library = self.owners[file].is_some_and(|owner| self.charts[owner].library);
        !library && !name.starts_with('_')
    }
}

/// Returns the folders of all charts, each with a slash at its end, parents first.
fn chart_folders(places: &HashMap<&str, usize>, ignore: &Ignore) -> Vec<String> {
    let folders = places.keys().filter_map(|path| path.strip_suffix("Chart.yaml"));
    let known: Vec<&str> = folders.filter(|folder| folder.is_empty() || folder.ends_with('/')).collect();
    let is_chart = |folder: &str| known.contains(&folder) && !ignore.holds(&format!("{folder}Chart.yaml"));
    let mut found: Vec<String> = known
        .iter()
        .filter(|folder| ancestors(folder).is_some_and(|all| all.into_iter().all(is_chart)))
        .map(|folder| (*folder).to_owned())
        .collect();
    found.sort_by(|a, b| (a.matches('/').count(), a).cmp(&(b.matches('/').count(), b)));
    found
}

/// Returns the folders of the charts above a chart's folder and itself, or `None` where it is no sub-chart's folder.
fn ancestors(folder: &str) -> Option<Vec<&str>> {
    let mut all = vec![folder];
    let mut rest = folder;
    while !rest.is_empty() {
        let (parent, name) = split_folder(rest)?;
        if name.starts_with(['_', '.']) {
            return None;
        }
        all.push(parent);
        rest = parent;
    }
    Some(all)
}

/// Splits `a/charts/b/` into `a/` and `b`.
fn split_folder(folder: &str) -> Option<(&str, &str)> {
    let inner = folder.strip_suffix('/')?;
    let (above, name) = inner.rsplit_once('/')?;
    let parent = above.strip_suffix("charts")?;
    (parent.is_empty() || parent.ends_with('/')).then_some((parent, name))
}

fn read_chart(
    files: &[ChartFile<'_>],
    places: &HashMap<&str, usize>,
    ignore: &Ignore,
    folder: &str,
    charts: &[Chart],
    dependencies: &[Vec<Dependency>],
) -> (Chart, Vec<Dependency>) {
    let find = |name: &str| {
        let path = format!("{folder}{name}");
        places.get(path.as_str()).copied().filter(|_| !ignore.holds(&path))
    };
    let read = |name: &str| find(name).and_then(|at| first_document(files[at].bytes));
    let about = read("Chart.yaml");
    let field = |name: &str| {
        let (outline, root) = about.as_ref()?;
        outline.text(*root, name).map(str::to_owned)
    };
    let (above, last) = split_folder(folder).unwrap_or(("", ""));
    let parent = charts.iter().position(|chart| chart.folder == above && !folder.is_empty());
    let name = field("name").unwrap_or_else(|| last.to_owned());
    let version = field("version");
    let named: Vec<&Dependency> = parent
        .into_iter()
        .flat_map(|parent| &dependencies[parent])
        .filter(|need| need.takes(&name, version.as_deref()))
        .collect();
    let (prefixes, conditions) = if named.is_empty() && parent.is_some() {
        (vec![name.clone()], vec![None])
    } else {
        (named.iter().map(|need| need.prefix()).collect(), named.iter().map(|need| need.condition.clone()).collect())
    };
    let mut needs = about.as_ref().map_or_else(Vec::new, |(outline, root)| read_dependencies(outline, *root));
    needs.extend(read("requirements.yaml").iter().flat_map(|(outline, root)| read_dependencies(outline, *root)));
    let chart = Chart {
        folder: folder.to_owned(),
        name,
        parent,
        prefixes,
        conditions,
        absent: Vec::new(),
        library: field("type").as_deref() == Some("library"),
        values: find("values.yaml"),
        schema: find("values.schema.json"),
        templates: Vec::new(),
    };
    (chart, needs)
}

fn read_dependencies(outline: &Outline, root: NodeId) -> Vec<Dependency> {
    let Some(list) = outline.value(root, "dependencies") else { return Vec::new() };
    let read = |item: NodeId| {
        let field = |name: &str| outline.text(item, name).filter(|text| !text.is_empty()).map(str::to_owned);
        let (alias, condition, version) = (field("alias"), field("condition"), field("version"));
        Some(Dependency { name: field("name")?, alias, condition, version })
    };
    outline.items(list).iter().filter_map(|item| read(outline.resolve(item.value)?)).collect()
}

/// Returns the first document of a YAML text, if it is a mapping.
pub(crate) fn first_document(text: &[u8]) -> Option<(Outline, NodeId)> {
    let read = unstick_yaml::read_yaml(text, Span::new(0, text.len()));
    let outline = read.into_iter().next()?.ok()?;
    let root = outline.resolve(outline.root?)?;
    matches!(outline.node(root).content, Content::Mapping { .. }).then_some((outline, root))
}

fn owner(charts: &[Chart], path: &str) -> Option<usize> {
    let holding = charts.iter().enumerate().filter(|(_, chart)| path.starts_with(&chart.folder));
    holding.max_by_key(|(_, chart)| chart.folder.len()).map(|(at, _)| at)
}

/// Returns the blocks that define a name, and the names.
fn defines(template: &Template, text: &[u8]) -> Vec<(usize, String)> {
    let named = |block: &unstick_yaml::Block| {
        if !matches!(block.kind, ActionKind::Define | ActionKind::Block) {
            return None;
        }
        let action = template.action(block.branches[0].header)?;
        let expression = parse_expression(text, action.pipeline(text)).ok()?;
        match expression.pipeline.commands.first()?.operands.first()? {
            Operand::String(name) => Some(name.clone()),
            _ => None,
        }
    };
    template.blocks.iter().enumerate().filter_map(|(at, block)| Some((at, named(block)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files<'a>(list: &[(&'a str, &'a str)]) -> Vec<ChartFile<'a>> {
        list.iter().map(|(path, text)| ChartFile { path, bytes: text.as_bytes() }).collect()
    }

    #[test]
    fn finds_charts_with_their_prefixes() {
        let set = ChartSet::new(files(&[
            ("charts/redis/charts/deep/Chart.yaml", "name: deep"),
            ("charts/redis/charts/deep/templates/a.yaml", "a: 1"),
            ("charts/redis/Chart.yaml", "name: redis\nversion: 1.0.0\n"),
            ("charts/redis/values.yaml", "a: 1"),
            (
                "Chart.yaml",
                "name: top\napiVersion: v2\ndependencies:\n- name: redis\n  version: 1.x\n  alias: one\n  condition: one.on\n\
                            - {name: redis, alias: two, version: ~1}\n- {name: redis, alias: no}\n- {name: redis, alias: old, version: 0.1.0}\n- {name: lib, version: \"*\"}\n- {name: gone, version: 1.0.0}\n",
            ),
            ("charts/lib/Chart.yaml", "name: lib\ntype: library\n"),
            ("charts/lib/templates/_a.tpl", "{{ define \"lib.a\" }}{{ end }}"),
            ("charts/_off/Chart.yaml", "name: off"),
            ("files/Chart.yaml", "name: none"),
            ("templates/service.yaml", "{{ if .a }}"),
            ("templates/NOTES.txt", "hi"),
        ]));
        let names: Vec<&str> = set.charts.iter().map(|chart| chart.name.as_str()).collect();
        assert_eq!(names, ["top", "lib", "redis", "deep"]);
        assert_eq!(set.charts[2].prefixes, ["one", "two"]);
        assert_eq!(set.charts[2].conditions, [Some("one.on".to_owned()), None]);
        assert_eq!(set.charts[3].prefixes, ["deep"]);
        assert_eq!(set.charts[3].parent, Some(2));
        assert_eq!(set.charts[0].absent, ["no", "old", "gone"]);
        assert!(set.charts[1].library && set.charts[0].prefixes.is_empty());
        assert_eq!(set.charts[2].values, Some(3));
        assert_eq!(
            set.owners,
            [Some(3), Some(3), Some(2), Some(2), Some(0), Some(1), Some(1), Some(0), Some(0), Some(0), Some(0)]
        );
        assert_eq!(set.faults.iter().map(|(file, _)| *file).collect::<Vec<_>>(), [9]);
        assert_eq!(set.charts[0].templates, [9, 10]);
        assert_eq!(set.defines["lib.a"], [(6, 0)]);
        assert!(set.is_printed(10) && !set.is_printed(6));
    }

    #[test]
    fn reads_requirements_of_old_charts() {
        let set = ChartSet::new(files(&[
            ("Chart.yaml", "name: top\napiVersion: v1"),
            ("requirements.yaml", "dependencies:\n- name: db\n  version: 1.x\n  alias: store\n"),
            ("charts/db/Chart.yaml", "name: db"),
        ]));
        assert_eq!(set.charts[1].prefixes, ["store"]);
    }

    #[test]
    fn leaves_out_what_helm_ignores() {
        let set = ChartSet::new(files(&[
            ("Chart.yaml", "name: top"),
            (".helmignore", "# old\n*.bak\ncharts/off/\n"),
            ("templates/a.yaml", ""),
            ("templates/a.yaml.bak", "{{"),
            ("templates/.hidden", "{{"),
            ("charts/off/Chart.yaml", "name: off"),
        ]));
        assert_eq!(set.charts.len(), 1);
        assert_eq!(set.charts[0].templates, [2]);
        assert!(set.faults.is_empty());
        assert!(ChartSet::new(files(&[("a/Chart.yaml", "name: a")])).charts.is_empty());
    }
}
