//! Custom resources that embed a Service spec, or copy its two fields.

/// One place in a custom resource that holds the two fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EmbeddedSpec {
    /// API group; a leading `*.` stands for any first part.
    pub group: &'static str,
    /// Kinds of the group.
    pub kinds: &'static [&'static str],
    /// Path from the object's root to the mapping that holds the fields: keys with dots between, `[]` for the items of
    /// a list, `*` for any key, `**` for any keys.
    pub path: &'static str,
    /// What is special.
    pub trait_: Trait,
    /// Where the path was read.
    pub source: &'static str,
}

/// What is special about an embedded spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trait {
    /// The fields mean what they mean on a Service.
    Plain,
    /// An absent key means `ClientIP`: only an explicit `None` switches it off.
    DefaultsToClientIp,
    /// Its controller needs stickiness.
    Needed,
    /// Written by a controller, not by people.
    ControllerWritten,
}

const CATALOG: &str = "datreeio/CRDs-catalog";

const fn plain(
    group: &'static str,
    kinds: &'static [&'static str],
    path: &'static str,
    source: &'static str,
) -> EmbeddedSpec {
    EmbeddedSpec { group, kinds, path, trait_: Trait::Plain, source }
}

/// The places, found by walking the resources' schemas.
pub(crate) const EMBEDDED: &[EmbeddedSpec] = &[
    plain("elasticsearch.k8s.elastic.co", &["Elasticsearch"], "spec.http.service.spec", CATALOG),
    plain("elasticsearch.k8s.elastic.co", &["Elasticsearch"], "spec.transport.service.spec", CATALOG),
    plain("kibana.k8s.elastic.co", &["Kibana"], "spec.http.service.spec", CATALOG),
    plain("apm.k8s.elastic.co", &["ApmServer"], "spec.http.service.spec", CATALOG),
    plain("enterprisesearch.k8s.elastic.co", &["EnterpriseSearch"], "spec.http.service.spec", CATALOG),
    plain("agent.k8s.elastic.co", &["Agent"], "spec.http.service.spec", CATALOG),
    plain("maps.k8s.elastic.co", &["ElasticMapsServer"], "spec.http.service.spec", CATALOG),
    plain("logstash.k8s.elastic.co", &["Logstash"], "spec.services.[].service.spec", CATALOG),
    plain("postgresql.cnpg.io", &["Cluster"], "spec.managed.services.additional.[].serviceTemplate.spec", CATALOG),
    plain("postgresql.cnpg.io", &["Pooler"], "spec.serviceTemplate.spec", CATALOG),
    plain("rabbitmq.com", &["RabbitmqCluster"], "spec.override.service.spec", CATALOG),
    plain("grafana.integreatly.org", &["Grafana"], "spec.service.spec", CATALOG),
    plain("apps.emqx.io", &["EMQX"], "spec.dashboardServiceTemplate.spec", CATALOG),
    plain("apps.emqx.io", &["EMQX"], "spec.listenersServiceTemplate.spec", CATALOG),
    plain("apps.emqx.io", &["EmqxBroker", "EmqxEnterprise"], "spec.serviceTemplate.spec", CATALOG),
    plain("apps.emqx.io", &["EmqxBroker", "EmqxEnterprise"], "spec.emqxTemplate.serviceTemplate.spec", CATALOG),
    plain("druid.apache.org", &["Druid"], "spec.services.[].spec", CATALOG),
    plain("druid.apache.org", &["Druid"], "spec.nodes.*.services.[].spec", CATALOG),
    plain("hivemq.com", &["HiveMQPlatform"], "spec.services.[].spec", CATALOG),
    plain("logging.banzaicloud.io", &["Logging", "SyslogNGConfig", "NodeAgent"], "**.service.spec", CATALOG),
    plain("logging.banzaicloud.io", &["Logging", "SyslogNGConfig", "NodeAgent"], "**.metricsService.spec", CATALOG),
    plain(
        "logging.banzaicloud.io",
        &["Logging", "SyslogNGConfig", "NodeAgent"],
        "**.bufferVolumeMetricsService.spec",
        CATALOG,
    ),
    plain("platform.confluent.io", &["*"], "**.externalAccess.loadBalancer", CATALOG),
    plain("platform.confluent.io", &["*"], "**.externalAccess.nodePort", CATALOG),
    plain("k8s.mariadb.com", &["MariaDB"], "spec.service", CATALOG),
    plain("k8s.mariadb.com", &["MariaDB"], "spec.primaryService", CATALOG),
    plain("k8s.mariadb.com", &["MariaDB"], "spec.secondaryService", CATALOG),
    plain("k8s.mariadb.com", &["MaxScale"], "spec.kubernetesService", CATALOG),
    plain("k8s.mariadb.com", &["MaxScale"], "spec.guiKubernetesService", CATALOG),
    plain(
        "operator.victoriametrics.com",
        &["VMAgent", "VMAlert", "VMAlertmanager", "VMAuth", "VMSingle", "VLSingle", "VTSingle", "VLAgent"],
        "spec.serviceSpec.spec",
        "VictoriaMetrics/operator",
    ),
    plain(
        "operator.victoriametrics.com",
        &["VMCluster", "VLCluster", "VTCluster", "VLDistributed", "VMDistributed"],
        "spec.**.serviceSpec.spec",
        "VictoriaMetrics/operator",
    ),
    plain(
        "clickhouse.altinity.com",
        &["ClickHouseInstallation", "ClickHouseInstallationTemplate"],
        "spec.templates.serviceTemplates.[].spec",
        "Altinity/clickhouse-operator",
    ),
    plain(
        "clickhouse-keeper.altinity.com",
        &["ClickHouseKeeperInstallation"],
        "spec.templates.serviceTemplates.[].spec",
        "Altinity/clickhouse-operator",
    ),
    plain(
        "ray.io",
        &["RayCluster", "RayJob", "RayService", "RayCronJob"],
        "**.headGroupSpec.headService.spec",
        "ray-project/kuberay",
    ),
    plain("ray.io", &["RayService"], "spec.serveService.spec", "ray-project/kuberay"),
    plain("sparkoperator.k8s.io", &["SparkConnect"], "spec.server.service.spec", CATALOG),
    plain("kubernetes.dask.org", &["DaskCluster"], "spec.scheduler.service", "dask/dask-kubernetes"),
    plain("kubernetes.dask.org", &["DaskJob"], "spec.cluster.spec.scheduler.service", "dask/dask-kubernetes"),
    plain(
        "apps.kubeblocks.io",
        &["Cluster", "Component", "ComponentDefinition"],
        "spec.services.[].spec",
        "apecloud/kubeblocks",
    ),
    plain("workloads.kubeblocks.io", &["Instance"], "spec.instanceAssistantObjects.[].service.spec", CATALOG),
    plain(
        "mongodb.com",
        &["MongoDB", "MongoDBMulti", "MongoDBMultiCluster", "MongoDBOpsManager", "OpsManager"],
        "**.externalAccess.externalService.spec",
        "mongodb/mongodb-kubernetes",
    ),
    plain("moco.cybozu.com", &["MySQLCluster"], "spec.primaryServiceTemplate.spec", "cybozu-go/moco"),
    plain("moco.cybozu.com", &["MySQLCluster"], "spec.replicaServiceTemplate.spec", "cybozu-go/moco"),
    EmbeddedSpec {
        group: "coil.cybozu.com",
        kinds: &["Egress"],
        path: "spec",
        trait_: Trait::Needed,
        source: "cybozu-go/coil docs/design.md",
    },
    EmbeddedSpec {
        group: "toolhive.stacklok.dev",
        kinds: &["MCPServer", "MCPRemoteProxy", "VirtualMCPServer"],
        path: "spec",
        trait_: Trait::DefaultsToClientIp,
        source: "stacklok/toolhive",
    },
    plain("kubeovn.io", &["SwitchLBRule", "RouterLBRule"], "spec", "kubeovn/kube-ovn"),
    EmbeddedSpec {
        group: "multicluster.x-k8s.io",
        kinds: &["ServiceImport"],
        path: "spec",
        trait_: Trait::ControllerWritten,
        source: "kubernetes-sigs/mcs-api",
    },
    EmbeddedSpec {
        group: "application-networking.k8s.aws",
        kinds: &["ServiceImport"],
        path: "spec",
        trait_: Trait::ControllerWritten,
        source: "aws/aws-application-networking-k8s",
    },
    EmbeddedSpec {
        group: "multicluster.crd.antrea.io",
        kinds: &["ResourceExport"],
        path: "spec.service.serviceSpec",
        trait_: Trait::ControllerWritten,
        source: CATALOG,
    },
    EmbeddedSpec {
        group: "multicluster.crd.antrea.io",
        kinds: &["ResourceImport"],
        path: "spec.serviceImport.spec",
        trait_: Trait::ControllerWritten,
        source: CATALOG,
    },
    plain("install.istio.io", &["IstioOperator"], "spec.components.pilot.k8s.service", "istio/istio"),
    plain("install.istio.io", &["IstioOperator"], "spec.components.ingressGateways.[].k8s.service", "istio/istio"),
    plain("install.istio.io", &["IstioOperator"], "spec.components.egressGateways.[].k8s.service", "istio/istio"),
    plain(
        "gateway.envoyproxy.io",
        &["EnvoyProxy"],
        "spec.provider.kubernetes.envoyService.patch.value.spec",
        "envoyproxy/gateway",
    ),
];

