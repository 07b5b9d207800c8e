//! A finger on a phone that goes where the person's does.

use agent::ports::PhoneError;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A finger that is followed.
pub(crate) struct OngoingTouch {
    /// Where the person's goes.
    pub(crate) moves: mpsc::UnboundedSender<(i32, i32)>,
    /// The screen's, in pixels.
    pub(crate) size: (u32, u32),
    /// Whether the phone could follow it to its end.
    pub(crate) done: JoinHandle<Result<bool, PhoneError>>,
}
