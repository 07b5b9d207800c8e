//! The page after an act, read for a deed that was done: "Order placed", "Message sent", "Deleted · Undo".

use crate::facts::Page;
use crate::words::{self, Label, Words};
use protocol::{AskKind, Screen};

/// Longer texts tell of such things; they do not say that one was done. In words.
const SAYS: usize = 9;

/// A deed the page says was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// What was done.
    pub kind: AskKind,
    /// The element that undoes it, by its index on the later screen.
    pub undo: Option<u32>,
}

/// What the later of two looks says was done, and the earlier did not say.
#[must_use]
pub fn done(before: &Screen, now: &Screen) -> Option<Done> {
    let (before, now) = (Page::new(before), Page::new(now));
    let known = |text: &Label| {
        before
            .facts()
            .things
            .iter()
            .any(|thing| thing.label.words == text.words)
    };
    let told = now
        .facts()
        .things
        .iter()
        .filter(|thing| !thing.is_field() && thing.label.length() <= SAYS);
    let fresh: Vec<&Label> = told
        .map(|thing| &thing.label)
        .filter(|text| !known(text))
        .collect();
    let says = |words: Words| fresh.iter().any(|text| words.begins(text));
    let kind = if says(words::WAS_PAID) {
        AskKind::Payment
    } else if says(words::WAS_DELETED) {
        AskKind::Delete
    } else if says(words::WAS_SENT) {
        AskKind::Send
    } else {
        return None;
    };
    let undo = now.facts().buttons().find(|button| button.is_called(words::UNDO));
    Some(Done {
        kind,
        undo: undo.map(|button| button.element.index),
    })
}
