//! The report file: opened before anything is changed, so that a bad path is told in time.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use unstick_report::{FileReport, Summary, json_v1};

use crate::error::Error;

/// A report on its way to its place.
pub(crate) struct ReportFile {
    path: PathBuf,
    file: File,
    files: Vec<json_v1::File>,
}

impl ReportFile {
    /// Opens the file; what it holds stays until the report is there.
    pub(crate) fn create(path: PathBuf) -> Result<Self, Error> {
        // Not written beside it and renamed: the path may be a device or a pipe, or stand in a folder of others.
        match OpenOptions::new().create(true).write(true).truncate(false).open(&path) {
            Ok(file) => Ok(Self { path, file, files: Vec::new() }),
            Err(source) => Err(Error::Report { path, source }),
        }
    }

    /// Returns the path as it was named.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a text in which something was found.
    pub(crate) fn add(&mut self, file: FileReport<'_>) {
        if !file.plan.findings.is_empty() {
            self.files.push(json_v1::File::new(file));
        }
    }

    /// Writes the report in the place of what the file held.
    pub(crate) fn finish(mut self, errors: &[String], summary: Summary) -> Result<(), Error> {
        let text = json_v1::render(&self.files, errors, summary);
        replace(&mut self.file, text.as_bytes()).map_err(|source| Error::Report { path: self.path, source })
    }
}

fn replace(file: &mut File, text: &[u8]) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text)
}

/// Returns the report's path as the environment names it.
pub(crate) fn path_of_environment() -> Option<PathBuf> {
    std::env::var_os("UNSTICK_REPORT").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Writes a report of one fault: some hosts throw standard error away, and the run that failed must say why.
pub(crate) fn write_error(path: PathBuf, message: String) -> Result<(), Error> {
    ReportFile::create(path)?.finish(&[message], Summary::default())
}
