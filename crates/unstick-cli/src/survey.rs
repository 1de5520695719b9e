//! A look at all texts of a run, before advice is given on each.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use unstick::{Advice, Policy, Rule, Source, Survey};

use crate::input::Input;
use crate::unit::Unit;

/// How much advice plans get, and what it is made from.
pub(crate) struct Advisor {
    pub advice: Advice,
    pub survey: Survey,
}

/// The rules that ask what other texts hold.
const OF_ALL_TEXTS: [Rule; 2] = [Rule::StickySingleReplica, Rule::PatchWillFail];

impl Advisor {
    /// Advises on what changes will do.
    pub(crate) fn of_changes() -> Self {
        Self { advice: Advice::OfChanges, survey: Survey::default() }
    }

    /// Advises on everything; reads all texts that stand on their own, which charts do not.
    ///
    /// A text that cannot be read twice is held in memory.
    pub(crate) fn of_all(units: &mut [Unit], policy: &Policy) -> Self {
        let mut survey = Survey::default();
        if !OF_ALL_TEXTS.iter().all(|rule| policy.severity.is_off(*rule)) {
            units.iter_mut().for_each(hold);
            let inputs: Vec<&Input> = units.iter().filter_map(Unit::input).collect();
            let worthwhile = |input: &Input| input.load().is_ok_and(|loaded| Survey::is_worthwhile(&loaded.bytes));
            // Most runs over clean manifests end here, without a document being read.
            if each(&inputs, worthwhile).into_iter().any(|worthwhile| worthwhile) {
                let surveys = each(&inputs, |input| {
                    // What cannot be loaded is told when it is planned.
                    let loaded = input.load().ok()?;
                    Some(Survey::new(Source { path: Some(&input.shown()), bytes: &loaded.bytes }, policy))
                });
                surveys.into_iter().flatten().for_each(|other| survey.extend(other));
            }
        }
        Self { advice: Advice::All, survey }
    }
}

fn hold(unit: &mut Unit) {
    let Unit::File(input) = unit else { return };
    if input.is_lasting() {
        return;
    }
    // A fault comes again when the text is planned, and is told then.
    if let Ok(loaded) = input.load() {
        *input = Input::Held { input: Box::new(input.clone()), bytes: Arc::new(loaded.bytes) };
    }
}

/// Does `work` for all inputs, some at a time; the results come in no order.
fn each<R: Send>(inputs: &[&Input], work: impl Fn(&Input) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(inputs.len());
    let work = &work;
    thread::scope(|scope| {
        let start = |first: usize| {
            let own = inputs.iter().skip(first).step_by(threads);
            scope.spawn(move || own.map(|input| work(input)).collect::<Vec<R>>())
        };
        let started: Vec<_> = (0..threads).map(start).collect();
        // A thread without a result has panicked, which the scope tells.
        started.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
    })
}
