//! Work on many inputs at once, with the results in their order.

use std::num::NonZero;
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::error::Error;
use crate::progress::Progress;
use crate::run::Run;
use crate::survey::Advisor;
use crate::unit::{Planned, Unit};

/// How many results each thread may be ahead of the one that takes them: texts in waiting are texts in memory.
const AHEAD: usize = 4;

/// Plans all units, some at a time, does `work` with each text, and hands the results to `take` in the units' order.
pub(crate) fn for_each<R: Send>(
    run: &mut Run,
    units: &[Unit],
    advisor: &Advisor,
    work: impl Fn(Planned) -> R + Sync,
    mut take: impl FnMut(&mut Run, R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut progress = Progress::new(units.len(), run.is_quiet());
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(units.len());
    let work = &work;
    let policy = run.policy.clone();
    let policy = &policy;
    thread::scope(|scope| {
        let start = |first: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || {
                // Nobody takes any more where the run ends early.
                units.iter().skip(first).step_by(threads).try_for_each(|unit| {
                    let results: Vec<R> = unit.plan(policy, advisor).into_iter().map(work).collect();
                    sender.send(results)
                })
            });
            receiver
        };
        let receivers: Vec<_> = (0..threads).map(start).collect();
        for receiver in receivers.iter().cycle().take(units.len()) {
            // A thread without a result has panicked, which the scope tells.
            let Ok(results) = receiver.recv() else { break };
            results.into_iter().try_for_each(|result| take(run, result))?;
            progress.advance();
        }
        Ok(())
    })
}
