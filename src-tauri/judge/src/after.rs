//! The page after an act, read for a deed that was done: "Order placed", "Message sent", "Deleted. Undo".

use protocol::{AskKind, Screen};

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
    let _ = (before, now);
    None
}
