//! Label selectors in Kubernetes' own syntax.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A label selector: all of its requirements must hold; one without any holds always.
///
/// Written as text, `a=b,c in (d,e),!f`, or as a mapping of labels that must be equal
/// (`pkg/labels/selector.go` of kubernetes/apimachinery).
///
/// ```
/// use std::collections::BTreeMap;
/// use unstick::LabelSelector;
/// let selector: LabelSelector = "app=web, tier in (front, edge), !canary".parse()?;
/// let labels = BTreeMap::from([("app".into(), "web".into()), ("tier".into(), "edge".into())]);
/// assert!(selector.matches(&labels));
/// assert!("app in".parse::<LabelSelector>().is_err());
/// # Ok::<(), unstick::SelectorError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabelSelector {
    /// The requirements, in the order in which they were written.
    pub requirements: Vec<LabelRequirement>,
}

/// One condition on one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRequirement {
    /// The label's name, with its prefix where it has one.
    pub key: String,
    /// What is asked of its value.
    pub test: LabelTest,
}

/// What is asked of a label's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LabelTest {
    /// It is there and one of these (`=`, `==`, `in`).
    In(Vec<String>),
    /// It is absent or none of these (`!=`, `notin`).
    NotIn(Vec<String>),
    /// It is there.
    Exists,
    /// It is absent.
    Absent,
    /// It is there and a whole number above this one (`>`).
    Above(i64),
    /// It is there and a whole number below this one (`<`).
    Below(i64),
}

/// A selector that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at character {place} of the selector)")]
pub struct SelectorError {
    /// What is wrong.
    pub message: &'static str,
    /// One-based place in code points.
    pub place: usize,
}

impl LabelSelector {
    /// Tells whether all requirements hold.
    #[must_use]
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.requirements.iter().all(|requirement| requirement.holds(labels.get(&requirement.key).map(String::as_str)))
    }
}

impl LabelRequirement {
    fn holds(&self, value: Option<&str>) -> bool {
        let number = |value: Option<&str>| value.and_then(|value| value.parse::<i64>().ok());
        match &self.test {
            LabelTest::In(values) => value.is_some_and(|value| values.iter().any(|known| known == value)),
            LabelTest::NotIn(values) => value.is_none_or(|value| values.iter().all(|known| known != value)),
            LabelTest::Exists => value.is_some(),
            LabelTest::Absent => value.is_none(),
            LabelTest::Above(bound) => number(value).is_some_and(|value| value > *bound),
            LabelTest::Below(bound) => number(value).is_some_and(|value| value < *bound),
        }
    }
}

impl std::str::FromStr for LabelSelector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let mut parser = Parser { text, at: 0 };
        let mut requirements = Vec::new();
        parser.skip_blanks();
        if parser.rest().is_empty() {
            return Ok(Self { requirements });
        }
        loop {
            requirements.push(parser.requirement()?);
            parser.skip_blanks();
            if parser.rest().is_empty() {
                return Ok(Self { requirements });
            }
            if !parser.take(",") {
                return Err(parser.error("a comma is expected between requirements"));
            }
        }
    }
}

impl fmt::Display for LabelSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, LabelRequirement { key, test }) in self.requirements.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            match test {
                LabelTest::In(values) if values.len() == 1 => write!(f, "{key}={}", values[0])?,
                LabelTest::NotIn(values) if values.len() == 1 => write!(f, "{key}!={}", values[0])?,
                LabelTest::In(values) => write!(f, "{key} in ({})", values.join(","))?,
                LabelTest::NotIn(values) => write!(f, "{key} notin ({})", values.join(","))?,
                LabelTest::Exists => f.write_str(key)?,
                LabelTest::Absent => write!(f, "!{key}")?,
                LabelTest::Above(bound) => write!(f, "{key}>{bound}")?,
                LabelTest::Below(bound) => write!(f, "{key}<{bound}")?,
            }
        }
        Ok(())
    }
}

/// What may stand between words; other white space belongs to them, and is refused there.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, message: &'static str) -> SelectorError {
        let place = 1 + self.text.get(..self.at).map_or(0, |before| before.chars().count());
        SelectorError { message, place }
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches(BLANKS).len();
    }

    fn take(&mut self, mark: &str) -> bool {
        let taken = self.rest().starts_with(mark);
        if taken {
            self.at += mark.len();
        }
        taken
    }

    /// Takes the characters up to a blank or a mark of the syntax.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| BLANKS.contains(&c) || ",()=!<>".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn requirement(&mut self) -> Result<LabelRequirement, SelectorError> {
        self.skip_blanks();
        if self.take("!") {
            self.skip_blanks();
            return Ok(LabelRequirement { key: self.key()?, test: LabelTest::Absent });
        }
        let key = self.key()?;
        self.skip_blanks();
        let test = self.test()?;
        Ok(LabelRequirement { key, test })
    }

    /// Takes a label's name.
    fn key(&mut self) -> Result<String, SelectorError> {
        let start = self.at;
        let word = self.word();
        if !is_key(word) {
            self.at = start;
            return Err(self.error("a label's name is expected"));
        }
        Ok(word.to_owned())
    }

    fn test(&mut self) -> Result<LabelTest, SelectorError> {
        if self.take("==") || self.take("=") {
            return Ok(LabelTest::In(vec![self.value()?]));
        }
        if self.take("!=") {
            return Ok(LabelTest::NotIn(vec![self.value()?]));
        }
        if self.take(">") {
            return Ok(LabelTest::Above(self.number()?));
        }
        if self.take("<") {
            return Ok(LabelTest::Below(self.number()?));
        }
        let start = self.at;
        match self.word() {
            "in" => Ok(LabelTest::In(self.values()?)),
            "notin" => Ok(LabelTest::NotIn(self.values()?)),
            "" => Ok(LabelTest::Exists),
            _ => {
                self.at = start;
                Err(self.error("=, !=, in, notin, < or > is expected behind the label's name"))
            }
        }
    }

    fn value(&mut self) -> Result<String, SelectorError> {
        self.skip_blanks();
        let start = self.at;
        let word = self.word();
        if !is_value(word) {
            self.at = start;
            return Err(self.error("a label's value is expected"));
        }
        Ok(word.to_owned())
    }

    fn number(&mut self) -> Result<i64, SelectorError> {
        self.skip_blanks();
        let start = self.at;
        let word = self.word();
        // It is a label's value too, and so has no sign.
        word.parse().ok().filter(|_| is_value(word)).ok_or_else(|| {
            self.at = start;
            self.error("a whole number without a sign is expected")
        })
    }

    fn values(&mut self) -> Result<Vec<String>, SelectorError> {
        self.skip_blanks();
        if !self.take("(") {
            return Err(self.error("values in parentheses are expected"));
        }
        let mut values = Vec::new();
        loop {
            values.push(self.value()?);
            self.skip_blanks();
            if self.take(")") {
                return Ok(values);
            }
            if !self.take(",") {
                return Err(self.error("a comma or a closing parenthesis is expected"));
            }
        }
    }
}

