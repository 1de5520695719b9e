//! The report file: opened before anything is changed, so that a bad path is told in time.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use unstick_report::{Colour, FileReport, Summary};

use crate::args::{Format, Shared};
use crate::error::Error;
use crate::format::{self, Report};
use crate::words::safe;

/// Where a report goes, and how it is written.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    path: PathBuf,
    format: Format,
    all: bool,
}

/// A report on its way to its place.
pub(crate) struct ReportFile {
    path: PathBuf,
    file: File,
    format: Format,
    report: Report,
    /// What the report has said so far.
    text: String,
}

impl Wanted {
    /// Returns what the options ask for, or the environment.
    pub(crate) fn by(shared: &Shared) -> Option<Self> {
        let path = shared.report.clone().or_else(path_of_environment)?;
        let format = format::of_file(shared.report_format, &path);
        Some(Self { path, format, all: shared.all })
    }

    /// Returns what the environment alone asks for.
    pub(crate) fn by_environment() -> Option<Self> {
        let path = path_of_environment()?;
        let format = format::of_file(None, &path);
        Some(Self { path, format, all: false })
    }

    /// Writes a report of one fault: some hosts throw standard error away, and the run that failed must say why.
    pub(crate) fn write_error(self, message: String) -> Result<(), Error> {
        ReportFile::create(self)?.finish(&[message], Summary::default())
    }
}

impl ReportFile {
    /// Opens the file; what it holds stays until the report is there.
    pub(crate) fn create(wanted: Wanted) -> Result<Self, Error> {
        let Wanted { path, format, all } = wanted;
        let report = Report::new(format, Colour::Off, all);
        // Not written beside it and renamed: the path may be a device or a pipe, or stand in a folder of others.
        match OpenOptions::new().create(true).write(true).truncate(false).open(&path) {
            Ok(file) => Ok(Self { path, file, format, report, text: String::new() }),
            Err(source) => Err(Error::Report { path, source }),
        }
    }

    /// Returns the path as it was named.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a text.
    pub(crate) fn add(&mut self, file: FileReport<'_>) {
        self.text.push_str(&self.report.add(file));
    }

    /// Adds a text whose edits were made; marks beside its lines must fit what stands there now.
    pub(crate) fn add_fixed(&mut self, file: FileReport<'_>) {
        if !matches!(self.format, Format::Sarif | Format::Github) {
            return self.add(file);
        }
        let (text, plan) = file.after();
        self.add(FileReport { text: &text, plan: &plan, ..file });
    }

    /// Writes the report in the place of what the file held.
    pub(crate) fn finish(mut self, errors: &[String], summary: Summary) -> Result<(), Error> {
        self.text.push_str(&self.report.finish(errors, summary));
        if self.format == Format::Human {
            errors.iter().for_each(|error| self.text.push_str(&format!("error: {}\n\n", safe(error))));
            self.text.push_str(&format!("{summary}\n"));
        }
        replace(&mut self.file, self.text.as_bytes()).map_err(|source| Error::Report { path: self.path, source })
    }
}

fn replace(file: &mut File, text: &[u8]) -> io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    file.write_all(text)
}

/// Returns the report's path as the environment names it.
fn path_of_environment() -> Option<PathBuf> {
    std::env::var_os("UNSTICK_REPORT").filter(|path| !path.is_empty()).map(PathBuf::from)
}
