//! Each run's newest screen in full size, held in memory until a question shows it.

use crate::{StoreError, frame_id};
use protocol::{Event, RunId, What};
use rusqlite::{Transaction, params};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Each run's newest screen in full size. Clones hold the same ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct FullSizeFrames(Arc<Mutex<Pictures>>);

/// The number of each run's screen, and its picture.
type Pictures = BTreeMap<RunId, (u32, Arc<[u8]>)>;

impl FullSizeFrames {
    fn all(&self) -> MutexGuard<'_, Pictures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the picture held for a run is this one.
    pub(crate) fn holds(&self, run: &RunId, n: u32) -> bool {
        self.all().get(run).is_some_and(|(held, _)| *held == n)
    }

    /// The run shows this screen now.
    pub(crate) fn hold(&self, run: &RunId, n: u32, bytes: Vec<u8>) {
        self.all().insert(run.clone(), (n, bytes.into()));
    }

    /// The run is over.
    pub(crate) fn forget(&self, run: &RunId) {
        self.all().remove(run);
    }

    /// What a question shows takes the place of the small one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep_evidence(
        &self,
        transaction: &Transaction<'_>,
        event: &Event,
    ) -> Result<(), StoreError> {
        let What::Asked { ask, .. } = &event.what else {
            return Ok(());
        };
        let shown = ask.evidence.frame.as_ref().and_then(frame_id::run_and_number);
        let held = self.all().get(&event.run).cloned();
        if let (Some((run, n)), Some((held, bytes))) = (shown, held)
            && run == event.run.0
            && n == held
        {
            transaction.execute(
                "UPDATE frames SET bytes = ?3 WHERE run = ?1 AND n = ?2",
                params![run, n, bytes],
            )?;
        }
        Ok(())
    }
}
