//! What a reader says besides the action: fields filled with defaults, things mended or left out; and how it refuses.

use crate::repair::Repairs;
use protocol::{Act, Action, Unclear, UnclearCode, Warning, WarningCode};

/// Said besides the action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) defaulted: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
    /// The point was a list of two numbers, not an `x` and a `y`.
    pub(crate) listed: bool,
    /// What it would have the person remember, beside the end of its task.
    pub(crate) remember: Option<String>,
}

impl Notes {
    /// The field was missing or invalid: its default was taken. Fields are told by the action's own names, whatever
    /// a dialect calls them.
    pub(crate) fn defaulted(&mut self, field: &str) {
        let field = camel_case(field);
        if !self.defaulted.contains(&field) {
            self.defaulted.push(field);
        }
    }

    pub(crate) fn warn(&mut self, code: WarningCode, field: Option<&str>, message: impl Into<String>) {
        let warning = Warning {
            code: code.into(),
            field: field.map(camel_case),
            message: message.into(),
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    pub(crate) fn several(&mut self) {
        self.warn(
            WarningCode::SeveralActions,
            None,
            "the reply held more than one action; the first was read",
        );
    }

    pub(crate) fn add_repairs(&mut self, repairs: &Repairs) {
        self.warnings.extend(repairs.warnings());
    }
}

/// An action that is not done, and what the schema's defaults would have made of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) code: UnclearCode,
    pub(crate) message: String,
    pub(crate) normalized: Option<Box<Action>>,
}

impl Refusal {
    pub(crate) fn new(code: UnclearCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            normalized: None,
        }
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(UnclearCode::Malformed, message)
    }

    /// It points nowhere. `normalized` is what the defaults would have made of it.
    pub(crate) fn missing_target(message: impl Into<String>, normalized: Act) -> Self {
        Self {
            code: UnclearCode::MissingTarget,
            message: message.into(),
            normalized: Some(Box::new(Action::from(normalized))),
        }
    }

    pub(crate) fn no_touch_equivalent(message: impl Into<String>) -> Self {
        Self::new(UnclearCode::NoTouchEquivalent, message)
    }
}

impl From<Refusal> for Unclear {
    fn from(refusal: Refusal) -> Self {
        Unclear {
            code: refusal.code,
            message: refusal.message,
            normalized: refusal.normalized.map(|action| *action),
        }
    }
}

/// `max_elements` → `maxElements`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// A model's word, short enough for a message.
pub(crate) fn cut(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut cut: String = word
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if word.chars().nth(LONGEST).is_some() {
        cut.push('…');
    }
    cut
}

/// The word of a list that comes nearest, if one is near: it shares a whole part (`press_key` → `key`), or differs in
/// few letters.
pub(crate) fn nearest<'w>(word: &str, words: &[&'w str]) -> Option<&'w str> {
    const LONGEST: usize = 24;
    let word = word.trim().to_lowercase();
    if word.is_empty() || word.chars().count() > LONGEST {
        return None;
    }
    let parts: Vec<&str> = word.split(['_', '-', ' ']).collect();
    let shared = words.iter().copied().find(|known| {
        parts.contains(known) || (known.contains('_') && known.split('_').any(|part| part == word))
    });
    shared.or_else(|| {
        let (known, distance) = words
            .iter()
            .map(|known| (*known, distance(&word, known)))
            .min_by_key(|(_, distance)| *distance)?;
        (distance <= 1.max(word.chars().count() / 3)).then_some(known)
    })
}

/// Letters to change, add or leave out, to come from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (slot, b) in row.iter_mut().skip(1).zip(to.chars()) {
            let best = (diagonal + usize::from(a != b)).min(left + 1).min(*slot + 1);
            diagonal = *slot;
            *slot = best;
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_named_when_one_is_near() {
        let words = [
            "capture",
            "click",
            "double_click",
            "key",
            "set_value",
            "type",
            "wait",
        ];
        for (word, expected) in [
            ("press_key", Some("key")),
            ("clik", Some("click")),
            ("double", Some("double_click")),
            ("Capture ", Some("capture")),
            ("teleport", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &words), expected, "{word}");
        }
    }

    #[test]
    fn a_distance_counts_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("tap", "tap"), 0);
    }
}
