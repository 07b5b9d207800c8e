//! What is wrong with a phone, as a pause and as a failure.

use crate::ports::PhoneError;
use protocol::{Failure, FailureCode, PauseReason, PhoneState};

/// Whether a pause ends by itself when the phone is there again: one that was gone, one that asks for Allow, and one that
/// could not be asked just now.
#[must_use]
pub fn waits_for_phone(reason: &PauseReason) -> bool {
    use FailureCode as C;
    match reason {
        PauseReason::PhoneGone => true,
        PauseReason::Look { failure } => {
            is_unusable(failure.code)
                || matches!(
                    failure.code,
                    C::PhoneUnauthorized | C::PhoneSlow | C::PhoneRefused | C::AdbSilent
                )
        }
        _ => false,
    }
}

/// Whether a pause ends by itself when the person unlocked the phone.
pub(super) fn waits_for_unlock(reason: &PauseReason) -> bool {
    matches!(reason, PauseReason::Look { failure } if failure.code == FailureCode::PhoneLocked)
}

/// A pause for a phone that cannot be asked.
pub(super) fn phone_trouble(trouble: &PhoneError) -> PauseReason {
    use PhoneError as T;
    match trouble {
        T::Gone(_) => PauseReason::PhoneGone,
        other => PauseReason::Look {
            failure: failure_of(other),
        },
    }
}

/// Why a phone that is listed so cannot be used.
#[must_use]
pub fn code_of_state(state: PhoneState) -> FailureCode {
    use FailureCode as C;
    use PhoneState as S;
    match state {
        S::Unauthorized | S::Authorizing => C::PhoneUnauthorized,
        S::Connecting => C::PhoneConnecting,
        S::NoPermissions => C::PhoneNoPermissions,
        S::Bootloader => C::PhoneBootloader,
        S::Recovery => C::PhoneRecovery,
        S::Rescue => C::PhoneRescue,
        S::Sideload => C::PhoneSideload,
        S::Host => C::PhoneHost,
        S::Detached => C::PhoneDetached,
        S::Device | S::Offline | S::Unknown => C::PhoneGone,
    }
}

/// Whether a phone is listed in a state of its own, neither gone nor waiting for Allow, and can be used once it has left it.
#[must_use]
pub fn is_unusable(code: FailureCode) -> bool {
    use FailureCode as C;
    matches!(
        code,
        C::PhoneConnecting
            | C::PhoneNoPermissions
            | C::PhoneBootloader
            | C::PhoneRecovery
            | C::PhoneRescue
            | C::PhoneSideload
            | C::PhoneHost
            | C::PhoneDetached
    )
}

/// A phone's trouble in the words of the protocol.
#[must_use]
pub fn failure_of(trouble: &PhoneError) -> Failure {
    use FailureCode as C;
    use PhoneError as T;
    let code = match trouble {
        T::Gone(_) => C::PhoneGone,
        T::NoServer(_) => C::AdbSilent,
        T::Unauthorized => C::PhoneUnauthorized,
        T::Unusable(state) => code_of_state(*state),
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
