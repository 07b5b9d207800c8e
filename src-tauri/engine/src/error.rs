//! What can go wrong at the engine, and its words in the protocol.

use protocol::{Failure, FailureCode, PhoneState, PlanFault};
use std::collections::BTreeMap;

/// What can go wrong at the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The system names no folder for a program's data.
    #[error("this system names no folder for a program's data; name one with POCKETDECK_DATA")]
    NoFolder,
    /// No such phone.
    #[error("no such phone")]
    NoPhone,
    /// The phone is there and cannot be used.
    #[error("the phone is {0:?}")]
    NotUsable(PhoneState),
    /// A run lives on it.
    #[error("a task is running on this phone")]
    RunLives,
    /// No such run, or it is over.
    #[error("no such run")]
    NoRun,
    /// No such question, or it is over.
    #[error("no such question")]
    NoAsk,
    /// The task proposed nothing to remember.
    #[error("this task proposed nothing to remember")]
    NoNote,
    /// Another process of the product holds the phone.
    #[error(transparent)]
    Busy(#[from] store::phone_lock::LockError),
    /// There is nothing to do.
    #[error("there is no task to run")]
    NoGoal,
    /// Nothing of it is left to do.
    #[error("the task was not broken off: it is done")]
    TaskDone,
    /// An automation cannot be kept or begun like this.
    #[error("the automation cannot be kept or begun like this: {fault:?}{}", about(what.as_ref()))]
    Plan {
        /// Why not.
        fault: PlanFault,
        /// What it is about, by the name of that value: `variable`, `name`.
        what: Option<(&'static str, String)>,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// A run did not do what an automation says now.
    #[error("the run that is to be repeated had another task")]
    OtherTask,
    /// Nothing can be repeated.
    #[error(transparent)]
    Recording(#[from] replay::RecordError),
    /// The keychain.
    #[error(transparent)]
    Keychain(#[from] store::keychain::KeychainError),
    /// The environment names an adb server by what is no address.
    #[error("{0}")]
    Environment(adb::AdbError),
    /// ADB.
    #[error(transparent)]
    Adb(#[from] adb::AdbError),
    /// The phone.
    #[error(transparent)]
    Phone(#[from] agent::ports::PhoneError),
    /// A picture could not be made.
    #[error(transparent)]
    Picture(#[from] screen::picture::PictureError),
    /// A file could not be written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A file of the person's could not be written.
    #[error("{0}")]
    Unwritable(std::io::Error),
    /// A failure already in the protocol's words.
    #[error("{0:?}")]
    Failure(Failure),
    /// A task of this program did not end well.
    #[error(transparent)]
    Broken(tokio::task::JoinError),
}

fn about(what: Option<&(&'static str, String)>) -> String {
    what.map(|(name, value)| format!(", {name} {value:?}"))
        .unwrap_or_default()
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        use FailureCode as C;
        let detail = Some(error.to_string());
        let mut values = BTreeMap::new();
        let code = match error {
            EngineError::Failure(failure) => return failure,
            EngineError::Plan { fault, what } => {
                values.insert("fault".to_owned(), crate::words::tag(&fault));
                values.extend(what.map(|(name, value)| (name.to_owned(), value)));
                C::PlanFault
            }
            EngineError::Store(error) => return error.into(),
            EngineError::Busy(error) => return error.into(),
            EngineError::Keychain(error) => return error.into(),
            EngineError::Adb(error) => return error.into(),
            EngineError::Phone(trouble) => return agent::failure_of(&trouble),
            EngineError::NoPhone => C::PhoneGone,
            EngineError::NotUsable(state) => agent::code_of_state(state),
            EngineError::RunLives => C::PhoneBusy,
            EngineError::NoGoal => C::NotNow,
            EngineError::TaskDone => C::TaskDone,
            EngineError::NoRun
            | EngineError::NoAsk
            | EngineError::NoNote
            | EngineError::OtherTask
            | EngineError::Recording(_) => C::NotFound,
            EngineError::Environment(_) => C::AdbAddress,
            EngineError::NoFolder | EngineError::File(_) => C::StoreFolder,
            EngineError::Unwritable(_) => C::FileUnwritable,
            EngineError::Picture(_) => C::CaptureFailed,
            EngineError::Broken(_) => C::Internal,
        };
        Self { code, values, detail }
    }
}
