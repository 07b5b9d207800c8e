//! Why there is no UI tree.

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// Nothing came.
    #[error("the phone gave no UI tree: nothing came")]
    Empty,
    /// Words came, but no XML.
    #[error("the phone gave no UI tree: what came is no XML")]
    NoXml,
    /// The phone had no window to read (`null root node`): between two screens, switched off, or some makers' fault.
    #[error("the phone gave no UI tree: it had no window to read")]
    NoWindow,
    /// The screen kept moving (`could not get idle state`).
    #[error("the phone gave no UI tree: the screen never stood still")]
    NeverIdle,
    /// The XML ends too early. What was read is not used: a missing half could be the half that matters.
    #[error("the UI tree is cut off after {nodes} nodes")]
    Truncated {
        /// Nodes read before the end.
        nodes: usize,
    },
    /// The XML is broken.
    #[error("the UI tree is broken XML near byte {at}")]
    Malformed {
        /// Bytes from where the tree begins.
        at: u64,
    },
    /// Over 32 MiB or 50,000 nodes: no real screen.
    #[error("the UI tree is too large")]
    TooLarge,
}
