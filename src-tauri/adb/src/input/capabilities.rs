//! What a phone's `input` has. Tried, not asked: no version prints the same help.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Since then `input` has single events; before, nothing of ours is left down, and nothing could lift it.
pub(crate) const ANDROID_10: u32 = 29;
/// Since then `input` runs inside the system server.
pub(crate) const ANDROID_12: u32 = 31;
/// After so long without a touch of ours a finger that was left is looked for again.
const WHILE: Duration = Duration::from_secs(60);

/// Something a phone's `input` has or has not, known once it was tried.
#[derive(Debug, Default)]
pub(crate) struct InputCapability(AtomicU8);

impl InputCapability {
    /// It was tried and is not there.
    pub(crate) fn is_missing(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 2
    }

    /// It was tried.
    pub(crate) fn learn(&self, there: bool) {
        self.0.store(if there { 1 } else { 2 }, Ordering::Relaxed);
    }
}

/// What was learnt of a phone's `input`.
#[derive(Debug, Default)]
pub(crate) struct InputCapabilities {
    /// `input motionevent`: Android 10 and newer.
    pub(crate) motion_events: InputCapability,
    /// Its `CANCEL`: Android 11 and newer.
    pub(crate) cancel: InputCapability,
    /// `input keycombination`: Android 12 and newer.
    pub(crate) key_combination: InputCapability,
    /// Whether a finger may have been left on it.
    pub(crate) leftover: LeftoverFinger,
}

/// When it was last known that no finger is left on the phone, if that is known.
#[derive(Debug, Default)]
pub(crate) struct LeftoverFinger(Mutex<Option<Instant>>);

impl LeftoverFinger {
    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something may have been left.
    pub(crate) fn suspect(&self) {
        *self.lock() = None;
    }

    /// Whether it is to be looked for; from now on it was.
    pub(crate) fn take(&self) -> bool {
        let now = Instant::now();
        let last = self.lock().replace(now);
        last.is_none_or(|last| now.duration_since(last) >= WHILE)
    }
}
