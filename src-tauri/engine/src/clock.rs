//! The time of day, by this computer's clock.

use agent::ports::Clock;
pub(crate) use store::now;

/// The time of day.
pub(crate) struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> protocol::Millis {
        now()
    }
}
