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

/// Returns the inputs that the paths name, each once: files as they are, and the manifests in folders, sorted.
///
/// Ignore files of git are respected, hidden files are passed over, and links in a folder are not followed: what they
/// lead to inside the folder is read in its own place, and what lies outside is not this run's business. A path that
/// cannot be read is told, and the others are read all the same.
pub(crate) fn inputs(run: &mut Run, paths: &[PathBuf]) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut seen = HashSet::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::Stdin);
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let files = walk(run, path);
                if files.is_empty() {
                    run.warn(&format!("there are no manifests (*.yaml, *.yml, *.json) in {}", path.display()));
                }
                inputs.extend(files.into_iter().filter(|file| seen.insert(file.clone())).map(Input::File));
            }
            Ok(_) => inputs.extend(seen.insert(path.clone()).then(|| Input::File(path.clone()))),
            Err(source) => run.fail(&Error::Read { path: path.clone(), source }),
        }
    }
    inputs
}

/// What a walk meets.
#[derive(Default)]
struct Met {
    files: Vec<PathBuf>,
    links: Vec<PathBuf>,
    faults: Vec<ignore::Error>,
}

fn walk(run: &mut Run, root: &Path) -> Vec<PathBuf> {
    let met = Mutex::new(Met::default());
    let walker = WalkBuilder::new(root).follow_links(false).require_git(false).build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            if let Ok(mut met) = met.lock() {
                match entry {
                    Ok(entry) => note(&mut met, &entry),
                    Err(fault) => met.faults.push(fault),
                }
            }
            WalkState::Continue
        })
    });
    let mut met = met.into_inner().unwrap_or_default();
    met.files.sort_unstable();
    met.links.sort_unstable();
    for fault in met.faults {
        run.fail(&Error::Read { path: root.to_owned(), source: std::io::Error::other(fault.to_string()) });
    }
    let inside = fs::canonicalize(root).ok();
    for link in met.links {
        let target = fs::canonicalize(&link).ok();
        let leads_inside = target.as_ref().zip(inside.as_ref()).is_some_and(|(target, root)| target.starts_with(root));
        if !leads_inside {
            run.warn(&format!("{} is a link out of the folder: not followed", link.display()));
        }
    }
    met.files
}

fn note(met: &mut Met, entry: &DirEntry) {
    let Some(kind) = entry.file_type() else { return };
    let manifest =
        entry.path().extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    if kind.is_file() && manifest {
        met.files.push(entry.path().to_owned());
    } else if kind.is_symlink() && entry.depth() > 0 && manifest {
        met.links.push(entry.path().to_owned());
    }
}
