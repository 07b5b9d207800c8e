//! What was spent today, as it is told: at each request, and anew when the day is another.

use crate::engine::Inner;
use crate::{Engine, EngineError, TimeOfDay};
use jiff::Timestamp;
use protocol::Millis;
use std::ops::Range;
use std::sync::{Arc, Weak};
use tokio_util::task::AbortOnDropHandle;

/// How often it is looked which day it is: while the computer sleeps no timer counts, and clocks are set.
const LOOK: Millis = 60_000;

impl Engine {
    /// Tells it anew at each change of day, as long as the engine is there: a limit that was reached yesterday is not today.
    pub(crate) fn follow_days(&self) {
        let time = Arc::clone(&self.inner.automations.time);
        let told = today(&*time);
        let following = tokio::spawn(follow(Arc::downgrade(&self.inner), time, told));
        // Begun once, when the engine is opened.
        let _ = self.inner.days.set(AbortOnDropHandle::new(following));
    }

    pub(crate) async fn tell_spending(&self) {
        if let Err(error) = self.tell_spending_of(today(&*self.inner.automations.time)).await {
            tracing::warn!(%error, "today's spending could not be read");
        }
    }

    async fn tell_spending_of(&self, day: Range<Millis>) -> Result<(), EngineError> {
        let spending = self.inner.store.spending_within(day).await?;
        self.inner.hub.set_spending(spending);
        Ok(())
    }
}

async fn follow(engine: Weak<Inner>, time: Arc<dyn TimeOfDay>, mut told: Range<Millis>) {
    loop {
        // The next look is counted from the moment this one is of: a clock that is set in between is not waited for anew.
        let now = time.now();
        let day = day_of(&*time, now);
        if day != told {
            let Some(inner) = engine.upgrade() else { return };
            match (Engine { inner }).tell_spending_of(day.clone()).await {
                Ok(()) => told = day,
                // The next look tells it.
                Err(error) => tracing::warn!(%error, "the new day's spending could not be read"),
            }
        }
        time.sleep_until(now.saturating_add(LOOK)).await;
    }
}

/// The day it is.
fn today(time: &dyn TimeOfDay) -> Range<Millis> {
    day_of(time, time.now())
}

/// The day of this moment, where the person is.
fn day_of(time: &dyn TimeOfDay, now: Millis) -> Range<Millis> {
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let now = Timestamp::from_millisecond(now).unwrap_or(Timestamp::MAX);
    store::day(&now.to_zoned(time.zone()))
}
