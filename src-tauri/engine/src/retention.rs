//! What is over is kept for a while, and goes then: with its pictures, and with its scripts' folders.

use crate::{Engine, EngineError};
use protocol::{Millis, RunId};
use store::StoreError;

const DAY: u64 = 24 * 60 * 60 * 1_000;
const MEGABYTE: u64 = 1_000_000;

impl Engine {
    /// Erases the runs that are older than the settings say, and the oldest beyond the room they have. One that goes on, here
    /// or in another process, or waits for somebody, is never touched. What cannot be erased now goes the next time, and so does
    /// all that is too old where nothing is young: then the clock may be far ahead, and everything would go at once.
    pub(crate) async fn tidy(&self) {
        let _turn = self.inner.tidying.lock().await;
        let keep = self.settings().keep;
        let before = self.too_old(u64::from(keep.days) * DAY).await;
        let room = u64::from(keep.megabytes) * MEGABYTE;
        match self.inner.store.surplus(before, room).await {
            Ok(surplus) => {
                if let Err(error) = self.inner.store.erase(&surplus).await {
                    tracing::warn!(%error, "what is old could not be erased");
                }
                if !surplus.is_empty() {
                    if let Err(error) = self.forget_erased(surplus).await {
                        tracing::warn!(%error, "whether what is old is gone could not be read");
                    }
                    self.tell_automations().await;
                }
            }
            Err(error) => tracing::warn!(%error, "what is old could not be looked for"),
        }
        // The times an automation was due go with time alone: what its runs said at their end went with them.
        if let Err(error) = self.inner.store.prune_occurrences(before).await {
            tracing::warn!(%error, "the times automations were due stay for now");
        }
        self.tidy_scripts().await;
    }

    /// What is from before then is older than `age`; the beginning of time where that would be all there is.
    async fn too_old(&self, age: Millis) -> Millis {
        let before = self.inner.automations.time.now().saturating_sub(age);
        match self.inner.store.newest().await {
            Ok(newest) if newest.is_none_or(|newest| newest >= before) => before,
            Ok(_) => 0,
            Err(error) => {
                tracing::warn!(%error, "whether the clock is right could not be looked at");
                0
            }
        }
    }

    /// Whoever listens is not told any more of those of these runs that are gone.
    pub(crate) async fn forget_erased(&self, runs: Vec<RunId>) -> Result<(), EngineError> {
        let mut gone = Vec::new();
        for run in runs {
            match self.inner.store.run(&run).await {
                Err(StoreError::NotFound(_)) => gone.push(run),
                Err(error) => return Err(error.into()),
                Ok(_) => {}
            }
        }
        self.inner.hub.forget(&gone);
        Ok(())
    }
}
