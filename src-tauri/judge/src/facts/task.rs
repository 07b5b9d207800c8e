//! What a task, in the person's own words, speaks of.

use crate::words::{self as w, Label, mentions};

/// Whether a task, in the person's own words, may speak of sending or deleting something.
#[must_use]
pub fn tells_to_send_or_delete(task: &str) -> bool {
    const ALSO: &[&str] = &[
        "text", "tell", "write", "schreib", "schreibe", "écris", "escribe", "scrivi", "remove",
    ];
    let label = Label::new(task);
    [w::SEND, w::DELETE, w::MESSAGE]
        .iter()
        .any(|words| words.mentioned(&label))
        || mentions(task, ALSO)
}

/// Whether a task, in the person's own words, speaks of signing in: "Sign in to Northbank", "Please log me in".
pub(crate) fn tells_to_sign_in(task: &str) -> bool {
    w::SIGN_IN.mentioned(&Label::new(task))
}
