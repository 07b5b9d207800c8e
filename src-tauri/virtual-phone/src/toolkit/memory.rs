//! What outlives a tree of views: where lists stand, what has the focus, where carets are.

use std::collections::HashMap;

/// The name of a view between two trees.
pub(crate) type NodeKey = u64;

/// What one window remembers between two trees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Pixels a list was moved by, from its start (or, for one that opens at its end, from its end).
    pub(crate) scrolled: HashMap<NodeKey, f32>,
    pub(crate) focus: Option<NodeKey>,
    /// The focus is shown and moved by keys: a key asked for it. Touching ends it.
    pub(crate) by_keys: bool,
    pub(crate) caret: Caret,
    /// Under a finger right now.
    pub(crate) pressed: Option<NodeKey>,
}

/// Where the next character goes in the focused field, counted in characters; and from where it is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caret {
    pub(crate) at: usize,
    pub(crate) selected_from: Option<usize>,
}

impl Caret {
    /// A caret behind the last character.
    pub(crate) const END: Self = Self {
        at: usize::MAX,
        selected_from: None,
    };

    /// The selected characters, first and behind the last, within a text of this length.
    pub(crate) fn range(&self, length: usize) -> (usize, usize) {
        let at = self.at.min(length);
        let from = self.selected_from.unwrap_or(at).min(length);
        (at.min(from), at.max(from))
    }
}

/// The name of a view that was given a key.
pub(crate) fn name(key: &str) -> NodeKey {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(key, &mut hasher);
    std::hash::Hasher::finish(&hasher)
}
