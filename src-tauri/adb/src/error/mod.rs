//! What can go wrong between this computer and a phone.

mod install;
mod tools;

pub use tools::ToolsError;

use agent::lease::LeaseLost;
use agent::ports::PhoneError;
use protocol::{Failure, FailureCode, PhoneState};
use std::collections::BTreeMap;

/// How many characters of a phone's words are kept in an error.
const WORDS_KEPT: usize = 500;

/// Everything this room can fail with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdbError {
    /// Nobody listens at an adb server's address.
    #[error("no adb server at {address}: {why}")]
    NoServer {
        /// `host:port`.
        address: String,
        /// The system's words.
        why: String,
    },
    /// Somebody listens there and does not answer in time.
    #[error("the adb server at {address} does not answer")]
    Silent {
        /// `host:port`.
        address: String,
    },
    /// Something else than an adb server answers there.
    #[error("what answers at {address} is no adb server: {said}")]
    NotAdb {
        /// `host:port`.
        address: String,
        /// What made no sense.
        said: String,
    },
    /// The adb program was not found anywhere.
    #[error("no adb program was found")]
    NoProgram,
    /// The adb program was found and did not start a server.
    #[error("the adb program did not start: {0}")]
    ProgramFailed(String),
    /// An adb server's address that cannot be used.
    #[error("not an address of an adb server: {0}")]
    BadAddress(String),
    /// The connection ended in the middle of an answer.
    #[error("the connection was cut: {0}")]
    Cut(String),
    /// An answer that is not ADB.
    #[error("the answer makes no sense: {0}")]
    Garbled(String),
    /// The phone is not there (any more), in adb's words.
    #[error("the phone is gone: {0}")]
    Gone(String),
    /// It waits for the person to tap Allow.
    #[error("the phone is not authorized")]
    Unauthorized,
    /// It is listed in a state in which nothing can be asked of it, and which is not *gone*.
    #[error("the phone is listed as {0:?}")]
    Unusable(PhoneState),
    /// It took too long.
    #[error("not done in time: {0}")]
    Slow(String),
    /// The phone, or the adb server, said no.
    #[error("refused: {0}")]
    Refused(String),
    /// It forbids touches from outside (`INJECT_EVENTS`).
    #[error("touches from outside are forbidden: {0}")]
    TouchForbidden(String),
    /// No UI tree, though the phone is well.
    #[error("no UI tree: {0}")]
    Tree(String),
    /// No whole picture.
    #[error("no whole picture: {0}")]
    Picture(String),
    /// Characters its keyboard has not.
    #[error("the phone's keyboard has no such characters")]
    CannotType,
    /// No such app.
    #[error("no such app: {0}")]
    AppNotFound(String),
    /// Not possible with this phone or over this connection.
    #[error("not possible here: {0}")]
    NotSupported(String),
    /// A file on this computer.
    #[error("a file here cannot be read: {0}")]
    Unreadable(String),
    /// It has no room left.
    #[error("the phone is full: {0}")]
    Full(String),
    /// It did not install an app, in its own words.
    #[error("not installed: {0}")]
    NotInstalled(String),
    /// Its lock screen asks for what only the person knows.
    #[error("the phone is locked")]
    Locked,
    /// It was judged too long ago to be sent.
    #[error("judged too long ago: look again")]
    Stale,
    /// The lease was lost; whatever had begun is ended on the phone.
    #[error("the lease was lost")]
    LeaseLost,
    /// The lease was lost, and what had begun may still be running on the phone.
    #[error("the lease was lost; still running, perhaps: {0}")]
    MaybeRunning(String),
    /// The adb server knows nothing of pairing (before adb 30).
    #[error("this adb is too old to pair")]
    TooOld,
    /// The pairing code was not accepted: wrong, or no longer shown.
    #[error("the pairing code was not accepted: {0}")]
    PairingCode(String),
    /// Nobody pairs at that address (any more).
    #[error("nobody pairs there: {0}")]
    PairingClosed(String),
    /// A phone on the network is not reached.
    #[error("not reached over the network: {0}")]
    Unreached(String),
    /// A phone on the network does not know this computer.
    #[error("the phone does not know this computer: {0}")]
    Stranger(String),
    /// The adb program was not fetched.
    #[error(transparent)]
    Tools(#[from] ToolsError),
    /// A fault of this program.
    #[error("a fault of this program: {0}")]
    Internal(String),
}

