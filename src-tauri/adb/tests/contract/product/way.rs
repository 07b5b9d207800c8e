//! How a cell's phone is reached, and what that makes of time.

use std::time::Duration;

/// Ways over which a phone is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A pipe, virtual time, a phone's speed.
    Pipe,
    /// TCP on loopback, real time, a phone that takes none.
    Socket,
}

impl Way {
    /// How long a person who is asked, or finds the run waiting, takes.
    pub(super) fn person(self) -> Duration {
        match self {
            Self::Pipe => Duration::from_secs(3),
            Self::Socket => Duration::from_millis(100),
        }
    }

    /// After this, what is wrong with a run that does not notice is made right.
    pub(super) fn lasts(self) -> Duration {
        match self {
            Self::Pipe => Duration::from_secs(90),
            Self::Socket => Duration::from_secs(2),
        }
    }
}
