//! Changes of one values.yaml or schema, made as far as a second reading bears them out.

use std::collections::BTreeSet;

use unstick_yaml::{ChangeSet, CommentRule, Edit, EditSet, Outline, ReadError, Span, is_json, read_json, read_yaml};

/// Changes of one file; each part is made or left as a whole.
pub(crate) struct Amendment<'a> {
    pub text: &'a [u8],
    /// All documents of the file, as [`read_documents`] reads them.
    pub documents: Vec<Outline>,
    /// The parts; all change the first document.
    pub parts: Vec<AmendmentPart>,
}

/// Changes that belong together, with the comment lines that go along.
#[derive(Debug, Clone, Default)]
pub(crate) struct AmendmentPart {
    pub changes: ChangeSet,
    pub comments: Vec<Span>,
}

/// What could be made of an [`Amendment`].
#[derive(Debug, Default)]
pub(crate) struct Amended {
    pub edits: EditSet,
    /// For each part, why it was not made.
    pub refused: Vec<Option<String>>,
}

/// After this many parts failed together, they are not tried one by one.
const MAX_SINGLE_TRIES: usize = 64;

/// Reads all documents of a YAML or JSON file, if every one can be read.
pub(crate) fn read_documents(text: &[u8]) -> Result<Vec<Outline>, ReadError> {
    let span = Span::new(0, text.len());
    if is_json(text)
        && let Ok(outlines) = read_json(text, span)
    {
        return Ok(outlines);
    }
    read_yaml(text, span).into_iter().collect()
}

impl Amendment<'_> {
    /// Makes all parts, or as many as come out right.
    pub(crate) fn make(&self) -> Amended {
        let all: BTreeSet<usize> = (0..self.parts.len()).collect();
        let mut amended = Amended { refused: vec![None; self.parts.len()], ..Amended::default() };
        let reason = match self.edits(&all) {
            Ok(edits) => return Amended { edits, ..amended },
            Err(reason) => reason,
        };
        if self.parts.len() > MAX_SINGLE_TRIES {
            amended.refused = vec![Some(reason); self.parts.len()];
            return amended;
        }
        let mut accepted = BTreeSet::new();
        for part in all {
            accepted.insert(part);
            match self.edits(&accepted) {
                Ok(edits) => amended.edits = edits,
                Err(reason) => {
                    accepted.remove(&part);
                    amended.refused[part] = Some(reason);
                }
            }
        }
        amended
    }

    /// Returns the edits of some parts, if the edited text reads as it should.
    fn edits(&self, parts: &BTreeSet<usize>) -> Result<EditSet, String> {
        let Some((first, others)) = self.documents.split_first() else { return Err("there is no document".into()) };
        let mut changes = ChangeSet::new();
        for part in parts {
            changes.extend(&self.parts[*part].changes);
        }
        let mut edits = changes.edits(self.text, first, CommentRule::Keep).map_err(|error| error.to_string())?;
        for span in joined(parts.iter().flat_map(|part| &self.parts[*part].comments)) {
            // Lines that go with another key already need no second edit.
            let taken = edits.as_slice().iter().any(|edit| edit.span.start < span.end && span.start < edit.span.end);
            if !taken {
                edits.insert(Edit::deletion(span)).map_err(|error| error.to_string())?;
            }
        }
        let edited = edits.apply(self.text);
        let again = read_documents(&edited).map_err(|error| error.message)?;
        let Some((again_first, again_others)) = again.split_first() else {
            return Err("the edited text would hold no document".into());
        };
        changes.verify(first, again_first).map_err(|mismatch| mismatch.to_string())?;
        if others.len() != again_others.len() {
            return Err("the edited text would not hold the same documents".into());
        }
        for (old, new) in others.iter().zip(again_others) {
            ChangeSet::new().verify(old, new).map_err(|mismatch| mismatch.to_string())?;
        }
        Ok(edits)
    }
}

/// Joins spans that overlap.
fn joined<'s>(spans: impl Iterator<Item = &'s Span>) -> Vec<Span> {
    let mut sorted: Vec<Span> = spans.copied().collect();
    sorted.sort_unstable();
    let mut joined: Vec<Span> = Vec::new();
    for span in sorted {
        match joined.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amend(text: &str, key: &str, item: usize) -> Result<String, String> {
        let documents = read_documents(text.as_bytes()).unwrap();
        let mut changes = ChangeSet::new();
        let holder = documents[0].value(documents[0].root.unwrap(), key).unwrap();
        changes.remove(holder, item);
        let amendment = Amendment {
            text: text.as_bytes(),
            documents,
            parts: vec![AmendmentPart { changes, comments: Vec::new() }],
        };
        let made = amendment.make();
        match made.refused[0].clone() {
            Some(reason) => Err(reason),
            None => Ok(String::from_utf8(made.edits.apply(text.as_bytes())).unwrap()),
        }
    }

    #[test]
    fn takes_items_out_of_lists() {
        assert_eq!(amend("{\"r\": [\"a\", \"b\"]}", "r", 1).unwrap(), "{\"r\": [\"a\"]}");
        assert_eq!(amend("{\"r\": [\n  \"a\",\n  \"b\"\n]}\n", "r", 0).unwrap(), "{\"r\": [\n  \"b\"\n]}\n");
        assert_eq!(amend("r: [a, b]\n---\nx: 1\n", "r", 0).unwrap(), "r: [b]\n---\nx: 1\n");
        assert_eq!(amend("r: [a]\n", "r", 0).unwrap(), "r: []\n");
        assert!(amend("r:\n- a\n- b\n", "r", 0).is_err());
    }
}
