//! Why a script was not started.

use protocol::{Failure, FailureCode};
use std::collections::BTreeMap;

/// Why a script was not started. Nothing ran.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// There is nothing in it.
    #[error("the script is empty")]
    Empty,
    /// More than [`LONGEST`](crate::LONGEST) characters.
    #[error("the script has {length} characters, {} are allowed", crate::LONGEST)]
    TooLong {
        /// How many it has.
        length: usize,
    },
    /// It holds a NUL character, which no shell can read.
    #[error("the script holds a NUL character")]
    Unreadable,
    /// It does what the person's list does not allow.
    #[error("the script is not allowed: {0}")]
    NotAllowed(String),
    /// There is no `bash` on this computer.
    #[error("there is no bash on this computer")]
    NoBash,
    /// The lease was lost before the script began.
    #[error("the lease was lost")]
    LeaseLost,
    /// The system would not start it.
    #[error("the script could not be started: {0}")]
    Start(#[source] std::io::Error),
}

impl From<ScriptError> for Failure {
    /// `bad_input` (`values.input` = `script`), `not_found` (`values.what` = `bash`), `lease_lost` or `internal`.
    fn from(error: ScriptError) -> Self {
        let detail = Some(error.to_string());
        let (code, value) = match error {
            ScriptError::Empty
            | ScriptError::TooLong { .. }
            | ScriptError::Unreadable
            | ScriptError::NotAllowed(_) => (FailureCode::BadInput, Some(("input", "script"))),
            ScriptError::NoBash => (FailureCode::NotFound, Some(("what", "bash"))),
            ScriptError::LeaseLost => (FailureCode::LeaseLost, None),
            ScriptError::Start(_) => (FailureCode::Internal, None),
        };
        let values = value
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            code,
            values: values.collect::<BTreeMap<_, _>>(),
            detail,
        }
    }
}
