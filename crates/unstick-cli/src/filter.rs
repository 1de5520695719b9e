//! No command: standard input to standard output.

use std::io;

use unstick::{Outcome, Plan, Source, krm};
use unstick_report::FileReport;

use crate::args::Host;
use crate::error::Error;
use crate::input::{Input, read_stdin};
use crate::run::{Run, quiet_pipe};
use crate::write::write_edited;

/// What Helm gets instead of nothing, which it would take for an error or for an empty release.
const EMPTY_FOR_HELM: &[u8] = b"# unstick: there are no manifests\n";

pub(crate) fn execute(run: &mut Run, host: Host) -> Result<(), Error> {
    let bytes = read_stdin()?;
    if host == Host::Helm && bytes.iter().all(u8::is_ascii_whitespace) {
        run.without_summary();
        return run.print(EMPTY_FOR_HELM);
    }
    let source = Source { path: None, bytes: &bytes };
    let response = if host == Host::Helm { None } else { krm::respond(source, &run.policy) };
    match response {
        Some(response) => answer(run, &bytes, &response),
        None if host == Host::Krm => Err(Error::NoResourceList),
        None => pass(run, &bytes, &Plan::new(source, &run.policy)),
    }
}

/// Writes the manifests with the edits made, or nothing where a document that names affinity could not be read.
fn pass(run: &mut Run, bytes: &[u8], plan: &Plan) -> Result<(), Error> {
    let shown = Input::Stdin.shown();
    let report = FileReport { path: &shown, text: bytes, plan, of_chart: false };
    run.tell(report);
    run.add(report);
    if plan.count(Outcome::Changed) + plan.count(Outcome::Refused) == 0 {
        run.without_summary();
    }
    if plan.blocked && !run.lenient {
        return Ok(());
    }
    write(bytes, plan)
}

/// Answers as a KRM function: results are in the output, and an error among them makes the host fail.
fn answer(run: &mut Run, bytes: &[u8], response: &krm::Response) -> Result<(), Error> {
    let shown = Input::Stdin.shown();
    let report = FileReport { path: &shown, text: bytes, plan: &response.plan, of_chart: false };
    run.tell(report);
    run.add_answered(report);
    if response.failed {
        run.set_found();
    }
    run.without_summary();
    write(bytes, &response.plan)
}

fn write(bytes: &[u8], plan: &Plan) -> Result<(), Error> {
    quiet_pipe(write_edited(&mut io::stdout().lock(), bytes, &plan.edits))
}
