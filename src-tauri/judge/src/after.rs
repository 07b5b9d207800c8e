//! The page after an act, read for a deed that was done: "Order placed", "Message sent", "Deleted · Undo".

use crate::facts::Page;
use crate::words::{self, Label, Words};
use protocol::{AskKind, Screen};

/// Longer texts tell of such things; they do not say that one was done. In words.
const SAYS: usize = 9;
/// Texts at the top of a page that say what it is.
const TOP: usize = 3;

/// A deed the page says was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// What was done.
    pub kind: AskKind,
    /// The element that undoes it, by its index on the later screen.
    pub undo: Option<u32>,
}

/// What the later of two looks says was done, and the earlier did not say. On another page only what stands at its top
/// counts, or beside what undoes it: a conversation tells of messages long sent, a list of orders of what was long paid.
#[must_use]
pub fn done(before: &Screen, now: &Screen) -> Option<Done> {
    let stays = before.current_app == now.current_app && before.window == now.window;
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
    let undo = now.facts().buttons().find(|button| button.is_called(words::UNDO));
    // Under a name and a day, "Sent" tells of what was sent then.
    let says = |words: Words| {
        let top = if words == words::WAS_SENT { 1 } else { TOP };
        let at_top = |text: &Label| {
            let mut titles = now.facts().titles().take(top);
            titles.any(|title| title.words == text.words)
        };
        let counts = |text: &Label| stays || undo.is_some() || at_top(text);
        fresh.iter().any(|text| words.begins(text) && counts(text))
    };
    let kind = if says(words::WAS_PAID) {
        AskKind::Payment
    } else if says(words::WAS_DELETED) {
        AskKind::Delete
    } else if says(words::WAS_SENT) {
        AskKind::Send
    } else {
        return None;
    };
    Some(Done {
        kind,
        undo: undo.map(|button| button.element.index),
    })
}
