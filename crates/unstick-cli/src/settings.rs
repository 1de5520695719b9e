//! From what was typed to working values.

use std::io::{IsTerminal as _, stderr, stdout};
use std::path::Path;

use unstick::{Action, Comments, Embedded, Knobs, Level, Policy};
use unstick_report::{Colour, excerpt};

use crate::args::{ActionName, CommentsName, EmbeddedName, KnobsName, Shared, When};
use crate::error::Error;

/// Makes the policy: the file's, overridden by the options.
pub(crate) fn policy(shared: &Shared) -> Result<Policy, Error> {
    let mut policy = match &shared.policy {
        Some(path) => read_policy(path)?,
        None => Policy::default(),
    };
    if let Some(action) = shared.action {
        policy.action = match action {
            ActionName::Remove => Action::Remove,
            ActionName::None => Action::None,
            ActionName::ClientIp => Action::ClientIp,
            ActionName::Keep => Action::Keep,
        };
        // The file's timeout belongs to the file's action.
        if policy.action != Action::ClientIp && shared.timeout.is_none() {
            policy.timeout_seconds = None;
        }
    }
    policy.timeout_seconds = shared.timeout.or(policy.timeout_seconds);
    policy.include_none |= shared.include_none;
    policy.validate |= shared.validate;
    policy.only.extend(shared.only.iter().cloned());
    policy.except.extend(shared.except.iter().cloned());
    if let Some(embedded) = shared.embedded {
        policy.embedded = if embedded == EmbeddedName::Edit { Embedded::Edit } else { Embedded::Report };
    }
    if let Some(knobs) = shared.knobs {
        policy.knobs = if knobs == KnobsName::Strip { Knobs::Strip } else { Knobs::Keep };
    }
    if let Some(comments) = shared.comments {
        policy.comments = if comments == CommentsName::Keep { Comments::Keep } else { Comments::Owned };
    }
    if !shared.select.is_empty() {
        policy.severity.select(&shared.select);
    }
    for rule in &shared.ignore {
        policy.severity.set(*rule, Level::Off);
    }
    policy.check()?;
    Ok(policy)
}

fn read_policy(path: &Path) -> Result<Policy, Error> {
    let text = std::fs::read(path).map_err(|source| Error::PolicyFile { path: path.to_owned(), source })?;
    Policy::read(&text).map_err(|error| {
        let place = excerpt(&path.display().to_string(), &text, error.span);
        Error::PolicyText { message: error.message, place, help: error.help }
    })
}

/// Tells whether standard error takes colours.
pub(crate) fn stderr_colour(when: When) -> Colour {
    colour(when, stderr().is_terminal())
}

/// Tells whether standard output takes colours.
pub(crate) fn stdout_colour(when: When) -> Colour {
    colour(when, stdout().is_terminal())
}

fn colour(when: When, terminal: bool) -> Colour {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
    let on = match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            !set("NO_COLOR") && (forced || terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"))
        }
    };
    if on { Colour::On } else { Colour::Off }
}
