//! `kubectl patch` commands for live Services, quoted for a POSIX shell.

use serde_json::json;
use unstick::{Intent, SessionService};

use crate::session::seconds_in_words;
use crate::visible::visible;

/// Words that go into every command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PatchOptions {
    /// `--context`.
    pub context: Option<String>,
    /// The namespace of Services that name none.
    pub namespace: Option<String>,
}

/// Why a Service gets no command although the policy changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPatch {
    /// It has no name.
    #[error("it has no name, so that no live Service can be told from it")]
    NoName,
    /// Its name is one that only a manifest can have.
    #[error("its name is a generateName: the live Service has another")]
    Generated,
    /// A NUL, which no command line can hold.
    #[error("its name holds a NUL, which no command line takes")]
    Nul,
}

/// Returns a comment that says why, and the command; `None` for a Service that stays as it is.
///
/// `remove` and `none` both write `None`: on a live object nothing is left to remove, as the API server always fills the
/// field in.
///
/// ```
/// use unstick::{Plan, Policy, Source};
/// use unstick_report::{PatchOptions, patch};
/// let text = b"apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {sessionAffinity: ClientIP}\n";
/// let source = Source { path: None, bytes: text };
/// let services = Plan::new(source, &Policy::default()).services(source, &Policy::default());
/// let command = patch(&services[0], &PatchOptions::default()).expect("it changes")?;
/// assert!(command.ends_with("--patch '{\"spec\":{\"sessionAffinity\":\"None\",\"sessionAffinityConfig\":null}}'\n"));
/// # Ok::<(), unstick_report::NoPatch>(())
/// ```
///
/// # Errors
///
/// [`NoPatch`] for a Service that no command can name.
#[must_use]
pub fn patch(service: &SessionService, options: &PatchOptions) -> Option<Result<String, NoPatch>> {
    let (value, why) = match &service.intent {
        // The live object says None already.
        Intent::Release if !service.sticky => return None,
        Intent::Stay { .. } => return None,
        Intent::Release => (json!({"sessionAffinity": "None", "sessionAffinityConfig": null}), why_released(service)),
        Intent::Stick { timeout } => {
            let config = timeout.map(|seconds| json!({"clientIP": {"timeoutSeconds": seconds}}));
            let value = match config {
                Some(config) => json!({"sessionAffinity": "ClientIP", "sessionAffinityConfig": config}),
                None => json!({"sessionAffinity": "ClientIP"}),
            };
            (value, "the policy makes it ClientIP".to_owned())
        }
    };
    Some(named(service).and_then(|name| command(service, name, options, &why, &json!({"spec": value}).to_string())))
}

fn named(service: &SessionService) -> Result<&str, NoPatch> {
    match &service.resource.name {
        None => Err(NoPatch::NoName),
        Some(_) if service.generated => Err(NoPatch::Generated),
        Some(name) => Ok(name),
    }
}

fn command(
    service: &SessionService,
    name: &str,
    options: &PatchOptions,
    why: &str,
    patch: &str,
) -> Result<String, NoPatch> {
    let namespace = service.resource.namespace.as_ref().or(options.namespace.as_ref());
    let object = format!("service/{name}");
    let mut words = vec!["kubectl"];
    // kubectl takes the next word as the value, whatever it begins with.
    words.extend(options.context.iter().flat_map(|context| ["--context", context]));
    words.extend(namespace.into_iter().flat_map(|namespace| ["--namespace", namespace]));
    words.extend(["patch", &object, "--type", "strategic", "--patch", patch]);
    let command = shlex::try_join(words).map_err(|_| NoPatch::Nul)?;
    let place = namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
    // A comment ends with its line, whatever stands in a name.
    Ok(format!("# {}: {}\n{command}\n", visible(&format!("{place}{name}")), visible(why)))
}

fn why_released(service: &SessionService) -> String {
    let ports = match service.ports.len() {
        0 => String::new(),
        1 => " on 1 port".into(),
        count => format!(" on {count} ports, each for itself"),
    };
    format!("sticky for {}{ports}; the policy switches it off", seconds_in_words(service.timeout))
}

#[cfg(test)]
mod tests {
    use unstick::{Plan, Policy, Source};

    use super::*;

