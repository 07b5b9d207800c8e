//! What was waited for is tried again, with growing pauses.

use std::time::Duration;

/// The first pause, doubled up to the last.
const SOONEST: Duration = Duration::from_secs(1);
const LATEST: Duration = Duration::from_secs(60);

/// ExponentialBackoff between tries: one second, two, four, … a minute.
#[derive(Clone, Copy, Debug)]
pub struct ExponentialBackoff(Duration);

impl Default for ExponentialBackoff {
    /// From the first pause on.
    fn default() -> Self {
        Self(SOONEST)
    }
}

impl ExponentialBackoff {
    /// How long to wait before the next try.
    pub fn next_pause(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(LATEST);
        now
    }
}
