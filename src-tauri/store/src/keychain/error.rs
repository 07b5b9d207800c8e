//! What a keychain may answer instead of what it was asked.

use keyring_core::Error;
use protocol::{Failure, FailureCode};
use std::collections::BTreeMap;

/// Why the keychain did not do what it was asked. No value is ever in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeychainError {
    /// None answers on this system (now).
    #[error("no keychain: {0}")]
    Missing(String),
    /// It is locked, or the person closed its prompt.
    #[error("the keychain gave no access: {0}")]
    Locked(String),
    /// It has not answered yet: its prompt may be open.
    #[error("the keychain has not answered yet")]
    Waiting,
    /// It does not take this value: too long, or of a kind it does not know.
    #[error("the keychain does not take this: {0}")]
    Unfit(String),
    /// Anything else that went wrong in it.
    #[error("the keychain failed: {0}")]
    Broken(String),
    /// An empty key.
    #[error("the key is empty")]
    Empty,
    /// Not the address of a host.
    #[error("not the address of a host")]
    Address,
}

impl KeychainError {
    pub(super) fn none() -> Self {
        Self::Missing("none was set up".to_owned())
    }

    pub(super) fn gone() -> Self {
        Self::Broken("it broke off".to_owned())
    }

    /// Why a store could not be opened: whatever it is, there is no keychain then, unless one is there and says no.
    pub(super) fn on_opening(error: &Error) -> Self {
        match error {
            Error::NoStorageAccess(_) => Self::on_use(error),
            _ => Self::Missing(said(error)),
        }
    }

    /// Why a call failed. `NoEntry` is an answer, not an error, and is dealt with before.
    pub(super) fn on_use(error: &Error) -> Self {
        match error {
            Error::NoDefaultStore => Self::Missing(said(error)),
            Error::NoStorageAccess(_) => Self::Locked(said(error)),
            Error::TooLong(..) | Error::Invalid(..) | Error::NotSupportedByStore(_) => {
                Self::Unfit(said(error))
            }
            _ => Self::Broken(said(error)),
        }
    }
}

/// What a keychain's error says, without the bytes some of them carry.
fn said(error: &Error) -> String {
    match error {
        Error::BadEncoding(_) => "what is stored is no text".to_owned(),
        Error::BadDataFormat(..) => "what is stored cannot be read".to_owned(),
        Error::Ambiguous(entries) => format!("{} entries have this name", entries.len()),
        other => other.to_string(),
    }
}

impl From<KeychainError> for Failure {
    /// `keychain_missing`; `keychain_refused` with `values.why` one of `locked`, `waiting`, `unfit`, `broken`;
    /// `bad_input`; `model_address`.
    fn from(error: KeychainError) -> Self {
        let (code, why) = match &error {
            KeychainError::Missing(_) => (FailureCode::KeychainMissing, None),
            KeychainError::Locked(_) => (FailureCode::KeychainRefused, Some("locked")),
            KeychainError::Waiting => (FailureCode::KeychainRefused, Some("waiting")),
            KeychainError::Unfit(_) => (FailureCode::KeychainRefused, Some("unfit")),
            KeychainError::Broken(_) => (FailureCode::KeychainRefused, Some("broken")),
            KeychainError::Empty => (FailureCode::BadInput, None),
            KeychainError::Address => (FailureCode::ModelAddress, None),
        };
        let values = why.map(|why| ("why".to_owned(), why.to_owned()));
        Self {
            code,
            values: values.into_iter().collect::<BTreeMap<_, _>>(),
            detail: Some(error.to_string()),
        }
    }
}
