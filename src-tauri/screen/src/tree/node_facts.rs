//! What is known of a node while elements are made.

use protocol::{Bounds, Role};

/// What is known of a node while elements are made.
#[derive(Clone, Default)]
pub(super) struct NodeFacts {
    /// Clipped to the screen and to what scrolls around it.
    pub(super) bounds: Bounds,
    /// Something of it can be seen.
    pub(super) shown: bool,
    /// Taps, presses, typing or checking do something.
    pub(super) acts: bool,
    pub(super) role: Role,
    pub(super) label: String,
    pub(super) key: String,
    /// Part of another element.
    pub(super) folded: bool,
    /// Where children are clipped.
    pub(super) clip: Bounds,
    /// The nearest enclosing node that acts or scrolls; the place after the last node stands for the screen.
    pub(super) owner: usize,
    pub(super) web: bool,
    /// The places, in reading order, of the words of what it owns.
    pub(super) pieces: Vec<usize>,
    /// What it owns that acts.
    pub(super) actors: Vec<usize>,
    /// What it owns that neither acts nor says anything but tells a role: some toolkits write one beside the words.
    pub(super) hints: Vec<usize>,
    /// The on/off child whose role and state it takes over.
    pub(super) toggle: Option<usize>,
}
