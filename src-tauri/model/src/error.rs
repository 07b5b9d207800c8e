//! What can go wrong with a model.

use protocol::Failure;
use std::time::Duration;

/// Why there is no answer. Data for the run; `report` makes it a [`Failure`].
///
/// Text from a server is kept as it came: `report` takes the key out of it before anybody reads it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ModelError {
    #[error("no key is set")]
    KeyMissing,
    #[error("the key cannot be read")]
    KeyUnreadable(Failure),
    #[error("the key holds characters that cannot be sent")]
    KeyCharacters,
    #[error("the key was refused: {0}")]
    KeyRefused(ServerMessage),
    #[error("the key may not: {0}")]
    KeyForbidden(ServerMessage),
    #[error("no credit, or the quota is used up: {0}")]
    Quota(ServerMessage),
    #[error("too many requests: {said}")]
    Busy {
        said: ServerMessage,
        after: Option<Duration>,
    },
    #[error("no such model: {0}")]
    ModelMissing(ServerMessage),
    #[error("the picture was refused: {0}")]
    Picture(ServerMessage),
    #[error("too much was sent: {0}")]
    Context(ServerMessage),
    #[error("the server does not take the request: {0}")]
    Refused(ServerMessage),
    #[error("the server has trouble: {said}")]
    Server {
        said: ServerMessage,
        after: Option<Duration>,
    },
    #[error("this is no answer: {0}")]
    Garbled(ServerMessage),
    #[error("too slow: {}", .0.word())]
    Slow(Phase),
    #[error("not reached: {}: {text}", .why.word())]
    Offline { why: ConnectionFailure, text: String },
    #[error("the answer was cut off: {0}")]
    Cut(String),
    #[error("the answer was empty")]
    Empty,
    #[error("the answer reached the limit of its length")]
    Length,
    #[error("the model declined: {0}")]
    Declined(ServerMessage),
    #[error("a filter stopped it: {0}")]
    Filtered(ServerMessage),
    #[error("no chat completions at this address: {0}")]
    WrongPath(ServerMessage),
    #[error("a page in place of an answer: {0}")]
    Page(ServerMessage),
    #[error("sent on to another place: {to}")]
    Redirect { status: u16, to: String },
    #[error("the address cannot be used: {}", .0.word())]
    Address(BadAddress),
    #[error("a fault of this program: {0}")]
    Internal(String),
}

/// What a server said, in its own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerMessage {
    /// The HTTP status; absent when it said so inside an answer.
    pub(crate) status: Option<u16>,
    /// Its message, cut by `error_parse`.
    pub(crate) text: String,
}

impl std::fmt::Display for ServerMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.status {
            Some(status) => write!(f, "HTTP {status}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// What the server said inside an answer.
pub(crate) fn said(text: impl Into<String>) -> ServerMessage {
    ServerMessage {
        status: None,
        text: text.into(),
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Connect,
    First,
    Stall,
    Whole,
}

impl Phase {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::First => "first",
            Self::Stall => "stall",
            Self::Whole => "whole",
        }
    }
}

/// Why the server was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionFailure {
    Refused,
    Name,
    Unreachable,
    Proxy,
    Certificate,
    Tls,
    Roots,
    Lost,
}

impl ConnectionFailure {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Name => "name",
            Self::Unreachable => "unreachable",
            Self::Proxy => "proxy",
            Self::Certificate => "certificate",
            Self::Tls => "tls",
            Self::Roots => "roots",
            Self::Lost => "lost",
        }
    }
}

/// Why an address cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadAddress {
    Empty,
    Unreadable,
    Scheme,
    Credentials,
    Plain,
    PlainPrivate,
}

impl BadAddress {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Unreadable => "unreadable",
            Self::Scheme => "scheme",
            Self::Credentials => "credentials",
            Self::Plain => "plain",
            Self::PlainPrivate => "plain_private",
        }
    }
}

impl ModelError {
    /// How many more tries it deserves. None where the same request must fail again.
    pub(crate) fn retries(&self) -> u32 {
        match self {
            Self::Busy { .. } | Self::Server { .. } | Self::Garbled(_) | Self::Cut(_) => 4,
            Self::Offline { why, .. } => match why {
                ConnectionFailure::Certificate | ConnectionFailure::Tls | ConnectionFailure::Roots => 0,
                _ => 4,
            },
            // Each of these took its time already, or may well come out the same.
            Self::Slow(_) | Self::Empty => 1,
            _ => 0,
        }
    }

    /// How long the server asked to be left alone.
    pub(crate) fn after(&self) -> Option<Duration> {
        match self {
            Self::Busy { after, .. } | Self::Server { after, .. } => *after,
            _ => None,
        }
    }
}
