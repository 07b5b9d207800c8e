//! What was waited for is tried again, with growing pauses.

use std::time::Duration;

/// The first pause, doubled up to the last.
const SOONEST: Duration = Duration::from_secs(1);
const LATEST: Duration = Duration::from_secs(60);

/// Pauses between tries: one second, two, four, … a minute.
#[derive(Clone, Copy, Debug)]
pub struct Pauses(Duration);

/// From the first on.
#[must_use]
pub fn pauses() -> Pauses {
    Pauses(SOONEST)
}

impl Pauses {
    /// How long to wait before the next try.
    pub fn next_pause(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(LATEST);
        now
    }
}
