//! scrcpy's server, which makes the best mirrors: which one this computer has, and fetched by a button.

use crate::Engine;
use adb::scrcpy::Jar;
use adb::tools;
use protocol::{Failure, Fetching, MirrorServer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;

/// Fetches scrcpy's server into `folder`, where an engine of that folder finds it; says where it lies. The person asked for it by
/// name.
///
/// # Errors
/// Which step failed; then nothing is left of it.
pub async fn fetch_scrcpy(
    folder: &Path,
    tell: &(dyn Fn(Fetching) + Send + Sync),
) -> Result<PathBuf, Failure> {
    let fetched = tools::fetch_scrcpy(&tools::scrcpy_release(), folder, tell).await;
    fetched.map_err(|error| adb::AdbError::from(error).into())
}

impl Engine {
    /// The server mirrors use here, and what the button would fetch.
    pub async fn mirror_server(&self) -> MirrorServer {
        let place = tools::scrcpy_server(&self.inner.folder);
        let found = tokio::task::spawn_blocking(move || Jar::find_here(Some(&place)));
        MirrorServer {
            found: found.await.ok().flatten().map(|jar| jar.version),
            offered: tools::scrcpy_release().version.to_owned(),
        }
    }

    /// Fetches it into our folder; mirrors that begin from then on use it. The person pressed a button for it.
    pub fn fetch_mirror_server(&self) -> watch::Receiver<Fetching> {
        self.fetch_server(tools::scrcpy_release())
    }

    pub(crate) fn fetch_server(&self, release: tools::Release) -> watch::Receiver<Fetching> {
        let (folder, inner) = (self.inner.folder.clone(), Arc::downgrade(&self.inner));
        self.inner.fetch_server.begin(|stage| async move {
            let tell = |now| {
                stage.send_replace(now);
            };
            match tools::fetch_scrcpy(&release, &folder, &tell).await {
                Ok(_) => {
                    if let Some(inner) = inner.upgrade() {
                        inner.roster.fetched_scrcpy().came();
                    }
                }
                Err(error) => {
                    tracing::info!(%error, "the scrcpy server was not fetched");
                    tell(tools::failed(&error));
                }
            }
        })
    }
}
