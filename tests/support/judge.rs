//! An independent judge of "the same data minus the fields": `yaml-rust2` reads, and this module resolves aliases, merge
//! keys and duplicates as kubectl's library does (the later line wins).

use std::collections::{BTreeMap, HashMap};

use yaml_rust2::Event;
use yaml_rust2::parser::{EventReceiver, Parser, Tag};
use yaml_rust2::scanner::TScalarStyle;

/// One value of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Data {
    /// The text, and whether its form makes it a string whatever it says.
    Scalar(String, bool),
    Sequence(Vec<Data>),
    Mapping(BTreeMap<String, Data>),
}

/// What a policy makes of affinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Sticky values and configs go, what is not sticky stays.
    Remove,
    /// Sticky values become `None`, configs go.
    None,
    /// As either: a spec that says `None` and one that says nothing are the same.
    Either,
}

const KEY: &str = "sessionAffinity";
const CONFIG: &str = "sessionAffinityConfig";

#[derive(Default)]
struct Builder {
    documents: Vec<Data>,
    open: Vec<Open>,
    anchors: HashMap<usize, Data>,
    is_too_large: bool,
    size: usize,
}

enum Open {
    Sequence(usize, Vec<Data>),
    Mapping(usize, Vec<(Data, Data)>, Option<Data>),
}

/// An alias bomb says nothing about affinity.
const LARGEST: usize = 2_000_000;

impl Builder {
    fn add(&mut self, data: Data, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, data.clone());
        }
        match self.open.last_mut() {
            None => self.documents.push(data),
            Some(Open::Sequence(_, items)) => items.push(data),
            Some(Open::Mapping(_, entries, key)) => match key.take() {
                None => *key = Some(data),
                Some(key) => entries.push((key, data)),
            },
        }
    }
}

impl EventReceiver for Builder {
    fn on_event(&mut self, event: Event) {
        if self.is_too_large {
            return;
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_string = style != TScalarStyle::Plain || tag.as_ref().is_some_and(is_string_tag);
                self.add(Data::Scalar(text, is_string), anchor);
            }
            Event::Alias(anchor) => {
                let data = self.anchors.get(&anchor).cloned().unwrap_or(Data::Scalar("alias".into(), true));
                self.size += size(&data);
                self.is_too_large = self.size > LARGEST;
                self.add(data, 0);
            }
            Event::SequenceStart(anchor, _) => self.open.push(Open::Sequence(anchor, Vec::new())),
            Event::MappingStart(anchor, _) => self.open.push(Open::Mapping(anchor, Vec::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence(anchor, items)) => self.add(Data::Sequence(items), anchor),
                Some(Open::Mapping(anchor, entries, _)) => self.add(Data::Mapping(resolve(entries)), anchor),
                None => {}
            },
            _ => {}
        }
    }
}

fn is_string_tag(tag: &Tag) -> bool {
    format!("{}{}", tag.handle, tag.suffix).ends_with("str")
}

fn size(data: &Data) -> usize {
    1 + match data {
        Data::Scalar(..) => 0,
        Data::Sequence(items) => items.iter().map(size).sum::<usize>(),
        Data::Mapping(entries) => entries.values().map(size).sum::<usize>(),
    }
}

/// The later line wins, merge keys included; in a list of merges the earlier one does.
fn resolve(entries: Vec<(Data, Data)>) -> BTreeMap<String, Data> {
    let mut resolved = BTreeMap::new();
    for (key, value) in entries {
        match (&key, value) {
            (Data::Scalar(text, false), Data::Mapping(merged)) if text == "<<" => resolved.extend(merged),
            (Data::Scalar(text, false), Data::Sequence(items))
                if text == "<<" && items.iter().all(|item| matches!(item, Data::Mapping(_))) =>
            {
                for item in items.into_iter().rev() {
                    if let Data::Mapping(merged) = item {
                        resolved.extend(merged);
                    }
                }
            }
            (Data::Scalar(text, _), value) => {
                resolved.insert(text.clone(), value);
            }
            (key, value) => {
                resolved.insert(format!("{key:?}"), value);
            }
        }
    }
    resolved
}

/// Reads all documents; `None` where `yaml-rust2` cannot, or where aliases make too much of them.
pub fn read(text: &[u8]) -> Option<Vec<Data>> {
    let text = String::from_utf8_lossy(text);
    // A byte order mark at a document's start is no part of its first key, though yaml-rust2 takes it for one.
    let text = text.trim_start_matches('\u{feff}').replace("\n\u{feff}", "\n");
    let mut builder = Builder::default();
    let mut parser = Parser::new(text.chars());
    parser.load(&mut builder, true).ok()?;
    (!builder.is_too_large).then_some(builder.documents)
}

