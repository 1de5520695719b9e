//! The tolerant reader: which keys a template writes, and under what they stand.
//!
//! Structure is taken from the layout on paper, that is from the indentation of the text as it stands in the file. No
//! parser of rendered or masked text can do this for every template: a chart's own mistakes, lines glued by trim
//! markers and helpers that bring their own indentation would stop it. Every line has a place here, so no key is lost.

use crate::Span;

use super::tree::Template;

mod lines;
mod reader;
mod words;

/// The keys of a template with their places.
///
/// ```
/// use unstick_yaml::{Template, TemplateOutline};
/// let text = b"kind: Service\nspec:\n{{- if .Values.a }}\n  type: {{ .Values.a }}\n{{- end }}\n";
/// let template = Template::read(text)?;
/// let outline = TemplateOutline::read(text, &template);
/// let node = outline.nodes.iter().position(|node| node.key() == Some("type")).expect("the key");
/// assert_eq!(outline.path(node), ["spec", "type"]);
/// # Ok::<(), unstick_yaml::TemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TemplateOutline {
    /// Nodes; a parent stands before its children.
    pub nodes: Vec<TemplateNode>,
    /// YAML comments from `#` to the end of their text, in source order.
    pub comments: Vec<Span>,
    /// For each node, the nodes directly under it.
    children: Vec<Vec<usize>>,
}

/// A document, a `define`, a key, a sequence item, or an action that may print anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateNode {
    /// What it is.
    pub kind: TemplateNodeKind,
    /// The node that holds it; `None` for documents.
    pub parent: Option<usize>,
    /// Column on paper, zero-based, in bytes.
    pub column: usize,
    /// From its first own byte to the last byte of its last line.
    pub span: Span,
    /// The key's own bytes, quotes included; the dash of an item; the action of a hole.
    pub key: Span,
    /// What stands behind the colon on its line, without white space around it and without a comment.
    pub value: Span,
    /// The block and branch that hold its first byte.
    pub holder: Option<(usize, usize)>,
    /// For a hole: the innermost node that was open above it, whatever its column.
    pub above: Option<usize>,
    /// For a hole: the N of its `nindent N` or `indent N`.
    pub indentation: Option<usize>,
    /// It may hold lines below it.
    pub(crate) owns: bool,
}

/// What a node of a template is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateNodeKind {
    /// A document of the file.
    Document,
    /// What a `define` prints; the block's index.
    Define(usize),
    /// A mapping key; `None` where the name holds an action.
    Key(Option<String>),
    /// A sequence item.
    Item,
    /// An output action; its token.
    Hole(usize),
}

impl TemplateNode {
    /// Returns a key's name.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match &self.kind {
            TemplateNodeKind::Key(name) => name.as_deref(),
            _ => None,
        }
    }
}

