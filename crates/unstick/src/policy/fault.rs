//! Settings that make no sense, and where they stand.

use fast_glob::ErrorKind;

use super::{Action, MAX_TIMEOUT_SECONDS, Match, Policy, PolicyRule};
use crate::suggestion::suggest;

/// Settings that make no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The timeout is out of Kubernetes' range.
    #[error("a timeout of {seconds} seconds is out of range: Kubernetes takes 1 to {MAX_TIMEOUT_SECONDS}")]
    TimeoutRange {
        /// The timeout given.
        seconds: u32,
    },
    /// A timeout without the action that uses it.
    #[error("a timeout only makes sense with the action clientIP")]
    TimeoutWithoutClientIp,
    /// A glob that can match nothing.
    #[error("the glob {glob:?} matches nothing: {fault}")]
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A `spec.type` that no Service has.
    #[error("there is no Service of type {name:?}; {}", suggest(name, SERVICE_TYPES))]
    ServiceType {
        /// The type given.
        name: String,
    },
}

impl PolicyError {
    /// Returns the way out.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::TimeoutRange { .. } => "give a number of seconds in this range",
            Self::TimeoutWithoutClientIp => "add the action clientIP to it, or take the timeout out",
            Self::Glob { glob, .. } if glob.is_empty() => "write a glob there, or take it out",
            Self::Glob { .. } => "mend the glob; a backslash stands before a mark that is meant as it is",
            Self::ServiceType { .. } => "a Service that names no type is a ClusterIP",
        }
    }
}

/// The values of a Service's `spec.type` (`core/v1/types.go` of kubernetes/api, `ServiceType`).
pub const SERVICE_TYPES: &[&str] = &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];

/// One step on the way from a policy to a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Key(&'static str),
    Item(usize),
}

/// An error, and the way to the setting that it speaks of.
type Fault = (PolicyError, Vec<Step>);

impl Policy {
    /// Checks what the types alone cannot: timeouts and their action, globs, types of Services.
    ///
    /// ```
    /// use unstick::Policy;
    /// let policy = Policy { only: vec!["web[".into()], ..Policy::default() };
    /// assert_eq!(policy.check().unwrap_err().to_string(), "the glob \"web[\" matches nothing: a [ has no ]");
    /// ```
    ///
    /// # Errors
    ///
    /// [`PolicyError`] for the first setting that makes no sense.
    pub fn check(&self) -> Result<(), PolicyError> {
        self.fault().map_or(Ok(()), |(error, _)| Err(error))
    }

    /// Returns the first setting that makes no sense.
    pub(super) fn fault(&self) -> Option<Fault> {
        let uses_timeout = self.rules.iter().any(|rule| rule.action == Action::ClientIp);
        timeout_fault(self.timeout_seconds, uses_timeout || self.action == Action::ClientIp)
            .map(|error| (error, vec![Step::Key("timeoutSeconds")]))
            .or_else(|| glob_fault("only", &self.only))
            .or_else(|| glob_fault("except", &self.except))
            .or_else(|| {
                self.rules.iter().enumerate().find_map(|(index, rule)| {
                    let (error, steps) = timeout_fault(rule.timeout_seconds, rule.action == Action::ClientIp)
                        .map(|error| (error, vec![Step::Key("timeoutSeconds")]))
                        .or_else(|| rule_fault(rule))?;
                    Some((error, [vec![Step::Key("rules"), Step::Item(index)], steps].concat()))
                })
            })
    }
}

fn timeout_fault(timeout: Option<u32>, used: bool) -> Option<PolicyError> {
    let seconds = timeout?;
    if !(1..=MAX_TIMEOUT_SECONDS).contains(&seconds) {
        return Some(PolicyError::TimeoutRange { seconds });
    }
    (!used).then_some(PolicyError::TimeoutWithoutClientIp)
}

fn rule_fault(rule: &PolicyRule) -> Option<Fault> {
    let Match { names, namespaces, types, files, labels: _ } = &rule.matches;
    let globs = [("names", names), ("namespaces", namespaces), ("files", files)];
    let of_glob = || globs.into_iter().find_map(|(key, globs)| glob_fault(key, globs));
    let of_type = || {
        let wrong = |name: &&String| !SERVICE_TYPES.contains(&name.as_str());
        let (index, name) = types.iter().enumerate().find(|(_, name)| wrong(name))?;
        Some((PolicyError::ServiceType { name: name.clone() }, vec![Step::Key("types"), Step::Item(index)]))
    };
    let (error, steps) = of_glob().or_else(of_type)?;
    Some((error, [vec![Step::Key("match")], steps].concat()))
}

fn glob_fault(key: &'static str, globs: &[String]) -> Option<Fault> {
    globs.iter().enumerate().find_map(|(index, glob)| {
        let fault = match fast_glob::validate(glob) {
            Ok(()) if !glob.is_empty() => return None,
            Ok(()) => "it is empty",
            Err(error) => match error.kind {
                ErrorKind::UnclosedBrace => "a { has no }",
                ErrorKind::UnclosedBracket => "a [ has no ]",
                ErrorKind::TrailingBackslash => "there is nothing behind its last backslash",
                _ => "it has more braces than can be read",
            },
        };
        Some((PolicyError::Glob { glob: glob.clone(), fault }, vec![Step::Key(key), Step::Item(index)]))
    })
}
