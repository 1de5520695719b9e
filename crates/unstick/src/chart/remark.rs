//! Comment lines in a values.yaml that speak of one key only.

use unstick_yaml::{NodeId, Outline, Span};

/// A key that goes, with what is known of the keys around it.
pub(crate) struct Gone<'a> {
    pub text: &'a [u8],
    pub outline: &'a Outline,
    pub mapping: NodeId,
    pub index: usize,
    /// The keys that go with it, in this mapping or another.
    pub names: &'a [String],
}

/// Words that tell that a comment is about affinity, in lower case.
const TOPICS: &[&str] =
    &["session affinity", "session-affinity", "sessionaffinity", "stickiness", "sticky", "clientip", "same pod"];
/// Words that stand before a colon in prose.
const PROSE: &[&str] =
    &["ref", "values", "value", "e.g", "eg", "example", "note", "default", "defaults", "see", "http", "https"];

impl Gone<'_> {
    /// Returns the comment lines above and below the key that go with it, line breaks included.
    pub(crate) fn comments(&self) -> Vec<Span> {
        let entry = self.outline.members(self.mapping)[self.index];
        let line = line_start(self.text, entry.start);
        if !self.text[line..entry.start].iter().all(|byte| *byte == b' ') {
            return Vec::new();
        }
        let column = entry.start - line;
        let above = self.above(line, column);
        let below = self.below(next_line(self.text, last_line(self.text, entry.end)), column);
        [above, below].into_iter().flatten().collect()
    }

    /// Returns the end of the comment block directly above that is about the key.
    fn above(&self, line: usize, column: usize) -> Option<Span> {
        let mut lines = Vec::new();
        let mut first = line;
        while first > 0 {
            let width = if self.text[..first].ends_with(b"\r\n") { 2 } else { 1 };
            let previous = line_start(self.text, first - width);
            let Some((_, words)) = self.comment(previous).filter(|(at, _)| *at == column) else { break };
            lines.push((previous, words));
            first = previous;
        }
        let mut start = first;
        let mut example: Option<usize> = None;
        for (at, words) in lines.iter().rev() {
            let depth = words.len() - words.trim_start().len();
            if example.is_some_and(|own| depth > own) {
                continue;
            }
            let own = key_of(words).is_some_and(|key| self.names.iter().any(|name| name == key));
            example = own.then_some(depth);
            if self.is_about_another(words) {
                start = next_line(self.text, *at);
            }
        }
        let block = String::from_utf8_lossy(&self.text[start..line]).to_lowercase();
        let named = self.names.iter().any(|name| block.contains(&name.to_lowercase()));
        let about = named || TOPICS.iter().any(|topic| block.contains(topic));
        (start < line && about).then(|| Span::new(start, line))
    }

    /// Returns the commented example of one of the keys directly below.
    fn below(&self, start: usize, column: usize) -> Option<Span> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let (at, _) = self.comment(start).filter(|(at, _)| *at == column || *at == 0)?;
        let mut end = start;
        while let Some(next) = commented_entry(self.text, self.outline, end, at, &names) {
            end = next;
        }
        (end > start).then(|| Span::new(start, end))
    }

    /// Tells whether a comment line describes a key that stays.
    fn is_about_another(&self, words: &str) -> bool {
        let stays = |key: &str| !self.names.iter().any(|name| name == key);
        let words = words.trim();
        if let Some(parameter) = words.strip_prefix("@param ") {
            let path = parameter.split_whitespace().next().unwrap_or_default();
            return stays(path.rsplit('.').next().unwrap_or(path));
        }
        let indented = key_of(words).filter(|key| !PROSE.contains(&key.to_lowercase().as_str()));
        indented.is_some_and(|key| stays(key) && self.is_sibling(key))
    }

    fn is_sibling(&self, key: &str) -> bool {
        self.outline.entries(self.mapping).iter().any(|entry| self.outline.key(entry) == Some(key))
            || key.starts_with(|c: char| c.is_ascii_lowercase()) && key.chars().any(|c| c.is_ascii_uppercase())
    }

    fn comment(&self, start: usize) -> Option<(usize, String)> {
        comment(self.text, self.outline, start)
    }
}

/// Returns the commented entries of some keys, with what is nested in them, line breaks included.
pub(crate) fn commented_entries(text: &[u8], outline: &Outline, names: &[&str]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for known in &outline.comments {
        let start = line_start(text, known.start);
        if spans.last().is_some_and(|last| last.contains(start)) {
            continue;
        }
        let Some((at, _)) = comment(text, outline, start) else { continue };
        spans.extend(commented_entry(text, outline, start, at, names).map(|end| Span::new(start, end)));
    }
    spans
}

