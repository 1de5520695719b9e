//! The Services of a text that are sticky or become so, as their manifests describe them.

use std::collections::HashSet;

use unstick_yaml::{NodeId, Outline, Span};

use crate::advice::{Subject, Timeout, documents, is_own_service};
use crate::decision::Decision;
use crate::document::is_template;
use crate::merge::Lookup;
use crate::plan::concerns;
use crate::policy::Action;
use crate::site::{self, Site};
use crate::{Outcome, Plan, Policy, Resource, Source, Survey};

/// A core Service with affinity, or one that the plan gives some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionService {
    /// The object.
    pub resource: Resource,
    /// Its name is a `generateName`, so that no live object can be told from it.
    pub generated: bool,
    /// The bytes that make it sticky; those of its spec where none do.
    pub span: Span,
    /// Its affinity is on now.
    pub sticky: bool,
    /// `spec.type`.
    pub service_type: String,
    /// `spec.clusterIP` is `None`.
    pub headless: bool,
    /// `spec.externalTrafficPolicy` is `Local`.
    pub external_local: bool,
    /// `spec.internalTrafficPolicy` is `Local`.
    pub internal_local: bool,
    /// `spec.ports`.
    pub ports: Vec<SessionPort>,
    /// How long it is sticky.
    pub timeout: SessionTimeout,
    /// What the plan makes of it.
    pub intent: Intent,
}

/// A port of a [`SessionService`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPort {
    /// `name`.
    pub name: Option<String>,
    /// `port`.
    pub port: String,
    /// `protocol`; `TCP` where there is none.
    pub protocol: String,
    /// `targetPort`; the port itself where there is none.
    pub target: String,
    /// `nodePort`.
    pub node_port: Option<String>,
}

/// How long a [`SessionService`] is sticky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionTimeout {
    /// The API server's default, [`DEFAULT_TIMEOUT_SECONDS`].
    Default,
    /// So many seconds.
    Seconds(u32),
    /// A value that the API server refuses, or a placeholder.
    Unknown,
}

/// What a plan makes of a [`SessionService`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// Its affinity goes.
    Release,
    /// It becomes `ClientIP`, or gets another timeout.
    Stick {
        /// The policy's seconds.
        timeout: Option<u32>,
    },
    /// It stays as it is.
    Stay {
        /// Why, as the policy says it; `None` where nothing is to change or the change is refused.
        reason: Option<String>,
    },
}

/// The timeout that the API server sets where a manifest names none, three hours (`core/v1/types.go` of kubernetes/api,
/// `DefaultClientIPServiceAffinitySeconds`).
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 10_800;

impl Plan {
    /// Returns the core Services of the plan's text that are sticky or that the plan changes, in source order.
    ///
    /// ```
    /// use unstick::{Intent, Plan, Policy, Source};
    /// let text = b"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {sessionAffinity: ClientIP}\n";
    /// let source = Source { path: None, bytes: text };
    /// let services = Plan::new(source, &Policy::default()).services(source, &Policy::default());
    /// assert_eq!(services[0].intent, Intent::Release);
    /// ```
    #[must_use]
    pub fn services(&self, source: Source<'_>, policy: &Policy) -> Vec<SessionService> {
        let changed = self.changed_objects();
        let mut services = Vec::new();
        for (document, outline) in documents(source.bytes, |chunk| concerns(chunk, policy)) {
            if is_template(source.bytes, &outline) {
                continue;
            }
            let mut lookup = Lookup::new(&outline);
            let sites = site::find(&outline, &mut lookup).sites;
            for site in sites.iter().filter(|site| is_own_service(site)) {
                let decision = Decision::new(policy, site, source.path);
                let is_changed = changed.contains(&(document, &site.resource));
                services.extend(describe(&outline, &mut lookup, site, &decision, is_changed));
            }
        }
        services
    }

    /// Returns the documents and objects whose own spec the plan edits.
    fn changed_objects(&self) -> HashSet<(usize, &Resource)> {
        let changed = self.findings.iter().filter(|finding| {
            let of_spec = finding.field.as_ref().is_some_and(|field| field.starts_with("spec"));
            finding.outcome == Outcome::Changed && of_spec
        });
        changed.filter_map(|finding| Some((finding.document, finding.resource.as_ref()?))).collect()
    }
}

fn describe<'o>(
    outline: &'o Outline,
    lookup: &mut Lookup<'o>,
    site: &Site,
    decision: &Decision,
    changed: bool,
) -> Option<SessionService> {
    let survey = Survey::default();
    let subject = Subject::new(outline, lookup, site, decision, &survey, changed);
    let (span, timeout) = match subject {
        Some(mut subject) => (Some(subject.span), session_timeout(subject.timeout())),
        None if changed => (None, SessionTimeout::Default),
        None => return None,
    };
    let text = |lookup: &mut Lookup<'o>, key| lookup.text(site.spec, key).filter(|text| !text.is_empty());
    let service_type = text(lookup, "type").unwrap_or("ClusterIP").to_owned();
    let metadata = site.object.and_then(|object| lookup.value(object, "metadata"));
    let name = metadata.and_then(|metadata| lookup.text(metadata, "name"));
    Some(SessionService {
        resource: site.resource.clone(),
        generated: name.is_none_or(str::is_empty) && site.resource.name.is_some(),
        span: span.unwrap_or(outline.node(site.spec).span),
        sticky: span.is_some(),
        headless: service_type == "ClusterIP" && text(lookup, "clusterIP") == Some("None"),
        external_local: text(lookup, "externalTrafficPolicy") == Some("Local"),
        internal_local: text(lookup, "internalTrafficPolicy") == Some("Local"),
        ports: ports(outline, lookup, site.spec),
        service_type,
        timeout,
        intent: intent(decision, changed),
    })
}

