//! A line on the terminal while a long walk goes on.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use crate::words::{hide_status, show_status};

/// How long a run stays silent.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How long a line stays as it is.
const PACE: Duration = Duration::from_millis(100);

/// Columns of the bar.
const WIDTH: usize = 20;

/// Counts files, and shows the count on a terminal once the run takes long.
pub(crate) struct Progress {
    total: usize,
    done: usize,
    next: Instant,
    wanted: bool,
}

impl Progress {
    pub(crate) fn new(total: usize, quiet: bool) -> Self {
        Self { total, done: 0, next: Instant::now() + PATIENCE, wanted: !quiet && stderr().is_terminal() }
    }

    /// Counts one file.
    pub(crate) fn advance(&mut self) {
        self.done += 1;
        if self.wanted && Instant::now() >= self.next {
            let filled = (WIDTH * self.done).checked_div(self.total).unwrap_or(WIDTH).min(WIDTH);
            let bar = format!("{}{}", "█".repeat(filled), "░".repeat(WIDTH - filled));
            show_status(&format!("{bar} {}/{} files", self.done, self.total));
            self.next = Instant::now() + PACE;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        hide_status();
    }
}
