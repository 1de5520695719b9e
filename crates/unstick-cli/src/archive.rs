//! Chart archives: read into memory, never written.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use crate::error::Error;

/// One file of a chart, with its path from the chart's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackedFile {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// What an archive may hold at most; Helm has the same bounds (`pkg/chart/loader/archive` of helm/helm).
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Bytes of all files, those of archives inside it included.
    total: u64,
    /// Bytes that come out of gzip, with what is passed over: a bomb may hide in it.
    unpacked: u64,
    /// Bytes of one file.
    file: u64,
    /// Number of entries.
    entries: usize,
    /// Archives in archives.
    depth: usize,
}

const LIMITS: Limits = Limits { total: 100 << 20, unpacked: 200 << 20, file: 5 << 20, entries: 50_000, depth: 8 };

/// Why an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error("it is no gzipped tar archive: {0}")]
    Format(io::Error),
    #[error("it unpacks to more than {limit} bytes")]
    Size { limit: u64 },
    #[error("{name} in it is larger than {limit} bytes")]
    FileSize { name: String, limit: u64 },
    #[error("it has more than {limit} entries")]
    Entries { limit: usize },
    #[error("archives in it are nested more than {limit} deep")]
    Depth { limit: usize },
    #[error("{name} in it leads out of its folder")]
    Path { name: String },
    #[error("it holds no chart: there is no Chart.yaml in its folder")]
    NoChart,
}

/// Tells whether a path is that of a chart archive, by its ending.
pub(crate) fn is_archive(path: &Path) -> bool {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().to_ascii_lowercase();
    name.ends_with(".tgz") || name.ends_with(".tar.gz")
}

/// Refuses paths of archives where something is to be changed.
///
/// # Errors
///
/// [`Error::ArchiveEdit`] for the first such path.
pub(crate) fn refuse_named(paths: &[PathBuf]) -> Result<(), Error> {
    match paths.iter().find(|path| is_archive(path)) {
        Some(path) => Err(Error::ArchiveEdit { path: path.clone() }),
        None => Ok(()),
    }
}

/// Returns the archives in a chart's `charts/` folder, sorted.
pub(crate) fn in_charts(chart: &Path) -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(chart.join("charts")) else { return Vec::new() };
    let mut found: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).filter(|path| is_archive(path)).collect();
    found.retain(|path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()));
    found.sort_unstable();
    found
}

/// Reads an archive, with the archives in its `charts/` unpacked in their place.
///
/// # Errors
///
/// [`Error::Read`] where the file cannot be read, [`Error::Archive`] where it is no chart or too large.
pub(crate) fn read(path: &Path) -> Result<Vec<PackedFile>, Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    unpack(file, LIMITS).map_err(|source| Error::Archive { path: path.to_owned(), source })
}

fn unpack(packed: impl Read, limits: Limits) -> Result<Vec<PackedFile>, ArchiveError> {
    let unpacked = Rc::new(Cell::new(limits.unpacked));
    let mut budget = Budget { limits, left: limits.total, unpacked, entries: 0 };
    let mut files = Vec::new();
    budget.unpack(packed, "", 0, &mut files)?;
    if !files.iter().any(|file| file.path == "Chart.yaml") {
        return Err(ArchiveError::NoChart);
    }
    Ok(files)
}

struct Budget {
    limits: Limits,
    /// Bytes that files may still have.
    left: u64,
    /// Bytes that may still come out of gzip.
    unpacked: Rc<Cell<u64>>,
    entries: usize,
}

/// A reader that ends with an error where too much has come out.
struct Counted<R> {
    inner: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let left = self.left.get().checked_sub(count as u64);
        self.left.set(left.ok_or_else(|| io::Error::other("too much comes out of it"))?);
        Ok(count)
    }
}

impl Budget {
    /// Unpacks an archive; its files stand below `prefix`.
    fn unpack(
        &mut self,
        packed: impl Read,
        prefix: &str,
        depth: usize,
        files: &mut Vec<PackedFile>,
    ) -> Result<(), ArchiveError> {
        if depth >= self.limits.depth {
            return Err(ArchiveError::Depth { limit: self.limits.depth });
        }
        let counted = Counted { inner: MultiGzDecoder::new(packed), left: Rc::clone(&self.unpacked) };
        let mut archive = tar::Archive::new(counted);
        for entry in archive.entries().map_err(ArchiveError::Format)? {
            let mut entry = entry.map_err(ArchiveError::Format)?;
            self.entries += 1;
            if self.entries > self.limits.entries {
                return Err(ArchiveError::Entries { limit: self.limits.entries });
            }
            // Links and devices are nothing that a chart needs; Helm passes them over as well.
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let name = entry.path().map_err(ArchiveError::Format)?.to_string_lossy().into_owned();
            let Some(path) = inner_path(&name)? else { continue };
            let bytes = self.bytes(&mut entry, &name)?;
            let parent = path.strip_suffix(path.rsplit('/').next().unwrap_or_default()).unwrap_or_default();
            if parent == "charts/" && is_archive(Path::new(&path)) {
                let below = format!("{prefix}{}/", path.trim_end_matches(".tgz").trim_end_matches(".tar.gz"));
                self.unpack(bytes.as_slice(), &below, depth + 1, files)?;
            } else {
                files.push(PackedFile { path: format!("{prefix}{path}"), bytes });
            }
        }
        Ok(())
    }