/// Returns the row for the mapping at `path` (keys, `[]` for list items) of an object, if there is one.
pub(crate) fn find(api_version: &str, kind: &str, path: &[&str]) -> Option<&'static EmbeddedSpec> {
    let group = api_version.split_once('/')?.0;
    EMBEDDED.iter().find(|row| {
        group == row.group
            && row.kinds.iter().any(|known| *known == kind || *known == "*")
            && matches_path(&row.path.split('.').collect::<Vec<_>>(), path)
    })
}

/// Tells whether a text may hold a resource that is sticky without the key.
pub(crate) fn may_default_to_client_ip(text: &[u8]) -> bool {
    let mut rows = EMBEDDED.iter().filter(|row| row.trait_ == Trait::DefaultsToClientIp);
    rows.any(|row| memchr::memmem::find(text, row.group.as_bytes()).is_some())
}

/// Matches keys against a pattern with `*` and `**`, as a glob does: the last `**` seen is the only place to go back to.
fn matches_path(pattern: &[&str], path: &[&str]) -> bool {
    let (mut at, mut key) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while key < path.len() {
        match pattern.get(at) {
            Some(&"**") => {
                retry = Some((at, key));
                at += 1;
            }
            Some(part) if *part == path[key] || (*part == "*" && path[key] != "[]") => {
                at += 1;
                key += 1;
            }
            _ => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    at = star + 1;
                    key = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|part| *part == "**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_rows_by_group_kind_and_path() {
        let found = |api: &str, kind: &str, path: &str| find(api, kind, &path.split('.').collect::<Vec<_>>()).is_some();
        assert!(found("logstash.k8s.elastic.co/v1alpha1", "Logstash", "spec.services.[].service.spec"));
        assert!(found("druid.apache.org/v1alpha1", "Druid", "spec.nodes.brokers.services.[].spec"));
        assert!(found("ray.io/v1", "RayJob", "spec.rayClusterSpec.headGroupSpec.headService.spec"));
        assert!(found("platform.confluent.io/v1beta1", "Kafka", "spec.listeners.external.externalAccess.nodePort"));
        assert!(!found("ray.io/v1", "RayJob", "spec.headService.spec"));
        assert!(!found("v1", "Service", "spec"));
        assert!(!found("grafana.integreatly.org/v1beta1", "Grafana", "spec.service.spec.more"));
    }

    #[test]
    fn every_row_names_its_source() {
        for row in EMBEDDED {
            assert!(row.source.contains('/'), "{} {:?}", row.group, row.kinds);
        }
    }
}
