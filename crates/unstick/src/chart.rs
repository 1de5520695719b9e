//! Helm charts: templates, values, schemas and sub-charts, planned as one.

mod amendment;
mod comment;
mod entry;
mod expression;
mod fate;
mod flow;
mod follow_up;
mod ignore;
mod knobs;
mod layout;
mod mention;
mod object;
mod opaque;
mod outlines;
mod overriding;
mod path;
mod place;
mod planning;
mod remark;
mod resolve;
mod schema;
mod source;
mod standing;
mod values;
mod witness;

pub(crate) use layout::ChartSet;
pub use overriding::ValuesOverride;
pub use planning::{ChartPlan, is_chart};

/// One file of a chart, in memory.
#[derive(Debug, Clone, Copy)]
pub struct ChartFile<'a> {
    /// Path from the chart's folder, with `/` between its parts.
    pub path: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
}
