//! The time of day, by this computer's clock.

use agent::ports::Clock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The time of day.
pub(crate) struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> protocol::Millis {
        now()
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> protocol::Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
