//! Words for a name that nobody knows.

/// Returns "did you mean" for a near miss, else the list of what is known.
pub(crate) fn suggest(word: &str, known: &[&str]) -> String {
    let near = known.iter().map(|name| (distance(word, name), name)).min();
    match near {
        Some((steps, name)) if steps <= 1 + name.len() / 4 => format!("did you mean {name}?"),
        _ => format!("known are {}", known.join(", ")),
    }
}

/// Counts the letters to change, add or drop; upper and lower case are the same.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    if a.len() > 64 {
        return a.len();
    }
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
