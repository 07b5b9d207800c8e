//! Which rung to try, and when a better one again. Pure: the moments come from outside.

use super::packet::{Rung, Why};
use std::time::Duration;
use tokio::time::Instant;

/// A session that lived so long was a good one: what happens to it says nothing about the next.
const GOOD: Duration = Duration::from_secs(10);
/// After a session of no use the same rung is left alone: so long, then twice as long each time.
const SOONEST: Duration = Duration::from_secs(2);
const LATEST: Duration = Duration::from_secs(120);
/// What is not there will hardly be there in a moment: a jar to be found, a program of the phone's.
const MISSING: Duration = Duration::from_secs(60);

/// The rungs that are streams, best first.
const RUNGS: [Rung; 2] = [Rung::Scrcpy, Rung::Screenrecord];

/// What is known of each rung.
#[derive(Debug, Default)]
pub(super) struct Ladder {
    scrcpy: Step,
    screenrecord: Step,
}

#[derive(Debug, Default)]
struct Step {
    why: Why,
    failures: u32,
    /// Not before this moment.
    until: Option<Instant>,
}

impl Ladder {
    /// The best rung that may be tried now; none when captures are all there is for the moment.
    pub(super) fn best(&self, now: Instant) -> Option<Rung> {
        RUNGS.into_iter().find(|rung| {
            self.step(*rung)
                .is_some_and(|step| step.until.is_none_or(|until| until <= now))
        })
    }

    /// When a rung better than this may be tried, if that is later than now.
    pub(super) fn next(&self, than: Option<Rung>, now: Instant) -> Option<Instant> {
        RUNGS
            .into_iter()
            .filter(|rung| than.is_none_or(|than| *rung > than))
            .filter_map(|rung| self.step(rung)?.until)
            .filter(|until| *until > now)
            .min()
    }

    /// Why no better rung than this is used.
    pub(super) fn why(&self, rung: Rung) -> Why {
        match rung {
            Rung::Scrcpy => Why::Nothing,
            Rung::Screenrecord => self.scrcpy.why,
            Rung::Captures => match self.screenrecord.why {
                Why::Nothing => self.scrcpy.why,
                why => why,
            },
        }
    }

    /// A session of this rung is over, or never was; it lived so long.
    pub(super) fn failed(&mut self, rung: Rung, why: Why, lived: Duration, now: Instant) {
        let Some(step) = self.step_mut(rung) else { return };
        step.why = why;
        step.failures = if lived >= GOOD { 1 } else { step.failures + 1 };
        step.until = Some(match why {
            Why::NoServer => now + MISSING,
            // Once more at once: a good session that ended may come back by itself.
            _ if lived >= GOOD => now,
            _ => now + (SOONEST * 2_u32.saturating_pow(step.failures - 1)).min(LATEST),
        });
    }

    /// A session of this rung sends pictures.
    pub(super) fn stood(&mut self, rung: Rung) {
        if let Some(step) = self.step_mut(rung) {
            step.until = None;
            step.why = Why::Nothing;
        }
    }

    /// The phone is another one now, or the same anew: nothing is known.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    fn step(&self, rung: Rung) -> Option<&Step> {
        match rung {
            Rung::Scrcpy => Some(&self.scrcpy),
            Rung::Screenrecord => Some(&self.screenrecord),
            Rung::Captures => None,
        }
    }

    fn step_mut(&mut self, rung: Rung) -> Option<&mut Step> {
        match rung {
            Rung::Scrcpy => Some(&mut self.scrcpy),
            Rung::Screenrecord => Some(&mut self.screenrecord),
            Rung::Captures => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn what_fails_is_left_alone_and_tried_again() {
        let mut ladder = Ladder::default();
        let start = Instant::now();
        assert_eq!(ladder.best(start), Some(Rung::Scrcpy));
        ladder.failed(Rung::Scrcpy, Why::NotStarted, Duration::ZERO, start);
        assert_eq!(ladder.best(start), Some(Rung::Screenrecord));
        assert_eq!(ladder.why(Rung::Screenrecord), Why::NotStarted);
        assert_eq!(
            ladder.next(Some(Rung::Screenrecord), start),
            Some(start + SOONEST)
        );
        ladder.failed(Rung::Screenrecord, Why::NoScreenrecord, SHORT, start);
        assert_eq!(ladder.best(start), None);
        assert_eq!(ladder.why(Rung::Captures), Why::NoScreenrecord);
        assert_eq!(ladder.best(start + SOONEST), Some(Rung::Scrcpy));
        ladder.stood(Rung::Scrcpy);
        assert_eq!(ladder.why(Rung::Scrcpy), Why::Nothing);
        ladder.forget();
        assert_eq!(ladder.best(start), Some(Rung::Scrcpy));
    }

    #[tokio::test(start_paused = true)]
    async fn each_failure_makes_it_wait_twice_as_long() {
        let mut ladder = Ladder::default();
        let now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..9 {
            ladder.stood(Rung::Scrcpy);
            ladder.failed(Rung::Scrcpy, Why::Ended, SHORT, now);
            waits.push(ladder.next(None, now).map_or(0, |until| (until - now).as_secs()));
        }
        assert_eq!(waits, [2, 4, 8, 16, 32, 64, 120, 120, 120]);
        // One that lived long comes back at once, and is as good as new.
        ladder.failed(Rung::Scrcpy, Why::Ended, GOOD, now);
        assert_eq!(ladder.best(now), Some(Rung::Scrcpy));
        ladder.failed(Rung::Scrcpy, Why::Ended, SHORT, now);
        assert_eq!(ladder.next(None, now), Some(now + SOONEST * 2));
        ladder.failed(Rung::Scrcpy, Why::NoServer, Duration::ZERO, now);
        assert_eq!(ladder.next(None, now), Some(now + MISSING));
    }
}
