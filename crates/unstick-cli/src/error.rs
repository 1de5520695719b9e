//! What can go wrong, in words that say what to do.

use std::io;
use std::path::PathBuf;

use unstick_report::Colour;

use crate::archive::ArchiveError;
use crate::words::say_error;

/// Nothing to do, or all done.
pub(crate) const EXIT_DONE: u8 = 0;
/// `diff` or `check` found something.
pub(crate) const EXIT_FOUND: u8 = 1;
/// Something was not done.
pub(crate) const EXIT_ERROR: u8 = 2;

/// A fault outside the manifests.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{} cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} cannot be written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the archive {} cannot be used: {source}", path.display())]
    Archive { path: PathBuf, source: ArchiveError },
    #[error("{} is a chart archive, which is read only", path.display())]
    ArchiveEdit { path: PathBuf },
    #[error("{} holds no chart: there is no Chart.yaml in it", path.display())]
    NoChart { path: PathBuf },
    #[error("{fault}")]
    Walk { fault: String },
    #[error("{} is read-only", path.display())]
    ReadOnly { path: PathBuf },
    #[error("{} is no regular file", path.display())]
    NotRegular { path: PathBuf },
    #[error("{} was changed by somebody else while it was being edited", path.display())]
    Changed { path: PathBuf },
    #[error("the report {} cannot be written: {source}", path.display())]
    Report { path: PathBuf, source: io::Error },
    #[error("{} is to be read: the report would take its place", path.display())]
    ReportIsInput { path: PathBuf },
    #[error("the policy {} cannot be read: {source}", path.display())]
    PolicyFile { path: PathBuf, source: io::Error },
    #[error("the policy cannot be used: {message}\n{place}")]
    PolicyText { message: String, place: String, help: String },
    #[error("{0}")]
    PolicySense(#[from] unstick::PolicyError),
    #[error("standard input cannot be read: {0}")]
    Stdin(io::Error),
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
    #[error("there is nothing on standard input: it is a terminal")]
    Terminal,
    #[error("--host krm was asked for, but the input is no ResourceList")]
    NoResourceList,
    #[error(transparent)]
    Export(#[from] unstick_report::ExportError),
    #[error("Service {service} gets no command: {reason}")]
    NoPatch { service: String, reason: unstick_report::NoPatch },
    #[error("--explain writes text for people, and --format asks for something else")]
    ExplainFormat,
    #[error("standard input cannot be edited in place")]
    FixStdin,
}

impl Error {
    /// Returns the way out.
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => Some("check the path"),
            Self::PolicyFile { .. } => Some("check the path given to --policy, and your permissions"),
            Self::Read { .. } | Self::Walk { .. } => Some("check the path and your permissions"),
            Self::Archive { .. } => Some("give a chart as helm package writes it"),
            Self::ArchiveEdit { .. } => Some("unpack it first, or use unstick check or unstick values"),
            Self::NoChart { .. } => Some("give the folder of a chart, or a chart archive"),
            Self::Write { .. } => Some("its folder must be writable: the new text is written beside it, then renamed"),
            Self::ReadOnly { .. } => Some("make it writable, or take its folder out of the paths"),
            Self::NotRegular { .. } => Some("pipe it through unstick without a command"),
            Self::Changed { .. } => Some("run unstick again; the file was left as it is"),
            Self::Report { .. } => Some("give --report a path in a folder that exists and is writable"),
            Self::ReportIsInput { .. } => Some("give --report another path; nothing was changed"),
            Self::PolicyText { help, .. } => return Some(format!("{help}; nothing was changed")),
            Self::PolicySense(error) => return Some(format!("{}; nothing was changed", option_help(error))),
            Self::Terminal => Some("pipe manifests in, or name files: unstick diff PATH; unstick --help tells more"),
            Self::NoResourceList => Some("leave --host out for plain manifests"),
            Self::FixStdin => Some("leave the command out to filter standard input to standard output"),
            Self::NoPatch { .. } => Some("read live Services: kubectl get svc -A -o yaml | unstick patch"),
            Self::ExplainFormat => {
                Some("leave --format out, or write the other format with --report FILE --report-format")
            }
            Self::Export(error) => Some(error.help),
            Self::Stdin(_) | Self::Stdout(_) => None,
        };
        help.map(str::to_owned)
    }

    /// Tells whether the report cannot take the error's words.
    pub(crate) fn is_of_report(&self) -> bool {
        matches!(self, Self::Report { .. } | Self::ReportIsInput { .. })
    }

    /// Writes the error to standard error.
    pub(crate) fn print(&self, colour: Colour) {
        let help = self.help().map(|help| format!("\n  = help: {help}")).unwrap_or_default();
        say_error(colour, &format!("{self}{help}"));
    }
}

/// Returns the way out of settings that make no sense together, in the words of the options.
fn option_help(error: &unstick::PolicyError) -> &'static str {
    match error {
        unstick::PolicyError::TimeoutRange { .. } => "give --timeout a number of seconds in this range",
        unstick::PolicyError::TimeoutWithoutClientIp => "add --action clientIP, or leave --timeout out",
        unstick::PolicyError::Glob { glob, .. } if glob.is_empty() => {
            "give --only and --except a glob, or leave them out"
        }
        unstick::PolicyError::Glob { .. } => {
            "mend --only or --except; a backslash stands before a mark that is meant as it is"
        }
        other => other.help(),
    }
}
