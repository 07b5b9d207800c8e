//! The page after an act, read for a deed that was done: "Order placed", "Message sent", "Deleted · Undo".

use crate::facts::Page;
use crate::words::{self, Label, Words};
use protocol::{AskKind, Screen};

/// Longer texts tell of such things; they do not say that one was done. In words.
const SAYS: usize = 9;
/// What says that a deed was done, and among how many of a page's titles: under a name and a day, "Sent" tells of what was
/// sent then.
const DEEDS: [(Words, AskKind, usize); 3] = [
    (words::WAS_PAID, AskKind::Payment, 3),
    (words::WAS_DELETED, AskKind::Delete, 3),
    (words::WAS_SENT, AskKind::Send, 1),
];

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
    let says = |words: Words, top: usize| {
        let at_top = |text: &Label| {
            let mut titles = now.facts().titles().take(top);
            titles.any(|title| title.words == text.words)
        };
        let counts = |text: &Label| stays || undo.is_some() || at_top(text);
        fresh.iter().any(|text| words.begins(text) && counts(text))
    };
    let (_, kind, _) = DEEDS.into_iter().find(|(words, _, top)| says(*words, *top))?;
    Some(Done {
        kind,
        undo: undo.map(|button| button.element.index),
    })
}
