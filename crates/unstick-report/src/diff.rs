//! Unified diffs, made from the edits: only the lines around them are looked at.

use std::io::Write as _;

use similar::DiffOp;
use similar::algorithms::{Capture, Replace, myers};
use unstick_yaml::{Edit, EditSet, Span};

use crate::Colour;
use crate::visible::visible_character;

/// Unchanged lines shown before and after a change.
const CONTEXT: usize = 3;

/// Up to how many lines of one stretch, old and new, are searched for the smallest difference; the search takes
/// quadratic time.
const SEARCHED: usize = 2000;

/// Returns the unified diff of one file; empty where there are no edits.
///
/// Lines end at LF only, so that CRs, invalid UTF-8 and every other byte come out as they are. `git apply` and
/// `patch -p1` take the diff byte for byte. `path` is the file's path with `/` between its parts; it is quoted as git
/// quotes where it needs to be. With colours the diff is for people: control characters are shown as pictures.
///
/// ```
/// use unstick_report::{Colour, unified_diff};
/// use unstick_yaml::{Edit, EditSet, Span};
/// let mut edits = EditSet::new();
/// edits.insert(Edit::deletion(Span::new(2, 4)))?;
/// let diff = unified_diff(b"f.yaml", b"a\nb\nc", &edits, Colour::Off);
/// assert_eq!(diff, b"--- a/f.yaml\n+++ b/f.yaml\n@@ -1,3 +1,2 @@\n a\n-b\n c\n\\ No newline at end of file\n");
/// # Ok::<(), unstick_yaml::Overlap>(())
/// ```
#[must_use]
pub fn unified_diff(path: &[u8], text: &[u8], edits: &EditSet, colour: Colour) -> Vec<u8> {
    let changes = changes(text, edits);
    let mut out = Vec::new();
    if changes.is_empty() {
        return out;
    }
    let painter = Painter { colour };
    painter.header(&mut out, "--- ", &header_name(b"a/", path));
    painter.header(&mut out, "+++ ", &header_name(b"b/", path));
    let mut rest = &changes[..];
    let mut grown = 0_isize;
    while !rest.is_empty() {
        let count = 1 + rest.windows(2).take_while(|pair| pair[1].line - pair[0].old_end() <= 2 * CONTEXT).count();
        let (hunk, after) = rest.split_at(count);
        grown += write_hunk(&mut out, text, hunk, grown, painter);
        rest = after;
    }
    out
}

/// Neighbouring lines that go, and the lines that come in their place.
struct Change<'a> {
    /// Zero-based number of the first old line.
    line: usize,
    /// Offset of the first old line.
    start: usize,
    old: Vec<&'a [u8]>,
    new: Vec<Vec<u8>>,
}

impl Change<'_> {
    fn old_end(&self) -> usize {
        self.line + self.old.len()
    }
}

/// Finds the changed lines.
fn changes<'a>(text: &'a [u8], edits: &EditSet) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    let (mut line, mut counted) = (0, 0);
    for region in regions(text, edits.as_slice()) {
        line += line_breaks(&text[counted..region.start]);
        counted = region.start;
        let old: Vec<&[u8]> = region.slice(text).split_inclusive(|byte| *byte == b'\n').collect();
        let edited = edits.apply_within(text, region);
        let new: Vec<&[u8]> = edited.split_inclusive(|byte| *byte == b'\n').collect();
        for op in differences(&old, &new) {
            let (olds, news) = (op.old_range(), op.new_range());
            let before: usize = old[..olds.start].iter().map(|line| line.len()).sum();
            changes.push(Change {
                line: line + olds.start,
                start: region.start + before,
                old: old[olds].to_vec(),
                new: new[news].iter().map(|line| line.to_vec()).collect(),
            });
        }
    }
    changes
}

/// Returns what differs between two stretches of lines.
fn differences(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    if old.len() + new.len() <= SEARCHED {
        // Without the crate's shortcuts for long texts: nothing here is long, and they would double the WASM module.
        let mut hook = Replace::new(Capture::new());
        let Ok(()) = myers::diff_deadline_raw(&mut hook, old, 0..old.len(), new, 0..new.len(), None);
        let ops = hook.into_inner().into_ops();
        return ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).collect();
    }
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_len, new_len) = (old.len() - after, new.len() - after);
    if old_len + new_len == 0 {
        return Vec::new();
    }
    vec![DiffOp::Replace { old_index: before, old_len, new_index: before, new_len }]
}

