//! Why the reader gave no answer.

use crate::error::AdbError;

/// Why the reader gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReaderError {
    /// The phone could not be asked.
    #[error(transparent)]
    Phone(#[from] AdbError),
    /// It would not start.
    #[error("it would not start: {0}")]
    Unwilling(String),
    /// It ended.
    #[error("it ended: {0}")]
    Ended(String),
    /// No answer in time.
    #[error("no answer came in time")]
    Slow,
    /// Its answer is not of this request, or not new.
    #[error("its answer is not to be used: {0}")]
    Stale(&'static str),
    /// What it says makes no sense.
    #[error("what it says makes no sense: {0}")]
    Garbled(String),
    /// It tried and could not.
    #[error("it could not: {0}")]
    Failed(String),
}
