//! Affinity entries as they stand in templates.

use unstick_yaml::Span;

/// One `sessionAffinity` or `sessionAffinityConfig` entry in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TemplateEntry {
    /// Index of the file in its [`super::ChartSet`].
    pub file: usize,
    /// It is `sessionAffinityConfig`.
    pub config: bool,
    /// The key's own bytes.
    pub key: Span,
    /// Key and value, up to the last byte of the value's last line, without the line break.
    pub span: Span,
    /// What stands after the colon.
    pub value: EntryValue,
    /// The block and branch that hold the key, as in [`unstick_yaml::Template::blocks`].
    pub holder: Option<(usize, usize)>,
}

/// What stands after an entry's colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryValue {
    /// Text only, unquoted; empty where nothing stands there.
    Literal {
        /// The decoded scalar.
        text: String,
        /// Its bytes, quotes included.
        span: Span,
    },
    /// One output action, perhaps in YAML quotes: `{{ .Values.a }}`, `"{{ .Values.a }}"`; its token.
    Action {
        /// Index of the action's token.
        token: usize,
    },
    /// A literal mapping on the lines below, of a config.
    Mapping {
        /// Tokens of the output actions inside it.
        actions: Vec<usize>,
    },
    /// Text and actions mixed: `{{ if .a }}ClientIP{{ else }}None{{ end }}`.
    Mixed {
        /// Tokens of the output actions inside it.
        actions: Vec<usize>,
    },
}
