//! When a screen has come to rest, told from the changes a stream shows.
//!
//! A fixed pause is too long for most touches and too short for some. What a phone shows is watched instead: after a touch
//! it is given a moment to begin, and once it moves it has come to rest when nothing more changed for longer than it ever
//! paused within a movement. Both moments are learned for each phone. What goes on changing in one place (a spinner, a
//! video) holds nobody up for ever.

use protocol::Bounds;
use std::time::Duration;
use tokio::time::Instant;

/// Before anything is known of a phone: how long it may take from a touch to the first change …
const FIRST: Moment = Moment {
    start: Duration::from_millis(350),
    least: Duration::from_millis(120),
    most: Duration::from_millis(800),
};
/// … and how long it may pause while it moves.
const PAUSE: Moment = Moment {
    start: Duration::from_millis(220),
    least: Duration::from_millis(100),
    most: Duration::from_millis(900),
};
/// A moment is so much longer than the longest that was seen.
const MARGIN: f64 = 1.5;
/// How much one observation counts when it makes a moment shorter.
const SHARE: f64 = 0.25;
/// After so long of changes in one place, that place does not count any more.
const RESTLESS: Duration = Duration::from_millis(1200);
/// A place is at most so much of the screen.
const PLACE: f64 = 0.5;

#[derive(Clone, Copy)]
struct Moment {
    start: Duration,
    least: Duration,
    most: Duration,
}

impl Moment {
    /// What is expected after one more was seen: longer at once, shorter bit by bit.
    fn learn(self, known: Duration, seen: Duration) -> Duration {
        let wanted = seen.mul_f64(MARGIN).clamp(self.least, self.most);
        if wanted >= known {
            return wanted;
        }
        known.mul_f64(1.0 - SHARE) + wanted.mul_f64(SHARE)
    }
}

/// What was learned of one phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    /// From a touch to the first change.
    first: Duration,
    /// Between two changes of one movement.
    pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            first: FIRST.start,
            pause: PAUSE.start,
        }
    }
}

impl Pace {
    /// Something moved soon after the screen had been called quiet: it was called so too early.
    pub(crate) fn too_early(&mut self, after: Duration) {
        self.pause = PAUSE.learn(self.pause, after);
    }

    /// What a screen that came to rest has taught.
    pub(crate) fn learn(&mut self, rest: &Rest) {
        if let Some(first) = rest.first {
            self.first = FIRST.learn(self.first, first.saturating_duration_since(rest.touched));
        }
        if let Some(longest) = rest.longest {
            self.pause = PAUSE.learn(self.pause, longest);
        }
    }
}

/// A screen after a touch.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pace: Pace,
    touched: Instant,
    first: Option<Instant>,
    last: Option<Instant>,
    /// The longest pause between two changes.
    longest: Option<Duration>,
    /// Where it has been changing, and nowhere else, since when.
    place: Option<(Bounds, Instant)>,
    /// Pixels of a picture.
    area: f64,
}

impl Rest {
    /// A screen that was touched at `touched`; `size` of its pictures in pixels.
    pub(crate) fn after(touched: Instant, pace: Pace, size: (u32, u32)) -> Self {
        Self {
            pace,
            touched,
            first: None,
            last: None,
            longest: None,
            place: None,
            area: f64::from(size.0) * f64::from(size.1),
        }
    }

    /// A picture came that differs from the one before within `bounds`.
    pub(crate) fn changed(&mut self, at: Instant, bounds: Bounds) {
        if self.is_restless_in(bounds, at) {
            return;
        }
        self.first.get_or_insert(at);
        if let Some(last) = self.last {
            let pause = at.saturating_duration_since(last);
            self.longest = Some(self.longest.map_or(pause, |longest| longest.max(pause)));
        }
        self.last = Some(at);
    }

    /// When the screen will have come to rest, should nothing more change.
    pub(crate) fn due(&self) -> Instant {
        match self.last {
            Some(last) => last + self.pace.pause,
            None => self.touched + self.pace.first,
        }
    }

    /// Whether anything changed at all.
    pub(crate) fn moved(&self) -> bool {
        self.first.is_some()
    }

