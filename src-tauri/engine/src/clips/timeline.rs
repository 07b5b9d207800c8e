//! From the times of streams to those of a clip.

use std::time::Duration;
use tokio::time::Instant;

/// A stream's clock and this computer's may differ by so much: a picture is on its way for a while, and is waited for. Where
/// they differ by more, the stream's clock is another from there on.
const APART: u64 = 2_000_000;

/// Where a clip's times come from: pictures stand as far apart as the phone says. Where another stream goes on, whose clock
/// begins elsewhere, they stand there as they arrived.
#[derive(Debug)]
pub(super) struct Timeline {
    /// A picture's time on its stream's clock, and in the clip.
    base: (u64, u64),
    /// Where the last picture stands in the clip, and when it arrived.
    last: (u64, Instant),
}

impl Timeline {
    /// It begins with this picture.
    pub(super) fn new(time: u64, arrived: Instant) -> Self {
        Self {
            base: (time, 0),
            last: (0, arrived),
        }
    }

    /// Where the next picture stands in the clip, in microseconds.
    pub(super) fn picture(&mut self, time: u64, arrived: Instant) -> u64 {
        let expected = self.at(arrived);
        let told = self.told(time).filter(|told| told.abs_diff(expected) <= APART);
        let at = told.unwrap_or_else(|| {
            self.base = (time, expected);
            expected
        });
        self.last = (at, arrived);
        at
    }

    /// Where a packet of sound stands; nowhere when it was heard before the first picture.
    pub(super) fn sound(&self, time: u64, arrived: Instant) -> Option<u64> {
        let expected = self.at(arrived);
        match self.told(time) {
            Some(told) if told.abs_diff(expected) <= APART => Some(told),
            // Shortly before the beginning.
            None if self.base.0.saturating_sub(time) <= APART && expected <= APART => None,
            _ => Some(expected),
        }
    }

    /// Where a moment is in the clip, by this computer's clock.
    pub(super) fn at(&self, now: Instant) -> u64 {
        let since = now.saturating_duration_since(self.last.1);
        self.last.0 + micros(since)
    }

    /// Where the last picture stands.
    pub(super) fn last(&self) -> u64 {
        self.last.0
    }

    fn told(&self, time: u64) -> Option<u64> {
        (time + self.base.1).checked_sub(self.base.0)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds at which something arrives, its time on the stream's clock, and where it then stands in the clip.
    #[track_caller]
    fn check(pictures: &[(u64, u64, u64)], sounds: &[(u64, u64, Option<u64>)]) {
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        let mut line = Timeline::new(pictures[0].1, at(pictures[0].0));
        for (arrived, time, expected) in &pictures[1..] {
            assert_eq!(
                line.picture(*time, at(*arrived)),
                *expected,
                "the picture of {time}"
            );
        }
        for (arrived, time, expected) in sounds {
            assert_eq!(line.sound(*time, at(*arrived)), *expected, "the sound of {time}");
        }
    }

    #[test]
    fn a_stream_goes_by_its_own_clock_and_another_by_when_it_arrived() {
        let from = 8_000_000_000;
        // The phone's times, whenever they arrive.
        check(
            &[
                (0, from, 0),
                (90, from + 33_333, 33_333),
                (95, from + 66_666, 66_666),
                (1900, from + 100_000, 100_000),
            ],
            &[
                (1910, from + 110_000, Some(110_000)),
                (3000, from + 1_200_000, Some(1_200_000)),
            ],
        );
        // A still screen.
        check(&[(0, from, 0), (9_000, from + 9_100_000, 9_100_000)], &[]);
        // Another stream with a clock of its own: it stands where it arrived, and goes by its own times from there on.
        check(
            &[(0, from, 0), (1000, 5_000, 1_000_000), (1010, 38_333, 1_033_333)],
            &[],
        );
        check(
            &[(0, 7, 0), (500, from, 500_000), (700, from + 100_000, 600_000)],
            &[],
        );
        // What was heard before the first picture, and at its moment.
        check(
            &[(0, from, 0)],
            &[
                (3, from - 40_000, None),
                (20, from, Some(0)),
                (25, from + 21_333, Some(21_333)),
            ],
        );
    }
}
