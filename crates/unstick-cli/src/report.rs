//! The report file: made before anything is changed, so that a bad path is told in time.

use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use unstick_report::{FileReport, Summary, json_v1};

use crate::error::Error;
use crate::write;

/// A report on its way to its place.
pub(crate) struct ReportFile {
    path: PathBuf,
    file: NamedTempFile,
    files: Vec<json_v1::File>,
}

impl ReportFile {
    pub(crate) fn create(path: PathBuf) -> Result<Self, Error> {
        let folder = write::folder_of(&path);
        let made = if path.is_dir() {
            Err(std::io::Error::other("it is a folder"))
        } else {
            tempfile::Builder::new().prefix(".unstick-").tempfile_in(folder)
        };
        match made {
            Ok(file) => Ok(Self { path, file, files: Vec::new() }),
            Err(source) => Err(Error::Report { path, source }),
        }
    }

    /// Adds a text in which something was found.
    pub(crate) fn add(&mut self, file: FileReport<'_>) {
        if !file.plan.findings.is_empty() {
            self.files.push(json_v1::File::new(file));
        }
    }

    pub(crate) fn finish(self, errors: &[String], summary: Summary) -> Result<(), Error> {
        let text = json_v1::render(&self.files, errors, summary);
        let path: &Path = &self.path;
        std::fs::write(self.file.path(), text)
            .and_then(|()| write::set_default_mode(self.file.as_file()))
            .and_then(|()| self.file.persist(path).map(drop).map_err(|error| error.error))
            .map_err(|source| Error::Report { path: path.to_owned(), source })
    }
}

/// Returns the report's path as the environment names it.
pub(crate) fn path_of_environment() -> Option<PathBuf> {
    std::env::var_os("UNSTICK_REPORT").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Writes a report of one fault: some hosts throw standard error away, and the run that failed must say why.
pub(crate) fn write_error(path: PathBuf, message: String) -> Result<(), Error> {
    ReportFile::create(path)?.finish(&[message], Summary::default())
}