impl AdbError {
    /// The error behind the text of a `FAIL`.
    #[must_use]
    pub fn from_fail(text: &str) -> Self {
        let said = clip(text.trim());
        let low = said.to_ascii_lowercase();
        if low.contains("unauthorized") || low.contains("still authorizing") {
            Self::Unauthorized
        } else if low.contains("insufficient permissions") {
            Self::Unusable(PhoneState::NoPermissions)
        } else if low.contains("still connecting") {
            Self::Unusable(PhoneState::Connecting)
        } else if low.contains("not found")
            || low.contains("offline")
            || low.contains("no devices")
            || low.contains("permission")
            || low == "closed"
            || low.contains("device") && low.contains("closed")
        {
            Self::Gone(said)
        } else {
            Self::Refused(said)
        }
    }

    /// Whether what was asked for may be under way on the phone although this call is over.
    pub(crate) fn leaves_it_open(&self) -> bool {
        matches!(
            self,
            Self::Cut(_) | Self::Silent { .. } | Self::Slow(_) | Self::Garbled(_) | Self::Internal(_)
        )
    }

    /// Whether the phone itself could not be asked at all: no use in trying another way.
    pub(crate) fn is_unreachable(&self) -> bool {
        matches!(
            self,
            Self::NoServer { .. }
                | Self::Silent { .. }
                | Self::NotAdb { .. }
                | Self::Gone(_)
                | Self::Unauthorized
                | Self::Unusable(_)
        )
    }
}

/// The first characters of what a phone said, on one line's worth of room.
pub(crate) fn clip(text: &str) -> String {
    text.chars().take(WORDS_KEPT).collect()
}

impl From<LeaseLost> for AdbError {
    fn from(_: LeaseLost) -> Self {
        Self::LeaseLost
    }
}

impl From<AdbError> for PhoneError {
    fn from(error: AdbError) -> Self {
        match error {
            AdbError::Unauthorized => Self::Unauthorized,
            AdbError::Unusable(state) => Self::Unusable(state),
            AdbError::Slow(what) => Self::Slow(what),
            AdbError::Refused(said) => Self::Refused(said),
            AdbError::TouchForbidden(said) => Self::TouchForbidden(said),
            AdbError::Tree(why) => Self::Tree(why),
            AdbError::Stale => Self::Stale,
            AdbError::CannotType => Self::CannotType,
            AdbError::AppNotFound(app) => Self::AppNotFound(app),
            AdbError::NotSupported(what) => Self::NotSupported(what),
            AdbError::Locked => Self::Locked,
            AdbError::LeaseLost => Self::LeaseLost,
            AdbError::MaybeRunning(what) => Self::MaybeRunning(what),
            AdbError::Gone(said) => Self::Gone(said),
            AdbError::Garbled(_) | AdbError::Picture(_) | AdbError::Internal(_) => {
                Self::Refused(error.to_string())
            }
            AdbError::TooOld
            | AdbError::PairingCode(_)
            | AdbError::Tools(_)
            | AdbError::Unreadable(_)
            | AdbError::Full(_)
            | AdbError::NotInstalled(_) => Self::Refused(error.to_string()),
            AdbError::NoServer { .. }
            | AdbError::Silent { .. }
            | AdbError::NotAdb { .. }
            | AdbError::NoProgram
            | AdbError::ProgramFailed(_)
            | AdbError::BadAddress(_) => Self::NoServer(error.to_string()),
            AdbError::PairingClosed(_)
            | AdbError::Unreached(_)
            | AdbError::Stranger(_)
            | AdbError::Cut(_) => Self::Gone(error.to_string()),
        }
    }
}

