//! What kube-proxy does for a sticky Service, in sentences; from the manifest alone.

use std::fmt::Write as _;

use unstick::{Intent, SessionPort, SessionService, SessionTimeout};

use super::seconds_in_words;
use crate::place::Places;
use crate::visible::visible;

/// The longest timeout that fits into 16 bits, in seconds.
const MAX_IN_16_BITS: u32 = 65_535;

/// What holds for every Service, by the way in which kube-proxy works.
pub const PROXY_MODES: &str = "\
kube-proxy does it in one of these ways:
  iptables  a list of addresses for each pod of each port; it holds 100 addresses unless the kernel is told otherwise, and
            clients beyond that are not kept
  nftables  a set of addresses for each pod of each port, up to 65535; sets of pods that are gone go with the next sync
  ipvs      the kernel's own persistence, for each port; it may hold clients on a pod that is gone, and longer than the
            timeout says
Nodes with Windows know no timeout. Other networks (Cilium, Calico with eBPF, OVN-Kubernetes, Antrea) do without kube-proxy
and count in ways of their own: unstick rules timeout-truncated
";

/// Returns the explanations for the sticky Services of one text, one paragraph for each.
///
/// ```
/// use unstick::{Plan, Policy, Source};
/// let text = b"apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {sessionAffinity: ClientIP, ports: [{port: 80}]}\n";
/// let source = Source { path: Some("svc.yaml"), bytes: text };
/// let services = Plan::new(source, &Policy::default()).services(source, &Policy::default());
/// let words = unstick_report::explain("svc.yaml", text, &services);
/// assert!(words.starts_with("svc.yaml:4: Service web (ClusterIP)\n"));
/// ```
#[must_use]
pub fn explain(path: &str, text: &[u8], services: &[SessionService]) -> String {
    let mut words = String::new();
    let mut sticky = services.iter().filter(|service| service.sticky).peekable();
    if sticky.peek().is_none() {
        return words;
    }
    let places = Places::new(text);
    for service in sticky {
        let line = places.position(service.span.start).line;
        // Writing to a string cannot fail.
        let _ = writeln!(words, "{}:{line}: {}", visible(path), visible(&heading(service)));
        for sentence in sentences(service) {
            let _ = writeln!(words, "  {}", visible(&sentence));
        }
        words.push('\n');
    }
    words
}

fn heading(service: &SessionService) -> String {
    let namespace = service.resource.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let name = service.resource.name.as_deref().unwrap_or("(no name)");
    let headless = if service.headless { ", headless" } else { "" };
    format!("Service {namespace}{name} ({}{headless})", service.service_type)
}

fn sentences(service: &SessionService) -> Vec<String> {
    let mut sentences = Vec::new();
    if service.service_type == "ExternalName" {
        sentences.push("It is a DNS name only: kube-proxy passes it over, and its affinity does nothing.".into());
    } else if service.headless {
        sentences
            .push("Clients find its pods by DNS: kube-proxy passes it over, and its affinity does nothing.".into());
    } else {
        add_ports(&mut sentences, &service.ports);
        sentences.extend(LISTS.map(str::to_owned));
        sentences.extend(window(service.timeout));
        sentences.extend(nodes(service));
    }
    sentences.push(intent(&service.intent));
    sentences
}

fn add_ports(sentences: &mut Vec<String>, ports: &[SessionPort]) {
    sentences.push(match ports.len() {
        0 => "It names no ports. kube-proxy keeps each client address on one pod, for each port by itself.".into(),
        1 => "kube-proxy keeps each client address on one pod, on its one port:".into(),
        count => format!("kube-proxy keeps each client address on one pod, for each of its {count} ports by itself:"),
    });
    for SessionPort { name, port, protocol, target, node_port } in ports {
        let name = name.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
        let node = node_port.as_ref().map(|port| format!("; on every node port {port}")).unwrap_or_default();
        sentences.push(format!("- {name}{port}/{protocol}, to the pods' port {target}{node}"));
    }
    if ports.len() > 1 {
        sentences.push("With another of these ports the same client may be on another pod.".into());
    }
}

/// What the memory is, the same for every Service.
const LISTS: [&str; 3] = [
    "For each port, every pod (endpoint) has a list of client addresses. A new connection from an address on a list",
    "goes to that list's pod; any other goes to a pod by chance, and its address onto that pod's list.",
    "All clients behind one proxy or NAT gateway have one address.",
];

