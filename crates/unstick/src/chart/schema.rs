//! A values.schema.json: where it speaks of a values key.

use unstick_yaml::{Content, NodeId, Outline};

use super::ChartSet;
use super::amendment::read_documents;
use super::path::Step;

/// The values.schema.json of a chart.
pub(crate) struct SchemaFile {
    /// The file.
    pub file: usize,
    /// Its one document.
    pub documents: Vec<Outline>,
}

/// A property of a schema that describes a values key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Property {
    /// The `properties` object and the member in it.
    pub entry: (NodeId, usize),
    /// The schema takes no other keys, so that values with this key fail once the property is gone.
    pub closed: bool,
    /// It is reached through a `$ref` that others use as well.
    pub shared: bool,
    /// The `required` list and the key's item in it.
    pub required: Option<(NodeId, usize)>,
    /// The schema object and its `required` member, where the key is its only item.
    pub only_required: Option<(NodeId, usize)>,
}

/// A schema object on the way, and whether others share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot {
    object: NodeId,
    shared: bool,
}

/// More schema objects than this are not followed for one key.
const MAX_SPOTS: usize = 256;

impl SchemaFile {
    /// Reads a chart's schema; nothing where it has none or it cannot be read.
    pub(crate) fn read(set: &ChartSet<'_>, chart: usize) -> Option<Self> {
        let file = set.charts[chart].schema?;
        let documents = read_documents(set.text(file)).ok()?;
        documents.first()?.root?;
        Some(Self { file, documents })
    }

    /// Returns the schema's outline.
    pub(crate) fn outline(&self) -> &Outline {
        &self.documents[0]
    }

    /// Returns the properties that describe the key under a path.
    pub(crate) fn find(&self, steps: &[Step]) -> Vec<Property> {
        let Some((last, before)) = steps.split_last() else { return Vec::new() };
        let Step::Key(last) = last else { return Vec::new() };
        let Some(root) = self.outline().root else { return Vec::new() };
        let mut spots = self.widened(vec![Spot { object: root, shared: false }]);
        for step in before {
            let next = spots.iter().flat_map(|spot| self.below(*spot, step)).collect();
            spots = self.widened(next);
        }
        // A part of `allOf` may be closed by its neighbour.
        let closed = spots.iter().any(|spot| self.is_closed(spot.object));
        let found = spots.into_iter().filter_map(|spot| self.property(spot, last));
        found.map(|property| Property { closed, ..property }).collect()
    }

    fn is_closed(&self, object: NodeId) -> bool {
        let is_false = |name: &str| self.outline().text(object, name) == Some("false");
        is_false("additionalProperties") || is_false("unevaluatedProperties")
    }

    fn property(&self, spot: Spot, key: &str) -> Option<Property> {
        let outline = self.outline();
        let properties = outline.value(spot.object, "properties")?;
        let at = outline.entries(properties).iter().rposition(|entry| outline.key(entry) == Some(key))?;
        let required = outline.value(spot.object, "required");
        let item = required.and_then(|list| {
            let at = outline.items(list).iter().position(|item| outline.scalar(item.value) == Some(key))?;
            Some((list, at))
        });
        let alone = item.is_some_and(|(list, _)| outline.items(list).len() == 1);
        let member = outline.entries(spot.object).iter().rposition(|entry| outline.key(entry) == Some("required"));
        Some(Property {
            entry: (properties, at),
            closed: self.is_closed(spot.object),
            shared: spot.shared,
            required: item,
            only_required: member.filter(|_| alone).map(|member| (spot.object, member)),
        })
    }

    /// Tells whether a property takes a text, as far as its `enum` and `const` say.
    pub(crate) fn takes(&self, property: &Property, text: &str) -> bool {
        let outline = self.outline();
        let Some(schema) = outline.resolve(outline.members(property.entry.0)[property.entry.1].value) else {
            return true;
        };
        let listed = outline
            .value(schema, "enum")
            .is_none_or(|list| outline.items(list).iter().any(|item| outline.scalar(item.value) == Some(text)));
        listed && outline.text(schema, "const").is_none_or(|only| only == text)
    }

    /// Returns the schemas of what stands one step below.
    fn below(&self, spot: Spot, step: &Step) -> Vec<Spot> {
        let outline = self.outline();
        let object = |name: &str| outline.value(spot.object, name).filter(|id| self.is_object(*id));
        let members = |name: &str| {
            let entries = outline.value(spot.object, name).map_or(&[][..], |id| outline.entries(id));
            entries.iter().filter_map(|entry| outline.resolve(entry.value))
        };
        let mut found: Vec<NodeId> = Vec::new();
        match step {
            Step::Key(key) => {
                let own = outline.value(spot.object, "properties").and_then(|id| outline.value(id, key));
                found.extend(own);
                if own.is_none() {
                    found.extend(members("patternProperties").chain(object("additionalProperties")));
                }
            }
            Step::Each => {
                found.extend(members("properties").chain(members("patternProperties")));
                found.extend(object("additionalProperties").into_iter().chain(object("items")));
            }
        }
        found.into_iter().map(|object| Spot { object, shared: spot.shared }).collect()
    }