    fn patches(text: &str, spec: &str, options: &PatchOptions) -> Vec<Result<String, NoPatch>> {
        let policy = format!("apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {spec}\n");
        let policy = Policy::read(policy.as_bytes()).expect(spec);
        let source = Source { path: None, bytes: text.as_bytes() };
        let services = Plan::new(source, &policy).services(source, &policy);
        services.iter().filter_map(|service| patch(service, options)).collect()
    }

    fn service(metadata: &str) -> String {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {metadata}\nspec: {{sessionAffinity: ClientIP, ports: [{{port: 1}}]}}\n"
        )
    }

    const NONE: &str = r#"'{"spec":{"sessionAffinity":"None","sessionAffinityConfig":null}}'"#;

    #[test]
    fn both_rewrites_set_none() {
        for spec in ["{action: remove}", "{action: none}"] {
            assert_eq!(
                patches(&service("{name: web, namespace: shop}"), spec, &PatchOptions::default()),
                [Ok(format!(
                    "# shop/web: sticky for 10800 seconds (3 hours, the default) on 1 port; the policy switches it \
                     off\nkubectl --namespace shop patch service/web --type strategic --patch {NONE}\n"
                ))]
            );
        }
    }

    #[test]
    fn client_ip_sets_the_timeout() {
        let made = patches(&service("{name: web}"), "{action: clientIP, timeoutSeconds: 60}", &PatchOptions::default());
        let patch =
            r#"'{"spec":{"sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":60}}}}'"#;
        assert!(made[0].as_ref().is_ok_and(|made| made.ends_with(&format!("--patch {patch}\n"))), "{made:?}");
    }

    #[test]
    fn options_are_passed_on() {
        let options = PatchOptions { context: Some("my cluster".into()), namespace: Some("default".into()) };
        let text = format!("{}---\n{}", service("{name: a}"), service("{name: b, namespace: shop}"));
        let made: Vec<String> = patches(&text, "{}", &options).into_iter().map(|made| made.expect("a name")).collect();
        assert!(made[0].contains("\nkubectl --context 'my cluster' --namespace default patch service/a "), "{made:?}");
        assert!(made[1].contains(" --namespace shop patch service/b "), "{made:?}");
    }

    #[test]
    fn names_cannot_leave_their_word_or_their_line() {
        let names = [r"a'b", "x; rm -rf /", "$(id)", "`id`", "-n", "a\\nkubectl delete", "é", "a!b", "*"];
        for name in names {
            let text = service(&format!("{{name: \"{name}\", namespace: \"{name}\"}}"));
            let made = patches(&text, "{}", &PatchOptions::default()).remove(0).expect("a command");
            let name = name.replace("\\n", "\n");
            let (comment, command) = made.split_once('\n').expect("two lines");
            assert!(comment.starts_with("# "), "{made}");
            let words = shlex::split(command).expect("words");
            let patch = NONE.trim_matches('\'');
            let object = format!("service/{name}");
            assert_eq!(
                words,
                ["kubectl", "--namespace", &name, "patch", &object, "--type", "strategic", "--patch", patch]
            );
        }
    }

    #[test]
    fn a_service_without_a_name_of_its_own_is_told() {
        assert_eq!(patches(&service("{generateName: x-}"), "{}", &PatchOptions::default()), [Err(NoPatch::Generated)]);
        assert_eq!(patches(&service("{}"), "{}", &PatchOptions::default()), [Err(NoPatch::NoName)]);
        assert_eq!(patches(&service("{name: \"a\\0\"}"), "{}", &PatchOptions::default()), [Err(NoPatch::Nul)]);
    }

    #[test]
    fn what_the_policy_does_not_change_gets_nothing() {
        let keep = service("{name: web, annotations: {unstick.dev/keep: needed}}");
        let none = service("{name: web}").replace("ClientIP", "None");
        let knative = service("{name: web}").replace("v1\n", "serving.knative.dev/v1\n");
        for (text, spec) in [
            (&keep, "{}"),
            (&none, "{}"),
            (&none, "{includeNone: true}"),
            (&knative, "{}"),
            (&service("{name: web}"), "{except: [web]}"),
            (&service("{name: web}"), "{action: clientIP}"),
        ] {
            assert_eq!(patches(text, spec, &PatchOptions::default()), [], "{spec} {text}");
        }
    }
}
