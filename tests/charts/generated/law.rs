//! The law for generated templates.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::batch::{self, Verdict};
use super::body;
use super::reduce;
use super::writer::Sample;
use crate::bench;
use crate::helm;
use crate::unstick::{KEEP, Policy, STRIP, STRIP_ALL, STRIP_TO_NONE};

const BATCH: usize = 40;

/// For each policy.
const MOST_REDUCED: usize = 3;

const POLICIES: [Policy; 8] = [STRIP_ALL, STRIP_ALL, STRIP_TO_NONE, STRIP_ALL, KEEP, STRIP_ALL, STRIP, STRIP_TO_NONE];

/// Templates of one batch.
struct Job {
    seeds: Vec<u64>,
    /// Chooses the version of Helm, and the policy.
    index: usize,
}

impl Job {
    /// Returns what shall be tried: some templates in every run, thousands in a long one.
    ///
    /// `UNSTICK_SEED` chooses others; `UNSTICK_SEEDS`, with commas, tries single ones again as the long run does.
    fn all() -> Vec<Self> {
        let number = |seed: &str| seed.trim().parse::<u64>().ok();
        if let Ok(seeds) = std::env::var("UNSTICK_SEEDS") {
            let batch = |seed: u64| usize::try_from(seed.saturating_sub(1)).expect("small") / BATCH;
            return seeds
                .split(',')
                .filter_map(number)
                .map(|seed| Self { seeds: vec![seed], index: batch(seed) })
                .collect();
        }
        let first = std::env::var("UNSTICK_SEED").ok().and_then(|seed| number(&seed)).unwrap_or(1);
        let count = if bench::long() { 5_000 / BATCH } else { 8 };
        let seeds = |index: usize| (first..).skip(index * BATCH).take(BATCH).collect();
        (0..count).map(|index| Self { seeds: seeds(index), index }).collect()
    }
}

#[test]
fn generated_templates_render_what_the_filter_makes_of_the_originals() {
    let helms = helm::all();
    if helms.is_empty() {
        return;
    }
    let results = bench::parallel(&Job::all(), |Job { seeds, index }| {
        let samples: Vec<Sample> = seeds.iter().copied().map(body::sample).collect();
        let helm = &helms[index % helms.len()];
        let policy = POLICIES[(index / helms.len() + index) % POLICIES.len()];
        let verdicts = batch::judge(&samples, helm, policy);
        verdicts.map(|verdicts| (samples, verdicts, helm, policy)).map_err(|words| format!("seeds {seeds:?}: {words}"))
    });
    let mut tally = Tally::default();
    let mut failures = String::new();
    let mut reduced: BTreeMap<&str, usize> = BTreeMap::new();
    for result in results {
        let (samples, verdicts, helm, policy) = match result {
            Ok(result) => result,
            Err(words) => {
                let _ = writeln!(failures, "{words}");
                continue;
            }
        };
        for (sample, verdict) in samples.iter().zip(&verdicts) {
            tally.add(verdict);
            if verdict.violation.is_some() {
                // Making a template small takes a while.
                let count = reduced.entry(policy.name).or_default();
                *count += 1;
                if *count <= MOST_REDUCED {
                    let _ = writeln!(failures, "{}", reduce::report(sample, helm, policy));
                } else {
                    let _ = writeln!(failures, "seed {} ({}, {}) as well", sample.seed, policy.name, helm.name);
                }
            }
        }
    }
    println!("{tally}");
    assert!(failures.is_empty(), "\n{failures}");
    assert!(tally.edited * 2 > tally.templates, "only {} of {} were edited", tally.edited, tally.templates);
}

#[derive(Default)]
struct Tally {
    templates: usize,
    edited: usize,
    exact: usize,
    with_refusal: usize,
    violations: usize,
    compared: usize,
    unread: usize,
    blank_lines: usize,
    reasons: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, verdict: &Verdict) {
        self.templates += 1;
        self.edited += usize::from(verdict.edited);
        self.exact += usize::from(verdict.edited && verdict.refused.is_empty() && verdict.blank_lines == 0);
        self.with_refusal += usize::from(!verdict.refused.is_empty());
        self.violations += usize::from(verdict.violation.is_some());
        self.compared += verdict.compared;
        self.unread += verdict.unread;
        self.blank_lines += verdict.blank_lines;
        for reason in &verdict.refused {
            *self.reasons.entry(reason.clone()).or_default() += 1;
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} templates: {} edited, {} of them exactly; {} with a refusal; {} violations",
            self.templates, self.edited, self.exact, self.with_refusal, self.violations
        )?;
        writeln!(
            f,
            "{} renderings compared, {} of them equal but for blank lines; {} that cannot be read before any edit",
            self.compared, self.blank_lines, self.unread
        )?;
        for (reason, count) in &self.reasons {
            writeln!(f, "{count:6} refused: {reason}")?;
        }
        Ok(())
    }
}
