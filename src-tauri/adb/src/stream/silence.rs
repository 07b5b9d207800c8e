//! How long a stream without framing is silent before what came of a picture is taken as all of it.
//!
//! Waiting makes every picture later; not waiting long enough shows half of one, and the stream has to begin again. How far
//! apart the pieces of one picture come depends on the phone and the cable, so it is learned from the pieces.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Before anything is known.
const FIRST: Duration = Duration::from_millis(8);
/// The same for a picture whose pieces come one by one.
const FIRST_IN_PIECES: Duration = Duration::from_millis(32);
/// So many gaps inside pictures are something to go by.
const KNOWN_BY: u32 = 12;
/// After so many pictures that were whole it is tried with a little less.
const LESS_AFTER: u32 = 40;
const LESS: Duration = Duration::from_millis(1);
/// So many times the longest gap of late is none.
const MARGIN: u32 = 3;
/// A process of the phone may have to wait for its turn so long.
const LEAST: Duration = Duration::from_millis(3);
const MOST: Duration = Duration::from_millis(250);

/// What is known of one phone's stream. It outlives a session.
#[derive(Debug, Default)]
pub(super) struct Silence(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The longest gap between two pieces of one picture, forgotten by and by.
    gap: Duration,
    gaps: u32,
    /// Shorter ones were in the middle of a picture.
    floor: Duration,
    /// Pictures that were taken as whole, and were.
    kept: u32,
}

impl Silence {
    /// A picture is taken as whole.
    pub(super) fn kept(&self) {
        let mut known = self.known();
        known.kept = known.kept.saturating_add(1);
    }

    /// Between two pieces of one picture there was this.
    pub(super) fn within(&self, gap: Duration) {
        self.known().learn(gap);
    }

    /// A picture was taken as whole, and its rest came after this.
    pub(super) fn torn(&self, gap: Duration) {
        let mut known = self.known();
        known.learn(gap);
        known.kept = 0;
        known.floor = (gap * 3 / 2).max(known.floor * 2).clamp(LEAST, MOST);
    }

    /// After so much silence a picture is whole; `in_pieces` when more than one piece of it came.
    pub(super) fn enough(&self, in_pieces: bool) -> Duration {
        let known = self.known();
        let learned = match (known.gaps >= KNOWN_BY, in_pieces) {
            (true, _) => LEAST,
            (false, true) => FIRST_IN_PIECES,
            (false, false) => FIRST.saturating_sub(LESS * (known.kept / LESS_AFTER)).max(LEAST),
        };
        learned.max(known.gap * MARGIN).max(known.floor).min(MOST)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn learn(&mut self, gap: Duration) {
        self.gap = gap.max(self.gap - self.gap / 32).min(MOST);
        self.gaps = self.gaps.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn check(gaps: &[u64], torn: &[u64], expected: (u64, u64)) {
        let silence = Silence::default();
        for gap in gaps {
            silence.within(ms(*gap));
        }
        for gap in torn {
            silence.torn(ms(*gap));
        }
        let enough = (silence.enough(false), silence.enough(true));
        assert_eq!(
            enough,
            (ms(expected.0), ms(expected.1)),
            "{gaps:?}, torn after {torn:?}"
        );
    }

    #[test]
    fn it_is_as_long_as_the_pieces_are_apart() {
        check(&[], &[], (8, 32));
        check(&[0; 4], &[], (8, 32));
        // Pieces that come together: nearly at once.
        check(&[0; 40], &[], (3, 3));
        check(&[5], &[], (15, 32));
        // Half a picture was shown: not so soon again.
        check(&[0; 40], &[20], (60, 60));
        check(&[], &[400], (250, 250));
    }

    #[test]
    fn what_is_whole_every_time_is_waited_for_less_and_less() {
        let silence = Silence::default();
        for (pictures, expected) in [(39, 8), (1, 7), (80, 5), (1000, 3)] {
            (0..pictures).for_each(|_| silence.kept());
            assert_eq!(silence.enough(false), ms(expected));
            assert_eq!(silence.enough(true), ms(32));
        }
        silence.torn(ms(4));
        assert_eq!(silence.enough(false), ms(12));
    }

    #[test]
    fn what_was_long_ago_is_forgotten_but_never_what_tore() {
        let silence = Silence::default();
        silence.within(ms(40));
        for _ in 0..200 {
            silence.within(ms(0));
        }
        assert_eq!(silence.enough(true), LEAST);
        silence.torn(ms(40));
        for _ in 0..200 {
            silence.within(ms(0));
        }
        assert_eq!(silence.enough(true), ms(60));
    }
}
