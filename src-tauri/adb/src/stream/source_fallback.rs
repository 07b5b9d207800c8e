//! Which source to try, and when a better one again. Pure: the moments come from outside.

use super::packet::{FallbackReason, StreamSource};
use std::time::Duration;
use tokio::time::Instant;

/// A session that lived so long was a good one: what happens to it says nothing about the next.
const GOOD: Duration = Duration::from_secs(10);
/// After a session of no use the same source is left alone: so long, then twice as long each time.
const SOONEST: Duration = Duration::from_secs(2);
const LATEST: Duration = Duration::from_secs(120);
/// What is not there will hardly be there in a moment: a jar to be found, a program of the phone's.
const MISSING: Duration = Duration::from_secs(60);

/// The sources that are streams, best first.
const STREAMS: [StreamSource; 2] = [StreamSource::Scrcpy, StreamSource::Screenrecord];

/// What is known of each source.
#[derive(Debug, Default)]
pub(super) struct SourceFallback {
    scrcpy: Step,
    screenrecord: Step,
}

#[derive(Debug, Default)]
struct Step {
    why: FallbackReason,
    failures: u32,
    /// Not before this moment.
    until: Option<Instant>,
}

impl SourceFallback {
    /// The best source that may be tried now; none when captures are all there is for the moment.
    pub(super) fn best(&self, now: Instant) -> Option<StreamSource> {
        STREAMS.into_iter().find(|source| {
            self.step(*source)
                .is_some_and(|step| step.until.is_none_or(|until| until <= now))
        })
    }

    /// When a source better than this may be tried, if that is later than now.
    pub(super) fn next(&self, than: Option<StreamSource>, now: Instant) -> Option<Instant> {
        STREAMS
            .into_iter()
            .filter(|source| than.is_none_or(|than| *source > than))
            .filter_map(|source| self.step(source)?.until)
            .filter(|until| *until > now)
            .min()
    }

    /// Why no better source than this is used.
    pub(super) fn why(&self, source: StreamSource) -> FallbackReason {
        match source {
            StreamSource::Scrcpy => FallbackReason::Nothing,
            StreamSource::Screenrecord => self.scrcpy.why,
            StreamSource::Captures => match self.screenrecord.why {
                FallbackReason::Nothing => self.scrcpy.why,
                why => why,
            },
        }
    }

    /// A session of this source is over, or never was; it lived so long.
    pub(super) fn failed(
        &mut self,
        source: StreamSource,
        why: FallbackReason,
        lived: Duration,
        now: Instant,
    ) {
        let Some(step) = self.step_mut(source) else { return };
        step.why = why;
        step.failures = if lived >= GOOD { 1 } else { step.failures + 1 };
        step.until = Some(match why {
            FallbackReason::NoServer => now + MISSING,
            // Once more at once: a good session that ended may come back by itself.
            _ if lived >= GOOD => now,
            _ => now + (SOONEST * 2_u32.saturating_pow(step.failures - 1)).min(LATEST),
        });
    }

    /// A session of this source sends pictures.
    pub(super) fn stood(&mut self, source: StreamSource) {
        if let Some(step) = self.step_mut(source) {
            step.until = None;
            step.why = FallbackReason::Nothing;
        }
    }

    /// The phone is another one now, or the same anew: nothing is known.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    fn step(&self, source: StreamSource) -> Option<&Step> {
        match source {
            StreamSource::Scrcpy => Some(&self.scrcpy),
            StreamSource::Screenrecord => Some(&self.screenrecord),
            StreamSource::Captures => None,
        }
    }

    fn step_mut(&mut self, source: StreamSource) -> Option<&mut Step> {
        match source {
            StreamSource::Scrcpy => Some(&mut self.scrcpy),
            StreamSource::Screenrecord => Some(&mut self.screenrecord),
            StreamSource::Captures => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn what_fails_is_left_alone_and_tried_again() {
        let mut fallback = SourceFallback::default();
        let start = Instant::now();
        assert_eq!(fallback.best(start), Some(StreamSource::Scrcpy));
        fallback.failed(
            StreamSource::Scrcpy,
            FallbackReason::NotStarted,
            Duration::ZERO,
            start,
        );
        assert_eq!(fallback.best(start), Some(StreamSource::Screenrecord));
        assert_eq!(
            fallback.why(StreamSource::Screenrecord),
            FallbackReason::NotStarted
        );
        assert_eq!(
            fallback.next(Some(StreamSource::Screenrecord), start),
            Some(start + SOONEST)
        );
        fallback.failed(
            StreamSource::Screenrecord,
            FallbackReason::NoScreenrecord,
            SHORT,
            start,
        );
        assert_eq!(fallback.best(start), None);
        assert_eq!(
            fallback.why(StreamSource::Captures),
            FallbackReason::NoScreenrecord
        );
        assert_eq!(fallback.best(start + SOONEST), Some(StreamSource::Scrcpy));
        fallback.stood(StreamSource::Scrcpy);
        assert_eq!(fallback.why(StreamSource::Scrcpy), FallbackReason::Nothing);
        fallback.forget();
        assert_eq!(fallback.best(start), Some(StreamSource::Scrcpy));
    }

    #[tokio::test(start_paused = true)]
    async fn each_failure_makes_it_wait_twice_as_long() {
        let mut fallback = SourceFallback::default();
        let now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..9 {
            fallback.stood(StreamSource::Scrcpy);
            fallback.failed(StreamSource::Scrcpy, FallbackReason::Ended, SHORT, now);
            waits.push(
                fallback
                    .next(None, now)
                    .map_or(0, |until| (until - now).as_secs()),
            );
        }
        assert_eq!(waits, [2, 4, 8, 16, 32, 64, 120, 120, 120]);
        // One that lived long comes back at once, and is as good as new.
        fallback.failed(StreamSource::Scrcpy, FallbackReason::Ended, GOOD, now);
        assert_eq!(fallback.best(now), Some(StreamSource::Scrcpy));
        fallback.failed(StreamSource::Scrcpy, FallbackReason::Ended, SHORT, now);
        assert_eq!(fallback.next(None, now), Some(now + SOONEST * 2));
        fallback.failed(
            StreamSource::Scrcpy,
            FallbackReason::NoServer,
            Duration::ZERO,
            now,
        );
        assert_eq!(fallback.next(None, now), Some(now + MISSING));
    }
}
