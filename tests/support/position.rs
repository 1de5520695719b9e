//! Lines and columns, counted apart from the code under test.

/// Returns the one-based line and byte column of `offset`; LF, CRLF and a lone CR end a line.
pub fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let offset = offset.min(text.len());
    let mut line = 1;
    let mut start = 0;
    for at in 0..offset {
        let ends = text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
        if ends {
            line += 1;
            start = at + 1;
        }
    }
    (line, offset - start + 1)
}
