//! Small damage to texts: what is left may be no YAML at all.

use crate::random::Random;

const TOKENS: &[&str] = &[
    "&a ",
    "*a",
    "<<: *a\n",
    "# ",
    "---\n",
    "...\n",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ",",
    ":",
    ": ",
    "- ",
    "? ",
    "|",
    ">-\n",
    "\t",
    "!!str ",
    "!x ",
    "%YAML 1.2\n",
    "\u{2028}",
    "\u{85}",
    "\u{feff}",
    "\\",
    "\r",
    "\n",
    "\r\n",
    "  ",
    "null",
    "{{ .x }}",
    "sessionAffinity",
    "sessionAffinity: ClientIP\n",
    "sessionAffinityConfig: ",
    "kind: Service\n",
    "//",
    "/*",
    "@",
    "`",
];

/// Damages the text in one to three places.
pub fn mutate(text: &mut Vec<u8>, seed: u64) {
    let mut random = Random::new(seed ^ 0x5EED);
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(12)).min(text.len());
        match random.below(7) {
            0 => drop(text.drain(at..end)),
            1 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = u8::try_from(random.below(256)).unwrap_or(0);
                }
            }
            2 => {
                let (start, end) = line(text, at);
                let copy = text[start..end].to_vec();
                drop(text.splice(at..at, copy));
            }
            3 => {
                let (start, end) = line(text, at);
                drop(text.drain(start..end));
            }
            4 => {
                let (start, end) = line(text, at);
                let moved: Vec<u8> = text.drain(start..end).collect();
                let (to, _) = line(text, random.below(text.len() + 1));
                drop(text.splice(to..to, moved));
            }
            _ => {
                let token = random.pick(TOKENS);
                drop(text.splice(at..at, token.bytes()));
            }
        }
    }
}

/// Returns where the line at `at` begins and where the next one does.
fn line(text: &[u8], at: usize) -> (usize, usize) {
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |found| at + found + 1);
    (start, end)
}
