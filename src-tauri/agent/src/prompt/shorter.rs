//! The same request with less of what was done long ago.

use super::past::told;
use crate::request::Prompt;

/// The prompt without the older half of its history, in words and in facts; `None` when no line of it is left to leave
/// out. For a model that says that too much was sent.
#[must_use]
pub fn shorter(prompt: &Prompt) -> Option<Prompt> {
    let lines = &prompt.facts.history;
    let dropped = lines.len().div_ceil(2);
    if dropped == 0 {
        return None;
    }
    let mut shorter = prompt.clone();
    shorter.facts.history.drain(..dropped);
    for line in &lines[..dropped] {
        let told = told(line);
        if let Some(at) = shorter.past.iter().position(|piece| *piece == told) {
            shorter.past.remove(at);
        }
    }
    Some(shorter)
}
