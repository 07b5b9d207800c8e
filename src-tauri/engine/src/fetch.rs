//! Something fetched by a button, and how far it is.

use protocol::Fetching;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// One fetching at a time: who asks while one runs watches that one.
#[derive(Default)]
pub(crate) struct Fetch(Mutex<Option<(watch::Receiver<Fetching>, AbortOnDropHandle<()>)>>);

impl Fetch {
    /// Begins `work`, unless one runs.
    pub(crate) fn begin<W>(
        &self,
        work: impl FnOnce(watch::Sender<Fetching>) -> W,
    ) -> watch::Receiver<Fetching>
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((stage, task)) = &*held
            && !task.is_finished()
        {
            return stage.clone();
        }
        let (sender, stage) = watch::channel(Fetching::Loading { done: 0, total: 0 });
        *held = Some((stage.clone(), AbortOnDropHandle::new(tokio::spawn(work(sender)))));
        stage
    }
}
