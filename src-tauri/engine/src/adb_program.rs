//! The adb program of this computer: which one, and fetched by a button.

use crate::{Engine, EngineError};
use adb::program::{self, Os};
use adb::tools;
use protocol::{AdbProgram, Failure, Fetching};
use std::sync::Arc;
use tokio::sync::watch;

impl Engine {
    /// The adb program that is used on this computer.
    ///
    /// # Errors
    /// When there is none, or it does not run.
    pub async fn adb_program(&self) -> Result<AdbProgram, Failure> {
        let path = self.inner.program.find().map_err(EngineError::from)?;
        let version = program::version(&path).await.map_err(EngineError::from)?;
        Ok(AdbProgram {
            path: path.display().to_string(),
            version: version.map(|version| version.to_string()),
            pairs: version.is_some_and(program::Version::pairs),
        })
    }

    /// Fetches Google's platform tools into our folder, and starts the adb server with them when none runs. The person
    /// pressed a button for it.
    pub fn fetch_adb(&self) -> watch::Receiver<Fetching> {
        let release = tools::release(Os::here(), std::env::consts::ARCH);
        self.fetch_release(release)
    }

    pub(crate) fn fetch_release(&self, release: Option<tools::Release>) -> watch::Receiver<Fetching> {
        let (folder, inner) = (self.inner.program.folder.clone(), Arc::downgrade(&self.inner));
        self.inner.fetch.begin(|stage| async move {
            let tell = |now| {
                stage.send_replace(now);
            };
            let fetched = match &release {
                Some(release) => tools::fetch(release, &folder, &tell).await,
                None => Err(tools::ToolsError::NoneKnown),
            };
            match fetched {
                Ok(_) => {
                    if let Some(inner) = inner.upgrade() {
                        inner.roster.look_again();
                    }
                }
                Err(error) => {
                    tracing::info!(%error, "the adb program was not fetched");
                    tell(tools::failed(&error));
                }
            }
        })
    }
}
