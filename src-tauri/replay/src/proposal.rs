//! Which words of a task may be other ones next time: shown to the person, who edits them.

use crate::template::Variables;
use crate::words::is_dense;
use protocol::{Act, Event, Variable, VariableKind, What};
use std::collections::BTreeMap;

/// Words a whole typed text may have to be proposed as one.
const LONGEST: usize = 8;

/// The task with names in braces, and what stood for them in this run: names, numbers and what stands in quotes, where they
/// were typed or stood on what was touched; and a short text that was typed word for word as the task has it.
#[must_use]
pub fn propose(goal: &str, events: &[Event]) -> (String, Vec<Variable>) {
    let used_texts = used_texts(events);
    let stands = |value: &str, texts: &[&str]| {
        let one = Variables::new(&BTreeMap::from([("value".to_owned(), value.to_owned())]));
        texts.iter().any(|text| one.template(text).has_variable())
    };
    let all: Vec<&str> = used_texts
        .typed
        .iter()
        .chain(&used_texts.touched)
        .map(String::as_str)
        .collect();
    let mut values: Vec<String> = Vec::new();
    for candidate in candidates(goal) {
        if stands(&candidate, &all) && !values.contains(&candidate) {
            values.push(candidate);
        }
    }
    for text in &used_texts.typed {
        let text = text.trim();
        let is_short = !text.is_empty() && text.split_whitespace().count() <= LONGEST;
        let has_value = values.iter().any(|value| stands(value, &[text]));
        if is_short && !has_value && stands(text, &[goal]) {
            values.push(text.to_owned());
        }
    }
    let mut variables: Vec<Variable> = Vec::new();
    for value in values {
        let kind = kind(&value);
        let name = name(&value, kind, &variables);
        variables.push(Variable {
            name,
            kind,
            value,
            ask: false,
        });
    }
    let by_name = variables.iter().map(|one| (one.name.clone(), one.value.clone()));
    let task = Variables::new(&by_name.collect()).template(goal).to_string();
    (task, variables)
}

struct UsedTexts {
    typed: Vec<String>,
    touched: Vec<String>,
}

fn used_texts(events: &[Event]) -> UsedTexts {
    let mut used_texts = UsedTexts {
        typed: Vec::new(),
        touched: Vec::new(),
    };
    for event in events {
        let What::Acting {
            action,
            label,
            secret_characters: None,
            ..
        } = &event.what
        else {
            continue;
        };
        used_texts.touched.extend(label.clone());
        if let Act::Type { text, .. } | Act::SetValue { value: text, .. } = &action.act {
            used_texts.typed.push(text.clone());
        }
    }
    used_texts
}

/// Names, numbers, and what stands in quotes, in order.
fn candidates(goal: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('「', '」'),
        ('‘', '’'),
    ] {
        let mut rest = goal;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, behind)) = after.split_once(close) else {
                break;
            };
            found.push(inside.trim().to_owned());
            rest = behind;
        }
    }
    let mut name: Vec<&str> = Vec::new();
    for (n, word) in goal.split_whitespace().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        // The first word is written large in any case; so is "I".
        let is_name = n > 0 && bare.chars().count() > 1 && bare.starts_with(char::is_uppercase);
        if is_name {
            name.push(bare);
        }
        if (!is_name || !word.ends_with(char::is_alphanumeric)) && !name.is_empty() {
            found.push(name.join(" "));
            name.clear();
        }
        if bare.starts_with(char::is_numeric) {
            found.push(bare.to_owned());
        }
    }
    if !name.is_empty() {
        found.push(name.join(" "));
    }
    found.retain(|value| !value.is_empty());
    found
}

fn kind(value: &str) -> VariableKind {
    let is_number = value.chars().all(|c| c.is_numeric() || matches!(c, '.' | ','));
    if is_number {
        VariableKind::Number
    } else {
        VariableKind::Text
    }
}

/// Letters of a name's first word, or what it is; never one that is there already.
fn name(value: &str, kind: VariableKind, known: &[Variable]) -> String {
    let first = value.split_whitespace().next().unwrap_or_default();
    let letters: String = first.chars().filter(|c| c.is_alphanumeric()).collect();
    // A name is called by its first part; words of a sentence say nothing of what may stand in their place.
    let is_name = first == value || value.starts_with(char::is_uppercase);
    let is_word =
        kind == VariableKind::Text && is_name && !letters.is_empty() && !letters.chars().any(is_dense);
    let base = match kind {
        _ if is_word => letters.to_lowercase(),
        VariableKind::Number => "number".to_owned(),
        _ => "text".to_owned(),
    };
    let is_free = |name: &String| known.iter().all(|one| one.name != *name);
    let mut names = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}{n}")));
    names.find(is_free).unwrap_or(base)
}
