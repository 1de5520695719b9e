//! The `unstick` command: the only part that reads and writes files.

use std::process::ExitCode;

use clap::Parser as _;

mod args;
mod batch;
mod check;
mod diff;
mod error;
mod export;
mod filter;
mod fix;
mod input;
mod progress;
mod report;
mod run;
mod settings;
mod walk;
mod write;

use args::{Arguments, Command};
use run::Run;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(Command::Completions { shell }) = arguments.command {
        clap_complete::generate(shell, &mut Arguments::command_tree(), "unstick", &mut std::io::stdout().lock());
        return ExitCode::SUCCESS;
    }
    let colour = settings::stderr_colour(arguments.shared.color);
    match execute(arguments) {
        Ok(code) => code.into(),
        Err(error) => {
            error.print(colour);
            error::EXIT_ERROR.into()
        }
    }
}

fn execute(arguments: Arguments) -> Result<u8, error::Error> {
    let mut run = Run::new(&arguments.shared)?;
    match arguments.command {
        None => filter::execute(&mut run, arguments.shared.host)?,
        Some(Command::Diff { paths }) => diff::execute(&mut run, &paths)?,
        Some(Command::Fix { paths }) => fix::execute(&mut run, &paths)?,
        Some(Command::Check { paths, format }) => check::execute(&mut run, &paths, format)?,
        Some(Command::Export { to }) => export::execute(&mut run, to)?,
        Some(Command::Completions { .. }) => {}
    }
    run.finish()
}
