//! What ends a step before its time.

use protocol::{Ending, Failure, PauseReason};

/// What ends a step before its time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Halt {
    /// The person wants something else now.
    Interrupted(Interrupt),
    /// The run must wait.
    Pause(PauseReason),
    /// The run is over.
    End(Ending),
}

/// What the person wants now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interrupt {
    Stop,
    Pause,
    TakeOver,
}

impl Halt {
    /// A pause because nothing can be written down.
    pub(super) fn journal(failure: Failure) -> Self {
        Self::Pause(PauseReason::Journal { failure })
    }
}
