//! Counts.

use std::fmt;

use unstick::{Outcome, Plan};

/// How many findings ended in which way, over all files of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Findings that an edit deals with.
    pub changed: usize,
    /// Findings that stay as the policy says.
    pub kept: usize,
    /// Findings that could not be dealt with.
    pub refused: usize,
    /// Findings told for completeness.
    pub noted: usize,
    /// Files that were read.
    pub files: usize,
}

impl Summary {
    /// Adds one file's plan.
    pub fn add(&mut self, plan: &Plan) {
        self.changed += plan.count(Outcome::Changed);
        self.kept += plan.count(Outcome::Kept);
        self.refused += plan.count(Outcome::Refused);
        self.noted += plan.count(Outcome::Noted);
        self.files += 1;
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = if self.files == 1 { "file" } else { "files" };
        let Self { changed, kept, refused, noted, files: count } = self;
        write!(f, "{changed} changed, {kept} kept, {refused} refused, {noted} noted in {count} {files}")
    }
}
