//! The `unstick` command: the only part that reads and writes files.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue};

mod archive;
mod args;
mod batch;
mod check;
mod diff;
mod error;
mod export;
mod filter;
mod fix;
mod format;
mod input;
mod patch;
mod progress;
mod report;
mod rules;
mod run;
mod settings;
mod survey;
mod unit;
mod values;
mod walk;
mod words;
mod write;

use args::{Arguments, Command};
use report::Wanted;
use run::Run;
use unstick_report::PatchOptions;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(typed()) {
        Ok(arguments) => arguments,
        Err(error) => return refuse_arguments(&with_tip(error)),
    };
    if let Some(Command::Completions { shell }) = arguments.command {
        return write_completions(shell);
    }
    let colour = settings::stderr_colour(arguments.shared.color);
    let report = Wanted::by(&arguments.shared);
    match execute(arguments) {
        Ok(code) => code.into(),
        Err(error) => {
            error.print(colour);
            if let (Some(report), false) = (report, error.is_of_report())
                && let Err(second) = report.write_error(error.to_string())
            {
                second.print(colour);
            }
            error::EXIT_ERROR.into()
        }
    }
}

/// Returns what was typed; a legacy kustomize plugin gets its config's file as first word, which is a policy.
fn typed() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if std::env::var_os("KUSTOMIZE_PLUGIN_CONFIG_STRING").is_some() && words.len() > 1 {
        words.insert(1, "--policy".into());
    }
    words
}

fn write_completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command_tree(), "unstick", &mut script);
    match run::print(&script) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.print(unstick_report::Colour::Off);
            error::EXIT_ERROR.into()
        }
    }
}

/// Names the way where a path was given without a command.
fn with_tip(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && Path::new(word).exists()
    {
        let tip = "a path comes after a command: diff, fix or check".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Tells what is wrong with the arguments, in the report too where the environment names one.
fn refuse_arguments(error: &clap::Error) -> ExitCode {
    // Nothing is left to do where standard error is closed.
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    if let Some(report) = Wanted::by_environment() {
        let message = error.render().to_string();
        if let Err(second) = report.write_error(message.trim_end().to_owned()) {
            second.print(unstick_report::Colour::Off);
        }
    }
    error::EXIT_ERROR.into()
}

fn execute(arguments: Arguments) -> Result<u8, error::Error> {
    let mut run = Run::new(&arguments.shared)?;
    match arguments.command {
        None => filter::execute(&mut run, arguments.shared.host)?,
        Some(Command::Diff { paths }) => diff::execute(&mut run, &paths)?,
        Some(Command::Fix { paths }) => fix::execute(&mut run, &paths)?,
        Some(Command::Check { paths, format, fail_on, explain }) => {
            check::execute(&mut run, &paths, check::Options { format, fail_on, explain })?;
        }
        Some(Command::Patch { paths, context, namespace }) => {
            patch::execute(&mut run, &paths, &PatchOptions { context, namespace })?;
        }
        Some(Command::Rules { rule }) => rules::execute(rule)?,
        Some(Command::Values { chart }) => values::execute(&mut run, &chart)?,
        Some(Command::Schema) => run.print(unstick_report::policy_schema().as_bytes())?,
        Some(Command::Export { to }) => export::execute(&mut run, to)?,
        Some(Command::Completions { .. }) => {}
    }
    run.finish()
}
