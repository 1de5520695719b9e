//! Globs in other engines' words.

/// A glob of a name, with the glob of its namespace where it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameGlob<'g> {
    pub namespace: Option<&'g str>,
    pub name: &'g str,
}

impl<'g> NameGlob<'g> {
    pub(super) fn new(glob: &'g str) -> Self {
        match glob.split_once('/') {
            Some((namespace, name)) => Self { namespace: Some(namespace), name },
            None => Self { namespace: None, name: glob },
        }
    }
}

/// Returns the regular expression, without anchors, that matches what the glob does; `None` for a negated one.
pub(super) fn regex(glob: &str) -> Option<String> {
    if glob.starts_with('!') {
        return None;
    }
    let mut regex = String::new();
    let mut depth = 0_usize;
    let mut rest = glob.chars();
    while let Some(character) = rest.next() {
        match character {
            '*' => {
                if !regex.ends_with("[^/]*") {
                    regex.push_str("[^/]*");
                }
            }
            '?' => regex.push_str("[^/]"),
            '{' => {
                depth += 1;
                regex.push_str("(?:");
            }
            '}' => {
                depth = depth.checked_sub(1)?;
                regex.push(')');
            }
            ',' if depth > 0 => regex.push('|'),
            '[' => {
                let class: String = rest.by_ref().take_while(|c| *c != ']').collect();
                let negated = class.strip_prefix(['!', '^']);
                let inner = negated.unwrap_or(&class);
                if inner.is_empty() || !inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.') {
                    return None;
                }
                regex.push_str(if negated.is_some() { "[^" } else { "[" });
                regex.push_str(inner);
                regex.push(']');
            }
            '\\' => regex.push_str(&escaped(rest.next()?)),
            other => regex.push_str(&escaped(other)),
        }
    }
    (depth == 0).then_some(regex)
}

fn escaped(character: char) -> String {
    if character.is_ascii_alphanumeric() || matches!(character, '-' | '_') || !character.is_ascii() {
        character.to_string()
    } else if character == '\'' {
        "\\x27".into()
    } else {
        format!("\\{character}")
    }
}

/// Returns one regular expression for any of the globs, in parentheses where there are several.
pub(super) fn any_regex(globs: &[&str]) -> Option<String> {
    let parts: Vec<String> = globs.iter().map(|glob| regex(glob)).collect::<Option<_>>()?;
    match &parts[..] {
        [one] if !one.contains('|') => Some(one.clone()),
        _ => Some(format!("(?:{})", parts.join("|"))),
    }
}

/// Tells whether a glob holds no more than `*` and `?`.
pub(super) fn is_wildcard(glob: &str) -> bool {
    !glob.contains(['[', ']', '{', '}', '\\', '!', '/']) && !glob.contains("**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translates_globs() {
        for (glob, expected) in [
            ("a-*", "a-[^/]*"),
            ("a?c", "a[^/]c"),
            ("{a,b}-c", "(?:a|b)-c"),
            ("a.b", "a\\.b"),
            ("[a-c]x", "[a-c]x"),
            ("[!a]", "[^a]"),
            ("a\\*", "a\\*"),
        ] {
            assert_eq!(regex(glob).as_deref(), Some(expected), "{glob}");
        }
        for bad in ["!a", "{a", "a}", "[", "[]"] {
            assert_eq!(regex(bad), None, "{bad}");
        }
        assert_eq!(any_regex(&["a", "b"]).as_deref(), Some("(?:a|b)"));
    }
}
