//! Which clips are being recorded, and where the last ones are.

use protocol::PhoneId;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long closing waits for the ends of clips to be written.
const ENDING: Duration = Duration::from_secs(5);

/// The clip of each phone, the newest. Clones are the same clips.
#[derive(Clone, Default)]
pub(crate) struct Clips(Arc<Mutex<BTreeMap<PhoneId, RunningClip>>>);

/// One clip.
pub(super) struct RunningClip {
    pub(super) stop: CancellationToken,
    pub(super) task: Option<JoinHandle<()>>,
    /// Its files, once it is over.
    pub(super) paths: Vec<PathBuf>,
}

impl Clips {
    pub(super) fn held(&self) -> MutexGuard<'_, BTreeMap<PhoneId, RunningClip>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends every one, and waits until their files are whole.
    pub(crate) async fn close(&self) {
        let tasks: Vec<JoinHandle<()>> = self
            .held()
            .values_mut()
            .filter_map(|running| {
                running.stop.cancel();
                running.task.take()
            })
            .collect();
        if tokio::time::timeout(ENDING, futures::future::join_all(tasks))
            .await
            .is_err()
        {
            tracing::warn!("the end of a clip was not written; what was written before can be played");
        }
    }
}