    /// Adds what the schemas refer to or are put together from.
    fn widened(&self, mut spots: Vec<Spot>) -> Vec<Spot> {
        let outline = self.outline();
        let mut at = 0;
        while at < spots.len() && spots.len() < MAX_SPOTS {
            let spot = spots[at];
            at += 1;
            let mut more = Vec::new();
            if let Some(pointer) = outline.text(spot.object, "$ref") {
                let shared = spot.shared || self.uses(pointer) > 1;
                more.extend(self.pointed(pointer).map(|object| Spot { object, shared }));
            }
            for name in ["allOf", "anyOf", "oneOf"] {
                let items = outline.value(spot.object, name).map_or(&[][..], |id| outline.items(id));
                more.extend(items.iter().map(|item| Spot { object: item.value, shared: spot.shared }));
            }
            for name in ["then", "else", "if"] {
                more.extend(outline.value(spot.object, name).map(|object| Spot { object, shared: spot.shared }));
            }
            for new in more {
                if !spots.iter().any(|known| known.object == new.object) {
                    spots.push(new);
                }
            }
        }
        spots
    }

    /// Returns how often a reference is made.
    fn uses(&self, pointer: &str) -> usize {
        let outline = self.outline();
        let is_use = |entry: &&unstick_yaml::Entry| {
            outline.key(entry) == Some("$ref") && outline.scalar(entry.value) == Some(pointer)
        };
        let mappings = outline.nodes.iter().filter_map(|node| match &node.content {
            Content::Mapping { entries, .. } => Some(entries),
            _ => None,
        });
        mappings.flatten().filter(is_use).count()
    }

    /// Returns the node of a JSON pointer into this file, such as `#/$defs/service`.
    fn pointed(&self, pointer: &str) -> Option<NodeId> {
        let outline = self.outline();
        let parts = pointer.strip_prefix("#/")?.split('/');
        let mut node = outline.root?;
        for part in parts {
            node = outline.value(node, &part.replace("~1", "/").replace("~0", "~"))?;
        }
        Some(node)
    }

    fn is_object(&self, id: NodeId) -> bool {
        matches!(self.outline().node(id).content, Content::Mapping { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::ChartFile;

    fn find(schema: &str, path: &str) -> Vec<(bool, bool, bool)> {
        let files = [
            ChartFile { path: "Chart.yaml", bytes: b"name: a" },
            ChartFile { path: "values.schema.json", bytes: schema.as_bytes() },
        ];
        let set = ChartSet::new(files.to_vec());
        let schema = SchemaFile::read(&set, 0).unwrap();
        let step = |step: &str| if step == "*" { Step::Each } else { Step::Key(step.to_owned()) };
        let steps: Vec<Step> = path.split('.').map(step).collect();
        let found = schema.find(&steps);
        found.iter().map(|property| (property.closed, property.shared, property.required.is_some())).collect()
    }

    #[test]
    fn finds_properties() {
        let schema = r##"{"properties": {
            "open": {"properties": {"k": {}}, "required": ["k"]},
            "closed": {"additionalProperties": false, "properties": {"k": {}}},
            "map": {"additionalProperties": {"properties": {"k": {}}}},
            "list": {"items": {"properties": {"k": {}}}},
            "all": {"allOf": [{"properties": {"k": {}}}]},
            "one": {"$ref": "#/$defs/one"}, "a": {"$ref": "#/$defs/two"}, "b": {"$ref": "#/$defs/two"}
        }, "$defs": {"one": {"properties": {"k": {}}}, "two": {"properties": {"k": {"$ref": "#/$defs/two"}}}}}"##;
        assert_eq!(find(schema, "open.k"), [(false, false, true)]);
        assert_eq!(find(schema, "closed.k"), [(true, false, false)]);
        assert_eq!(find(schema, "map.x.k"), [(false, false, false)]);
        assert_eq!(find(schema, "list.*.k"), [(false, false, false)]);
        assert_eq!(find(schema, "all.k"), [(false, false, false)]);
        assert_eq!(find(schema, "one.k"), [(false, false, false)]);
        assert_eq!(find(schema, "a.k"), [(false, true, false)]);
        assert_eq!(find(schema, "open.none"), []);
    }
}
