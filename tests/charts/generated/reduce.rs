//! Makes a template that breaks the law smaller, as long as it still does.

use super::batch::{self, Verdict};
use super::sets;
use super::writer::Sample;
use crate::helm::Helm;
use crate::unstick::Policy;

/// At most so many tries: each renders the template twice.
const TRIES: usize = 250;

/// Returns what a person needs to see the violation.
pub(crate) fn report(sample: &Sample, helm: &Helm, policy: Policy) -> String {
    let small = reduce(sample, helm, policy);
    let seed = sample.seed;
    let violation = judged(&small, helm, policy).and_then(|verdict| verdict.violation);
    let Some(violation) = violation else { return format!("seed {seed}: it broke the law only once") };
    format!(
        "seed {seed} ({}, {}): {}\n----- template\n{}----- helpers\n{}----- values\n{}\n----- fixed\n{}\n----- expected\n{}----- got\n{}-----",
        policy.name,
        helm.name,
        violation.words,
        small.template,
        small.helpers,
        sets::all()[violation.set],
        violation.fixed,
        violation.expected,
        violation.got
    )
}

/// Takes lines out, many at a time and then few.
pub(crate) fn reduce(sample: &Sample, helm: &Helm, policy: Policy) -> Sample {
    let mut small = sample.clone();
    let mut tries = 0;
    // A template that renders nonsense for more values than before shows something else.
    let most_unread = judged(sample, helm, policy).map_or(0, |verdict| verdict.unread);
    let breaks = |sample: &Sample| {
        judged(sample, helm, policy).is_some_and(|verdict| verdict.violation.is_some() && verdict.unread <= most_unread)
    };
    loop {
        let before = small.clone();
        for part in [Part::Helpers, Part::Template] {
            let mut size = part.of(&small).lines().count().div_ceil(2);
            while size > 0 && tries < TRIES {
                let mut at = 0;
                while at < part.of(&small).lines().count() && tries < TRIES {
                    tries += 1;
                    let shorter = part.without(&small, at, size);
                    if breaks(&shorter) { small = shorter } else { at += size }
                }
                size /= 2;
            }
        }
        if small == before || tries >= TRIES {
            return small;
        }
    }
}

fn judged(sample: &Sample, helm: &Helm, policy: Policy) -> Option<Verdict> {
    batch::judge(std::slice::from_ref(sample), helm, policy).ok()?.into_iter().next()
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Template,
    Helpers,
}

impl Part {
    fn of(self, sample: &Sample) -> &str {
        match self {
            Self::Template => &sample.template,
            Self::Helpers => &sample.helpers,
        }
    }

    fn without(self, sample: &Sample, at: usize, size: usize) -> Sample {
        // Without these it is no Service any more, which is another matter.
        let stays = |line: &str| line.starts_with("apiVersion:") || line.starts_with("kind:");
        let lines = self.of(sample).split_inclusive('\n').enumerate();
        let lines = lines.filter(|(index, line)| stays(line) || !(at..at + size).contains(index));
        let text = lines.map(|(_, line)| line).collect();
        match self {
            Self::Template => Sample { template: text, ..sample.clone() },
            Self::Helpers => Sample { helpers: text, ..sample.clone() },
        }
    }
}
