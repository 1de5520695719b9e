//! Writing `ClientIP` with a timeout.

use unstick_yaml::{Content, NodeId, Value};

use super::{Planner, SitePlan, Use, Uses, message};
use crate::affinity::{CLIENT_IP, CONFIG, KEY, State};

const CLIENT_IP_KEY: &str = "clientIP";
const TIMEOUT_KEY: &str = "timeoutSeconds";

impl Planner<'_, '_> {
    /// Plans the action `clientIP`.
    pub(super) fn plan_client_ip(&mut self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        let decision = &self.decisions[index];
        let wanted = match uses.effective() {
            Some(State::Sticky(_)) => true,
            Some(State::None) => decision.include_none || decision.named,
            _ => decision.named,
        };
        if !wanted {
            let told = |found: &Use| message::kept_not_sticky(&found.state);
            uses.keys.iter().for_each(|found| self.tell(plan, index, told(found), found));
            let told = message::kept_config(false, "the policy asks for no change here");
            uses.configs.iter().for_each(|found| self.tell(plan, index, told.clone(), found));
            return;
        }
        if let Some(merge) = uses.merges.first() {
            let already = uses.effective() == Some(&State::Sticky(CLIENT_IP.into())) && decision.timeout.is_none();
            let told = if already { message::client_ip_already() } else { message::refused_merge() };
            let field = Some(self.sites[index].path.clone());
            self.push(plan, index, told.clone(), merge.entry.span(), field, None);
            uses.keys.iter().chain(&uses.configs).for_each(|found| self.tell(plan, index, told.clone(), found));
            return;
        }
        let spec = self.sites[index].spec;
        if let Some(told) = self.obstacle(index, spec) {
            uses.keys.iter().chain(&uses.configs).for_each(|found| self.tell(plan, index, told.clone(), found));
            return;
        }
        self.write_client_ip(index, uses, plan);
        if let Some(seconds) = decision.timeout {
            self.write_timeout(index, uses, seconds, plan);
        } else {
            let told = message::kept_config(true, "the policy names no timeout");
            uses.configs.iter().for_each(|found| self.tell(plan, index, told.clone(), found));
        }
    }

    fn write_client_ip(&self, index: usize, uses: &Uses, plan: &mut SitePlan) {
        let Some((last, others)) = uses.keys.split_last() else {
            let spec = self.sites[index].spec;
            let after = self.outline.entries(spec).len().checked_sub(1);
            plan.changes.insert(spec, after, KEY, Value::String(CLIENT_IP.into()));
            let told = message::client_ip_written("sessionAffinity: ClientIP is written, as a rule names this Service");
            let span = self.outline.node(spec).span;
            let field = Some(format!("{}.{KEY}", self.sites[index].path));
            self.push(plan, index, told, unstick_yaml::Span::empty(span.start), field, Some(index));
            return;
        };
        for found in others {
            plan.changes.remove(found.mapping, found.index);
            self.tell(plan, index, message::removed_duplicate(), found);
        }
        if last.state == State::Sticky(CLIENT_IP.into()) {
            self.tell(plan, index, message::client_ip_already(), last);
        } else {
            let told = message::client_ip_written("sessionAffinity becomes ClientIP, as the policy asks");
            self.rewrite_value(index, last, CLIENT_IP, told.clone(), told, plan);
        }
    }

    fn write_timeout(&self, index: usize, uses: &Uses, seconds: u32, plan: &mut SitePlan) {
        let timeout = Value::Integer(seconds.into());
        let Some((last, others)) = uses.configs.split_last() else {
            self.insert_config(index, uses, seconds, plan);
            return;
        };
        for found in others {
            plan.changes.remove(found.mapping, found.index);
            self.tell(plan, index, message::removed_duplicate(), found);
        }
        let told = message::client_ip_written("the timeout becomes the policy's");
        if last.state == State::Unset {
            plan.changes.remove(last.mapping, last.index);
            self.insert_config(index, uses, seconds, plan);
            self.tell(plan, index, told, last);
            return;
        }
        let single = |key: &str, value: Value| Value::Single(key.to_owned(), Box::new(value));
        match self.place_of_timeout(index, last.entry.value) {
            Place::Scalar(node) if self.outline.scalar(node) == Some(&seconds.to_string()) => {
                self.tell(plan, index, message::client_ip_already(), last);
                return;
            }
            Place::Scalar(node) => plan.changes.rewrite(node, timeout),
            Place::ClientIp(mapping) => {
                let after = self.outline.entries(mapping).len().checked_sub(1);
                plan.changes.insert(mapping, after, TIMEOUT_KEY, timeout);
            }
            Place::Config(mapping) => {
                let after = self.outline.entries(mapping).len().checked_sub(1);
                plan.changes.insert(mapping, after, CLIENT_IP_KEY, single(TIMEOUT_KEY, timeout));
            }
            Place::Nowhere => {
                self.tell(plan, index, message::refused_shape(), last);
                return;
            }
        }
        self.tell(plan, index, told, last);
    }

    /// Puts a whole config directly behind the key.
    fn insert_config(&self, index: usize, uses: &Uses, seconds: u32, plan: &mut SitePlan) {
        let (mapping, after) = match uses.keys.last() {
            Some(key) => (key.mapping, Some(key.index)),
            None => {
                let spec = self.sites[index].spec;
                (spec, self.outline.entries(spec).len().checked_sub(1))
            }
        };
        let timeout = Value::Single(TIMEOUT_KEY.into(), Box::new(Value::Integer(seconds.into())));
        plan.changes.insert(mapping, after, CONFIG, Value::Single(CLIENT_IP_KEY.into(), Box::new(timeout)));
        if let (Some(key), true) = (uses.keys.last(), uses.configs.is_empty()) {
            let told = message::client_ip_written("sessionAffinityConfig is written behind its key");
            let field = Some(format!("{}.{CONFIG}", self.sites[index].path));
            self.push(plan, index, told, key.entry.span(), field, Some(index));
        }
    }

    /// Finds the deepest part of the config that is there.
    fn place_of_timeout(&self, index: usize, config: NodeId) -> Place {
        let outline = self.outline;
        let is_mapping = |id: NodeId| matches!(outline.node(id).content, Content::Mapping { .. });
        let free = |id: NodeId| self.sharing.stranger(outline, id, index, self.decisions).is_none();
        if !is_mapping(config) || !free(config) {
            return Place::Nowhere;
        }
        let Some(client_ip) = outline.entry(config, CLIENT_IP_KEY).map(|entry| entry.value) else {
            return Place::Config(config);
        };
        if !is_mapping(client_ip) || !free(client_ip) {
            return Place::Nowhere;
        }
        match outline.entry(client_ip, TIMEOUT_KEY).map(|entry| entry.value) {
            None => Place::ClientIp(client_ip),
            Some(timeout) if outline.scalar(timeout).is_some() && free(timeout) => Place::Scalar(timeout),
            Some(_) => Place::Nowhere,
        }
    }
}

/// Where a timeout can be written.
enum Place {
    Scalar(NodeId),
    ClientIp(NodeId),
    Config(NodeId),
    Nowhere,
}
