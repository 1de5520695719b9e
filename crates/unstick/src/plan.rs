//! From one source text and a policy to findings and edits.

use unstick_yaml::{
    Chunks, EditSet, Outline, ReadError, ReadErrorKind, Span, check_encoding, is_json, leading_boms, read_json,
    read_yaml,
};

use crate::document::{self, Window};
use crate::occurrence;
use crate::prefilter::{may_hold, may_hold_disguised};
use crate::{Finding, Outcome, Policy, Rule, Severity};

/// One source text, in memory.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Path used for file globs and reports, with `/` between its parts; `None` for a stream.
    pub path: Option<&'a str>,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// What was found in one text, and the edits that the policy asks for.
///
/// ```
/// use unstick::{Plan, Policy, Source};
/// let manifest = b"apiVersion: v1\nkind: Service\nspec:\n  sessionAffinity: ClientIP # why?\n  ports: []\n";
/// let plan = Plan::new(Source { path: None, bytes: manifest }, &Policy::default());
/// assert_eq!(plan.apply(manifest), b"apiVersion: v1\nkind: Service\nspec:\n  ports: []\n");
/// assert_eq!(plan.findings[0].rule.id(), "sticky");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Every occurrence of affinity, in source order.
    pub findings: Vec<Finding>,
    /// The edits; none of them touches a byte of a finding that is not [`Outcome::Changed`].
    pub edits: EditSet,
    /// A document could not be read and names affinity: the text must not be passed on as if it had been handled.
    pub blocked: bool,
}

impl Plan {
    /// Makes the plan for one text.
    ///
    /// Never fails: what cannot be read or edited becomes a finding with [`Outcome::Refused`]. A document without any
    /// occurrence is not read at all.
    #[must_use]
    pub fn new(source: Source<'_>, policy: &Policy) -> Self {
        let mut plan = Self::default();
        if let Err(error) = check_encoding(source.bytes) {
            plan.add_encoding(source.bytes, &error);
        } else if concerns(source.bytes, policy) {
            plan.add_text(source, policy);
            plan.finish(source.bytes);
        }
        policy.severity.apply(&mut plan.findings);
        plan
    }

