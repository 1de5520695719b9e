//! `unstick values`: what users of a chart can set.

use std::fs;
use std::path::{Path, PathBuf};

use unstick::{ChartFile, Finding, Plan, ValuesOverride};
use unstick_report::FileReport;

use crate::archive::{self, PackedFile};
use crate::error::Error;
use crate::input::with_slashes;
use crate::run::Run;
use crate::unit::CHART_FILE;
use crate::walk;

pub(crate) fn execute(run: &mut Run, path: &Path) -> Result<(), Error> {
    let files = load(run, path)?;
    let chart: Vec<ChartFile<'_>> =
        files.iter().map(|file| ChartFile { path: &file.path, bytes: &file.bytes }).collect();
    let found = ValuesOverride::new(&chart, &run.policy, run.all);
    if !found.unreached.is_empty() {
        run.set_found();
    }
    let mut told: Vec<(usize, Finding)> = found.unreached.into_iter().chain(found.unknown).collect();
    told.sort_by_key(|(file, finding)| (*file, finding.span));
    for group in told.chunk_by(|a, b| a.0 == b.0) {
        let file = &files[group[0].0];
        let plan = Plan { findings: group.iter().map(|(_, finding)| finding.clone()).collect(), ..Plan::default() };
        let shown = with_slashes(&path.join(&file.path).to_string_lossy());
        let report = FileReport { path: &shown, text: &file.bytes, plan: &plan, of_chart: true };
        run.tell(report);
        run.add(report);
    }
    run.without_summary();
    run.print(found.yaml.as_bytes())
}

/// Reads a chart's folder or archive, with the archives in its `charts/`.
fn load(run: &mut Run, path: &Path) -> Result<Vec<PackedFile>, Error> {
    if !path.is_dir() {
        return archive::read(path);
    }
    if !path.join(CHART_FILE).is_file() {
        return Err(Error::NoChart { path: path.to_owned() });
    }
    let inside = fs::canonicalize(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    for input in walk::files(run, path) {
        let name = input.target().strip_prefix(&inside).unwrap_or_else(|_| input.target()).to_owned();
        if name.file_name().is_some_and(|name| name == CHART_FILE) {
            folders.extend(name.parent().map(Path::to_owned));
        }
        match input.load() {
            Ok(loaded) => files.push(PackedFile { path: with_slashes(&name.to_string_lossy()), bytes: loaded.bytes }),
            Err(error) => run.fail(&error),
        }
    }
    for folder in folders {
        for packed in archive::in_charts(&inside.join(&folder)) {
            let stem = packed.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let below = folder.join("charts").join(stem.trim_end_matches(".tgz").trim_end_matches(".tar.gz"));
            match archive::read(&packed) {
                Ok(inner) => {
                    files.extend(inner.into_iter().map(|file| PackedFile {
                        path: with_slashes(&below.join(&file.path).to_string_lossy()),
                        ..file
                    }))
                }
                Err(error) => run.fail(&error),
            }
        }
    }
    Ok(files)
}
