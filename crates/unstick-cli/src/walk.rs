//! From named paths to files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::error::Error;
use crate::input::Input;
use crate::run::Run;

/// Endings of the files that are read in a folder.
const ENDINGS: &[&str] = &["yaml", "yml", "json"];

/// Returns the inputs that the paths name, each file once: files as they are, and the manifests in folders, sorted.
///
/// Ignore files of git are respected, and hidden files are passed over. A link in a folder is never followed out of
/// it; one to a file inside stands for that file, and what a linked folder inside holds is read in its own place. A
/// path that cannot be read is told, and the others are read all the same.
///
/// # Errors
///
/// [`Error::ReportIsInput`] where a named file is the run's report.
pub(crate) fn inputs(run: &mut Run, paths: &[PathBuf]) -> Result<Vec<Input>, Error> {
    let mut inputs = Vec::new();
    let mut seen = HashSet::new();
    let report = run.report_path().and_then(|path| fs::canonicalize(path).ok());
    let mut stdin = Some(Input::Stdin);
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.extend(stdin.take());
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let mut files = walk(run, path);
                files.retain(|file| report.as_deref() != Some(target(file)));
                if files.is_empty() {
                    run.warn(&format!("there are no manifests (*.yaml, *.yml, *.json) in {}", path.display()));
                }
                inputs.extend(files.into_iter().filter(|file| seen.insert(target(file).to_owned())));
            }
            Ok(metadata) => {
                let file = Input::named(path);
                if metadata.is_file() && report.as_deref() == Some(target(&file)) {
                    return Err(Error::ReportIsInput { path: path.clone() });
                }
                inputs.extend(seen.insert(target(&file).to_owned()).then_some(file));
            }
            Err(source) => run.fail(&Error::Read { path: path.clone(), source }),
        }
    }
    Ok(inputs)
}

fn target(input: &Input) -> &Path {
    match input {
        Input::Stdin => Path::new(""),
        Input::File { target, .. } => target,
    }
}

/// What a walk meets.
#[derive(Default)]
struct Met {
    files: Vec<PathBuf>,
    links: Vec<PathBuf>,
    faults: Vec<String>,
}

/// Returns the manifests in a folder, sorted.
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
    let mut files: Vec<(PathBuf, PathBuf)> = met.files.into_iter().map(file).collect();
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
    }
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
