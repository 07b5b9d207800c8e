//! A text with variables in it, and what stands for them.

use crate::words::{CLOSE, OPEN, is_one_word};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A text in which variables stand. Written `Text {who}`; a brace of the text itself is doubled.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template(String);

impl Template {
    /// The text with values in the place of names; none where a name has no value.
    #[must_use]
    pub fn fill(&self, values: &Variables) -> Option<String> {
        let mut filled = String::new();
        for (n, piece) in self.0.split(OPEN).enumerate() {
            match piece.split_once(CLOSE).filter(|_| n > 0) {
                Some((name, rest)) => {
                    filled.push_str(values.value(name)?);
                    filled.push_str(rest);
                }
                None => filled.push_str(piece),
            }
        }
        Some(filled)
    }

    /// A variable stands in it.
    #[must_use]
    pub fn has_variable(&self) -> bool {
        self.0.contains(OPEN)
    }

    /// As it is compared: names between two signs that no screen shows.
    pub(crate) fn raw(&self) -> &str {
        &self.0
    }

    pub(crate) fn from_raw(raw: String) -> Self {
        Self(raw)
    }
}

impl std::fmt::Display for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let written = self.0.replace('{', "{{").replace('}', "}}");
        f.write_str(&written.replace(OPEN, "{").replace(CLOSE, "}"))
    }
}

impl From<&str> for Template {
    /// Read as it is written.
    fn from(written: &str) -> Self {
        let mut raw = String::new();
        let mut letters = written.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_doubled = letters.peek() == Some(&letter);
            match letter {
                '{' | '}' if is_doubled => {
                    letters.next();
                    raw.push(letter);
                }
                '{' => raw.push(OPEN),
                '}' => raw.push(CLOSE),
                OPEN | CLOSE => {}
                other => raw.push(other),
            }
        }
        Self(raw)
    }
}

impl Serialize for Template {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(String::deserialize(deserializer)?.as_str()))
    }
}

/// What stands for each name this time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Longest value first, so that "Dana Whitlock" is not taken for "Dana".
    all: Vec<(String, String)>,
}

impl Variables {
    /// By name. An empty value stands for nothing and is left out.
    #[must_use]
    pub fn new(values: &BTreeMap<String, String>) -> Self {
        let mut all: Vec<(String, String)> = values
            .iter()
            .map(|(name, value)| (name.clone(), value.trim().to_owned()))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        all.sort_by_key(|(name, value)| (std::cmp::Reverse(value.chars().count()), name.clone()));
        Self { all }
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.all.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text with names in the place of values: whole words, in any case.
    #[must_use]
    pub fn template(&self, text: &str) -> Template {
        let letters: Vec<char> = text.chars().filter(|c| !matches!(*c, OPEN | CLOSE)).collect();
        let mut raw = String::new();
        let mut at = 0;
        while let Some(letter) = letters.get(at) {
            let found = self
                .all
                .iter()
                .find_map(|(name, value)| Some((name, ends(&letters, at, value)?)));
            if let Some((name, end)) = found {
                raw.push(OPEN);
                raw.push_str(name);
                raw.push(CLOSE);
                at = end;
            } else {
                raw.push(*letter);
                at += 1;
            }
        }
        Template(raw)
    }
}

/// Where a value ends that stands at `from` as whole words.
fn ends(letters: &[char], from: usize, value: &str) -> Option<usize> {
    let length = value.chars().count();
    let here = letters.get(from..from.checked_add(length)?)?;
    let alike = |(a, b): (&char, char)| a.to_lowercase().eq(b.to_lowercase());
    if !here.iter().zip(value.chars()).all(alike) {
        return None;
    }
    let (first, last) = (here.first()?, here.last()?);
    let before = from.checked_sub(1).and_then(|at| letters.get(at));
    let after = letters.get(from + length);
    let is_whole =
        !before.is_some_and(|c| is_one_word(*c, *first)) && !after.is_some_and(|c| is_one_word(*last, *c));
    is_whole.then_some(from + length)
}
