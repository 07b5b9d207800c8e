//! How long is waited for what: every time limit of this room.

use std::time::Duration;

/// Time limits of one request, and the first wait before another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands, TLS included.
    pub connect: Duration,
    /// From the request to the answer's first word or thought: what a server says of being there, in headers that drip or
    /// in comments, does not count. A second try is given twice as long.
    pub first: Duration,
    /// Without a word, once the answer has begun.
    pub stall: Duration,
    /// Without a word, until the person is told that it takes long.
    pub say: Duration,
    /// One request from its start to the end of its answer.
    pub whole: Duration,
    /// For what may follow a finished answer: the count of tokens, the end of the stream.
    pub tail: Duration,
    /// The first wait before another try, when the server names none. It doubles each time.
    pub backoff: Duration,
}

impl Timeouts {
    /// For a server elsewhere.
    pub const REMOTE: Self = Self {
        connect: Duration::from_secs(10),
        first: Duration::from_secs(45),
        stall: Duration::from_secs(30),
        say: Duration::from_secs(10),
        whole: Duration::from_secs(180),
        tail: Duration::from_secs(2),
        backoff: Duration::from_secs(1),
    };

    /// For a server on this computer: before its first word it may load the model from the disk, and read the
    /// picture without a graphics card.
    pub const LOCAL: Self = Self {
        first: Duration::from_secs(150),
        ..Self::REMOTE
    };

    /// For the try after so many others: whoever thinks long may well think as long again.
    pub(crate) fn of_try(self, before: u32) -> Self {
        Self {
            first: self.first.saturating_mul(before.min(1) + 1),
            ..self
        }
    }
}