    fn bytes(&mut self, entry: &mut impl Read, name: &str) -> Result<Vec<u8>, ArchiveError> {
        let mut bytes = Vec::new();
        let bound = self.limits.file.min(self.left);
        entry.take(bound + 1).read_to_end(&mut bytes).map_err(ArchiveError::Format)?;
        let size = bytes.len() as u64;
        if size > self.limits.file {
            return Err(ArchiveError::FileSize { name: shown(name), limit: self.limits.file });
        }
        self.left = self.left.checked_sub(size).ok_or(ArchiveError::Size { limit: self.limits.total })?;
        Ok(bytes)
    }
}

/// Returns a path without the archive's own folder; nothing for files beside that folder.
fn inner_path(name: &str) -> Result<Option<String>, ArchiveError> {
    let mut parts = Vec::new();
    for part in Path::new(&name.replace('\\', "/")).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(ArchiveError::Path { name: shown(name) });
            }
        }
    }
    Ok((parts.len() > 1).then(|| parts[1..].join("/")))
}

/// Returns a name without what would disturb a terminal.
fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pack(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    const SMALL: Limits = Limits { total: 1000, unpacked: 30_000, file: 600, entries: 10, depth: 2 };

    fn refused(files: &[(&str, &[u8])]) -> String {
        unpack(pack(files).as_slice(), SMALL).unwrap_err().to_string()
    }

    #[test]
    fn unpacks_charts_in_charts() {
        let inner = pack(&[("sub/Chart.yaml", b"name: sub"), ("sub/templates/a.yaml", b"a")]);
        let outer = pack(&[("top/Chart.yaml", b"name: top"), ("top/charts/sub-1.0.tgz", &inner), ("stray", b"x")]);
        let files = unpack(outer.as_slice(), SMALL).unwrap();
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["Chart.yaml", "charts/sub-1.0/Chart.yaml", "charts/sub-1.0/templates/a.yaml"]);
        assert_eq!(files[2].bytes, b"a");
    }

    #[test]
    fn refuses_what_is_too_much() {
        let chart: (&str, &[u8]) = ("a/Chart.yaml", b"name: a");
        assert_eq!(refused(&[chart, ("a/b", &[0; 601])]), "a/b in it is larger than 600 bytes");
        assert_eq!(refused(&[chart, ("a/b", &[0; 500]), ("a/c", &[0; 500])]), "it unpacks to more than 1000 bytes");
        let many: Vec<(&str, &[u8])> = vec![chart; 11];
        assert_eq!(refused(&many), "it has more than 10 entries");
        let deepest = pack(&[("c/Chart.yaml", b"")]);
        let deeper = pack(&[("b/charts/c.tgz", &deepest)]);
        assert_eq!(refused(&[chart, ("a/charts/b.tgz", &deeper)]), "archives in it are nested more than 2 deep");
    }

    #[test]
    fn refuses_what_is_no_chart() {
        assert_eq!(refused(&[("a/values.yaml", b"")]), "it holds no chart: there is no Chart.yaml in its folder");
        assert_eq!(refused(&[("a/../../b", b"")]), "a/../../b in it leads out of its folder");
        assert!(unpack(&b"plain text"[..], SMALL).unwrap_err().to_string().starts_with("it is no gzipped tar"));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&[b'x'; 2000]).unwrap();
        assert!(unpack(gzip.finish().unwrap().as_slice(), SMALL).is_err());
        // A folder's entry has no content; one that claims some is passed over, but what comes out is counted.
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(40_000);
        header.set_cksum();
        builder.append(&header, &[0; 40_000][..]).unwrap();
        let bomb = builder.into_inner().unwrap().finish().unwrap();
        let reason = unpack(bomb.as_slice(), SMALL).unwrap_err().to_string();
        assert!(reason.ends_with("too much comes out of it"), "{reason}");
    }
}