impl TemplateOutline {
    /// Reads a template; never fails.
    #[must_use]
    pub fn read(text: &[u8], template: &Template) -> Self {
        let mut outline = reader::read(text, template);
        outline.children = vec![Vec::new(); outline.nodes.len()];
        for (index, node) in outline.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                outline.children[parent].push(index);
            }
        }
        outline
    }

    /// Returns the keys from the document, or the `define`, down to the node; items and templated keys are `*`.
    #[must_use]
    pub fn path(&self, node: usize) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = Some(node);
        while let Some(index) = at {
            match &self.nodes[index].kind {
                TemplateNodeKind::Key(name) => path.push(name.as_deref().unwrap_or("*")),
                TemplateNodeKind::Item => path.push("*"),
                _ => {}
            }
            at = self.nodes[index].parent;
        }
        path.reverse();
        path
    }

    /// Returns the indexes of the nodes directly under a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.children.get(node).into_iter().flatten().copied()
    }

    /// Returns the node that text at a column under a hole belongs to.
    ///
    /// What a helper prints may stand deeper than the action that calls it: then the nodes open above the hole decide.
    #[must_use]
    pub fn parent_at(&self, hole: usize, column: usize) -> Option<usize> {
        let mut at = self.nodes[hole].above;
        while let Some(node) = at {
            let own = &self.nodes[node];
            if own.parent.is_none() || own.column < column && own.owns {
                return Some(node);
            }
            at = own.parent;
        }
        self.nodes[hole].parent
    }

    /// Returns the document or `define` that a node stands in.
    #[must_use]
    pub fn root(&self, node: usize) -> usize {
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            at = parent;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let template = Template::read(text.as_bytes()).unwrap();
        let outline = TemplateOutline::read(text.as_bytes(), &template);
        let keys =
            (0..outline.nodes.len()).filter(|node| matches!(outline.nodes[*node].kind, TemplateNodeKind::Key(_)));
        keys.map(|node| outline.path(node).join(".")).collect()
    }

    #[test]
    fn reads_plain_structure() {
        let text =
            "kind: Service\nspec:\n  ports:\n  - name: a\n    port: 1\n  -   name: b\n  type: x\nstatus: {a: b}\n";
        let expected = [
            "kind",
            "spec",
            "spec.ports",
            "spec.ports.*.name",
            "spec.ports.*.port",
            "spec.ports.*.name",
            "spec.type",
            "status",
        ];
        assert_eq!(paths(text), expected);
    }

    #[test]
    fn puts_a_deeper_optional_block_beside_its_siblings() {
        let text = "spec:\n  type: x\n{{- if .a }}\n    extra: 1\n{{- end }}\n  last: 2\n";
        assert_eq!(paths(text), ["spec", "spec.type", "spec.extra", "spec.last"]);
    }

    #[test]
    fn restores_the_place_at_else() {
        let text = "spec:\n{{ if .a }}\n  a:\n    b: 1\n{{ else }}\n    c: 1\n{{ end }}\n  d: 1\n";
        assert_eq!(paths(text), ["spec", "spec.a", "spec.a.b", "spec.c", "spec.d"]);
    }

    #[test]
    fn skips_block_scalars_quotes_and_flow() {
        let text =
            "a: |\n  {{- if .x }}\n  k: v\n  {{- end }}\nb: \"x\n  y: z\"\nc: {d: e,\n  f: g}\nh: >-\n\n  i: j\nk: l\n";
        assert_eq!(paths(text), ["a", "b", "c", "h", "k"]);
    }

    #[test]
    fn reads_keys_inside_one_line_blocks() {
        let text = "spec:\n  {{ if .a }}k1: x{{ else }}k2: y{{ end }}\n  {{ if .a -}} k3: {{- else -}} k4: {{- end }}\n    z: 1\n";
        assert_eq!(paths(text), ["spec", "spec.k1", "spec.k2", "spec.k3", "spec.k4", "spec.k4.z"]);
    }

    #[test]
    fn starts_defines_and_documents_afresh() {
        let text = "a:\n{{ define \"x\" -}}\nspec:\n  b: 1\n{{ end }}\n  c: 1\n---\nd: 1\n";
        assert_eq!(paths(text), ["a", "spec", "spec.b", "a.c", "d"]);
    }

    #[test]
    fn takes_the_depth_of_a_hole_from_its_indentation() {
        let text = "spec:\n  labels: {{- include \"l\" . | nindent 4 }}\n    more: 1\n{{ include \"x\" . | indent 2 }}\n  a: 1\n";
        assert_eq!(paths(text), ["spec", "spec.labels", "spec.labels.more", "spec.a"]);
        let template = Template::read(text.as_bytes()).unwrap();
        let outline = TemplateOutline::read(text.as_bytes(), &template);
        let hole = outline.nodes.iter().rposition(|node| matches!(node.kind, TemplateNodeKind::Hole(_))).unwrap();
        assert_eq!(outline.path(hole), ["spec"]);
    }

    #[test]
    fn knows_how_far_a_key_reaches() {
        let text = "spec:\n  a: # why\n    # more\n    {{- with .x }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\n\n  b: 1 # c\n";
        let template = Template::read(text.as_bytes()).unwrap();
        let outline = TemplateOutline::read(text.as_bytes(), &template);
        let span =
            |key: &str| outline.nodes.iter().find(|node| node.key() == Some(key)).unwrap().span.slice(text.as_bytes());
        assert_eq!(span("a"), b"a: # why\n    # more\n    {{- with .x }}\n    {{- toYaml . | nindent 4 }}");
        assert_eq!(span("b"), b"b: 1 # c");
    }
}