    /// Whether a change is one of many in the same place.
    fn is_restless_in(&mut self, bounds: Bounds, at: Instant) -> bool {
        let (place, since) = match self.place {
            // A place may grow a little: coding noise spills into its neighbours.
            Some((place, since)) if area(union(place, bounds)) <= area(place) * 1.1 => {
                (union(place, bounds), since)
            }
            Some((place, since)) if area(bounds) <= area(place) && meets(place, bounds) => {
                (union(place, bounds), since)
            }
            _ => (bounds, at),
        };
        self.place = Some((place, since));
        at.saturating_duration_since(since) >= RESTLESS && area(place) <= self.area * PLACE
    }
}

fn union(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        left: a.left.min(b.left),
        top: a.top.min(b.top),
        right: a.right.max(b.right),
        bottom: a.bottom.max(b.bottom),
    }
}

fn meets(a: Bounds, b: Bounds) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

fn area(b: Bounds) -> f64 {
    f64::from((b.right - b.left).max(0)) * f64::from((b.bottom - b.top).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: (u32, u32) = (576, 1280);

    fn place(left: i32, top: i32, width: i32, height: i32) -> Bounds {
        Bounds {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }

    /// Milliseconds after the touch at which the screen is called quiet: changes come at their times for as long as it is
    /// not. Beside it, what was learned.
    fn check(pace: Pace, changes: &[(u64, Bounds)], expected: u64) -> Pace {
        let touched = Instant::now();
        let mut rest = Rest::after(touched, pace, WHOLE);
        for (at, bounds) in changes {
            let at = touched + Duration::from_millis(*at);
            if at >= rest.due() {
                break;
            }
            rest.changed(at, *bounds);
        }
        let took = rest.due() - touched;
        assert_eq!(took.as_millis(), u128::from(expected), "{changes:?}");
        let mut learned = pace;
        learned.learn(&rest);
        learned
    }

    fn every(ms: u64, from: u64, to: u64, bounds: Bounds) -> Vec<(u64, Bounds)> {
        (from..=to)
            .step_by(usize::try_from(ms).unwrap())
            .map(|at| (at, bounds))
            .collect()
    }

    #[tokio::test]
    async fn a_screen_is_quiet_when_nothing_changed_for_a_pause() {
        let all = place(0, 0, 576, 1280);
        let pace = Pace::default();
        // Nothing moves: only the first moment is waited.
        check(pace, &[], 350);
        // A ripple, then a new page.
        check(pace, &every(16, 40, 360, all), 360 + 220);
        // A page that comes later than its button's ripple, within a pause.
        let mut late = every(16, 40, 120, place(20, 900, 300, 80));
        late.extend(every(16, 320, 520, all));
        check(pace, &late, 512 + 220);
        // Later than a pause: that was too early, and is learned elsewhere.
        let mut later = every(16, 40, 120, place(20, 900, 300, 80));
        later.extend(every(16, 420, 520, all));
        check(pace, &later, 120 + 220);
    }

    #[tokio::test]
    async fn a_spinner_or_a_video_does_not_hold_it_for_ever() {
        let pace = Pace::default();
        let spinner = place(260, 600, 56, 56);
        let due = |bounds, expected| check(pace, &every(16, 40, 20_000, bounds), expected);
        due(spinner, 1224 + 220);
        // Half of the screen at most.
        due(place(0, 0, 576, 600), 1224 + 220);
        // A movement of the whole screen is waited for, whatever the bound of the caller.
        due(place(0, 0, 576, 1280), 20_000 - (20_000 - 40) % 16 + 220);
        // A spinner, and behind it the page that comes at last.
        let mut page = every(16, 40, 900, spinner);
        page.extend(every(16, 910, 1200, place(0, 0, 576, 1280)));
        check(pace, &page, 1198 + 220);
    }

    #[tokio::test]
    async fn both_moments_are_learned() {
        let all = place(0, 0, 576, 1280);
        let mut pace = Pace::default();
        for _ in 0..20 {
            pace = check(
                pace,
                &every(16, 30, 190, all),
                190 + u64::try_from(pace.pause.as_millis()).unwrap(),
            );
        }
        assert_eq!(pace.pause.as_millis(), 100, "never shorter than the least");
        assert_eq!(pace.first.as_millis(), 120);
        // A slow one, at once.
        pace.too_early(Duration::from_millis(400));
        assert_eq!(pace.pause.as_millis(), 600);
        pace.too_early(Duration::from_secs(3));
        assert_eq!(pace.pause, PAUSE.most);
    }
}
