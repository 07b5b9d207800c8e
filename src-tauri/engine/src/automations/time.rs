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

    /// Returns after so long; while the computer sleeps that may take longer.
    async fn sleep(&self, bound: Duration);
}

/// The computer's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct ComputerTime;

#[async_trait]
impl TimeOfDay for ComputerTime {
    fn now(&self) -> Millis {
        crate::runs::now()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    async fn sleep(&self, bound: Duration) {
        tokio::time::sleep(bound).await;
    }
}
