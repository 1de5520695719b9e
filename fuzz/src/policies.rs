//! The policies that inputs are tried with.

use unstick::{Action, Comments, Embedded, Knobs, Match, Policy, PolicyRule};

/// Returns the policy that a byte stands for: seven bits of settings.
pub fn policy(byte: u8) -> Policy {
    let action = [Action::Remove, Action::None, Action::ClientIp, Action::Keep][usize::from(byte & 3)];
    let client_ip = action == Action::ClientIp;
    let named = byte & 16 != 0;
    let rule = PolicyRule {
        matches: Match { names: vec!["a*".into()], ..Match::default() },
        action: Action::ClientIp,
        timeout_seconds: Some(60),
        reason: None,
    };
    Policy {
        action,
        timeout_seconds: client_ip.then_some(600),
        include_none: byte & 4 != 0,
        embedded: if byte & 8 != 0 { Embedded::Edit } else { Embedded::Report },
        knobs: if byte & 64 != 0 { Knobs::Strip } else { Knobs::Keep },
        comments: if byte & 32 != 0 { Comments::Keep } else { Comments::Owned },
        only: if named && client_ip { vec!["*".into()] } else { Vec::new() },
        rules: if named && !client_ip { vec![rule] } else { Vec::new() },
        ..Policy::default()
    }
}
