//! Diffs through the real `git apply` and `patch -p1`: the result must be the edited bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use unstick_report::{Colour, unified_diff};
use unstick_yaml::{Edit, EditSet, Span};

/// How many texts each tool patches.
const ROUNDS: usize = 300;

/// A small generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const NAMES: &[&str] = &["plain.yaml", "sub dir/with space.yaml", "q\"uote\\.yaml", "ünï.yaml", "tab\tname.yaml"];

fn text(random: &mut Random) -> Vec<u8> {
    let ending: &[u8] = random.pick(&[&b"\n"[..], b"\r\n", b"\n", b"\r"]);
    let words: &[&[u8]] =
        &[b"a: 1", b"", b"  - x", b"caf\xe9: \xff", b"# c", b"\xE2\x80\xA8", b"\x0c", b"-", b"+x", b"\\ No"];
    let mut text = if random.below(4) == 0 { b"\xEF\xBB\xBF".to_vec() } else { Vec::new() };
    // Now and then more lines than are searched for the smallest difference.
    let lines = if random.below(20) == 0 { 2500 } else { random.below(40) };
    for _ in 0..lines {
        text.extend_from_slice(random.pick(words));
        text.extend_from_slice(if random.below(9) == 0 { b"\r\n" } else { ending });
    }
    if random.below(3) == 0 {
        text.extend_from_slice(b"last");
    }
    text
}

fn edits(random: &mut Random, text: &[u8]) -> EditSet {
    let mut edits = EditSet::new();
    let replacements: &[&[u8]] = &[b"", b"", b"None", b"x\ny", b"z\r\n", b"\n", b"\xff"];
    for _ in 0..=random.below(5) {
        let start = random.below(text.len() + 1);
        let end = (start + random.below(30)).min(text.len());
        // An overlap is refused by the set and simply not made.
        let _ = edits.insert(Edit::replacement(Span::new(start, end), random.pick(replacements)));
    }
    if random.below(25) == 0 {
        edits = EditSet::new();
        let _ = edits.insert(Edit::deletion(Span::new(0, text.len())));
    } else if random.below(9) == 0 {
        edits = EditSet::new();
        for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            let _ = edits.insert(Edit::insertion(at, " # x"));
        }
    }
    edits
}

fn run(program: &str, arguments: &[&str], folder: &Path, diff: &Path) -> Result<(), String> {
    let input = fs::File::open(diff).map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CEILING_DIRECTORIES", folder)
        .env("HOME", folder)
        .stdin(Stdio::from(input))
        .output()
        .map_err(|error| format!("{program} cannot be run ({error}); install the package of that name"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

fn check(tool: &str, arguments: &[&str], names: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(7);
    for round in 0..ROUNDS {
        let name = random.pick(names);
        let (old, edits, new) = loop {
            let old = text(&mut random);
            let edits = edits(&mut random, &old);
            let new = edits.apply(&old);
            if new != old {
                break (old, edits, new);
            }
        };
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(&file, &old).expect("written");
        let diff = folder.path().join("the.diff");
        fs::write(&diff, unified_diff(name.as_bytes(), &old, &edits, Colour::Off)).expect("written");
        let shown = String::from_utf8_lossy(&fs::read(&diff).expect("read")).into_owned();
        if let Err(error) = run(tool, arguments, folder.path(), &diff) {
            panic!("round {round}, {name}: {error}\n{shown}");
        }
        let applied = fs::read(&file).unwrap_or_else(|error| panic!("round {round}, {name}: {error}\n{shown}"));
        assert_eq!(applied, new, "round {round}, {name}:\n{shown}");
        fs::remove_file(&file).ok();
    }
}

#[test]
fn git_takes_the_diffs() {
    check("git", &["apply", "--whitespace=nowarn", "-"], NAMES);
}

#[test]
fn patch_takes_the_diffs() {
    check("patch", &["-p1", "--binary", "--silent"], NAMES);
}