/// Returns the end of the commented entry of one of the keys that begins at a line, at that column.
fn commented_entry(text: &[u8], outline: &Outline, start: usize, column: usize, names: &[&str]) -> Option<usize> {
    let depth = |words: &str| words.len() - words.trim_start().len();
    let (_, words) = comment(text, outline, start).filter(|(at, _)| *at == column)?;
    key_of(&words).filter(|key| names.contains(key))?;
    let own = depth(&words);
    let mut end = next_line(text, start);
    while let Some((_, words)) = comment(text, outline, end).filter(|(at, _)| *at == column) {
        if words.trim().is_empty() || depth(&words) <= own {
            break;
        }
        end = next_line(text, end);
    }
    Some(end)
}

/// Returns the column of the comment that fills the line at `start`, and its words behind the hashes.
fn comment(text: &[u8], outline: &Outline, start: usize) -> Option<(usize, String)> {
    let bytes = text.get(start..last_line(text, start))?;
    let column = bytes.iter().position(|byte| *byte != b' ')?;
    outline.comments.binary_search_by_key(&(start + column), |comment| comment.start).ok()?;
    let hashes = bytes[column..].iter().take_while(|byte| **byte == b'#').count();
    Some((column, String::from_utf8_lossy(&bytes[column + hashes..]).trim_end().to_owned()))
}

/// Returns the key of a commented entry, such as `sessionAffinity` in ` sessionAffinity: None`.
fn key_of(words: &str) -> Option<&str> {
    let (key, rest) = words.trim_start().split_once(':')?;
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (plain && (rest.is_empty() || rest.starts_with(' '))).then_some(key)
}

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |before| before + 1)
}

/// Returns the end of the line at `at`, before its break.
fn last_line(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(text.len(), |length| at + length)
}

/// Returns the start of the line after the one that `at` lies in.
fn next_line(text: &[u8], at: usize) -> usize {
    let end = last_line(text, at);
    match text.get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([_, ..]) => end + 1,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, key: &str) -> String {
        let outline = unstick_yaml::read_yaml(text.as_bytes(), Span::new(0, text.len())).remove(0).unwrap();
        let mapping = outline.root.unwrap();
        let index = outline.entries(mapping).iter().position(|entry| outline.key(entry) == Some(key)).unwrap();
        let names = ["sessionAffinity".to_owned(), "sessionAffinityConfig".to_owned(), key.to_owned()];
        let gone = Gone { text: text.as_bytes(), outline: &outline, mapping, index, names: &names };
        let mut rest = text.to_owned();
        for span in gone.comments().into_iter().rev() {
            rest.replace_range(span.start..span.end, "");
        }
        rest
    }

    #[test]
    fn takes_what_speaks_of_the_key() {
        let cases = [
            ("a: 1\n## @param x.k Session Affinity\n## ref: https://x/service/\n##\nk: None\n", "a: 1\nk: None\n"),
            ("a: 1\n# Session affinity\n# See https://x\nk: None\n", "a: 1\nk: None\n"),
            (
                "## @param a What\n## @param k Control: the same pod\nk: None\na: 1\n",
                "## @param a What\nk: None\na: 1\n",
            ),
            ("#loadBalancerIP:\n# ClientIP or None\nk: None\n", "#loadBalancerIP:\nk: None\n"),
            ("# Parameters of the service\nk: None\na: 1\n", "# Parameters of the service\nk: None\na: 1\n"),
            ("# sticky?\n\nk: None\n", "# sticky?\n\nk: None\n"),
            (
                "k: {}\n#  sessionAffinityConfig:\n#    clientIP:\n#      t: 1\n# other\na: 1\n",
                "k: {}\n# other\na: 1\n",
            ),
            ("k: {}\r\n# k: 1\r\n# b: 1\r\na: 1\r\n", "k: {}\r\n# b: 1\r\na: 1\r\n"),
            (
                "a: 1\n## @param k X\n## sessionAffinityConfig:\n##   clientIP:\n##     t: 1\n##\nk: {}\n",
                "a: 1\nk: {}\n",
            ),
            ("a: 1 # sticky\nk: None # ClientIP", "a: 1 # sticky\nk: None # ClientIP"),
        ];
        for (text, expected) in cases {
            assert_eq!(left(text, "k"), expected, "{text}");
        }
    }
}
