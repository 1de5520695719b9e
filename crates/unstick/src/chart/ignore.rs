//! The `.helmignore` of a chart: what Helm does not load.

use fast_glob::glob_match;

/// The patterns of a .helmignore, as Helm reads them (`pkg/ignore/rules.go` of helm/helm).
#[derive(Debug, Default)]
pub(crate) struct Ignore {
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    glob: String,
    /// Written `!pattern`: what does not match is ignored.
    negated: bool,
    /// Written `pattern/`: only folders match.
    folder: bool,
    /// It holds a slash, and is held against the whole path.
    whole: bool,
}

impl Ignore {
    /// Reads the file; hidden files in templates/ are always ignored.
    pub(crate) fn new(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text);
        let lines = text.lines().map(str::trim).chain(["templates/.?*"]);
        Self { patterns: lines.filter_map(Pattern::new).collect() }
    }

    /// Tells whether the file at a path, or a folder above it, is ignored.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        folders.chain([(path, false)]).any(|(path, folder)| self.matches(path, folder))
    }

    fn matches(&self, path: &str, folder: bool) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.patterns.iter().any(|pattern| {
            let matched = glob_match(&pattern.glob, if pattern.whole { path } else { name });
            match (pattern.negated, pattern.folder && !folder) {
                (true, wrong_kind) => wrong_kind || !matched,
                (false, wrong_kind) => !wrong_kind && matched,
            }
        })
    }
}

impl Pattern {
    /// Reads one line; Helm refuses `**`, so that such a line ignores nothing here.
    fn new(line: &str) -> Option<Self> {
        if line.is_empty() || line.starts_with('#') || line.contains("**") {
            return None;
        }
        let (negated, rule) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (folder, rule) = rule.strip_suffix('/').map_or((false, rule), |rest| (true, rest));
        let whole = rule.contains('/');
        let rule = rule.strip_prefix('/').unwrap_or(rule);
        // Go's globs know no braces.
        let glob = rule.replace('{', "\\{").replace('}', "\\}");
        (!rule.is_empty()).then_some(Self { glob, negated, folder, whole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_patterns_as_helm_does() {
        let ignore = Ignore::new(b"# note\n*.swp\n/root.txt\nci/\nimg/*.png\nnone/**\n");
        for path in ["a/b.swp", "root.txt", "x/ci/a.yaml", "img/a.png", "templates/.a"] {
            assert!(ignore.holds(path), "{path}");
        }
        for path in ["a/root.txt", "ci", "a/img/b.png", "none/a", "templates/a", "sub/img/a/b.png"] {
            assert!(!ignore.holds(path), "{path}");
        }
        assert!(Ignore::new(b"!*.yaml").holds("a.txt"));
    }
}
