//! Why a policy cannot be used.

use unstick::PolicyReadError;
use unstick_yaml::LineIndex;
use wasm_bindgen::prelude::wasm_bindgen;

/// A policy that cannot be read, with the place in its own text.
#[wasm_bindgen]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyFault {
    message: String,
    line: u32,
    column: u32,
}

impl PolicyFault {
    pub(crate) fn new(text: &[u8], error: PolicyReadError) -> Self {
        let lines = LineIndex::new(text);
        let line = lines.position(text, error.span.start).line;
        let column = lines.utf16_column(text, error.span.start);
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self { message: error.message, line: narrow(line), column: narrow(column) }
    }
}

#[wasm_bindgen]
impl PolicyFault {
    /// What is wrong, without position.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn message(&self) -> String {
        self.message.clone()
    }

    /// One-based line.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// One-based column in UTF-16 code units.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column
    }
}
