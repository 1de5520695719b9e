//! `unstick diff`: what would change.

use std::path::PathBuf;

use unstick_report::{FileReport, unified_diff};

use crate::archive;
use crate::batch;
use crate::error::Error;
use crate::run::Run;
use crate::survey::Advisor;
use crate::unit::Planned;
use crate::walk;

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf]) -> Result<(), Error> {
    run.set_dry();
    archive::refuse_named(paths)?;
    let units = walk::units(run, paths)?;
    batch::for_each(
        run,
        &units,
        &Advisor::of_changes(),
        |planned| planned,
        |run, Planned { input, of_chart, result }| {
            let (loaded, plan) = match result {
                Ok(read) => read,
                Err(error) => {
                    run.fail(&error);
                    return Ok(());
                }
            };
            let path = input.shown();
            let report = FileReport { path: &path, text: &loaded.bytes, plan: &plan, of_chart };
            run.add(report);
            run.tell(report);
            let diff = unified_diff(&input.diff_name(), &loaded.bytes, &plan.edits, run.stdout_colour);
            if !diff.is_empty() {
                run.set_found();
                run.print(&diff)?;
            }
            Ok(())
        },
    )
}
