//! What can go wrong with the store.

use protocol::{Failure, FailureCode, RunId};
use std::collections::BTreeMap;

/// What can go wrong with the store. Whatever it is, what was acknowledged before is still there.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The data folder, or the file in it, cannot be made, read or written.
    #[error("the data folder cannot be used: {0}")]
    Folder(String),
    /// The file was moved or deleted while it was open. Nothing was written.
    #[error("the database is not where it was opened")]
    Gone,
    /// Another program holds the database longer than we wait. Nothing was written; trying again is safe.
    #[error("the database is locked by another program")]
    Locked,
    /// Nothing was written; trying again once there is room is safe.
    #[error("the disk is full")]
    DiskFull,
    /// A newer version of this program wrote it. It was not touched.
    #[error("the database has version {found}, this program knows {known}")]
    Newer {
        /// The version written in it.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// It is damaged, or no database. It was left alone.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// A database of some other program. It was left alone.
    #[error("the file is a database of another program")]
    Foreign,
    /// The number of an event is not the next one of its run.
    #[error("event {found} of run {run} where {expected} is due")]
    Sequence {
        /// Which run.
        run: RunId,
        /// The number that is due.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// An event after the run's end.
    #[error("run {0} has ended")]
    Ended(RunId),
    /// An event of another phone than the run's.
    #[error("run {0} is on another phone")]
    OtherPhone(RunId),
    /// A run of this name began before.
    #[error("run {0} began before")]
    Began(RunId),
    /// The event would not read back as it is: a number that is none.
    #[error("the event cannot be written so that it reads back: {0}")]
    Unwritable(String),
    /// A picture whose bytes do not fit its size.
    #[error("the picture is not whole")]
    BadPicture,
    /// Settings that would not read back as they are.
    #[error("these settings cannot be kept")]
    BadSettings,
    /// No such run or picture.
    #[error("there is no {0}")]
    NotFound(String),
    /// The run has not ended yet, so it cannot be erased.
    #[error("run {0} is still running")]
    Running(RunId),
    /// Any other word of the database.
    #[error("the database says: {0}")]
    Database(String),
    /// The thread that worked on it is gone.
    #[error("the work on the database broke off")]
    Broken,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        // Of its shared memory SQLite says only that it could not be made larger.
        if error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) {
            return Self::DiskFull;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Corrupt(error.to_string()),
            Some(
                ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::SystemIoFailure,
            ) => Self::Folder(error.to_string()),
            _ => Self::Database(error.to_string()),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Folder(error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let mut values = BTreeMap::new();
        let code = match &error {
            StoreError::Locked => FailureCode::JournalLocked,
            StoreError::DiskFull => FailureCode::DiskFull,
            StoreError::Newer { found, known } => {
                values.insert("found".to_owned(), found.to_string());
                values.insert("known".to_owned(), known.to_string());
                FailureCode::StoreNewer
            }
            StoreError::Folder(_) => FailureCode::StoreFolder,
            StoreError::Gone => FailureCode::StoreGone,
            StoreError::Corrupt(_) | StoreError::Foreign | StoreError::Database(_) => {
                FailureCode::StoreBroken
            }
            StoreError::NotFound(_) => FailureCode::NotFound,
            StoreError::Running(_) => FailureCode::NotNow,
            StoreError::BadPicture | StoreError::BadSettings => FailureCode::BadInput,
            StoreError::Sequence { .. }
            | StoreError::Ended(_)
            | StoreError::OtherPhone(_)
            | StoreError::Began(_)
            | StoreError::Unwritable(_)
            | StoreError::Broken => FailureCode::Internal,
        };
        Self {
            code,
            values,
            detail: Some(error.to_string()),
        }
    }
}