/// Returns the stretches of whole lines that hold the edits; edits that share a line, or touch, share a stretch.
fn regions(text: &[u8], edits: &[Edit]) -> Vec<Span> {
    let mut regions: Vec<Span> = Vec::new();
    for edit in edits {
        // Lines are looked for only outside the last stretch: one line may hold thousands of edits.
        let reached = regions.last().map_or(0, |last| last.end);
        let inside = |offset: usize| offset < reached;
        let start = if inside(edit.span.start) { edit.span.start } else { line_start(text, edit.span.start) };
        let end = if inside(edit.span.end) { reached } else { end_of_lines(text, edit) };
        match regions.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => regions.push(Span::new(start, end)),
        }
    }
    regions
}

/// Returns the end of the last line that an edit touches.
fn end_of_lines(text: &[u8], edit: &Edit) -> usize {
    let at_start = |offset: usize| offset == 0 || text.get(offset - 1) == Some(&b'\n');
    let whole_lines = at_start(edit.span.start)
        && at_start(edit.span.end)
        && (edit.replacement.is_empty() || edit.replacement.ends_with(b"\n"));
    if whole_lines { edit.span.end } else { next_line(text, edit.span.end) }
}

/// Writes one hunk and returns by how many lines it makes the text longer.
fn write_hunk(out: &mut Vec<u8>, text: &[u8], changes: &[Change<'_>], grown: isize, painter: Painter) -> isize {
    let Some(first) = changes.first() else { return 0 };
    let mut start = first.start;
    let mut before = 0;
    while before < CONTEXT && start > 0 {
        start = line_start(text, start - 1);
        before += 1;
    }
    let mut body = Vec::new();
    let (mut olds, mut news) = (0, 0);
    let mut at = start;
    for change in changes {
        for line in Span::new(at, change.start).slice(text).split_inclusive(|byte| *byte == b'\n') {
            painter.line(&mut body, b' ', line);
            olds += 1;
            news += 1;
        }
        change.old.iter().for_each(|line| painter.line(&mut body, b'-', line));
        change.new.iter().for_each(|line| painter.line(&mut body, b'+', line));
        olds += change.old.len();
        news += change.new.len();
        at = change.start + change.old.iter().map(|line| line.len()).sum::<usize>();
    }
    for line in text[at..].split_inclusive(|byte| *byte == b'\n').take(CONTEXT) {
        painter.line(&mut body, b' ', line);
        olds += 1;
        news += 1;
    }
    let old_line = first.line - before;
    let new_line = old_line.saturating_add_signed(grown);
    painter.hunk(out, &format!("@@ -{} +{} @@", range(old_line, olds), range(new_line, news)));
    out.append(&mut body);
    isize::try_from(news).unwrap_or_default() - isize::try_from(olds).unwrap_or_default()
}

/// Writes a hunk's range: one-based, and the line before where it is empty.
fn range(line: usize, count: usize) -> String {
    match count {
        0 => format!("{line},0"),
        1 => format!("{}", line + 1),
        _ => format!("{},{count}", line + 1),
    }
}

#[derive(Clone, Copy)]
struct Painter {
    colour: Colour,
}

impl Painter {
    fn header(self, out: &mut Vec<u8>, mark: &str, name: &[u8]) {
        let style = anstyle::Style::new().bold();
        self.styled(out, style, |out| {
            out.extend_from_slice(mark.as_bytes());
            out.extend_from_slice(name);
        });
        out.push(b'\n');
    }

    fn hunk(self, out: &mut Vec<u8>, text: &str) {
        let style = anstyle::AnsiColor::Cyan.on_default();
        self.styled(out, style, |out| out.extend_from_slice(text.as_bytes()));
        out.push(b'\n');
    }

    fn line(self, out: &mut Vec<u8>, mark: u8, line: &[u8]) {
        let content = line.strip_suffix(b"\n");
        let style = match mark {
            b'-' => anstyle::AnsiColor::Red.on_default(),
            b'+' => anstyle::AnsiColor::Green.on_default(),
            _ => anstyle::Style::new(),
        };
        self.styled(out, style, |out| {
            out.push(mark);
            match self.colour {
                Colour::Off => out.extend_from_slice(content.unwrap_or(line)),
                Colour::On => out.extend_from_slice(shown(content.unwrap_or(line)).as_bytes()),
            }
        });
        out.push(b'\n');
        if content.is_none() {
            out.extend_from_slice(b"\\ No newline at end of file\n");
        }
    }

    fn styled(self, out: &mut Vec<u8>, style: anstyle::Style, write: impl FnOnce(&mut Vec<u8>)) {
        if self.colour == Colour::Off || style.is_plain() {
            return write(out);
        }
        // Writing to memory cannot fail.
        let _ = write!(out, "{style}");
        write(out);
        let _ = write!(out, "{style:#}");
    }
}

/// Returns a line for people; tabs stay, as they are part of what a diff shows.
fn shown(line: &[u8]) -> String {
    let show = |character| if character == '\t' { character } else { visible_character(character) };
    String::from_utf8_lossy(line).chars().map(show).collect()
}

/// Returns a path as it stands in a diff's header: quoted where git would, with a tab behind a name with spaces.
fn header_name(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let name = [prefix, path].concat();
    let unusual = |byte: &u8| !(0x20..0x7F).contains(byte) || matches!(byte, b'"' | b'\\');
    if !name.iter().any(unusual) {
        let mut name = name;
        if name.contains(&b' ') {
            name.push(b'\t');
        }
        return name;
    }
    let mut quoted = vec![b'"'];
    for byte in name {
        match byte {
            b'"' | b'\\' => quoted.extend_from_slice(&[b'\\', byte]),
            b'\n' => quoted.extend_from_slice(b"\\n"),
            b'\t' => quoted.extend_from_slice(b"\\t"),
            0x20..0x7F => quoted.push(byte),
            _ => quoted.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}

fn line_start(text: &[u8], offset: usize) -> usize {
    text[..offset.min(text.len())].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

fn next_line(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    text[offset..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| offset + at + 1)
}

fn line_breaks(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(edits: impl IntoIterator<Item = Edit>) -> EditSet {
        let mut set = EditSet::new();
        edits.into_iter().for_each(|edit| set.insert(edit).unwrap());
        set
    }

    #[test]
    fn names_are_written_as_git_writes_them() {
        for (name, header) in [
            ("svc.yaml", "a/svc.yaml"),
            ("a b.yaml", "a/a b.yaml\t"),
            ("q\"\\.yaml", "\"a/q\\\"\\\\.yaml\""),
            ("ü\n\t\u{1}.yaml", "\"a/\\303\\274\\n\\t\\001.yaml\""),
        ] {
            assert_eq!(header_name(b"a/", name.as_bytes()), header.as_bytes());
        }
    }

    #[test]
    fn close_changes_share_a_hunk_and_distant_ones_do_not() {
        let text: String = (0..30).map(|line| format!("{line:02}\n")).collect();
        let edits = |lines: &[usize]| set(lines.iter().map(|line| Edit::deletion(Span::new(3 * line, 3 * line + 3))));
        let hunks = |lines: &[usize]| {
            let diff = unified_diff(b"f", text.as_bytes(), &edits(lines), Colour::Off);
            String::from_utf8(diff).unwrap().lines().filter(|line| line.starts_with("@@")).map(str::to_owned).collect()
        };
        let (close, distant): (Vec<String>, Vec<String>) = (hunks(&[4, 11]), hunks(&[4, 12]));
        assert_eq!(close, ["@@ -2,14 +2,12 @@"]);
        assert_eq!(distant, ["@@ -2,7 +2,6 @@", "@@ -10,7 +9,6 @@"]);
    }

    #[test]
    fn an_edit_that_changes_nothing_makes_no_diff() {
        let edits = set([Edit::replacement(Span::new(2, 4), "b\n")]);
        assert_eq!(unified_diff(b"f", b"a\nb\n", &edits, Colour::Off), b"");
    }

    #[test]
    fn colours_come_with_pictures_of_control_characters() {
        let edits = set([Edit::deletion(Span::new(0, 1))]);
        let diff = unified_diff(b"f", b"a\x1b[2J\t\xff\r\n", &edits, Colour::On);
        let diff = String::from_utf8(diff).unwrap();
        assert!(diff.ends_with("\u{1b}[31m-a\u{241b}[2J\t\u{FFFD}\u{240d}\u{1b}[0m\n\u{1b}[32m+\u{241b}[2J\t\u{FFFD}\u{240d}\u{1b}[0m\n"), "{diff:?}");
    }

    #[test]
    fn takes_time_in_proportion() {
        let one_line = "x".repeat(4_000_000);
        let many_lines = "a\nbb\n".repeat(100_000);
        let in_one_line = set((0..40_000).map(|at| Edit::replacement(Span::new(at * 100, at * 100 + 1), "y")));
        let in_all_lines = set((0..100_000).map(|at| Edit::replacement(Span::new(at * 5, at * 5 + 3), "bb\na")));
        let started = std::time::Instant::now();
        for (text, edits, lines) in [(&one_line, &in_one_line, 7), (&many_lines, &in_all_lines, 400_003)] {
            let diff = unified_diff(b"f", text.as_bytes(), edits, Colour::Off);
            assert!(diff.split(|byte| *byte == b'\n').count() >= lines);
        }
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