/// Reads a document and answers for each of its Services.
pub fn answered(text: &[u8], answer: Answer) -> Option<Vec<Data>> {
    let mut documents = read(text)?;
    for document in &mut documents {
        for_each_service(document, false, &mut |_, spec| apply(spec, answer));
    }
    Some(documents)
}

/// Lists the Services that have a spec: the name of each, and whether it is sticky.
pub fn services(text: &[u8]) -> Option<Vec<(String, bool)>> {
    let mut services = Vec::new();
    for document in &mut read(text)? {
        for_each_service(document, false, &mut |name, spec| {
            services.push((name.to_owned(), spec.get(KEY).is_some_and(is_sticky)));
        });
    }
    Some(services)
}

fn text(data: Option<&Data>) -> &str {
    match data {
        Some(Data::Scalar(text, _)) => text,
        _ => "",
    }
}

/// What is done with a Service's name and spec.
type Act<'a> = dyn FnMut(&str, &mut BTreeMap<String, Data>) + 'a;

fn for_each_service(data: &mut Data, items_are_services: bool, act: &mut Act<'_>) {
    let Data::Mapping(object) = data else { return };
    let kind = text(object.get("kind")).to_owned();
    let version = text(object.get("apiVersion")).to_owned();
    let group = version.split('/').next().unwrap_or("").to_owned();
    let is_bare = items_are_services && kind.is_empty();
    let paths: &[&[&str]] = match (group.as_str(), kind.as_str()) {
        _ if is_bare => return on_spec(object, act),
        ("v1", "Service") => return on_spec(object, act),
        ("config.kubernetes.io", "ResourceList") => &[&["items"]],
        (_, list) if list.ends_with("List") && !version.contains('/') => &[&["items"]],
        ("v1" | "template.openshift.io", "Template") => &[&["objects"]],
        ("work.open-cluster-management.io", "ManifestWork") => &[&["spec", "workload", "manifests"]],
        ("kubernetes.crossplane.io", "Object") => &[&["spec", "forProvider", "manifest"]],
        _ => return,
    };
    for path in paths {
        let mut at = Some(&mut *data);
        for step in *path {
            at = match at {
                Some(Data::Mapping(entries)) => entries.get_mut(*step),
                _ => None,
            };
        }
        match at {
            Some(Data::Sequence(items)) => {
                for item in items {
                    for_each_service(item, kind == "ServiceList", act);
                }
            }
            Some(object) => for_each_service(object, false, act),
            None => {}
        }
    }
}

fn on_spec(object: &mut BTreeMap<String, Data>, act: &mut Act<'_>) {
    let mut name = String::new();
    if let Some(Data::Mapping(metadata)) = object.get("metadata") {
        text(metadata.get("name")).clone_into(&mut name);
        if let Some(Data::Mapping(annotations)) = metadata.get("annotations")
            && annotations.contains_key("unstick.dev/keep")
        {
            return;
        }
    }
    if let Some(Data::Mapping(spec)) = object.get_mut("spec") {
        act(&name, spec);
    }
}

fn apply(spec: &mut BTreeMap<String, Data>, answer: Answer) {
    match spec.get(KEY) {
        Some(value) if is_sticky(value) => {
            spec.remove(CONFIG);
            if answer == Answer::None {
                spec.insert(KEY.into(), Data::Scalar("None".into(), true));
            } else {
                spec.remove(KEY);
            }
        }
        Some(value) if !is_off(value) => {}
        _ => {
            if spec.get(CONFIG).is_some_and(|config| answer == Answer::Either || !is_null(config)) {
                spec.remove(CONFIG);
            }
            if answer == Answer::Either {
                spec.remove(KEY);
            }
        }
    }
    // `None` is a string however it is written.
    if answer == Answer::None && text(spec.get(KEY)) == "None" {
        spec.insert(KEY.into(), Data::Scalar("None".into(), true));
    }
}

fn is_null(value: &Data) -> bool {
    matches!(value, Data::Scalar(text, false) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
}

fn is_off(value: &Data) -> bool {
    is_null(value) || matches!(value, Data::Scalar(text, is_string) if text == "None" || *is_string && text.is_empty())
}

/// A string other than `None` and the empty one; plain numbers and YAML 1.1 booleans are no strings.
fn is_sticky(value: &Data) -> bool {
    let Data::Scalar(text, is_string) = value else { return false };
    if is_off(value) {
        return false;
    }
    let lower = text.to_lowercase();
    let is_boolean = matches!(lower.as_str(), "y" | "n" | "yes" | "no" | "true" | "false" | "on" | "off");
    let digits = lower.trim_start_matches(['+', '-']).replace('_', "");
    let is_number = digits.parse::<f64>().is_ok() && digits.starts_with(|first: char| !first.is_alphabetic())
        || matches!(digits.as_str(), ".inf" | ".nan")
        || ["0x", "0o", "0b"].iter().any(|prefix| digits.starts_with(prefix));
    *is_string || !is_boolean && !is_number
}
