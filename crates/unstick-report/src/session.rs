//! What a Service's affinity does, in words.

mod explanation;

pub use explanation::{PROXY_MODES, explain};

use unstick::{DEFAULT_TIMEOUT_SECONDS, SessionTimeout};

/// Returns the time for which a Service is sticky, as people and as machines count.
pub(crate) fn seconds_in_words(timeout: SessionTimeout) -> String {
    match timeout {
        SessionTimeout::Default => format!("{DEFAULT_TIMEOUT_SECONDS} seconds (3 hours, the default)"),
        SessionTimeout::Seconds(seconds) => match in_larger_units(seconds) {
            Some(words) => format!("{seconds} seconds ({words})"),
            None if seconds == 1 => "1 second".into(),
            None => format!("{seconds} seconds"),
        },
        SessionTimeout::Unknown => "a time that its manifest does not tell".into(),
    }
}

/// Returns a number of seconds in minutes or hours; none where that is no help.
fn in_larger_units(seconds: u32) -> Option<String> {
    let (hours, minutes) = (seconds / 3600, seconds % 3600 / 60);
    let count = |number: u32, unit: &str| match number {
        0 => None,
        1 => Some(format!("1 {unit}")),
        _ => Some(format!("{number} {unit}s")),
    };
    let words: Vec<String> = [count(hours, "hour"), count(minutes, "minute")].into_iter().flatten().collect();
    if words.is_empty() {
        return None;
    }
    let about = if seconds.is_multiple_of(60) { "" } else { "about " };
    Some(format!("{about}{}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_people_do() {
        let words = |seconds| seconds_in_words(SessionTimeout::Seconds(seconds));
        assert_eq!(words(1), "1 second");
        assert_eq!(words(59), "59 seconds");
        assert_eq!(words(60), "60 seconds (1 minute)");
        assert_eq!(words(5430), "5430 seconds (about 1 hour 30 minutes)");
        assert_eq!(words(86400), "86400 seconds (24 hours)");
    }
}
