//! `unstick diff`: what would change.

use std::path::PathBuf;

use unstick::{Plan, Source};
use unstick_report::{FileReport, unified_diff};

use crate::batch;
use crate::error::Error;
use crate::input::Loaded;
use crate::run::Run;
use crate::walk;

pub(crate) fn execute(run: &mut Run, paths: &[PathBuf]) -> Result<(), Error> {
    let inputs = walk::inputs(run, paths)?;
    let policy = run.policy.clone();
    let work = |input: &crate::input::Input| -> Result<(Loaded, Plan), Error> {
        let loaded = input.load()?;
        let path = input.shown();
        let plan = Plan::new(Source { path: Some(&path), bytes: &loaded.bytes }, &policy);
        Ok((loaded, plan))
    };
    batch::for_each(run, &inputs, work, |run, input, result| {
        let (loaded, plan) = match result {
            Ok(read) => read,
            Err(error) => {
                run.fail(&error);
                return Ok(());
            }
        };
        let path = input.shown();
        let report = FileReport { path: &path, text: &loaded.bytes, plan: &plan };
        run.add(report);
        run.tell(report);
        let diff = unified_diff(&input.diff_name(), &loaded.bytes, &plan.edits, run.stdout_colour);
        if !diff.is_empty() {
            run.set_found();
            run.print(&diff)?;
        }
        Ok(())
    })
}
