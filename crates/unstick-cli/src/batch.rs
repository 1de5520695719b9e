//! Work on many inputs at once, with the results in their order.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::error::Error;
use crate::input::Input;
use crate::progress::Progress;
use crate::run::Run;

/// How many inputs are in memory at once.
const BATCH: usize = 64;

/// Does `work` for all inputs, some at a time, and hands each result to `take` in the inputs' order.
pub(crate) fn for_each<R: Send>(
    run: &mut Run,
    inputs: &[Input],
    work: impl Fn(&Input) -> R + Sync,
    mut take: impl FnMut(&mut Run, &Input, R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut progress = Progress::new(inputs.len(), run.is_quiet());
    for batch in inputs.chunks(BATCH) {
        let results = work_on(batch, &work);
        progress.hide();
        for (input, result) in batch.iter().zip(results) {
            if let Some(result) = result {
                take(run, input, result)?;
            }
        }
        progress.advance(batch.len());
    }
    Ok(())
}

fn work_on<R: Send>(batch: &[Input], work: &(impl Fn(&Input) -> R + Sync)) -> Vec<Option<R>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(batch.len());
    if threads <= 1 {
        return batch.iter().map(|input| Some(work(input))).collect();
    }
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = batch.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < batch.len())
                {
                    let result = work(&batch[index]);
                    if let Ok(mut place) = results[index].lock() {
                        *place = Some(result);
                    }
                }
            });
        }
    });
    results.into_iter().map(|result| result.into_inner().unwrap_or_default()).collect()
}
