//! Finds Service session affinity in Kubernetes manifests and plans the edits that take it out.
//!
//! Bytes in, [`Plan`] out: no I/O, no clock, no environment. The same bytes and [`Policy`] give the same plan on every
//! host.

mod advice;
mod affinity;
mod chart;
mod decision;
mod document;
mod embedded;
mod finding;
mod foreign;
pub mod krm;
mod label;
mod merge;
mod occurrence;
mod plan;
mod policy;
mod prefilter;
mod rule;
mod service;
mod session;
mod sharing;
mod site;
mod suggestion;

pub use advice::{Advice, Survey};
pub use chart::{ChartFile, ChartPlan, ValuesOverride, is_chart};
pub use finding::{Finding, Outcome, Resource, Severity};
pub use label::{LabelRequirement, LabelSelector, LabelTest, SelectorError};
pub use plan::{Plan, Source};
pub use policy::{
    Action, Comments, Embedded, Knobs, Level, MAX_TIMEOUT_SECONDS, Match, Policy, PolicyError, PolicyReadError,
    PolicyRule, SERVICE_TYPES, Severities,
};
pub use rule::{Rule, UnknownRule};
pub use session::{DEFAULT_TIMEOUT_SECONDS, Intent, SessionPort, SessionService, SessionTimeout};
