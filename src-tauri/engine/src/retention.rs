//! What is over is kept for a while, and goes then: with its pictures, and with its scripts' folders.

use crate::{Engine, runs};

const DAY: u64 = 24 * 60 * 60 * 1_000;
const MEGABYTE: u64 = 1_000_000;

impl Engine {
    /// Erases the runs that are older than the settings say, and the oldest beyond the room they have. One that goes on, here
    /// or in another process, or waits for somebody, is never touched. What cannot be erased now goes the next time.
    pub(crate) async fn tidy(&self) {
        let _turn = self.inner.tidying.lock().await;
        let keep = self.settings().keep;
        let before = runs::now().saturating_sub(u64::from(keep.days) * DAY);
        let room = u64::from(keep.megabytes) * MEGABYTE;
        match self.inner.store.surplus(before, room).await {
            Ok(surplus) => {
                if let Err(error) = self.inner.store.erase(&surplus).await {
                    tracing::warn!(%error, "what is old could not be erased");
                }
                self.inner.hub.forget(&surplus);
                if !surplus.is_empty() {
                    self.tell_automations().await;
                }
            }
            Err(error) => tracing::warn!(%error, "what is old could not be looked for"),
        }
        // The times an automation was due go with time alone, by the clock that made them: what its runs said at their end went with
        // them.
        let now = self.inner.automations.time.now();
        let before = now.saturating_sub(u64::from(keep.days) * DAY);
        if let Err(error) = self.inner.store.prune_occurrences(before).await {
            tracing::warn!(%error, "the times automations were due stay for now");
        }
        self.tidy_scripts().await;
    }
}
