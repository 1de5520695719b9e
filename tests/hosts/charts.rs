//! Real charts and packages through every host: what comes out is what the command makes of the host's own stream.

use std::fs;
use std::path::{Path, PathBuf};

use crate::host::{Call, HOSTS, Host, Input, Stage};
use crate::support::HELM3;

/// Charts of the corpus that pin clients, by default or with these values: name, values, sticky Services.
///
/// Passwords that a chart would make up are given: two runs have to be alike.
const CHARTS: &[(&str, &str, usize)] = &[
    ("apache__kyuubi__kyuubi", "server.thriftBinary.service.sessionAffinity=ClientIP", 1),
    ("bitnami__charts__clickhouse", "service.sessionAffinity=ClientIP,auth.password=p", 1),
    ("bitnami__charts__contour", "contour.service.sessionAffinity=ClientIP,envoy.service.sessionAffinity=ClientIP", 2),
    (
        "bitnami__charts__mongodb-sharded",
        "service.sessionAffinity=ClientIP,auth.rootPassword=p,auth.replicaSetKey=k",
        1,
    ),
    (
        "bitnami__charts__rabbitmq-cluster-operator",
        "useCertManager=true,clusterOperator.metrics.service.enabled=true,clusterOperator.metrics.service.sessionAffinity=ClientIP,\
         msgTopologyOperator.service.sessionAffinity=ClientIP",
        2,
    ),
    (
        "bitnami__charts__redis",
        "master.service.sessionAffinity=ClientIP,replica.service.sessionAffinity=ClientIP,auth.password=p",
        2,
    ),
    (
        "codecentric__helm-charts__keycloakx",
        "service.sessionAffinity=ClientIP,service.sessionAffinityConfig.clientIP.timeoutSeconds=60",
        1,
    ),
    ("grafana__helm-charts__grafana", "service.seessionAffinity=ClientIP,adminPassword=p", 1),
    (
        "gruntwork-io__helm-kubernetes-services__k8s-service",
        "applicationName=a,containerImage.repository=i,containerImage.tag=t,containerImage.pullPolicy=Always,\
         service.sessionAffinity=ClientIP",
        1,
    ),
    ("helm__charts__burrow", "", 2),
    ("helm__charts__ethereum", "", 1),
    ("helm__charts__nginx-ingress", "controller.service.sessionAffinity=ClientIP", 1),
    ("helm__charts__selenium", "hub.serviceSessionAffinity=ClientIP", 1),
    ("kubernetes__ingress-nginx__ingress-nginx", "controller.service.sessionAffinity=ClientIP", 1),
    ("longhorn__longhorn__longhorn", "", 4),
    ("vernemq__docker-vernemq__vernemq", "service.sessionAffinity=ClientIP", 1),
];

fn corpus(test: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("UNSTICK_CORPUS").map_or_else(beside, PathBuf::from);
    if root.join("OCCURRENCES.tsv").is_file() {
        return Some(root);
    }
    eprintln!("LEFT OUT: {test} needs the corpus, and there is none at {}", root.display());
    None
}

/// `grep -c 'sessionAffinity: ClientIP'`, whatever the quotes.
fn count(text: &str) -> usize {
    text.lines().filter(|line| line.replace('"', "").contains("sessionAffinity: ClientIP")).count()
}

/// Sends the input through a host, with and without the command; lines of prose that speak of affinity stay.
fn check(host: Host, input: &Input, (sticky, prose): (usize, usize), what: &str) {
    let Some(mut stage) = Stage::open(host, input) else { return };
    let before = stage.plain();
    assert!(before.success, "{host:?}, {what}: {}", before.stderr);
    let after = stage.run(&Call::default());
    assert!(after.success, "{host:?}, {what}: {}", after.stderr);
    assert_eq!((count(&before.stdout), count(&after.stdout)), (sticky + prose, prose), "{host:?}, {what}");
    let objects = |text: &str| text.lines().filter(|line| line.starts_with("kind: ")).count();
    assert_eq!(objects(&before.stdout), objects(&after.stdout), "{host:?}, {what}: nothing is lost");
    assert!(after.stdout == stage.expected(), "{host:?}, {what}: the filter makes something else of this stream");
}

fn check_charts(host: Host) {
    let (Some(helm3), Some(root)) = (HELM3.find(), corpus("a host with real charts")) else { return };
    for (name, values, sticky) in CHARTS {
        let input = Input::chart(&helm3, &root.join("charts").join(name), values);
        check(host, &input, (*sticky, 0), name);
    }
    let manifest = fs::read_to_string(root.join("manifests/longhorn__longhorn__longhorn.yaml")).expect("readable");
    check(host, &Input::manifests(&manifest), (4, 0), "Longhorn's manifest");
}

#[test]
fn the_example_comes_out_as_the_filter_makes_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/longhorn/longhorn.yaml");
    let input = Input::manifests(&fs::read_to_string(path).expect("readable"));
    for host in HOSTS {
        check(host, &input, (4, 1), "the example");
    }
}

#[test]
fn helm3_with_charts_of_the_corpus() {
    check_charts(Host::Helm3);
}

#[test]
fn helm4_with_charts_of_the_corpus() {
    check_charts(Host::Helm4);
}

#[test]
fn kustomize_with_charts_of_the_corpus() {
    check_charts(Host::Kustomize);
}

#[test]
fn kubectl_with_charts_of_the_corpus() {
    check_charts(Host::Kubectl);
}

#[test]
fn kpt_with_charts_of_the_corpus() {
    check_charts(Host::Kpt);
}
