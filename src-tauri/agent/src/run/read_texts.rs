//! What was read on the phone in a run, so that no link carries it away.

use protocol::Screen;
use std::collections::BTreeSet;

/// Texts kept at most; the oldest half is dropped for new ones.
const KEPT: usize = 4_000;
/// Shorter ones stand in every address.
const SHORTEST: usize = 4;

/// Distinct texts, oldest first.
#[derive(Debug, Default)]
pub(super) struct ReadTexts {
    texts: Vec<String>,
    known: BTreeSet<String>,
}

impl ReadTexts {
    /// Takes in what stands on a screen.
    pub(super) fn add(&mut self, screen: &Screen) {
        for element in &screen.elements {
            let texts = [
                Some(&element.label),
                element.value.as_ref(),
                element.description.as_ref(),
            ];
            for text in texts.into_iter().flatten() {
                self.add_text(text);
            }
        }
    }

    /// Takes in one text: of a list that was read, of the clipboard.
    pub(super) fn add_text(&mut self, text: &str) {
        let text = text.trim();
        if text.chars().count() < SHORTEST || self.known.contains(text) {
            return;
        }
        if self.texts.len() >= KEPT {
            for old in self.texts.drain(..KEPT / 2) {
                self.known.remove(&old);
            }
        }
        self.known.insert(text.to_owned());
        self.texts.push(text.to_owned());
    }

    /// All of them.
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }
}