    /// Returns the text with the plan's edits made.
    #[must_use]
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        self.edits.apply(bytes)
    }

    /// Returns how many findings have that outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.findings.iter().filter(|finding| finding.outcome == outcome).count()
    }

    fn add_text(&mut self, source: Source<'_>, policy: &Policy) {
        match is_json(source.bytes).then(|| self.add_json(source, policy)) {
            Some(Ok(())) => {}
            Some(Err(error)) => self.add_yaml(source, policy, Some(&error)),
            None => self.add_yaml(source, policy, None),
        }
    }

    /// Plans a JSON text; where it is none, it must be tried as YAML.
    fn add_json(&mut self, source: Source<'_>, policy: &Policy) -> Result<(), ReadError> {
        let span = Span::new(0, source.bytes.len());
        match read_json(source.bytes, span) {
            Ok(outlines) => {
                let window = Window { text: source.bytes, span, reader: read_json_again, first_document: 0 };
                self.add_window(&window, outlines, policy, source.path);
                Ok(())
            }
            Err(error) if error.kind == ReadErrorKind::JsonComment => {
                self.add_unreadable(source.bytes, span, &error, 0);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Plans a YAML text; `json_error` is why it is no JSON, where it looks like JSON.
    fn add_yaml(&mut self, source: Source<'_>, policy: &Policy, json_error: Option<&ReadError>) {
        let text = source.bytes;
        let mut document = 0;
        for chunk in Chunks::new(text) {
            if !concerns(chunk.slice(text), policy) {
                document += 1;
                continue;
            }
            let read = read_yaml(text, chunk);
            let count = read.len();
            let (outlines, errors) = divide(read);
            if let (false, Some(error)) = (errors.is_empty(), json_error) {
                // Neither JSON nor YAML: nothing of it counts as read.
                self.add_unreadable(text, chunk, error, document);
            } else if errors.is_empty() {
                let window = Window { text, span: chunk, reader: read_yaml, first_document: document };
                self.add_window(&window, outlines, policy, source.path);
            } else if !self.add_json_chunk(source, chunk, policy, document) {
                self.add_broken(source, chunk, outlines, &errors, policy, document);
            }
            document += count.max(1);
        }
    }

    /// Plans a chunk that is no YAML but JSON, which Kubernetes' decoder takes in a YAML stream too.
    fn add_json_chunk(&mut self, source: Source<'_>, chunk: Span, policy: &Policy, document: usize) -> bool {
        let bytes = chunk.slice(source.bytes);
        let skip = if bytes.starts_with(b"---") { 3 } else { 0 };
        let span = Span::new(chunk.start + skip, chunk.end);
        if !is_json(span.slice(source.bytes)) {
            return false;
        }
        let Ok(outlines) = read_json(source.bytes, span) else { return false };
        let window = Window { text: source.bytes, span, reader: read_json_again, first_document: document };
        self.add_window(&window, outlines, policy, source.path);
        true
    }

    /// Plans what can be read of a chunk that holds several documents, and tells of the rest.
    fn add_broken(
        &mut self,
        source: Source<'_>,
        chunk: Span,
        outlines: Vec<Outline>,
        errors: &[ReadError],
        policy: &Policy,
        document: usize,
    ) {
        let text = source.bytes;
        let mut start = chunk.start;
        let mut gaps = Vec::new();
        for outline in &outlines {
            gaps.push(Span::new(start, outline.span.start));
            start = outline.span.end;
        }
        gaps.push(Span::new(start, chunk.end));
        for gap in gaps.into_iter().filter(|gap| !gap.is_empty()) {
            let error = errors.iter().find(|error| gap.encloses(error.span) || gap.contains(error.span.start));
            if let Some(error) = error.or(errors.first()) {
                self.add_unreadable(text, gap, error, document);
            }
        }
        for (at, outline) in outlines.into_iter().enumerate() {
            let window = Window { text, span: outline.span, reader: read_yaml, first_document: document + at };
            self.add_window(&window, vec![outline], policy, source.path);
        }
    }

    fn add_window(&mut self, window: &Window<'_>, outlines: Vec<Outline>, policy: &Policy, path: Option<&str>) {
        let (mut findings, edits) = window.plan(outlines, policy, path);
        findings.extend(rest(window, &findings, &edits));
        self.findings.append(&mut findings);
        for edit in edits.as_slice() {
            // Windows do not overlap, and neither do the edits inside one.
            let inserted = self.edits.insert(edit.clone());
            debug_assert!(inserted.is_ok(), "{inserted:?}");
        }
    }

    /// Tells of a stretch that cannot be read, if it names a key.
    fn add_unreadable(&mut self, text: &[u8], window: Span, error: &ReadError, document: usize) {
        let findings = document::unreadable(text, window, error, document);
        // The first finding is the fault itself.
        if findings.len() > 1 || may_hold_disguised(window.slice(text)) && !findings.is_empty() {
            self.blocked = true;
            self.findings.extend(findings);
        }
    }

    /// Tells of a text in an encoding that is not read.
    fn add_encoding(&mut self, text: &[u8], error: &ReadError) {
        let names_key = [wide(0, 2), wide(1, 2), wide(0, 4), wide(3, 4)]
            .iter()
            .any(|needle| memchr::memmem::find(text, needle).is_some());
        self.blocked = names_key;
        self.findings.push(Finding {
            rule: Rule::Unreadable,
            severity: if names_key { Severity::Error } else { Severity::Warning },
            outcome: if names_key { Outcome::Refused } else { Outcome::Noted },
            span: error.span,
            document: 0,
            resource: None,
            field: None,
            message: error.message.clone(),
            help: Some("convert the file to UTF-8".into()),
        });
    }

    fn finish(&mut self, text: &[u8]) {
        for finding in &mut self.findings {
            finding.span.end = finding.span.end.min(text.len());
            finding.span.start = finding.span.start.min(finding.span.end);
        }
        self.findings.sort_by_key(|finding| (finding.span, finding.rule));
    }
}

/// Tells whether a stretch of text may hold an occurrence, or a Service that the policy wants to have one.
pub(crate) fn concerns(text: &[u8], policy: &Policy) -> bool {
    may_hold(text) || policy.may_insert() && memchr::memmem::find(text, b"Service").is_some()
}

/// Returns findings for names outside every node and comment: in anchors, tags and directives.
fn rest(window: &Window<'_>, findings: &[Finding], edits: &EditSet) -> Vec<Finding> {
    let mut covered: Vec<Span> = findings.iter().map(|finding| finding.span).collect();
    covered.extend(edits.as_slice().iter().map(|edit| edit.span));
    covered.sort_unstable();
    let mut covered = covered.into_iter().peekable();
    let mut reached = 0;
    let mut rest = Vec::new();
    for span in occurrence::spans(window.text, window.span) {
        while let Some(next) = covered.next_if(|next| next.start <= span.start) {
            reached = reached.max(next.end);
        }
        if reached < span.end {
            // A line is told once.
            let comment = comment_line(window.text, span);
            rest.push(Finding {
                rule: if comment.is_some() { Rule::InComment } else { Rule::InString },
                severity: Severity::Info,
                outcome: Outcome::Noted,
                span: comment.unwrap_or(span),
                document: window.first_document,
                resource: None,
                field: None,
                message: if comment.is_some() { "named in a comment" } else { "in an anchor, a tag or a directive" }
                    .into(),
                help: None,
            });
        }
    }
    rest
}

/// Returns the comment that fills the span's line: comments of a text without any document belong to no outline.
fn comment_line(text: &[u8], span: Span) -> Option<Span> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = text[..span.start].iter().rposition(is_break).map_or(0, |at| at + 1);
    let line = &text[start + leading_boms(&text[start..span.start])..span.start];
    let comment = line.trim_ascii_start();
    let end = text[span.end..].iter().position(is_break).map_or(text.len(), |at| span.end + at);
    comment.starts_with(b"#").then(|| Span::new(span.start - comment.len(), end))
}

fn divide(read: Vec<Result<Outline, ReadError>>) -> (Vec<Outline>, Vec<ReadError>) {
    let mut outlines = Vec::new();
    let mut errors = Vec::new();
    for result in read {
        match result {
            Ok(outline) => outlines.push(outline),
            Err(error) => errors.push(error),
        }
    }
    (outlines, errors)
}

fn read_json_again(text: &[u8], span: Span) -> Vec<Result<Outline, ReadError>> {
    match read_json(text, span) {
        Ok(outlines) => outlines.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    }
}

/// Returns the name as UTF-16 or UTF-32: each letter at place `at` of `width` bytes.
fn wide(at: usize, width: usize) -> Vec<u8> {
    let letters = crate::affinity::KEY.bytes();
    letters.flat_map(|letter| (0..width).map(move |place| if place == at { letter } else { 0 })).collect()
}
