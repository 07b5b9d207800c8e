//! What can go wrong in the shell itself.

/// What can go wrong in the shell itself; everything else is a `protocol::Failure`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShellError {
    /// A window could not be made.
    #[error(transparent)]
    Window(#[from] tauri::Error),
    /// A phone's name makes no address.
    #[error("no address for a phone's window")]
    Address(#[source] Box<dyn std::error::Error + Send + Sync>),
}
