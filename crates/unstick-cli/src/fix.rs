//! `unstick fix`: edits in place.

use std::path::PathBuf;

use unstick::Plan;
use unstick_report::FileReport;

use crate::archive;
use crate::batch;
use crate::error::Error;
use crate::input::{Input, Loaded};
use crate::run::Run;
use crate::survey::Advisor;
use crate::unit::Planned;
use crate::{walk, write};

/// A text, its plan, and whether the plan could be written.
type Written = (Loaded, Plan, Result<(), Error>);

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf]) -> Result<(), Error> {
    if paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Error::FixStdin);
    }
    archive::refuse_named(paths)?;
    let units = walk::units(run, paths)?;
    let work = |Planned { input, of_chart, result }| {
        let result = result.map(|(loaded, plan)| {
            let written = write_plan(&input, &loaded, &plan);
            (loaded, plan, written)
        });
        (input, of_chart, result)
    };
    batch::for_each(
        run,
        &units,
        &Advisor::of_changes(),
        work,
        |run, (input, of_chart, result): (Input, bool, Result<Written, Error>)| {
            match result {
                Err(error) => run.fail(&error),
                Ok((loaded, mut plan, written)) => {
                    let path = input.shown();
                    run.tell(FileReport { path: &path, text: &loaded.bytes, plan: &plan, of_chart });
                    match written {
                        Ok(()) => {
                            if plan.blocked {
                                drop_edits(&mut plan);
                            }
                            warn_of_links(run, &input, &loaded, &plan);
                        }
                        Err(error) => {
                            run.fail(&error);
                            drop_edits(&mut plan);
                        }
                    }
                    run.add_fixed(FileReport { path: &path, text: &loaded.bytes, plan: &plan, of_chart });
                }
            }
            Ok(())
        },
    )
}

/// Writes the edits, unless the file holds a document that could not be read and names affinity.
fn write_plan(input: &Input, loaded: &Loaded, plan: &Plan) -> Result<(), Error> {
    let (Input::File { path, target }, Some(metadata)) = (input, &loaded.metadata) else { return Ok(()) };
    if plan.edits.is_empty() || plan.blocked {
        return Ok(());
    }
    // A link that was named stays a link: its target is written.
    write::replace(target, metadata, &loaded.bytes, &plan.edits).map_err(|fault| fault.of(path))
}

/// What was not written is not told as changed.
fn drop_edits(plan: &mut Plan) {
    plan.edits = unstick_yaml::EditSet::new();
    for finding in &mut plan.findings {
        if finding.outcome == unstick::Outcome::Changed {
            finding.outcome = unstick::Outcome::Refused;
            finding.severity = unstick::Severity::Error;
            finding.message.push_str("; but the file was left as it is");
        }
    }
}

fn warn_of_links(run: &Run, input: &Input, loaded: &Loaded, plan: &Plan) {
    let (Input::File { path, .. }, Some(metadata)) = (input, &loaded.metadata) else { return };
    if !plan.edits.is_empty() && write::other_links(metadata) > 0 {
        run.warn(&format!("{} has other hard links: they keep the old text", path.display()));
    }
}
