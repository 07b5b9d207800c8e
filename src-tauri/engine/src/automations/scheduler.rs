//! The task that begins automations by themselves.
//!
//! It looks when the next time comes, when it is told that something changed, and once a minute at least: then it sees that
//! the computer slept or its clock was set, by the time of day alone.

use super::notifications;
use super::state::TickState;
use super::time::TimeOfDay;
use crate::Engine;
use crate::engine::Inner;
use protocol::Millis;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Notify, OwnedMutexGuard, watch};
use tokio_util::task::AbortOnDropHandle;

/// The longest it does not look at the clock.
const LONGEST: Millis = 60_000;

/// The shortest pause between two looks.
const SHORTEST: Duration = Duration::from_millis(20);

/// How long the adb servers have to tell of their phones before the first look.
const LISTING_TIMEOUT: Duration = Duration::from_secs(10);

struct Scheduler {
    engine: Weak<Inner>,
    time: Arc<dyn TimeOfDay>,
    told: Arc<Notify>,
    listing: watch::Receiver<adb::Listing>,
}

impl Engine {
    /// Begins to begin automations by themselves, where this engine is to.
    pub(crate) fn begin_automations(&self) {
        let automations = &self.inner.automations;
        // Nobody has this engine yet.
        let Ok(first) = Arc::clone(&automations.turn).try_lock_owned() else {
            return;
        };
        if !automations.by_themselves {
            return;
        }
        let scheduler = Scheduler {
            engine: Arc::downgrade(&self.inner),
            time: Arc::clone(&automations.time),
            told: Arc::clone(&automations.told),
            listing: self.inner.roster.listing(),
        };
        let notifications = notifications::follow(Arc::downgrade(&self.inner), Arc::clone(&automations.time));
        let mut tasks = automations.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.push(AbortOnDropHandle::new(tokio::spawn(scheduler.keep(first))));
        tasks.push(AbortOnDropHandle::new(tokio::spawn(notifications)));
    }
}

impl Scheduler {
    /// `first`: nothing is decided before the phones that are there are known.
    async fn keep(mut self, first: OwnedMutexGuard<TickState>) {
        let settled = self.listing.wait_for(|listing| !listing.looking);
        let _ = tokio::time::timeout(LISTING_TIMEOUT, settled).await;
        drop(first);
        loop {
            self.listing.borrow_and_update();
            let Some(inner) = self.engine.upgrade() else {
                return;
            };
            let wake = (Engine { inner }).look_at_automations().await;
            tokio::select! {
                () = sleep_until(&*self.time, wake) => {}
                () = self.told.notified() => {}
                changed = self.listing.changed() => if changed.is_err() { return },
            }
        }
    }
}

/// Until that moment, a minute at most; for as long as nothing happens where nothing will by itself.
async fn sleep_until(time: &dyn TimeOfDay, wake: Option<Millis>) {
    let Some(wake) = wake else {
        return std::future::pending().await;
    };
    let now = time.now();
    if wake <= now {
        // A timer may be a little early, and a look takes a while.
        return tokio::time::sleep(SHORTEST).await;
    }
    time.sleep_until(wake.min(now.saturating_add(LONGEST))).await;
}
