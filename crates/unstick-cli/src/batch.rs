//! Work on many inputs at once, with the results in their order.

use std::num::NonZero;
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::error::Error;
use crate::input::Input;
use crate::progress::Progress;
use crate::run::Run;

/// How many results each thread may be ahead of the one that takes them: texts in waiting are texts in memory.
const AHEAD: usize = 4;

/// Does `work` for all inputs, some at a time, and hands each result to `take` in the inputs' order.
pub(crate) fn for_each<R: Send>(
    run: &mut Run,
    inputs: &[Input],
    work: impl Fn(&Input) -> R + Sync,
    mut take: impl FnMut(&mut Run, &Input, R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut progress = Progress::new(inputs.len(), run.is_quiet());
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(inputs.len());
    let work = &work;
    thread::scope(|scope| {
        let start = |first: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || {
                // Nobody takes any more where the run ends early.
                inputs.iter().skip(first).step_by(threads).try_for_each(|input| sender.send(work(input)))
            });
            receiver
        };
        let receivers: Vec<_> = (0..threads).map(start).collect();
        for (input, receiver) in inputs.iter().zip(receivers.iter().cycle()) {
            // A thread without a result has panicked, which the scope tells.
            let Ok(result) = receiver.recv() else { break };
            take(run, input, result)?;
            progress.advance();
        }
        Ok(())
    })
}
