//! What fingers do over time (`InputShellCommand.java`: `sendTap`, `sendSwipe`).

use crate::android::FingerAction;
use crate::phone::Phone;
use std::time::Duration;

/// `SWIPE_EVENT_HZ_DEFAULT`.
const EVENTS_PER_SECOND: u64 = 120;
/// `ViewConfiguration.getLongPressTimeout()`.
pub(super) const LONG_PRESS: Duration = Duration::from_millis(400);

/// Down and up at once.
pub(super) fn tap(phone: &Phone, x: f32, y: f32) {
    phone.finger(FingerAction::Down, x, y);
    phone.finger(FingerAction::Up, x, y);
}

/// A straight way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) from: (f32, f32),
    pub(super) to: (f32, f32),
    pub(super) time: Duration,
    /// Rests first, until the thing under the finger comes along.
    pub(super) drags: bool,
}

impl Stroke {
    /// Goes the way, 120 events a second. The resting of a drag counts against its time, as in AOSP.
    pub(super) async fn go(self, phone: &Phone) {
        let down = phone.clock.now();
        phone.finger(FingerAction::Down, self.from.0, self.from.1);
        if self.drags {
            phone.clock.spend(LONG_PRESS).await;
        }
        let end = down + self.time;
        let mut injected: u64 = 1;
        loop {
            let now = phone.clock.now();
            if now >= end {
                break;
            }
            let next =
                down + Duration::from_nanos(injected.saturating_mul(1_000_000_000) / EVENTS_PER_SECOND);
            if next > now {
                if next >= end {
                    phone.clock.spend(end - now).await;
                    break;
                }
                phone.clock.spend(next - now).await;
            }
            let now = phone.clock.now();
            let part = (now - down).as_secs_f32() / self.time.as_secs_f32();
            let between = |a: f32, b: f32| (b - a) * part.min(1.0) + a;
            phone.finger(
                FingerAction::Move,
                between(self.from.0, self.to.0),
                between(self.from.1, self.to.1),
            );
            injected += 1;
        }
        phone.finger(FingerAction::Up, self.to.0, self.to.1);
    }
}
