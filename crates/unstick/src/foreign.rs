//! Kinds whose `sessionAffinity` means something else and must not be touched.

/// One kind, or a whole group, whose key is no Service's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForeignField {
    /// API group.
    pub group: &'static str,
    /// Kinds of the group.
    pub kinds: &'static [&'static str],
    /// What the key means there.
    pub meaning: &'static str,
    /// Where that was read.
    pub source: &'static str,
}

/// The kinds.
pub(crate) const FOREIGN: &[ForeignField] = &[
    ForeignField {
        group: "cloud.google.com",
        kinds: &["BackendConfig"],
        meaning: "the load balancer's cookie or address affinity of a GKE backend",
        source: "GoogleCloudPlatform: BackendConfig, spec.sessionAffinity (object)",
    },
    ForeignField {
        group: "networking.gke.io",
        kinds: &["GCPBackendPolicy", "LBPolicy", "ServiceFunctionChain", "GCPSessionAffinityPolicy"],
        meaning: "a load balancer's own affinity",
        source: "GoogleCloudPlatform/gke-networking-recipes",
    },
    ForeignField {
        group: "compute.cnrm.cloud.google.com",
        kinds: &["ComputeBackendService", "ComputeTargetPool"],
        meaning: "a Google Cloud load balancer's affinity, such as CLIENT_IP",
        source: "GoogleCloudPlatform/k8s-config-connector",
    },
    ForeignField {
        group: "run.cnrm.cloud.google.com",
        kinds: &["RunService"],
        meaning: "Cloud Run's affinity (a boolean)",
        source: "GoogleCloudPlatform/k8s-config-connector",
    },
    ForeignField {
        group: "appengine.cnrm.cloud.google.com",
        kinds: &["AppEngineFlexibleAppVersion"],
        meaning: "App Engine's affinity (a boolean)",
        source: "GoogleCloudPlatform/k8s-config-connector",
    },
    ForeignField {
        group: "flagger.app",
        kinds: &["Canary"],
        meaning: "the cookie that keeps users on one release of a canary",
        source: "fluxcd/flagger",
    },
    ForeignField {
        group: "wildfly.org",
        kinds: &["WildFlyServer"],
        meaning: "a boolean; true makes the operator write ClientIP into its Service",
        source: "wildfly/wildfly-operator",
    },
    ForeignField {
        group: "cdn.azure.com",
        kinds: &["AFDOriginGroup"],
        meaning: "Azure Front Door's affinity",
        source: "Azure/azure-service-operator",
    },
    ForeignField {
        group: "serving.knative.dev",
        kinds: &["Service", "Configuration", "Revision"],
        meaning: "Knative's or Cloud Run's own setting",
        source: "knative/serving",
    },
];

/// Returns the row for a kind, if there is one.
pub(crate) fn find(api_version: &str, kind: &str) -> Option<&'static ForeignField> {
    let group = api_version.split_once('/')?.0;
    FOREIGN.iter().find(|row| row.group == group && row.kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_kinds_of_their_group_only() {
        assert!(find("cloud.google.com/v1", "BackendConfig").is_some());
        assert!(find("serving.knative.dev/v1", "Service").is_some());
        assert!(find("v1", "Service").is_none());
        assert!(
            FOREIGN.iter().all(|row| !row.meaning.is_empty() && row.source.contains('/') || row.source.contains(':'))
        );
    }
}
