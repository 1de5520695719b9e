//! Folders to work in, and work done on all cores.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Copies a folder with all that is below it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            // Not its permissions: it may be read-only.
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            fs::write(&target, bytes).unwrap_or_else(|error| panic!("{}: {error}", target.display()));
        }
    }
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Reads a file as text; other bytes than UTF-8 are replaced.
pub(crate) fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Lists the files below a folder, by path.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Works on every item, as many at a time as there are cores, and returns the results in the items' order.
pub(crate) fn parallel<Item: Sync, Made: Send>(items: &[Item], work: impl Fn(&Item) -> Made + Sync) -> Vec<Made> {
    let next = AtomicUsize::new(0);
    let made = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    let result = work(item);
                    made.lock().expect("no thread panicked").push((index, result));
                }
            });
        }
    });
    let mut made = made.into_inner().expect("no thread panicked");
    made.sort_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, result)| result).collect()
}

/// Returns the corpus, or says that the test is left out.
pub(crate) fn corpus(test: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("UNSTICK_CORPUS").map_or_else(beside, PathBuf::from);
    if root.join("OCCURRENCES.tsv").is_file() {
        return Some(root);
    }
    eprintln!("LEFT OUT: {test} needs the corpus, and there is none at {}", root.display());
    None
}

/// Tells whether the long runs were asked for.
pub(crate) fn long() -> bool {
    std::env::var_os("UNSTICK_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}
