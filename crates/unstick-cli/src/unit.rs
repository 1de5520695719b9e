//! What is planned at once: a file on its own, or a chart with all its files.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use unstick::{ChartFile, ChartPlan, Finding, Outcome, Plan, Policy, Source};

use crate::archive;
use crate::error::Error;
use crate::input::{Input, Loaded, with_slashes};
use crate::survey::Advisor;

/// What is planned at once.
#[derive(Debug)]
pub(crate) enum Unit {
    /// One text.
    File(Input),
    /// A chart's folder.
    Chart(ChartUnit),
    /// A chart's archive, which is read only.
    Archive(Input),
}

/// A chart's folder.
#[derive(Debug)]
pub(crate) struct ChartUnit {
    /// The folder, without links on the way.
    root: PathBuf,
    /// The files that bear on it, sorted.
    files: Vec<Input>,
    /// The files that were asked for; all of them where it is empty.
    wanted: HashSet<PathBuf>,
}

/// One text with its plan.
pub(crate) struct Planned {
    pub input: Input,
    /// The text is one of a chart's, which change together.
    pub of_chart: bool,
    pub result: Result<(Loaded, Plan), Error>,
}

impl Unit {
    /// Reads and plans all texts of the unit.
    pub(crate) fn plan(&self, policy: &Policy, advisor: &Advisor) -> Vec<Planned> {
        match self {
            Self::File(input) => {
                vec![Planned { input: input.clone(), of_chart: false, result: plan_file(input, policy, advisor) }]
            }
            Self::Chart(chart) => chart.plan(policy, advisor),
            Self::Archive(input) => plan_archive(input, policy, advisor),
        }
    }

    /// Returns the text that stands on its own.
    pub(crate) fn input(&self) -> Option<&Input> {
        match self {
            Self::File(input) => Some(input),
            Self::Chart(_) | Self::Archive(_) => None,
        }
    }

    /// Returns the path by which units are sorted.
    pub(crate) fn place(&self) -> &Path {
        match self {
            Self::File(input) | Self::Archive(input) => input.target(),
            Self::Chart(chart) => &chart.root,
        }
    }
}

fn plan_file(input: &Input, policy: &Policy, advisor: &Advisor) -> Result<(Loaded, Plan), Error> {
    let loaded = input.load()?;
    let path = input.shown();
    let source = Source { path: Some(&path), bytes: &loaded.bytes };
    let mut plan = Plan::new(source, policy);
    plan.advise(source, policy, &advisor.survey, advisor.advice);
    Ok((loaded, plan))
}

/// Plans what an archive holds; what would be changed is noted, since nothing of it is written.
fn plan_archive(archive: &Input, policy: &Policy, advisor: &Advisor) -> Vec<Planned> {
    let files = match archive::read(archive.target()) {
        Ok(files) => files,
        Err(error) => return vec![Planned { input: archive.clone(), of_chart: true, result: Err(error) }],
    };
    let chart: Vec<ChartFile<'_>> =
        files.iter().map(|file| ChartFile { path: &file.path, bytes: &file.bytes }).collect();
    let plans = ChartPlan::new(&chart, policy).files;
    let planned = files.into_iter().zip(plans).filter_map(|(file, mut plan)| {
        let source = Source { path: Some(&file.path), bytes: &file.bytes };
        plan.advise(source, policy, &advisor.survey, advisor.advice);
        plan.edits = unstick_yaml::EditSet::new();
        plan.findings.iter_mut().for_each(note_only);
        // What says nothing of a file in an archive would only add its name to the count.
        (!plan.findings.is_empty()).then(|| Planned {
            input: archive.inside(&file.path, &file.bytes),
            of_chart: true,
            result: Ok((Loaded { bytes: file.bytes, metadata: None }, plan)),
        })
    });
    planned.collect()
}

fn note_only(finding: &mut Finding) {
    if finding.outcome == Outcome::Changed {
        finding.outcome = Outcome::Noted;
        finding.message = format!("in an archive, which is not written: {}", finding.message);
        finding.help = Some("unstick values prints the values of the chart that switch it off".into());
    }
}

