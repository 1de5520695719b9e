//! One run: its settings, what it tells, and how it ends.

use std::io::{self, Write as _};
use std::path::Path;

use unstick::{Finding, Outcome, Plan, Policy, Severity};
use unstick_report::{Colour, FileReport, Human, Summary};

use crate::args::Shared;
use crate::error::{EXIT_DONE, EXIT_ERROR, EXIT_FOUND, Error};
use crate::report::{ReportFile, Wanted};
use crate::settings;
use crate::words::{hide_status, say, say_warning};

/// The state of one run.
pub(crate) struct Run {
    pub policy: Policy,
    pub stdout_colour: Colour,
    pub stderr_colour: Colour,
    pub lenient: bool,
    pub all: bool,
    quiet: bool,
    told: Human,
    dry: bool,
    summary: Summary,
    report: Option<ReportFile>,
    found: bool,
    failed: bool,
    answered: bool,
    errors: Vec<String>,
}

impl Run {
    pub(crate) fn new(shared: &Shared) -> Result<Self, Error> {
        Ok(Self {
            policy: settings::policy(shared)?,
            stdout_colour: settings::stdout_colour(shared.color),
            stderr_colour: settings::stderr_colour(shared.color),
            lenient: shared.lenient,
            all: shared.all,
            quiet: shared.quiet,
            told: Human::new(settings::stderr_colour(shared.color), true),
            dry: false,
            summary: Summary::default(),
            report: Wanted::by(shared).map(ReportFile::create).transpose()?,
            found: false,
            failed: false,
            answered: false,
            errors: Vec::new(),
        })
    }

    /// Counts one text and puts it into the report; a refusal in it is something that was not done.
    pub(crate) fn add(&mut self, file: FileReport<'_>) {
        self.count(file);
        self.failed |= file.plan.count(Outcome::Refused) > 0;
    }

    /// Counts a text whose edits were made.
    pub(crate) fn add_fixed(&mut self, file: FileReport<'_>) {
        self.summary.add(file.plan);
        self.failed |= file.plan.count(Outcome::Refused) > 0;
        if let Some(report) = &mut self.report {
            report.add_fixed(file);
        }
    }

    /// Counts a text of which nothing was to be done: what would be refused is a finding, what cannot be read a fault.
    pub(crate) fn add_checked(&mut self, file: FileReport<'_>) {
        self.count(file);
        self.failed |= file.plan.blocked;
    }

    /// Counts a ResourceList, whose refusals are results: they fail the function, not the run.
    pub(crate) fn add_answered(&mut self, file: FileReport<'_>) {
        self.answered = true;
        self.count(file);
    }

    fn count(&mut self, file: FileReport<'_>) {
        self.summary.add(file.plan);
        if let Some(report) = &mut self.report {
            report.add(file);
        }
    }

    /// Returns the path of the report, as it was named.
    pub(crate) fn report_path(&self) -> Option<&Path> {
        self.report.as_ref().map(ReportFile::path)
    }

    /// Notes that what is told as changed is not written.
    pub(crate) fn set_dry(&mut self) {
        self.dry = true;
    }

    /// Notes that `diff` or `check` found something.
    pub(crate) fn set_found(&mut self) {
        self.found = true;
    }

    /// Tells of a fault and goes on.
    pub(crate) fn fail(&mut self, error: &Error) {
        error.print(self.stderr_colour);
        self.errors.push(error.to_string());
        self.failed = true;
    }

    /// Returns the counts so far.
    pub(crate) fn summary(&self) -> Summary {
        self.summary
    }

    /// Returns the faults told so far.
    pub(crate) fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Tells something that is no fault.
    pub(crate) fn warn(&self, words: &str) {
        say_warning(self.stderr_colour, words);
    }

    /// Writes to standard error the findings that the command's own output does not show.
    pub(crate) fn tell(&mut self, file: FileReport<'_>) {
        let told = |finding: &Finding| match finding.outcome {
            Outcome::Refused => true,
            Outcome::Changed => false,
            Outcome::Kept | Outcome::Noted => self.all || finding.severity >= Severity::Warning,
        };
        let findings = file.plan.findings.iter().filter(|finding| told(finding)).cloned().collect();
        let plan = Plan { findings, ..Plan::default() };
        say(&self.told.render(FileReport { plan: &plan, ..file }));
    }

    /// Writes data to standard output.
    pub(crate) fn print(&self, bytes: &[u8]) -> Result<(), Error> {
        print(bytes)
    }

    /// Writes the summary and the report, and returns the exit code.
    pub(crate) fn finish(self) -> Result<u8, Error> {
        quiet_pipe(io::stdout().lock().flush())?;
        if !self.quiet && self.summary != Summary::default() {
            let way =
                if self.dry && self.summary.changed > 0 { "; nothing was written: unstick fix does it" } else { "" };
            say(&format!("{}{way}\n", self.summary));
        }
        if let Some(report) = self.report {
            report.finish(&self.errors, self.summary)?;
        }
        Ok(match (self.failed && !self.lenient, self.found) {
            (true, _) => EXIT_ERROR,
            (false, true) if self.answered && self.lenient => EXIT_DONE,
            (false, true) => EXIT_FOUND,
            (false, false) => EXIT_DONE,
        })
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Drops the summary: the filter tells it only where there is something to tell.
    pub(crate) fn without_summary(&mut self) {
        self.quiet = true;
    }
}

/// Writes data to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    // Both streams may lead to one terminal.
    hide_status();
    let mut stdout = io::stdout().lock();
    quiet_pipe(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// A reader that has gone away is no fault.
pub(crate) fn quiet_pipe(result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}
