//! Finds Service session affinity in Kubernetes manifests and plans the edits that take it out.
//!
//! Bytes in, [`Plan`] out: no I/O, no clock, no environment. The same bytes and [`Policy`] give the same plan on every
//! host.

mod finding;
mod plan;
mod policy;
mod rule;

pub use finding::{Finding, Outcome, Resource, Severity};
pub use plan::{Plan, Source};
pub use policy::{Action, Comments, Embedded, Knobs, Match, Policy, PolicyRule};
pub use rule::Rule;
