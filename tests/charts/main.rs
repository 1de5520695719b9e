//! Chart sources, judged by the real Helm: a chart is rendered before and after it was edited.

#[path = "../hosts/support.rs"]
#[allow(dead_code, reason = "the hosts' tests use the rest")]
mod hosts;
#[path = "../support/random.rs"]
#[allow(dead_code, reason = "other generators use the rest")]
mod random;

mod bench;
mod corpus;
mod generated;
mod helm;
mod manifest;
mod overriding;
mod trims;
mod umbrella;
mod unstick;
