//! Cutting a text at its `---` lines.

use memchr::memmem;

use crate::{Span, leading_boms};

/// Iterator over the chunks of a text: stretches that begin at a line with a document marker.
///
/// A marker is `---` at the start of a line, possibly behind U+FEFF, with a blank, a line break or the end of the text
/// behind it. Such a line begins a document even inside a block scalar (apimachinery's `decoder.go` splits there too).
/// Directives (`%YAML`, `%TAG`) directly above a marker belong to the chunk that it begins.
/// The chunks together are the text. One may hold several documents, divided by `...` or by lone CRs; a reader
/// separates those.
///
/// ```
/// use unstick_yaml::Chunks;
/// let text = b"a: 1\n---\nb: 2\n--- # c\n";
/// let chunks: Vec<&[u8]> = Chunks::new(text).map(|chunk| chunk.slice(text)).collect();
/// assert_eq!(chunks, [&b"a: 1\n"[..], b"---\nb: 2\n", b"--- # c\n"]);
/// ```
#[derive(Debug, Clone)]
pub struct Chunks<'a> {
    text: &'a [u8],
    finder: memmem::Finder<'static>,
    start: usize,
    /// Where the search for the next marker goes on.
    from: usize,
}

impl<'a> Chunks<'a> {
    /// Makes the iterator; an empty text has no chunk.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, finder: memmem::Finder::new(b"---"), start: 0, from: 0 }
    }
}

impl Iterator for Chunks<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        if self.start >= self.text.len() {
            return None;
        }
        let start = self.start;
        while let Some(found) = self.finder.find(self.text.get(self.from..)?) {
            let dashes = self.from + found;
            self.from = dashes + 1;
            let Some(line) = marker_line(self.text, dashes) else { continue };
            self.from = dashes + 3;
            let line = directives_start(self.text, Span::new(start, line));
            if line > start {
                self.start = line;
                return Some(Span::new(start, line));
            }
        }
        self.start = self.text.len();
        Some(Span::new(start, self.text.len()))
    }
}

/// Returns the start of the line on which the dashes at `at` are a document marker.
fn marker_line(text: &[u8], at: usize) -> Option<usize> {
    if !matches!(text.get(at + 3), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
        return None;
    }
    let mut line = at;
    while line >= 3 && leading_boms(&text[line - 3..line]) == 3 {
        line -= 3;
    }
    (line == 0 || text[line - 1] == b'\n').then_some(line)
}

/// Returns the start of the directives that end a stretch, or the stretch's end where it ends in none; comments and
/// blank lines may stand between and below them.
fn directives_start(text: &[u8], stretch: Span) -> usize {
    let mut start = stretch.end;
    let mut line_end = stretch.end;
    while line_end > stretch.start {
        let above = &text[stretch.start..line_end - 1];
        let line = memchr::memrchr(b'\n', above).map_or(stretch.start, |at| stretch.start + at + 1);
        let content = &text[line + leading_boms(&text[line..line_end])..line_end];
        match content.trim_ascii_start().first() {
            Some(b'%') if content[0] == b'%' => start = line,
            None | Some(b'#') => {}
            Some(_) => break,
        }
        line_end = line;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(text: &str) -> Vec<&str> {
        Chunks::new(text.as_bytes()).map(|chunk| &text[chunk.start..chunk.end]).collect()
    }

    #[test]
    fn splits_at_markers_only() {
        assert_eq!(chunks("---\na: 1\r\n---\r\nb: 2"), ["---\na: 1\r\n", "---\r\nb: 2"]);
        assert_eq!(chunks("a: |\n---\nb: 1\n"), ["a: |\n", "---\nb: 1\n"]);
        assert_eq!(chunks("a: 1\n---x\n ---\n----\n"), ["a: 1\n---x\n ---\n----\n"]);
        assert_eq!(chunks("a\n---\n---\n---"), ["a\n", "---\n", "---\n", "---"]);
        assert_eq!(chunks("a\n\u{FEFF}---\nb"), ["a\n", "\u{FEFF}---\nb"]);
        assert_eq!(chunks("--- {a: 1}\n--- !t\n"), ["--- {a: 1}\n", "--- !t\n"]);
        assert!(chunks("").is_empty());
    }

    #[test]
    fn keeps_directives_with_their_marker() {
        assert_eq!(chunks("%YAML 1.1\n---\na: 1\n"), ["%YAML 1.1\n---\na: 1\n"]);
        assert_eq!(
            chunks("a: 1\n...\n%TAG !y! x:\n# c\n\n%YAML 1.1\n---\nb: 1\n"),
            ["a: 1\n...\n", "%TAG !y! x:\n# c\n\n%YAML 1.1\n---\nb: 1\n"]
        );
        assert_eq!(chunks("\u{FEFF}%YAML 1.1\n---\na: 1\n"), ["\u{FEFF}%YAML 1.1\n---\na: 1\n"]);
        assert_eq!(chunks("# c\n---\nb: 1\n"), ["# c\n", "---\nb: 1\n"]);
    }
}
