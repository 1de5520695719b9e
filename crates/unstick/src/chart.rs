//! Helm charts: templates, values, schemas and sub-charts, planned as one.

mod entry;
mod ignore;
mod layout;

pub(crate) use entry::{EntryValue, TemplateEntry};
pub(crate) use layout::{Chart, ChartSet, first_document};

/// One file of a chart, in memory.
#[derive(Debug, Clone, Copy)]
pub struct ChartFile<'a> {
    /// Path from the chart's folder, with `/` between its parts.
    pub path: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
}
