//! Writing a file as a whole: beside it first, then renamed over it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use unstick_yaml::EditSet;

use crate::error::Error;

/// Returns the folder that holds a path.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Why a file was left as it is.
#[derive(Debug)]
pub(crate) enum Fault {
    NotRegular,
    ReadOnly,
    Changed,
    Write(io::Error),
}

impl Fault {
    /// Says it of the path as it was named.
    pub(crate) fn of(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Self::NotRegular => Error::NotRegular { path },
            Self::ReadOnly => Error::ReadOnly { path },
            Self::Changed => Error::Changed { path },
            Self::Write(source) => Error::Write { path, source },
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Puts the edited text in the place of the file that was read with `before` as its metadata.
///
/// Mode and, where permitted, owner are kept. A file that changed since it was read, or that may not be written, is
/// left.
pub(crate) fn replace(path: &Path, before: &Metadata, text: &[u8], edits: &EditSet) -> Result<(), Fault> {
    if !before.is_file() {
        return Err(Fault::NotRegular);
    }
    if before.permissions().readonly() {
        return Err(Fault::ReadOnly);
    }
    // A folder's permissions alone would let a rename take the place of a file that is not ours to write.
    OpenOptions::new().append(true).open(path)?;
    let mut file = tempfile::Builder::new().prefix(".unstick-").tempfile_in(folder_of(path))?;
    write_edited(file.as_file_mut(), text, edits)?;
    keep_owner(file.as_file(), before);
    file.as_file().set_permissions(before.permissions())?;
    file.as_file().sync_all()?;
    if !is_same_state(before, &fs::symlink_metadata(path)?) {
        return Err(Fault::Changed);
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Tells whether two looks at a path saw one file with nothing written in between.
fn is_same_state(before: &Metadata, now: &Metadata) -> bool {
    now.len() == before.len() && now.modified().ok() == before.modified().ok() && is_same_file(before, now)
}

#[cfg(unix)]
fn is_same_file(before: &Metadata, now: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (before.dev(), before.ino()) == (now.dev(), now.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Writes a text with its edits made, without a second copy of it.
pub(crate) fn write_edited(out: &mut impl io::Write, text: &[u8], edits: &EditSet) -> io::Result<()> {
    let mut copied = 0;
    let mut buffer = io::BufWriter::with_capacity(256 * 1024, out);
    for edit in edits.as_slice() {
        buffer.write_all(&text[copied..edit.span.start])?;
        buffer.write_all(&edit.replacement)?;
        copied = edit.span.end;
    }
    buffer.write_all(&text[copied..])?;
    buffer.flush()
}

/// Gives a new file to the old one's owner; only the superuser may, and nobody else needs to.
#[cfg(unix)]
fn keep_owner(file: &File, before: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let _ = fchown(file, Some(before.uid()), Some(before.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Returns how many other names the file has.
#[cfg(unix)]
pub(crate) fn other_links(metadata: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink().saturating_sub(1)
}

#[cfg(not(unix))]
pub(crate) fn other_links(_: &Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use unstick_yaml::{Edit, Span};

    use super::*;

    /// Writes a file, lets something happen to it, and returns how its replacement ends and what is there then.
    fn replace_after(happens: impl FnOnce(&Path)) -> (Result<(), Fault>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.yaml");
        fs::write(&path, "abcd").unwrap();
        let before = fs::metadata(&path).unwrap();
        happens(&path);
        let mut edits = EditSet::new();
        edits.insert(Edit::replacement(Span::new(1, 2), "XY")).unwrap();
        let result = replace(&path, &before, b"abcd", &edits);
        assert_eq!(
            fs::read_dir(folder.path())
                .unwrap()
                .filter(|entry| {
                    entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(".unstick-"))
                })
                .count(),
            0
        );
        (result, fs::read_to_string(&path).unwrap_or_default())
    }

    #[test]
    fn writes_the_edited_text() {
        let (result, text) = replace_after(|_| {});
        assert!(result.is_ok());
        assert_eq!(text, "aXYcd");
    }

    #[test]
    fn leaves_what_was_changed_since_it_was_read() {
        let later = |path: &Path| {
            let file = OpenOptions::new().append(true).open(path).unwrap();
            let time = file.metadata().unwrap().modified().unwrap() + std::time::Duration::from_secs(2);
            file.set_modified(time).unwrap();
        };
        let longer = |path: &Path| fs::write(path, "abcde").unwrap();
        for (happens, left) in [(&later as &dyn Fn(&Path), "abcd"), (&longer, "abcde")] {
            let (result, text) = replace_after(happens);
            assert!(matches!(result, Err(Fault::Changed)), "{left}: {result:?}");
            assert_eq!(text, left);
        }
    }

    #[cfg(unix)]
    #[test]
    fn leaves_what_took_its_place() {
        let another = |path: &Path| {
            let time = fs::metadata(path).unwrap().modified().unwrap();
            let new = path.with_extension("new");
            fs::write(&new, "wxyz").unwrap();
            OpenOptions::new().append(true).open(&new).unwrap().set_modified(time).unwrap();
            fs::rename(new, path).unwrap();
        };
        let (result, text) = replace_after(another);
        assert!(matches!(result, Err(Fault::Changed)), "{result:?}");
        assert_eq!(text, "wxyz");
    }

    #[test]
    fn does_not_bring_back_what_is_gone() {
        let (result, text) = replace_after(|path| fs::remove_file(path).unwrap());
        assert!(matches!(result, Err(Fault::Write(_))), "{result:?}");
        assert_eq!(text, "");
    }
}
