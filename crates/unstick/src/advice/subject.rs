//! A Service that is asked about.

use unstick_yaml::{Content, NodeId, Outline, ScalarStyle, Span};

use super::{Remark, Survey, is_own_service};
use crate::affinity::{CONFIG, KEY, State};
use crate::decision::Decision;
use crate::embedded::Trait;
use crate::merge::Lookup;
use crate::policy::Action;
use crate::site::{Site, SiteKind};
use crate::{Resource, Rule};

/// Path of the timeout below a Service's spec.
pub(crate) const TIMEOUT_FIELD: &str = "sessionAffinityConfig.clientIP.timeoutSeconds";

/// A sticky Service spec, and what its object says around it.
pub(crate) struct Subject<'a, 'o> {
    pub outline: &'o Outline,
    pub lookup: &'a mut Lookup<'o>,
    pub site: &'a Site,
    pub decision: &'a Decision,
    pub survey: &'a Survey,
    /// The plan edits its affinity.
    pub changed: bool,
    /// What the key says; `None` where it is absent and the resource is sticky all the same.
    pub value: Option<String>,
    /// Where the key is, or what brings it in.
    pub span: Span,
}

/// What a spec says of the timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timeout {
    /// Nothing, so that the API server's default holds.
    Absent,
    /// A whole number of seconds.
    Seconds(i64, Span),
    /// A value that is no whole number.
    Wrong(Span),
    /// A value whose meaning is not known, such as a placeholder.
    Unknown,
}

impl<'a, 'o> Subject<'a, 'o> {
    /// Makes the subject of a site; `None` where the site is not sticky.
    pub(crate) fn new(
        outline: &'o Outline,
        lookup: &'a mut Lookup<'o>,
        site: &'a Site,
        decision: &'a Decision,
        survey: &'a Survey,
        changed: bool,
    ) -> Option<Self> {
        let key = lookup.get(site.spec, KEY);
        let state = key.map_or(State::Unset, |key| State::read(outline, key.value));
        let value = match state {
            State::Sticky(value) => Some(value),
            State::Unset if defaults_to_client_ip(site) => None,
            _ => return None,
        };
        let alias = site.via.or(key.and_then(|key| key.alias));
        let own = key.and_then(|key| outline.entry(key.mapping, KEY)).map(|entry| entry.span());
        let place = alias.map(|alias| outline.node(alias).span).or(own);
        let span = place.or_else(|| holder_key(outline, site.spec)).unwrap_or(outline.node(site.spec).span);
        Some(Self { outline, lookup, site, decision, survey, changed, value, span })
    }

    /// Makes a remark at the key.
    pub(crate) fn remark(&self, rule: Rule, message: impl Into<String>, help: impl Into<String>) -> Remark {
        let (message, help) = (message.into(), help.into());
        Remark { rule, span: self.span, field: KEY, message, help }
    }

    /// Tells whether it is a Service of its own, and no part of a custom resource.
    pub(crate) fn is_service(&self) -> bool {
        is_own_service(self.site)
    }

    /// Tells whether affinity has an effect: a proxy stands between the clients and the pods.
    pub(crate) fn is_proxied(&mut self) -> bool {
        self.is_service() && !self.is_headless() && self.service_type() != "ExternalName"
    }

    pub(crate) fn is_headless(&mut self) -> bool {
        self.is_service() && self.service_type() == "ClusterIP" && self.spec_text("clusterIP") == Some("None")
    }

    /// Tells whether it is a load balancer of the cluster's own cloud provider.
    pub(crate) fn is_plain_load_balancer(&mut self) -> bool {
        self.is_service()
            && self.service_type() == "LoadBalancer"
            && self.spec_text("loadBalancerClass").is_none_or(str::is_empty)
    }

    pub(crate) fn service_type(&mut self) -> &'o str {
        self.spec_text("type").filter(|text| !text.is_empty()).unwrap_or("ClusterIP")
    }

    pub(crate) fn spec_text(&mut self, key: &'static str) -> Option<&'o str> {
        self.lookup.text(self.site.spec, key)
    }

    /// Returns the number of ports, where they are written as a list.
    pub(crate) fn ports(&mut self) -> usize {
        let ports = self.lookup.value(self.site.spec, "ports");
        ports.map_or(0, |ports| self.outline.items(ports).len())
    }

    pub(crate) fn resource(&self) -> &Resource {
        &self.site.resource
    }

    pub(crate) fn metadata(&mut self) -> Option<NodeId> {
        self.lookup.value(self.site.object?, "metadata")
    }

    /// Returns the annotation of that name.
    pub(crate) fn annotation(&mut self, name: &'static str) -> Option<&'o str> {
        let metadata = self.metadata()?;
        let annotations = self.lookup.value(metadata, "annotations")?;
        self.lookup.text(annotations, name)
    }

    /// Returns the name of the first annotation that begins with one of these.
    pub(crate) fn annotation_with(&mut self, prefixes: &[&str]) -> Option<&'o str> {
        let metadata = self.metadata()?;
        let annotations = self.lookup.value(metadata, "annotations")?;
        let outline = self.outline;
        let mut names = outline.entries(annotations).iter().filter_map(|entry| outline.key(entry));
        names.find(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)))
    }

    /// Tells whether the plan takes the key out, so that the field is left to whoever applies the manifest.
    pub(crate) fn is_removed(&self) -> bool {
        self.changed && self.decision.action == Action::Remove
    }

    /// Tells whether the Service is no longer sticky after the plan's changes.
    pub(crate) fn is_released(&self) -> bool {
        self.changed && matches!(self.decision.action, Action::Remove | Action::None)
    }

    /// Returns what the spec says of the timeout.
    pub(crate) fn timeout(&mut self) -> Timeout {
        let inner = |lookup: &mut Lookup<'o>, id: Option<NodeId>, key| id.and_then(|id| lookup.value(id, key));
        let config = self.lookup.value(self.site.spec, CONFIG);
        let client_ip = inner(self.lookup, config, "clientIP");
        let Some(timeout) = inner(self.lookup, client_ip, "timeoutSeconds") else { return Timeout::Absent };
        if self.outline.is_null(timeout) {
            return Timeout::Absent;
        }
        let node = self.outline.node(timeout);
        let Content::Scalar { value, style } = &node.content else { return Timeout::Wrong(node.span) };
        if *style != ScalarStyle::Plain {
            let is_placeholder = !value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            return if is_placeholder { Timeout::Unknown } else { Timeout::Wrong(node.span) };
        }
        match value.parse::<i64>() {
            // YAML 1.1 reads a leading zero as octal.
            Ok(seconds) if seconds == 0 || !value.trim_start_matches('-').starts_with('0') => {
                Timeout::Seconds(seconds, node.span)
            }
            Err(_) if value.parse::<f64>().is_ok_and(|number| number.fract() != 0.0) => Timeout::Wrong(node.span),
            _ => Timeout::Unknown,
        }
    }
}

/// Tells whether the site is sticky without the key.
pub(crate) fn defaults_to_client_ip(site: &Site) -> bool {
    matches!(site.kind, SiteKind::Embedded(row) if row.trait_ == Trait::DefaultsToClientIp)
}

/// Returns the key under which a node stands.
fn holder_key(outline: &Outline, id: NodeId) -> Option<Span> {
    let parent = outline.node(id).parent?;
    let entry = outline.entries(parent).iter().find(|entry| entry.value == id)?;
    Some(outline.node(entry.key?).span)
}
