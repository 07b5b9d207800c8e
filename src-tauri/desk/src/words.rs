//! The sentences, from the one file they live in. Rust holds none.
//!
//! The window reads the same file with plural forms and all; what Rust needs (notices, `deck`) are plain sentences with
//! `{name}` in them, which a test holds them to.

use protocol::{Ask, AskKind, AskReason};
use serde_json::Value;
use std::sync::LazyLock;

static WORDS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../ui/words/en.json")).unwrap_or_default());

/// The sentence under a dotted name; the name itself where there is none, which a test rules out.
#[must_use]
pub fn get(name: &str) -> String {
    find(name).map_or_else(|| name.to_owned(), str::to_owned)
}

/// The same with values put in for `{name}`.
#[must_use]
pub fn fill(name: &str, values: &[(&str, &str)]) -> String {
    let mut text = get(name);
    for (key, value) in values {
        text = text.replace(&format!("{{{key}}}"), value);
    }
    text
}

/// By what name a question has its sentences, in the group `ask`: one of our own about a step nobody understands is no
/// cry for help, and a password that would be shown is not one that is wanted.
#[must_use]
pub fn words_of(ask: &Ask) -> String {
    match (ask.kind, &ask.reason) {
        (AskKind::Password, AskReason::Rule { rule }) if rule == "reveals_secret" => "shown".to_owned(),
        (AskKind::Unknown, AskReason::Rule { rule }) if rule == "model_flag" => "marked".to_owned(),
        (AskKind::Unknown, AskReason::Rule { .. }) => "unread".to_owned(),
        (kind, _) => serde_json::to_value(kind)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default(),
    }
}

fn find(name: &str) -> Option<&'static str> {
    let mut at = &*WORDS;
    for part in name.split('.') {
        at = at.get(part)?;
    }
    at.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_found_and_filled() {
        assert_ne!(get("notices.title"), "notices.title");
        let title = fill("notices.title", &[("phone", "Shop phone")]);
        assert!(title.contains("Shop phone") && !title.contains('{'), "{title}");
    }

    /// Every sentence of a group, its groups' too.
    fn flat(group: &serde_json::Map<String, Value>) -> Vec<(String, String)> {
        let inner = |(name, value): (&String, &Value)| match value {
            Value::Object(group) => flat(group),
            text => vec![(name.clone(), text.as_str().unwrap().to_owned())],
        };
        group.iter().flat_map(inner).collect()
    }

    #[test]
    fn what_rust_reads_holds_plain_names_only() {
        for group in ["notices", "failures", "export"] {
            let group = WORDS.get(group).and_then(Value::as_object).unwrap();
            for (name, text) in flat(group) {
                assert!(
                    !text.contains("plural") && !text.contains("select"),
                    "{name}: {text}"
                );
                assert!(
                    !text.contains('\''),
                    "a straight apostrophe is an escape in message files: {name}"
                );
            }
        }
    }
}
