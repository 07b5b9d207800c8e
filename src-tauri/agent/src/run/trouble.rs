//! What is wrong with a phone, as a pause and as a failure.

use crate::ports::PhoneTrouble;
use protocol::{Failure, FailureCode, PauseReason};

/// Whether a pause ends by itself when the phone is there again. One that asks for Allow is not there yet.
#[must_use]
pub fn waits_for_phone(reason: &PauseReason) -> bool {
    match reason {
        PauseReason::PhoneGone => true,
        PauseReason::Look { failure } => failure.code == FailureCode::PhoneUnauthorized,
        _ => false,
    }
}

/// Whether a pause ends by itself when the person unlocked the phone.
pub(super) fn waits_for_unlock(reason: &PauseReason) -> bool {
    matches!(reason, PauseReason::Look { failure } if failure.code == FailureCode::PhoneLocked)
}

/// A pause for a phone that cannot be asked.
pub(super) fn phone_trouble(trouble: &PhoneTrouble) -> PauseReason {
    use PhoneTrouble as T;
    match trouble {
        T::Gone(_) => PauseReason::PhoneGone,
        other => PauseReason::Look {
            failure: failure_of(other),
        },
    }
}

/// A phone's trouble in the words of the protocol.
#[must_use]
pub fn failure_of(trouble: &PhoneTrouble) -> Failure {
    use FailureCode as C;
    use PhoneTrouble as T;
    let code = match trouble {
        T::Gone(_) => C::PhoneGone,
        T::Unauthorized => C::PhoneUnauthorized,
        T::Slow(_) => C::PhoneSlow,
        T::Locked => C::PhoneLocked,
        T::Refused(_) | T::NotSupported(_) => C::PhoneRefused,
        T::TouchForbidden(_) => C::TouchForbidden,
        T::Tree(_) => C::CaptureFailed,
        T::CannotType => C::CannotType,
        T::AppNotFound(_) => C::AppNotFound,
        T::Stale => C::Internal,
        T::LeaseLost | T::MaybeRunning(_) => C::LeaseLost,
    };
    Failure {
        detail: Some(trouble.to_string()),
        ..code.into()
    }
}
