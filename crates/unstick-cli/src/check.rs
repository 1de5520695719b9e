//! `unstick check`: what is there.

use std::path::PathBuf;

use unstick::{Finding, Outcome, Severity, Source};
use unstick_report::{FileReport, PROXY_MODES, explain};

use crate::args::{FailOn, Format};
use crate::batch;
use crate::error::Error;
use crate::format::Report;
use crate::run::Run;
use crate::survey::Advisor;
use crate::unit::Planned;
use crate::walk;

/// What is told, and what of it counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub format: Format,
    pub fail_on: FailOn,
    pub explain: bool,
}

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf], options: Options) -> Result<(), Error> {
    let Options { format, fail_on, explain: explaining } = options;
    if explaining && format != Format::Human {
        return Err(Error::ExplainFormat);
    }
    run.set_dry();
    let mut units = walk::units(run, paths)?;
    let advisor = Advisor::of_all(&mut units, &run.policy);
    let mut report = Report::new(format, run.stdout_colour, run.all);
    let policy = run.policy.clone();
    let mut explanations = String::new();
    batch::for_each(
        run,
        &units,
        &advisor,
        |planned| planned,
        |run, Planned { input, of_chart, result }| {
            let (loaded, mut plan) = match result {
                Ok(read) => read,
                Err(error) => {
                    run.fail(&error);
                    return Ok(());
                }
            };
            let path = input.shown();
            if explaining {
                let source = Source { path: Some(&path), bytes: &loaded.bytes };
                explanations.push_str(&explain(&path, &loaded.bytes, &plan.services(source, &policy)));
            }
            // Elsewhere, what is edited is told in any case.
            plan.findings
                .retain(|finding| finding.outcome == Outcome::Refused || !policy.severity.is_off(finding.rule));
            let file = FileReport { path: &path, text: &loaded.bytes, plan: &plan, of_chart };
            run.add_checked(file);
            let lenient = run.lenient;
            if plan.findings.iter().any(|finding| asks_for_something(finding, fail_on, lenient)) {
                run.set_found();
            }
            run.print(report.add(file).as_bytes())
        },
    )?;
    if !explanations.is_empty() {
        explanations.push_str(PROXY_MODES);
        run.print(explanations.as_bytes())?;
    }
    run.print(report.finish(run.errors(), run.summary()).as_bytes())
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