fn intent(decision: &Decision, changed: bool) -> Intent {
    match decision.action {
        Action::Remove | Action::None if changed => Intent::Release,
        Action::ClientIp if changed => Intent::Stick { timeout: decision.timeout },
        Action::Keep => Intent::Stay { reason: Some(decision.reason.clone()) },
        _ => Intent::Stay { reason: None },
    }
}

fn session_timeout(timeout: Timeout) -> SessionTimeout {
    match timeout {
        Timeout::Absent => SessionTimeout::Default,
        Timeout::Seconds(seconds, _) => match u32::try_from(seconds) {
            Ok(seconds) if (1..=crate::MAX_TIMEOUT_SECONDS).contains(&seconds) => SessionTimeout::Seconds(seconds),
            _ => SessionTimeout::Unknown,
        },
        Timeout::Wrong(_) | Timeout::Unknown => SessionTimeout::Unknown,
    }
}

fn ports<'o>(outline: &'o Outline, lookup: &mut Lookup<'o>, spec: NodeId) -> Vec<SessionPort> {
    let Some(ports) = lookup.value(spec, "ports") else { return Vec::new() };
    let items = outline.items(ports).iter().filter_map(|item| outline.resolve(item.value));
    let mut found = Vec::new();
    for item in items {
        let mut text = |key| lookup.text(item, key).filter(|text| !text.is_empty()).map(str::to_owned);
        let Some(port) = text("port") else { continue };
        found.push(SessionPort {
            name: text("name"),
            protocol: text("protocol").unwrap_or_else(|| "TCP".into()),
            target: text("targetPort").unwrap_or_else(|| port.clone()),
            node_port: text("nodePort"),
            port,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services(text: &str, spec: &str) -> Vec<SessionService> {
        let policy = format!("apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {spec}\n");
        let policy = Policy::read(policy.as_bytes()).expect(spec);
        let source = Source { path: None, bytes: text.as_bytes() };
        Plan::new(source, &policy).services(source, &policy)
    }

    const SERVICE: &str = "apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: NodePort
  externalTrafficPolicy: Local
  sessionAffinity: ClientIP
  sessionAffinityConfig: {clientIP: {timeoutSeconds: 600}}
  ports:
  - {name: http, port: 80, targetPort: web, nodePort: 30080}
  - {port: 53, protocol: UDP}
";

    #[test]
    fn describes_a_service() {
        let found = services(SERVICE, "{}").remove(0);
        assert_eq!(found.span.slice(SERVICE.as_bytes()), b"sessionAffinity: ClientIP");
        assert_eq!(
            (found.service_type.as_str(), found.external_local, found.internal_local),
            ("NodePort", true, false)
        );
        assert_eq!(
            (found.timeout, found.intent, found.generated),
            (SessionTimeout::Seconds(600), Intent::Release, false)
        );
        let ports: Vec<String> = found.ports.iter().map(|port| format!("{port:?}")).collect();
        assert_eq!(
            ports,
            [
                "SessionPort { name: Some(\"http\"), port: \"80\", protocol: \"TCP\", target: \"web\", node_port: \
                 Some(\"30080\") }",
                "SessionPort { name: None, port: \"53\", protocol: \"UDP\", target: \"53\", node_port: None }"
            ]
        );
    }

    #[test]
    fn says_what_the_policy_wants() {
        let intent = |spec| services(SERVICE, spec).remove(0).intent;
        assert_eq!(intent("{action: none}"), Intent::Release);
        assert_eq!(intent("{action: clientIP, timeoutSeconds: 60}"), Intent::Stick { timeout: Some(60) });
        assert_eq!(intent("{action: clientIP}"), Intent::Stay { reason: None });
        assert_eq!(intent("{except: [web]}"), Intent::Stay { reason: Some("it is not selected".into()) });
    }

    #[test]
    fn leaves_out_what_is_neither_sticky_nor_changed() {
        let none = SERVICE
            .replace("ClientIP\n", "None\n")
            .replace("  sessionAffinityConfig: {clientIP: {timeoutSeconds: 600}}\n", "");
        assert_eq!(services(&none, "{}"), []);
        assert_eq!(services(&SERVICE.replace("v1\n", "serving.knative.dev/v1\n"), "{}"), []);
        let written = services(&none, "{rules: [{match: {names: [web]}, action: clientIP, timeoutSeconds: 60}]}");
        assert_eq!((written[0].sticky, &written[0].intent), (false, &Intent::Stick { timeout: Some(60) }));
        let absent = SERVICE.lines().filter(|line| !line.contains("Affinity")).collect::<Vec<_>>().join("\n");
        assert_eq!(services(&absent, "{action: clientIP, only: [web]}").len(), 1);
    }
}
