//! Which adb program the person chose for this computer.

use adb::link::DEFAULT_PORT;
use adb::program;
use adb::{AdbError, FollowedServer, tools};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The person's choice, and where a fetched one lies. Clones are the same choice.
#[derive(Clone, Debug, Default)]
pub struct ProgramChoice {
    setting: Arc<Mutex<String>>,
    pub(crate) folder: PathBuf,
}

impl ProgramChoice {
    /// None chosen yet; fetched ones lie in `folder`.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self {
            setting: Arc::default(),
            folder: folder.to_owned(),
        }
    }

    pub(crate) fn set(&self, setting: &str) {
        let mut held = self.setting.lock().unwrap_or_else(PoisonError::into_inner);
        setting.trim().clone_into(&mut held);
    }

    /// The program to use at this moment.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn find(&self) -> Result<PathBuf, AdbError> {
        let setting = self
            .setting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let setting = (!setting.is_empty()).then(|| PathBuf::from(setting));
        program::find_or_fetched(setting.as_deref(), Some(&tools::program(&self.folder)))
    }

    /// This computer's adb server, started with the program chosen at that moment.
    ///
    /// # Errors
    /// When the environment names a server that is no address.
    pub fn place(&self) -> Result<FollowedServer, AdbError> {
        let choice = self.clone();
        FollowedServer::local_by(Arc::new(move || choice.find()))
    }

    /// The same where it usually listens, whatever the environment names.
    pub(crate) fn own_place(&self) -> FollowedServer {
        let choice = self.clone();
        let starter: adb::roster::Starter = Arc::new(move || {
            let found = choice.find();
            Box::pin(async move { program::start_server(&found?, DEFAULT_PORT).await })
        });
        FollowedServer::started_by(&format!("127.0.0.1:{DEFAULT_PORT}"), starter)
    }
}