impl ChartUnit {
    fn plan(&self, policy: &Policy, advisor: &Advisor) -> Vec<Planned> {
        let loaded: Vec<Result<Loaded, Error>> = self.files.iter().map(Input::load).collect();
        let names: Vec<String> = self.files.iter().map(|input| self.name(input)).collect();
        let read = names.iter().zip(&loaded).filter_map(|(name, loaded)| {
            loaded.as_ref().ok().map(|loaded| ChartFile { path: name, bytes: &loaded.bytes })
        });
        let mut plans = ChartPlan::new(&read.collect::<Vec<_>>(), policy).files.into_iter();
        let planned = self.files.iter().zip(loaded).map(|(input, loaded)| Planned {
            input: input.clone(),
            of_chart: true,
            // A file that was read has a plan.
            result: loaded.map(|loaded| {
                let mut plan = plans.next().unwrap_or_default();
                let name = self.name(input);
                let source = Source { path: Some(&name), bytes: &loaded.bytes };
                plan.advise(source, policy, &advisor.survey, advisor.advice);
                (loaded, plan)
            }),
        });
        let all: Vec<Planned> = planned.collect();
        let wanted = |planned: &Planned| self.wanted.is_empty() || self.wanted.contains(planned.input.target());
        all.into_iter().filter(wanted).collect()
    }

    fn name(&self, input: &Input) -> String {
        let path = input.target();
        with_slashes(&path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy())
    }
}

/// The name of the file that makes a folder a chart.
pub(crate) const CHART_FILE: &str = "Chart.yaml";

/// Puts the files of charts together; `wanted` are named files that stand for themselves only.
///
/// A chart in another chart's `charts/` belongs to it; one anywhere else inside it stands on its own.
pub(crate) fn group(files: Vec<Input>, wanted: &HashSet<PathBuf>) -> Vec<Unit> {
    let roots = roots(&files);
    let archives = if wanted.is_empty() { archives(&files) } else { Vec::new() };
    let mut charts: BTreeMap<PathBuf, ChartUnit> = BTreeMap::new();
    let mut units = Vec::new();
    for input in files {
        let Some(root) = root_of(&roots, input.target()) else {
            units.push(Unit::File(input));
            continue;
        };
        let chart = charts.entry(root.clone()).or_insert_with(|| ChartUnit {
            root: root.clone(),
            files: Vec::new(),
            wanted: wanted.iter().filter(|path| path.starts_with(&root)).cloned().collect(),
        });
        chart.files.push(input);
    }
    units.extend(charts.into_values().map(Unit::Chart));
    units.extend(archives.into_iter().map(Unit::Archive));
    units.sort_by(|a, b| a.place().cmp(b.place()));
    units
}

/// Returns the archives in the `charts/` of all charts.
fn archives(files: &[Input]) -> Vec<Input> {
    let folder = |file: &Input| match file {
        Input::File { path, target } if target.file_name().is_some_and(|name| name == CHART_FILE) => {
            Some((path.parent()?.to_owned(), target.parent()?.to_owned()))
        }
        _ => None,
    };
    let charts = files.iter().filter_map(folder);
    let found = charts.flat_map(|(path, target)| {
        archive::in_charts(&target).into_iter().map(move |target_file| {
            let name = target_file.file_name().unwrap_or_default();
            Input::File { path: path.join("charts").join(name), target: target_file }
        })
    });
    found.collect()
}

fn roots(files: &[Input]) -> HashSet<PathBuf> {
    let charts = files.iter().map(Input::target).filter(|path| path.file_name().is_some_and(|name| name == CHART_FILE));
    charts.filter_map(Path::parent).map(Path::to_owned).collect()
}

/// Returns the folder of the outermost chart that a file belongs to.
fn root_of(roots: &HashSet<PathBuf>, file: &Path) -> Option<PathBuf> {
    let mut root = file.ancestors().skip(1).find(|folder| roots.contains(*folder))?;
    while let Some(outer) = outer_chart(roots, root) {
        root = outer;
    }
    Some(root.to_owned())
}

/// Returns the chart whose `charts/` holds this one.
fn outer_chart<'p>(roots: &HashSet<PathBuf>, root: &'p Path) -> Option<&'p Path> {
    let charts = root.parent()?;
    let outer = charts.parent()?;
    (charts.file_name().is_some_and(|name| name == "charts") && roots.contains(outer)).then_some(outer)
}

/// Returns the outermost chart's folder that a named file stands in, by looking at the folders above it.
pub(crate) fn chart_around(file: &Path) -> Option<PathBuf> {
    let is_chart = |folder: &Path| folder.join(CHART_FILE).is_file();
    let mut root = file.ancestors().skip(1).find(|folder| is_chart(folder))?;
    while let Some(outer) = root.parent().filter(|charts| charts.file_name().is_some_and(|name| name == "charts")) {
        match outer.parent().filter(|outer| is_chart(outer)) {
            Some(outer) => root = outer,
            None => break,
        }
    }
    Some(root.to_owned())
}
