//! The settings that switch affinity off, and the Services that no setting reaches.

use std::fmt::Write as _;

use unstick_yaml::{Block, Span, Template, Token};

use crate::affinity::{CLIENT_IP, NONE, State};
use crate::{Finding, Outcome, Rule, Severity};

use super::super::entry::EntryValue;
use super::super::fate::Fate;
use super::super::path::{ValuesPath, step};
use super::super::resolve::{Guard, Place, Test};
use super::super::source;
use super::super::standing::Remark;
use super::super::values::{Default, dotted};
use super::{Planner, Use, reason};

/// A value that users can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The keys from the outermost chart's values.
    pub keys: Vec<String>,
    /// The value, as YAML.
    pub value: &'static str,
}

/// What users can do about a chart's affinity.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    pub settings: Vec<Setting>,
    /// Keys that decide once for each element of something that is empty by default.
    pub patterns: Vec<String>,
    /// Sticky Services that no setting reaches, by file.
    pub unreached: Vec<(usize, Finding)>,
    /// What could not be followed, by file.
    pub unknown: Vec<(usize, Finding)>,
}

impl Planner<'_> {
    /// Finds the settings; with `all`, also those of keys that are not sticky by default.
    pub(super) fn switches(&self, all: bool) -> Switches {
        let mut switches = Switches::default();
        for used in &self.uses {
            let kept = matches!(&used.planned.fate, Some(Fate::Stay(remark)) if remark.outcome == Outcome::Kept
                && remark.rule == Rule::Sticky);
            if used.planned.entry.config || used.planned.services.is_empty() || kept {
                continue;
            }
            match &used.planned.entry.value {
                EntryValue::Literal { text, .. } => {
                    if !matches!(text.as_str(), "" | NONE | "~" | "null") {
                        self.switch_literal(&mut switches, used, all);
                    }
                }
                _ => self.switch_value(&mut switches, used, all),
            }
        }
        switches
    }

    /// Looks for the one condition of a constant that does nothing else.
    fn switch_literal(&self, switches: &mut Switches, used: &Use<'_>, all: bool) {
        let entry = &used.planned.entry;
        let place = Place { file: used.file, holder: entry.holder, token: usize::MAX, frame: None };
        let guards = self.resolver.guards(place);
        for guard in guards.iter().rev() {
            let Some(value) = self.off(guard, used.file) else { continue };
            for default in self.values.defaults(self.set, &guard.paths[0]) {
                let on = match guard.test {
                    Test::Set => self.is_set(&default),
                    _ => default.state == State::Sticky(CLIENT_IP.into()),
                };
                if (all || on) && !default.in_list {
                    let value = if guard.test == Test::Set { self.falsy(&default) } else { value };
                    add(switches, Setting { keys: default.keys, value });
                }
            }
            return;
        }
        let mut message = "ClientIP is written in the template itself: no value switches it off".to_owned();
        let asked: Vec<String> = guards
            .iter()
            .filter(|guard| self.holds_affinity_only(used.file, guard.block))
            .flat_map(|guard| guard.paths.iter().flat_map(|path| path.outermost(self.set)))
            .map(|path| path.to_string())
            .collect();
        if !asked.is_empty() {
            let _ = write!(message, " without more (it depends on {})", asked.join(", "));
        }
        self.tell_unreached(switches, used, message);
    }

    /// Returns what makes a condition fail, if that does nothing else.
    fn off(&self, guard: &Guard, file: usize) -> Option<&'static str> {
        let [path] = guard.paths.as_slice() else { return None };
        match &guard.test {
            Test::Set if self.is_switch(path) => Some("false"),
            Test::Equals(text) if text == CLIENT_IP && self.holds_affinity_only(file, guard.block) => Some(NONE),
            _ => None,
        }
    }

    /// Tells whether all that a key decides is whether affinity is printed.
    fn is_switch(&self, path: &ValuesPath) -> bool {
        let levels: Vec<ValuesPath> = path.instances(self.set).into_iter().flatten().collect();
        let mut reads = self.resolver.reads().into_iter().filter(|read| {
            levels.iter().any(|level| level.is_above(&read.path) || read.path.is_above(level) && read.is_whole())
        });
        reads.all(|read| {
            let Some(template) = self.set.templates[read.file].as_ref() else { return false };
            let holder = template.holders[read.token];
            holder.is_some_and(|(block, branch)| {
                template.blocks[block].branches[branch].header == read.token
                    && self.holds_affinity_only(read.file, block)
            })
        })
    }

    /// Tells whether a block prints nothing but affinity.
    fn holds_affinity_only(&self, file: usize, block: usize) -> bool {
        let Some(template) = self.set.templates[file].as_ref() else { return false };
        let entries: Vec<Span> = self.sources[file].entries.iter().map(|planned| planned.entry.span).collect();
        let inside = inside(template, &template.blocks[block]);
        inside.into_iter().all(|span| {
            let text = self.set.text(file);
            let mut at = span.start;
            while at < span.end {
                match entries.iter().find(|entry| entry.contains(at)) {
                    Some(entry) => at = entry.end,
                    None if text[at].is_ascii_whitespace() => at += 1,
                    None => return false,
                }
            }
            true
        })
    }

    fn is_set(&self, default: &Default) -> bool {
        match &default.state {
            State::Unset => false,
            State::None | State::Sticky(_) => true,
            State::Unknown => !matches!(self.text(default).as_deref(), Some("false" | "0")),
        }
    }

    /// Returns a value that counts as not set, of the kind that the key has.
    fn falsy(&self, default: &Default) -> &'static str {
        match (&default.state, self.text(default).as_deref()) {
            (State::Unknown, Some(text)) if text.parse::<f64>().is_ok() => "0",
            (State::Unknown | State::Unset, _) => "false",
            _ => "\"\"",
        }
    }

    fn text(&self, default: &Default) -> Option<String> {
        let hit = default.hit.as_ref()?;
        let outline = self.outline(hit)?;
        outline.scalar(outline.resolve(hit.value)?).map(str::to_owned)
    }

    /// Sets the keys of a value to None where they are sticky.
    fn switch_value(&self, switches: &mut Switches, used: &Use<'_>, all: bool) {
        let resolution = &used.resolution;
        if resolution.literals.iter().any(|text| text == CLIENT_IP) || self.writes_client_ip(used) {
            self.tell_unreached(
                switches,
                used,
                "the template chooses ClientIP itself: no value switches it off".into(),
            );
        }
        let names_none = resolution.paths.iter().all(|path| path.steps.is_empty());
        if let (true, Some(opacity)) = (names_none, &resolution.opaque) {
            let message = format!("where this value comes from cannot be told: {}", reason(opacity));
            self.tell_unknown(switches, used, message);
        }
        let fallback = resolution.fallback.as_deref().filter(|text| *text != NONE && !text.is_empty());
        let defaults: Vec<(usize, Default)> = (0..resolution.paths.len())
            .flat_map(|path| {
                let found = self.values.defaults(self.set, &resolution.paths[path]);
                found.into_iter().map(move |default| (path, default))
            })
            .collect();
        if all && defaults.is_empty() {
            let patterns = resolution.paths.iter().flat_map(|path| path.outermost(self.set));
            for pattern in patterns.map(|path| path.to_string()) {
                if !switches.patterns.contains(&pattern) {
                    switches.patterns.push(pattern);
                }
            }
        }
        let others_unset = defaults.iter().all(|(path, default)| *path == 0 || default.state == State::Unset);
        for (path, default) in defaults {
            let by_fallback = fallback.is_some() && path == 0 && others_unset && default.state == State::Unset;
            if !all && !default.state.is_sticky() && !by_fallback {
                continue;
            }
            if default.in_list {
                let name = dotted(&default.keys);
                let message = format!("{name} stands in a list, which values replace as a whole");
                self.tell_unreached(switches, used, message);
                continue;
            }
            match self.value_for(&default, used, fallback.is_some()) {
                Some(value) => add(switches, Setting { keys: default.keys, value }),
                None => {
                    let message = format!("values.schema.json does not take None for {}", dotted(&default.keys));
                    self.tell_unreached(switches, used, message);
                }
            }
        }
        if resolution.paths.is_empty() && resolution.opaque.is_none() && fallback.is_some() {
            self.tell_unreached(
                switches,
                used,
                "the template chooses ClientIP itself: no value switches it off".into(),
            );
        }
    }

    /// Tells whether the word stands in the value's text, between actions.
    fn writes_client_ip(&self, used: &Use<'_>) -> bool {
        if !matches!(used.planned.entry.value, EntryValue::Mixed { .. }) {
            return false;
        }
        let Some(template) = self.set.templates[used.file].as_ref() else { return false };
        let span = used.planned.entry.span;
        let texts = template.tokens.iter().filter_map(|token| match token {
            Token::Text(text) if span.start < text.end && text.start < span.end => {
                Some(Span::new(text.start.max(span.start), text.end.min(span.end)))
            }
            _ => None,
        });
        texts
            .into_iter()
            .any(|text| memchr::memmem::find(text.slice(self.set.text(used.file)), CLIENT_IP.as_bytes()).is_some())
    }

    /// Returns None, or `""` where the schema forbids None and the template prints nothing for `""`.
    fn value_for(&self, default: &Default, used: &Use<'_>, fallback: bool) -> Option<&'static str> {
        let steps = default.keys.iter().map(|key| step(key)).collect();
        let outer = ValuesPath { chart: 0, steps };
        let own = used
            .resolution
            .paths
            .iter()
            .flat_map(|path| path.instances(self.set))
            .filter(|chain| chain.first().is_some_and(|first| first.meets(&outer)));
        let levels: Vec<ValuesPath> = own.flatten().collect();
        let mut forbidden = false;
        let mut empty = true;
        for level in &levels {
            let Some(schema) = &self.schemas[level.chart] else { continue };
            forbidden |= schema.find(&level.steps).iter().any(|property| !schema.takes(property, NONE));
            empty &= schema.find(&level.steps).iter().all(|property| schema.takes(property, ""));
        }
        if !forbidden {
            return Some(NONE);
        }
        let guarded = used.resolution.guards.iter().any(|guard| {
            guard.test == Test::Set && guard.paths.iter().any(|path| used.resolution.paths.contains(path))
        });
        (guarded && empty && !fallback).then_some("\"\"")
    }

    fn tell_unreached(&self, switches: &mut Switches, used: &Use<'_>, message: String) {
        let finding = self.remark_finding(used, Rule::HardCoded, message);
        if !switches.unreached.iter().any(|(file, known)| *file == used.file && known.span == finding.span) {
            switches.unreached.push((used.file, finding));
        }
    }

    fn tell_unknown(&self, switches: &mut Switches, used: &Use<'_>, message: String) {
        switches.unknown.push((used.file, self.remark_finding(used, Rule::OpaqueSpec, message)));
    }

    fn remark_finding(&self, used: &Use<'_>, rule: Rule, message: String) -> Finding {
        let help = "edit the template with unstick fix, or run unstick on the rendered manifests, as a post-renderer";
        let remark = Remark::new(rule, Severity::Warning, Outcome::Noted, message).with_help(help);
        source::finding(&used.planned.entry, used.planned.services.first(), remark)
    }

    /// Takes in what a spec is handed as a whole: affinity that the values put into it.
    pub(super) fn switch_whole(&self, switches: &mut Switches, file: usize, finding: Finding, all: bool) {
        let token = self.set.templates[file].as_ref().and_then(|template| template.token_at(finding.span.start));
        let paths = token.map(|token| self.resolver.resolve(file, token).paths).unwrap_or_default();
        for path in &paths {
            for default in self.values.defaults(self.set, &path.join(&[crate::affinity::KEY.to_owned()])) {
                if all && !default.keys.is_empty() || default.state.is_sticky() {
                    add(switches, Setting { keys: default.keys, value: NONE });
                }
            }
        }
        switches.unknown.push((file, finding));
    }
}

fn add(switches: &mut Switches, setting: Setting) {
    if !switches.settings.iter().any(|known| known.keys == setting.keys) {
        switches.settings.push(setting);
    }
}

/// Returns the spans of what a block prints: its text, and the actions that print.
fn inside(template: &Template, block: &Block) -> Vec<Span> {
    let tokens = block.branches[0].header + 1..block.end;
    let prints = |token: &usize| match &template.tokens[*token] {
        Token::Text(_) => true,
        Token::Action(action) => action.prints(),
    };
    tokens.filter(prints).map(|token| template.tokens[token].span()).collect()
}
