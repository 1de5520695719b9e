//! Runs the fuzz targets on stable Rust: seeds mutated by a seeded generator, for a given time.
//!
//! ```text
//! cargo run --release --bin smoke -- --seconds 60 --seed 1 [--target plan_bytes] [--input FILE]
//! ```
//!
//! One seed gives the same inputs on every machine, as many as the time allows. The first failure is made smaller and
//! printed as an escaped byte string; the exit code is then 1.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use unstick_fuzz::{TARGETS, Target};

/// An input that takes longer than this is a failure: the longest has some kilobytes.
const SLOW: Duration = Duration::from_secs(5);

const MOST_BYTES: usize = 4096;

/// Pieces that mutation puts in.
const DICTIONARY: &[&[u8]] = &[
    b"sessionAffinity",
    b"sessionAffinityConfig",
    b"sessionAffinity: ClientIP\n",
    b"  sessionAffinity: ClientIP\n",
    b"  sessionAffinityConfig:\n    clientIP:\n      timeoutSeconds: 1\n",
    b"ClientIP",
    b"None",
    b"clientIP",
    b"spec:\n",
    b"spec: ",
    b"spec",
    b"kind: Service\n",
    b"kind: List\n",
    b"apiVersion: v1\n",
    b"items:\n",
    b"---\n",
    b"--- ",
    b"...\n",
    b"<<: *a\n",
    b"<<: [*a, *b]",
    b"&a ",
    b"&b ",
    b"*a",
    b"*a : ",
    b"!!str ",
    b"!!binary ",
    b"!t ",
    b"|\n",
    b"|+\n",
    b">-\n",
    b"|2\n",
    b"{{",
    b"}}",
    b"{{ if x }}",
    b"{{- if .Values.pinned }}\n",
    b"{{- else }}\n",
    b"{{- end }}\n",
    b"{{ end -}}\n",
    b"{{- with .Values.service }}\n",
    b"{{- range .Values.list }}\n",
    b"{{- include \"demo.spec\" . | nindent 2 }}\n",
    b"{{/* c */}}",
    b"{{ .Values.pinned }}",
    b"{{- define \"x\" -}}\n",
    b"{{- $v := 1 }}",
    b"{{- nindent 2 \"\" -}}",
    b" -}}",
    b"{{- ",
    b"  {{- if .Values.a }}\n",
    b"{{- with .Values.s -}}",
    b"{{ else if .b -}}",
    b"{{ end -}}",
    b"{{- range .Values.l }}\n",
    b"{{- define \"d\" -}}\n",
    b"{{- include \"d\" . | nindent 2 }}\n",
    b"{{ template \"d\" . }}",
    b"{{- $v = 1 }}",
    b"{{ .Values.s | quote }}",
    b"{{ default \"ClientIP\" $.Values.s }}",
    b"  sessionAffinity: {{ .Values.s }}\n",
    b"{{ toYaml . | nindent 4 }}",
    b"%%%\n",
    b"`",
    b"\xEF\xBB\xBF",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"\n  ",
    b"\n    ",
    b"\t",
    b"  ",
    b"# c\n",
    b" # sessionAffinity\n",
    b"? ",
    b": ",
    b":",
    b"- ",
    b",",
    b"{",
    b"}",
    b"[",
    b"]",
    b"{}",
    b"\"",
    b"'",
    b"\\",
    b"\\u0041",
    b"\\\n",
    b"null",
    b"~",
    b"%YAML 1.1\n",
    b"%TAG !e! x:\n",
    b"\xC2\x85",
    b"\xE2\x80\xA8",
    b"\xFF",
    b"\0",
    b"\"sessionAffinity\": \"ClientIP\",",
    b"//",
    b"/*",
    b"0",
    b"600",
    b"true",
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which is not zero.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    /// Returns a random range of at most `most` bytes in `bytes`.
    fn range(&mut self, bytes: &[u8], most: usize) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        let end = start + self.below(most.min(bytes.len() - start) + 1);
        start..end
    }
}

struct Settings {
    seconds: u64,
    seed: u64,
    target: Option<String>,
    input: Option<String>,
}

impl Settings {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self { seconds: 60, seed: 1, target: None, input: None };
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
            let number = || value.parse().map_err(|_| format!("{name} needs a number"));
            match name.as_str() {
                "--seconds" => settings.seconds = number()?,
                "--seed" => settings.seed = number()?,
                "--target" => settings.target = Some(value),
                "--input" => settings.input = Some(value),
                _ => return Err(format!("unknown option {name}")),
            }
        }
        Ok(settings)
    }
}