/// Says how long an address stays on a list.
fn window(timeout: SessionTimeout) -> Vec<String> {
    let time = seconds_in_words(timeout);
    let mut sentences = vec![
        format!("An address stays on a list for {time} after its last new connection:"),
        "each new connection starts the time anew.".into(),
    ];
    if matches!(timeout, SessionTimeout::Seconds(seconds) if seconds > MAX_IN_16_BITS) {
        sentences.push(format!("OVN-Kubernetes and Antrea cut this time to {MAX_IN_16_BITS} seconds."));
    }
    sentences
}

fn nodes(service: &SessionService) -> Vec<String> {
    let mut sentences = vec!["Every node has lists of its own, and knows nothing of those of other nodes:".to_owned()];
    let outside = matches!(service.service_type.as_str(), "LoadBalancer" | "NodePort");
    let who = match (outside, service.external_local) {
        (true, true) => {
            "a connection from outside goes to pods of the node that it comes in by, which are others elsewhere."
        }
        (true, false) => "a client from outside may get another pod with every node that it comes in by.",
        (false, _) => "a client whose connections start on several nodes may get several pods.",
    };
    sentences.push(who.into());
    if service.internal_local {
        sentences.push("Clients in the cluster only reach pods of their own node.".into());
    }
    sentences
}

fn intent(intent: &Intent) -> String {
    match intent {
        Intent::Release => "The policy switches it off: then every new connection goes to a pod by chance.".into(),
        Intent::Stick { timeout: Some(seconds) } => {
            format!("The policy keeps it sticky, for {}.", seconds_in_words(SessionTimeout::Seconds(*seconds)))
        }
        Intent::Stick { timeout: None } => "The policy keeps it sticky.".into(),
        Intent::Stay { reason: Some(reason) } => format!("It stays so: {reason}."),
        Intent::Stay { reason: None } => "It stays so.".into(),
    }
}

#[cfg(test)]
mod tests {
    use unstick::{Plan, Policy, Source};

    use super::*;

    fn explained(spec: &str) -> String {
        let text =
            format!("apiVersion: v1\nkind: Service\nmetadata: {{name: web, namespace: shop}}\nspec: {{{spec}}}\n");
        let source = Source { path: None, bytes: text.as_bytes() };
        let policy = Policy::default();
        explain("a.yaml", text.as_bytes(), &Plan::new(source, &policy).services(source, &policy))
    }

    #[test]
    fn explains_ports_time_and_nodes() {
        let words = explained(
            "type: LoadBalancer, externalTrafficPolicy: Local, sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: \
             {timeoutSeconds: 80000}}, ports: [{name: http, port: 80, targetPort: web}, {port: 53, protocol: UDP, nodePort: \
             30053}]",
        );
        let expected = "a.yaml:4: Service shop/web (LoadBalancer)
  kube-proxy keeps each client address on one pod, for each of its 2 ports by itself:
  - http, 80/TCP, to the pods' port web
  - 53/UDP, to the pods' port 53; on every node port 30053
  With another of these ports the same client may be on another pod.
  For each port, every pod (endpoint) has a list of client addresses. A new connection from an address on a list
  goes to that list's pod; any other goes to a pod by chance, and its address onto that pod's list.
  All clients behind one proxy or NAT gateway have one address.
  An address stays on a list for 80000 seconds (about 22 hours 13 minutes) after its last new connection:
  each new connection starts the time anew.
  OVN-Kubernetes and Antrea cut this time to 65535 seconds.
  Every node has lists of its own, and knows nothing of those of other nodes:
  a connection from outside goes to pods of the node that it comes in by, which are others elsewhere.
  The policy switches it off: then every new connection goes to a pod by chance.

";
        assert_eq!(words, expected);
    }

    #[test]
    fn says_the_default_and_other_nodes() {
        let words = explained("sessionAffinity: ClientIP, ports: [{port: 1}]");
        assert!(
            words.contains("10800 seconds (3 hours, the default)") && words.contains("on its one port:"),
            "{words}"
        );
        assert!(words.contains("connections start on several nodes") && !words.contains("cut this"), "{words}");
        let words = explained("type: NodePort, internalTrafficPolicy: Local, sessionAffinity: ClientIP");
        assert!(
            words.contains("may get another pod with every node") && words.contains("pods of their own node."),
            "{words}"
        );
        assert!(words.contains("It names no ports"), "{words}");
    }

    #[test]
    fn says_where_affinity_does_nothing() {
        for (spec, word) in [("type: ExternalName", "a DNS name only"), ("clusterIP: None", "find its pods by DNS")] {
            let words = explained(&format!("{spec}, sessionAffinity: ClientIP, ports: [{{port: 1}}]"));
            assert!(words.contains(word) && !words.contains("list"), "{words}");
        }
        assert_eq!(explained("sessionAffinity: None"), "");
    }
}
