//! Words on standard error.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use unstick_report::{Colour, visible};

/// The terminal's last line is a status, which goes before anything else is written.
static STATUS: AtomicBool = AtomicBool::new(false);

const CLEAR_LINE: &str = "\r\u{1b}[K";

/// Writes a text as it is; where standard error is closed, nobody listens.
pub(crate) fn say(text: &str) {
    if text.is_empty() {
        return;
    }
    hide_status();
    write(text);
}

/// Shows a status on the terminal's last line, in the place of the one before.
pub(crate) fn show_status(text: &str) {
    STATUS.store(true, Ordering::Relaxed);
    write(&format!("{CLEAR_LINE}{text}"));
}

/// Takes the status away.
pub(crate) fn hide_status() {
    if STATUS.swap(false, Ordering::Relaxed) {
        write(CLEAR_LINE);
    }
}

fn write(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Tells of a fault.
pub(crate) fn say_error(colour: Colour, text: &str) {
    say(&format!("{}: {}\n", heading(colour, "error", "31"), safe(text)));
}

/// Tells something that is no fault.
pub(crate) fn say_warning(colour: Colour, text: &str) {
    say(&format!("{}: {}\n", heading(colour, "warning", "33"), safe(text)));
}

fn heading(colour: Colour, word: &str, code: &str) -> String {
    match colour {
        Colour::On => format!("\u{1b}[1;{code}m{word}\u{1b}[0m"),
        Colour::Off => word.to_owned(),
    }
}

/// Makes names of files and other foreign text safe to show, and keeps the lines.
pub(crate) fn safe(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}