/// Tells whether a text is a label's name, behind a DNS prefix and a slash where it has one.
fn is_key(text: &str) -> bool {
    let (prefix, name) = text.split_once('/').map_or((None, text), |(prefix, name)| (Some(prefix), name));
    let good_prefix =
        |prefix: &str| !prefix.is_empty() && prefix.len() <= 253 && prefix.split('.').all(is_domain_label);
    prefix.is_none_or(good_prefix) && name.len() <= 63 && is_name(name)
}

/// Tells whether a text is a label's value.
fn is_value(text: &str) -> bool {
    text.is_empty() || text.len() <= 63 && is_name(text)
}

/// Tells whether a text begins and ends with a letter or digit and holds only what names may hold.
fn is_name(text: &str) -> bool {
    let outer = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    text.chars().all(inner) && outer(text.chars().next()) && outer(text.chars().next_back())
}

/// Tells whether a text is one part of a DNS name, in lower case.
fn is_domain_label(text: &str) -> bool {
    is_name(text) && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

impl Serialize for LabelSelector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LabelSelector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SelectorVisitor)
    }
}

struct SelectorVisitor;

impl<'de> Visitor<'de> for SelectorVisitor {
    type Value = LabelSelector;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label selector, or a mapping of labels")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<LabelSelector, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_unit<E: de::Error>(self) -> Result<LabelSelector, E> {
        Ok(LabelSelector::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LabelSelector, A::Error> {
        let mut requirements = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, String>()? {
            if !is_key(&key) {
                return Err(de::Error::custom(format!("{key:?} is no label's name")));
            }
            if !is_value(&value) {
                return Err(de::Error::custom(format!("{value:?} is no label's value")));
            }
            requirements.push(LabelRequirement { key, test: LabelTest::In(vec![value]) });
        }
        Ok(LabelSelector { requirements })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(selector: &str, labels: &[(&str, &str)]) -> bool {
        let labels = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        selector.parse::<LabelSelector>().expect(selector).matches(&labels)
    }

    #[test]
    fn follows_the_grammar() {
        let labels = [("x", "a"), ("y", "b"), ("n", "7"), ("e", "")];
        for yes in [
            "",
            " ",
            "x=a",
            "x==a",
            "x = a",
            "x=a,y=b",
            "x!=b",
            "z!=b",
            "x in (a,b)",
            "x in ( a , b )",
            "x notin (b)",
            "z notin (a)",
            "x",
            "!z",
            "! z",
            "n>6",
            "n < 8",
            "e=",
            "e in (,x)",
            "example.com/a-b!=c",
            "x,y,!z",
        ] {
            assert!(matches(yes, &labels), "{yes}");
        }
        for no in
            ["x=b", "x!=a", "x in (b,c)", "x notin (a)", "z", "!x", "n>7", "n<7", "x>1", "z in (a)", "x=a,y=c", "z=,x"]
        {
            assert!(!matches(no, &labels), "{no}");
        }
    }

    #[test]
    fn refuses_what_kubernetes_refuses() {
        for (bad, place) in [
            ("x=a,", 5),
            (",x", 1),
            ("x=a y=b", 5),
            ("x in a", 6),
            ("x in (a", 8),
            ("=a", 1),
            ("!", 2),
            ("x=a||y=b", 3),
            ("x>abc", 3),
            ("-x=a", 1),
            ("x=-a", 3),
            ("a/b/c=d", 1),
            ("/b=d", 1),
            ("x in", 5),
            ("x is a", 3),
            ("x!y", 2),
        ] {
            let error = bad.parse::<LabelSelector>().expect_err(bad);
            assert_eq!(error.place, place, "{bad}: {error}");
        }
    }

    #[test]
    fn prints_what_it_reads() {
        for text in ["x=a", "x!=a", "x in (a,b)", "x notin (a,b)", "x", "!x", "n>6", "n<8,x=a"] {
            assert_eq!(text.parse::<LabelSelector>().expect(text).to_string(), text);
        }
    }
}
