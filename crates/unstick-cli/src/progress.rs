//! A line on the terminal while a long walk goes on.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

/// How long a run stays silent.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Counts files, and shows the count on a terminal once the run takes long.
pub(crate) struct Progress {
    total: usize,
    done: usize,
    started: Instant,
    terminal: bool,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Self {
        Self { total, done: 0, started: Instant::now(), terminal: stderr().is_terminal(), shown: false }
    }

    pub(crate) fn advance(&mut self, files: usize) {
        self.done += files;
        if self.terminal && self.started.elapsed() > PATIENCE {
            let filled = (20 * self.done).checked_div(self.total).unwrap_or(20).min(20);
            let bar = format!("{}{}", "█".repeat(filled), "░".repeat(20 - filled));
            eprint!("\r\u{1b}[K{bar} {}/{} files", self.done, self.total);
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\u{1b}[K");
        }
    }
}