impl From<AdbError> for Failure {
    fn from(error: AdbError) -> Self {
        let code = match &error {
            AdbError::NoServer { .. } | AdbError::Silent { .. } | AdbError::ProgramFailed(_) => {
                FailureCode::AdbSilent
            }
            AdbError::NotAdb { .. } => FailureCode::AdbPortTaken,
            AdbError::NoProgram => FailureCode::AdbMissing,
            AdbError::BadAddress(_) => FailureCode::BadInput,
            AdbError::Unreadable(_) => FailureCode::FileUnreadable,
            AdbError::Full(_) => FailureCode::PhoneFull,
            AdbError::NotInstalled(said) => install::why_not(said),
            AdbError::Gone(_) | AdbError::Cut(_) => FailureCode::PhoneGone,
            AdbError::Unauthorized => FailureCode::PhoneUnauthorized,
            AdbError::Unusable(state) => agent::code_of_state(*state),
            AdbError::Slow(_) => FailureCode::PhoneSlow,
            AdbError::Refused(_) | AdbError::Garbled(_) | AdbError::Tree(_) | AdbError::NotSupported(_) => {
                FailureCode::PhoneRefused
            }
            AdbError::TouchForbidden(_) => FailureCode::TouchForbidden,
            AdbError::Picture(_) => FailureCode::CaptureFailed,
            AdbError::Stale => FailureCode::Internal,
            AdbError::CannotType => FailureCode::CannotType,
            AdbError::AppNotFound(_) => FailureCode::AppNotFound,
            AdbError::Locked => FailureCode::PhoneLocked,
            AdbError::LeaseLost | AdbError::MaybeRunning(_) => FailureCode::LeaseLost,
            AdbError::TooOld => FailureCode::AdbTooOld,
            AdbError::PairingCode(_) => FailureCode::PairingCode,
            AdbError::PairingClosed(_) => FailureCode::PairingClosed,
            AdbError::Unreached(_) => FailureCode::WirelessUnreachable,
            AdbError::Stranger(_) => FailureCode::WirelessUnknown,
            AdbError::Tools(trouble) => trouble.code(),
            AdbError::Internal(_) => FailureCode::Internal,
        };
        let values = match &error {
            AdbError::NoServer { address, .. }
            | AdbError::Silent { address }
            | AdbError::NotAdb { address, .. } => BTreeMap::from([("address".to_owned(), address.clone())]),
            AdbError::AppNotFound(app) => BTreeMap::from([("app".to_owned(), app.clone())]),
            _ => BTreeMap::new(),
        };
        Self {
            code,
            values,
            detail: Some(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_words_are_understood() {
        let gone = |said: &str| AdbError::Gone(said.to_owned());
        for (said, expected) in [
            ("device 'R58M' not found", gone("device 'R58M' not found")),
            ("device offline", gone("device offline")),
            ("closed", gone("closed")),
            ("no devices/emulators found", gone("no devices/emulators found")),
            (
                "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
                AdbError::Unauthorized,
            ),
            ("device still authorizing", AdbError::Unauthorized),
            (
                "device still connecting",
                AdbError::Unusable(PhoneState::Connecting),
            ),
            (
                "insufficient permissions for device: missing udev rules? user is in the plugdev group",
                AdbError::Unusable(PhoneState::NoPermissions),
            ),
            (
                "unknown host service",
                AdbError::Refused("unknown host service".to_owned()),
            ),
            (
                "more than one device/emulator",
                AdbError::Refused("more than one device/emulator".to_owned()),
            ),
        ] {
            assert_eq!(AdbError::from_fail(said), expected, "{said}");
        }
    }

    #[test]
    fn every_error_has_a_code_and_a_trouble() {
        let silent = AdbError::Silent {
            address: "127.0.0.1:5037".to_owned(),
        };
        let failure = Failure::from(silent.clone());
        assert_eq!(failure.code, FailureCode::AdbSilent);
        assert_eq!(failure.values["address"], "127.0.0.1:5037");
        assert!(matches!(PhoneError::from(silent), PhoneError::NoServer(_)));
        assert_eq!(PhoneError::from(AdbError::LeaseLost), PhoneError::LeaseLost);
        assert_eq!(
            Failure::from(AdbError::MaybeRunning("sleep".to_owned())).code,
            FailureCode::LeaseLost
        );
    }
}
