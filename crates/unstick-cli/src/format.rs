//! Reports on their way out: each format says at once what it can, and the rest at the end.

use std::path::Path;

use unstick_report::{Colour, FileReport, Human, Summary, annotations, error_annotation, json_v1, sarif};

use crate::args::Format;

/// A report that takes one text after another.
pub(crate) enum Report {
    Human(Human),
    Json(Vec<json_v1::File>),
    Sarif { files: Vec<sarif::File>, all: bool },
    Github { all: bool },
}

impl Report {
    pub(crate) fn new(format: Format, colour: Colour, all: bool) -> Self {
        match format {
            Format::Human => Self::Human(Human::new(colour, all)),
            Format::Json => Self::Json(Vec::new()),
            Format::Sarif => Self::Sarif { files: Vec::new(), all },
            Format::Github => Self::Github { all },
        }
    }

    /// Adds a text, and returns what can be said of it already.
    pub(crate) fn add(&mut self, file: FileReport<'_>) -> String {
        match self {
            Self::Human(human) => return human.render(file),
            Self::Github { all } => return annotations(file, *all),
            _ if file.plan.findings.is_empty() => {}
            Self::Json(files) => files.push(json_v1::File::new(file)),
            Self::Sarif { files, all } => files.push(sarif::File::new(file, *all)),
        }
        String::new()
    }

    /// Returns what is said once everything was added; `errors` are faults outside the manifests.
    pub(crate) fn finish(&self, errors: &[String], summary: Summary) -> String {
        match self {
            Self::Human(_) => String::new(),
            Self::Json(files) => json_v1::render(files, errors, summary),
            Self::Sarif { files, .. } => sarif::render(files, errors),
            Self::Github { .. } => errors.iter().map(|error| error_annotation(error)).collect(),
        }
    }
}

/// Returns the format of a report file: the one asked for, else by the name's ending, else JSON.
pub(crate) fn of_file(asked: Option<Format>, path: &Path) -> Format {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let by_name = if name.ends_with(".sarif") || name.ends_with(".sarif.json") { Format::Sarif } else { Format::Json };
    asked.unwrap_or(by_name)
}
