//! The clock automations go by: the computer's, and another in tests.

use async_trait::async_trait;
use jiff::tz::TimeZone;
use protocol::Millis;
use std::time::Duration;

/// The time of day, where the person is.
#[async_trait]
pub trait TimeOfDay: Send + Sync {
    /// Milliseconds since 1970. May be set back, and stands still for nobody while the computer sleeps.
    fn now(&self) -> Millis;

    /// The zone the person's clock shows.
    fn zone(&self) -> TimeZone;

    /// Returns when the clock shows this, at once where it does already. It may be later: while the computer sleeps no time is
    /// counted, and a clock that is set meanwhile is not seen.
    async fn sleep_until(&self, at: Millis);
}

/// The computer's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct ComputerTime;

#[async_trait]
impl TimeOfDay for ComputerTime {
    fn now(&self) -> Millis {
        crate::clock::now()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    async fn sleep_until(&self, at: Millis) {
        tokio::time::sleep(Duration::from_millis(at.saturating_sub(self.now()))).await;
    }
}
