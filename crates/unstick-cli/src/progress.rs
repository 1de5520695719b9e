//! A line on the terminal while a long walk goes on.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use crate::words::say;

/// How long a run stays silent.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Counts files, and shows the count on a terminal once the run takes long.
pub(crate) struct Progress {
    total: usize,
    done: usize,
    started: Instant,
    wanted: bool,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(total: usize, quiet: bool) -> Self {
        Self { total, done: 0, started: Instant::now(), wanted: !quiet && stderr().is_terminal(), shown: false }
    }

    /// Takes the line away, so that something else can be written.
    pub(crate) fn hide(&mut self) {
        if self.shown {
            say("\r\u{1b}[K");
            self.shown = false;
        }
    }

    pub(crate) fn advance(&mut self, files: usize) {
        self.done += files;
        if self.wanted && self.started.elapsed() > PATIENCE {
            let filled = (20 * self.done).checked_div(self.total).unwrap_or(20).min(20);
            let bar = format!("{}{}", "█".repeat(filled), "░".repeat(20 - filled));
            say(&format!("\r\u{1b}[K{bar} {}/{} files", self.done, self.total));
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.hide();
    }
}
