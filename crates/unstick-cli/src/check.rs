//! `unstick check`: what is there.

use std::path::PathBuf;

use unstick::{Finding, Outcome, Severity};
use unstick_report::{FileReport, Human, Summary, json_v1};

use crate::args::Format;
use crate::batch;
use crate::error::Error;
use crate::run::Run;
use crate::unit::Planned;
use crate::walk;

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf], format: Format) -> Result<(), Error> {
    let units = walk::units(run, paths)?;
    let human = Human { colour: run.stdout_colour, all: run.all };
    let mut files = Vec::new();
    let mut summary = Summary::default();
    batch::for_each(
        run,
        &units,
        |planned| planned,
        |run, Planned { input, result }| {
            let (loaded, plan) = match result {
                Ok(read) => read,
                Err(error) => {
                    run.fail(&error);
                    return Ok(());
                }
            };
            let path = input.shown();
            let report = FileReport { path: &path, text: &loaded.bytes, plan: &plan };
            run.add_checked(report);
            summary.add(&plan);
            let lenient = run.lenient;
            if plan.findings.iter().any(|finding| asks_for_something(finding, lenient)) {
                run.set_found();
            }
            match format {
                Format::Human => run.print(human.render(report).as_bytes())?,
                Format::Json if plan.findings.is_empty() => {}
                Format::Json => files.push(json_v1::File::new(report)),
            }
            Ok(())
        },
    )?;
    if format == Format::Json {
        run.print(json_v1::render(&files, run.errors(), summary).as_bytes())?;
    }
    Ok(())
}

fn asks_for_something(finding: &Finding, lenient: bool) -> bool {
    match finding.outcome {
        Outcome::Changed => true,
        Outcome::Refused => !lenient,
        Outcome::Noted => finding.severity >= Severity::Warning,
        Outcome::Kept => false,
    }
}
