//! Real charts: the law, the table of occurrences and what people committed.

mod chart;
mod gold;
mod law;
pub(crate) mod sets;
mod table;

pub(crate) use chart::{Chart, names as chart_names};
