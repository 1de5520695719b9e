//! From named paths to files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::archive;
use crate::error::Error;
use crate::input::Input;
use crate::run::Run;
use crate::unit::{self, CHART_FILE, Unit};

/// Endings of the files that are read in a folder.
const ENDINGS: &[&str] = &["yaml", "yml", "json"];

/// Returns what the paths name, each file once: files as they are, and the charts and manifests in folders, sorted.
///
/// A named file of a chart is planned with its chart, and alone reported.
///
/// Ignore files of git are respected, and hidden files are passed over. A link in a folder is never followed out of
/// it; one to a file inside stands for that file, and what a linked folder inside holds is read in its own place. A
/// path that cannot be read is told, and the others are read all the same.
///
/// # Errors
///
/// [`Error::ReportIsInput`] where a named file is the run's report.
pub(crate) fn units(run: &mut Run, paths: &[PathBuf]) -> Result<Vec<Unit>, Error> {
    let mut units = Vec::new();
    let mut seen = HashSet::new();
    let report = run.report_path().and_then(|path| fs::canonicalize(path).ok());
    let mut stdin = Some(Input::Stdin);
    for path in paths {
        if path.as_os_str() == "-" {
            units.extend(stdin.take().map(Unit::File));
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let mut files = walk(run, path);
                files.retain(|file| report.as_deref() != Some(file.target()));
                if files.is_empty() {
                    run.warn(&format!("there are no manifests (*.yaml, *.yml, *.json) in {}", path.display()));
                }
                files.retain(|file| seen.insert(file.target().to_owned()));
                units.extend(unit::group(files, &HashSet::new()));
            }
            Ok(metadata) => {
                let file = Input::named(path);
                if metadata.is_file() && report.as_deref() == Some(file.target()) {
                    return Err(Error::ReportIsInput { path: path.clone() });
                }
                if seen.insert(file.target().to_owned()) {
                    units.push(named_unit(run, file));
                }
            }
            Err(source) => run.fail(&Error::Read { path: path.clone(), source }),
        }
    }
    Ok(units)
}

/// Returns the files of a folder: its manifests, and all that bears on the charts in it, sorted.
pub(crate) fn files(run: &mut Run, root: &Path) -> Vec<Input> {
    walk(run, root)
}

/// Returns the unit of a named file: with its chart, where it is a template of one.
fn named_unit(run: &mut Run, file: Input) -> Unit {
    let target = file.target().to_owned();
    if archive::is_archive(&target) {
        return Unit::Archive(file);
    }
    let chart = is_template(&target).then(|| unit::chart_around(&target)).flatten();
    let Some(root) = chart else { return Unit::File(file) };
    let mut files = walk(run, &root);
    // The name that was given is the one to show; ignored files are asked for by naming them.
    files.retain(|other| other.target() != target);
    files.push(file.clone());
    files.sort_unstable_by(|a, b| a.target().cmp(b.target()));
    let wanted = HashSet::from([target]);
    unit::group(files, &wanted).into_iter().find(|unit| unit.place() == root).unwrap_or(Unit::File(file))
}

/// Tells whether a path lies under a folder named `templates`.
fn is_template(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.components().any(|part| part.as_os_str() == "templates"))
}

/// What a walk meets.
#[derive(Default)]
struct Met {
    files: Vec<PathBuf>,
    /// Files that matter in a chart only.
    others: Vec<PathBuf>,
    links: Vec<PathBuf>,
    faults: Vec<String>,
}

/// Returns the manifests in a folder, and all that bears on its charts, sorted.
fn walk(run: &mut Run, root: &Path) -> Vec<Input> {
    let mut met = meet(root);
    met.faults.sort_unstable();
    for fault in met.faults {
        run.fail(&Error::Walk { fault });
    }
    // The folder was found to be one: only a race can make this fail.
    let inside = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let file = |path: PathBuf| {
        let target = inside.join(path.strip_prefix(root).unwrap_or(&path));
        (path, target)
    };
    let charts: Vec<&Path> =
        met.files.iter().filter(|file| is_chart_file(file)).filter_map(|file| file.parent()).collect();
    let charts: HashSet<PathBuf> = charts.into_iter().map(Path::to_owned).collect();
    met.others.retain(|file| file.ancestors().any(|folder| charts.contains(folder)));
    met.others.extend(charts.iter().map(|chart| chart.join(".helmignore")).filter(|file| file.is_file()));
    let mut files: Vec<(PathBuf, PathBuf)> = met.files.into_iter().chain(met.others).map(file).collect();
    met.links.sort_unstable();
    for link in met.links {
        match follow(&link, &inside) {
            Ok(Some(relative)) => files.push((root.join(&relative), inside.join(&relative))),
            Ok(None) => {}
            Err(reason) => run.warn(&format!("{} {reason}: it is left out", link.display())),
        }
    }
    files.sort_unstable();
    files.dedup();
    files.into_iter().map(|(path, target)| Input::File { path, target }).collect()
}

fn meet(root: &Path) -> Met {
    let met = Mutex::new(Met::default());
    let walker = WalkBuilder::new(root).follow_links(false).require_git(false).build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            if let Ok(mut met) = met.lock() {
                match entry {
                    Ok(entry) => note(&mut met, &entry),
                    Err(fault) => met.faults.push(fault.to_string()),
                }
            }
            WalkState::Continue
        })
    });
    met.into_inner().unwrap_or_default()
}

fn note(met: &mut Met, entry: &DirEntry) {
    let Some(kind) = entry.file_type() else { return };
    if kind.is_symlink() && entry.depth() > 0 {
        met.links.push(entry.path().to_owned());
    } else if kind.is_file() && is_manifest(entry.path()) {
        met.files.push(entry.path().to_owned());
    } else if kind.is_file() && bears_on_chart(entry.path()) {
        met.others.push(entry.path().to_owned());
    }
}

fn is_chart_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == CHART_FILE)
}

/// Tells whether a file that is no manifest has a part in a chart: a template, or a text about it.
fn bears_on_chart(path: &Path) -> bool {
    const ENDINGS: &[&str] = &["tpl", "txt", "md", "gotmpl"];
    is_template(path)
        || path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Returns the path inside the folder of the file that a link stands for, or `None` where the link is none of the
/// run's business.
fn follow(link: &Path, inside: &Path) -> Result<Option<PathBuf>, &'static str> {
    let target = match fs::canonicalize(link) {
        Ok(target) => target,
        Err(_) if is_manifest(link) => return Err("is a link that leads nowhere"),
        Err(_) => return Ok(None),
    };
    let folder = target.is_dir();
    match target.strip_prefix(inside) {
        Ok(relative) => Ok((!folder && is_manifest(link)).then(|| relative.to_owned())),
        Err(_) if folder || is_manifest(link) => Err("is a link out of the folder"),
        Err(_) => Ok(None),
    }
}