thread_local! {
    /// Words and place of the last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

fn main() -> ExitCode {
    match Settings::read(std::env::args().skip(1)).and_then(|settings| run(&settings)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(settings: &Settings) -> Result<(), String> {
    std::panic::set_hook(Box::new(|info| PANIC.with_borrow_mut(|message| *message = info.to_string())));
    let chosen = |target: &&Target| settings.target.as_deref().is_none_or(|name| name == target.name);
    let targets: Vec<&Target> = TARGETS.iter().filter(chosen).collect();
    if targets.is_empty() {
        return Err("there is no such target".into());
    }
    if let Some(path) = &settings.input {
        let input = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        return targets.iter().try_for_each(|target| check(target, &input));
    }
    let seeds = read_seeds(&Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds"))?;
    let share = Duration::from_secs(settings.seconds) / u32::try_from(targets.len()).unwrap_or(1);
    for target in targets {
        let mut random = Random(settings.seed);
        let start = Instant::now();
        let mut count = 0u64;
        let holds =
            |seed: &&Vec<u8>| target.needle.is_empty() || seed.windows(target.needle.len()).any(|w| w == target.needle);
        let seeds: Vec<Vec<u8>> = seeds.iter().filter(holds).cloned().collect();
        for seed in &seeds {
            for policy in [0, 1, 2, 16, 68, 69] {
                check(target, &[&[policy], seed.as_slice()].concat())?;
                count += 1;
            }
        }
        while start.elapsed() < share {
            check(target, &mutate(&mut random, &seeds))?;
            count += 1;
        }
        let rate = count as f64 / start.elapsed().as_secs_f64();
        println!("{:12} {count:9} inputs, {rate:8.0} a second", target.name);
    }
    Ok(())
}

fn read_seeds(folder: &Path) -> Result<Vec<Vec<u8>>, String> {
    let describe = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).map_err(describe)?.collect();
    let mut paths: Vec<_> = entries.map_err(describe)?.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    let seeds: Result<Vec<Vec<u8>>, _> = paths.iter().map(std::fs::read).collect();
    let seeds = seeds.map_err(describe)?;
    if seeds.is_empty() { Err(format!("{} has no seeds", folder.display())) } else { Ok(seeds) }
}

/// Makes one input: a policy byte, and a seed with a few changes.
fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let place = random.below(text.len() + 1);
        match random.below(8) {
            0 if place < text.len() => text[place] ^= 1 << random.below(8),
            1 => drop(text.drain(random.range(&text, 16))),
            2 => {
                let other = &seeds[random.below(seeds.len())];
                let piece = other[random.range(other, 80)].to_vec();
                text.splice(place..place, piece);
            }
            3 => {
                let piece = text[random.range(&text, 60)].to_vec();
                text.splice(place..place, piece);
            }
            4 => {
                let range = random.range(&text, 8);
                text.splice(range, DICTIONARY[random.below(DICTIONARY.len())].iter().copied());
            }
            5 => move_lines(random, &mut text),
            _ => drop(text.splice(place..place, DICTIONARY[random.below(DICTIONARY.len())].iter().copied())),
        }
    }
    text.truncate(MOST_BYTES);
    text.insert(0, u8::try_from(random.below(128)).unwrap_or(0));
    text
}

/// Takes out, doubles or moves one line.
fn move_lines(random: &mut Random, text: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let from = random.below(lines.len());
    let line = if random.below(3) == 0 { lines[from].clone() } else { lines.remove(from) };
    if random.below(3) > 0 {
        let to = random.below(lines.len() + 1);
        lines.insert(to, line);
    }
    *text = lines.concat();
}

/// Runs one target on one input.
///
/// # Errors
///
/// The failure in words, with an input that is as small as a short search makes it.
fn check(target: &Target, input: &[u8]) -> Result<(), String> {
    let Some(message) = failure(target, input) else { return Ok(()) };
    let small = minimise(target, input);
    let message = failure(target, &small).unwrap_or(message);
    Err(format!("{} fails on\n  b\"{}\"\n{message}", target.name, small.escape_ascii()))
}

fn failure(target: &Target, input: &[u8]) -> Option<String> {
    let start = Instant::now();
    if catch_unwind(AssertUnwindSafe(|| (target.check)(input))).is_err() {
        return Some(PANIC.with_borrow(Clone::clone));
    }
    let time = start.elapsed();
    (time > SLOW).then(|| format!("it takes {time:?}"))
}

/// Takes pieces out of a failing input for as long as it fails, for at most twenty seconds.
fn minimise(target: &Target, input: &[u8]) -> Vec<u8> {
    let start = Instant::now();
    let mut small = input.to_vec();
    let mut size = small.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= small.len() && start.elapsed() < Duration::from_secs(20) {
            let mut shorter = small.clone();
            shorter.drain(at..at + size);
            if failure(target, &shorter).is_some() {
                small = shorter;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    small
}
