//! The same request with less of what was done long ago.

use super::{LINE, NEWEST, Prompt, told};

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
        for told in [told(line, LINE), told(line, NEWEST)] {
            if let Some(at) = shorter.user.find(&told) {
                shorter.user.replace_range(at..at + told.len(), "");
                break;
            }
        }
    }
    Some(shorter)
}
