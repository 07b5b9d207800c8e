//! Why a download failed.

use protocol::FailureCode;
use std::io;

/// Why the tools were not fetched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolsError {
    /// Nothing is known to fetch for this system.
    #[error("no platform tools are known for this system")]
    NoneKnown,
    /// The other side cannot be reached.
    #[error("the download cannot be reached: {0}")]
    Offline(String),
    /// It broke off, or was not given.
    #[error("the download broke off: {0}")]
    Broken(String),
    /// What came is not what was published.
    #[error("not what was published: {0}")]
    Wrong(String),
    /// No room.
    #[error("the disk is full: {0}")]
    Full(String),
    /// It cannot be written.
    #[error("it cannot be written: {0}")]
    Disk(String),
}

impl ToolsError {
    /// The person's sentence.
    #[must_use]
    pub fn code(&self) -> FailureCode {
        match self {
            Self::NoneKnown => FailureCode::DownloadNone,
            Self::Offline(_) => FailureCode::DownloadOffline,
            Self::Broken(_) => FailureCode::DownloadBroken,
            Self::Wrong(_) => FailureCode::DownloadWrong,
            Self::Full(_) => FailureCode::DiskFull,
            Self::Disk(_) => FailureCode::StoreBroken,
        }
    }
}

impl From<io::Error> for ToolsError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full(error.to_string())
            }
            _ => Self::Disk(error.to_string()),
        }
    }
}
