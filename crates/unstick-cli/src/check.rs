//! `unstick check`: what is there.

use std::path::PathBuf;

use unstick::{Finding, Outcome, Severity};
use unstick_report::{FileReport, Human, Summary, json_v1};

use crate::args::{FailOn, Format};
use crate::batch;
use crate::error::Error;
use crate::run::Run;
use crate::survey::Advisor;
use crate::unit::Planned;
use crate::walk;

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf], format: Format, fail_on: FailOn) -> Result<(), Error> {
    let mut units = walk::units(run, paths)?;
    let advisor = Advisor::of_all(&mut units, &run.policy);
    let human = Human { colour: run.stdout_colour, all: run.all };
    let mut files = Vec::new();
    let mut summary = Summary::default();
    let severities = run.policy.severity.clone();
    batch::for_each(
        run,
        &units,
        &advisor,
        |planned| planned,
        |run, Planned { input, result }| {
            let (loaded, mut plan) = match result {
                Ok(read) => read,
                Err(error) => {
                    run.fail(&error);
                    return Ok(());
                }
            };
            // Elsewhere, what is edited is told in any case.
            plan.findings.retain(|finding| finding.outcome == Outcome::Refused || !severities.is_off(finding.rule));
            let path = input.shown();
            let report = FileReport { path: &path, text: &loaded.bytes, plan: &plan };
            run.add_checked(report);
            summary.add(&plan);
            let lenient = run.lenient;
            if plan.findings.iter().any(|finding| asks_for_something(finding, fail_on, lenient)) {
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

fn asks_for_something(finding: &Finding, fail_on: FailOn, lenient: bool) -> bool {
    let severe = match fail_on {
        FailOn::Warning => finding.severity >= Severity::Warning,
        FailOn::Error => finding.severity >= Severity::Error,
    };
    match finding.outcome {
        // An explicit None that is to go is for information, and a change all the same.
        Outcome::Changed => severe || fail_on == FailOn::Warning,
        Outcome::Refused => !lenient,
        Outcome::Noted => severe,
        Outcome::Kept => false,
    }
}
