//! Writing a file as a whole: beside it first, then renamed over it.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use unstick_yaml::EditSet;

use crate::error::Error;

/// Returns the folder that holds a path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Puts the edited text in the place of the file that was read with `before` as its metadata.
///
/// Mode and, where permitted, owner are kept. A file that changed since it was read, or that is read-only, is left.
pub(crate) fn replace(path: &Path, before: &Metadata, text: &[u8], edits: &EditSet) -> Result<(), Error> {
    let wrong = |source| Error::Write { path: path.to_owned(), source };
    if before.permissions().readonly() {
        return Err(Error::ReadOnly { path: path.to_owned() });
    }
    let mut file = tempfile::Builder::new().prefix(".unstick-").tempfile_in(folder_of(path)).map_err(wrong)?;
    write_edited(file.as_file_mut(), text, edits).map_err(wrong)?;
    keep_owner(file.as_file(), before);
    file.as_file().set_permissions(before.permissions()).map_err(wrong)?;
    file.as_file().sync_all().map_err(wrong)?;
    let now = fs::metadata(path).map_err(wrong)?;
    if now.len() != before.len() || now.modified().ok() != before.modified().ok() {
        return Err(Error::Changed { path: path.to_owned() });
    }
    file.persist(path).map_err(|error| wrong(error.error))?;
    Ok(())
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

/// Gives a temporary file the mode of an ordinary one.
#[cfg(unix)]
pub(crate) fn set_default_mode(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
pub(crate) fn set_default_mode(_: &File) -> io::Result<()> {
    Ok(())
}

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
