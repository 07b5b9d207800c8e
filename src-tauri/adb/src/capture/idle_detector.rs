//! When a screen has come to rest, told from the changes a stream shows.
//!
//! A fixed pause is too long for most touches and too short for some. What a phone shows is watched instead: after a touch
//! it is given a moment to begin, and once it moves it has come to rest when nothing more changed for longer than it ever
//! paused within a movement. Both moments are learned for each phone. What goes on changing in one place (a spinner, a
//! video) holds nobody up for ever.

use protocol::Bounds;
use std::collections::VecDeque;
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
/// A change is in a place when it makes it larger by no more than this.
const SPILLS: f64 = 1.1;

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
pub(crate) struct IdleTiming {
    /// From a touch to the first change.
    first: Duration,
    /// Between two changes of one movement.
    pause: Duration,
}

impl Default for IdleTiming {
    fn default() -> Self {
        Self {
            first: FIRST.start,
            pause: PAUSE.start,
        }
    }
}

impl IdleTiming {
    /// Something moved soon after the screen had been called quiet: it was called so too early.
    pub(crate) fn too_early(&mut self, after: Duration) {
        self.pause = PAUSE.learn(self.pause, after);
    }

    /// What a screen that came to rest has taught.
    pub(crate) fn learn(&mut self, rest: &IdleDetector) {
        if let Some(first) = rest.first {
            self.first = FIRST.learn(self.first, first.saturating_duration_since(rest.touched));
        }
        if rest.moved() {
            // One change, and quiet after it, is a movement without a pause.
            self.pause = PAUSE.learn(self.pause, rest.longest.unwrap_or_default());
        }
    }
}

/// A screen after a touch.
#[derive(Clone, Debug)]
pub(crate) struct IdleDetector {
    pace: IdleTiming,
    touched: Instant,
    first: Option<Instant>,
    last: Option<Instant>,
    /// The longest pause between two changes.
    longest: Option<Duration>,
    /// The changes of the last moments, when and where, restless ones too.
    lately: VecDeque<(Instant, Bounds)>,
    /// The first of all of them.
    begun: Option<Instant>,
    /// Where it was restless before the touch.
    known: Option<Bounds>,
    /// Where it is restless now, and when it last was.
    restless: Option<(Bounds, Instant)>,
    /// What goes on in one place is waited for as well.
    wholly: bool,
    /// Pixels of a picture.
    area: f64,
}

impl IdleDetector {
    /// A screen that was touched at `touched`; `size` of its pictures in pixels.
    pub(crate) fn after(touched: Instant, pace: IdleTiming, size: (u32, u32)) -> Self {
        Self {
            pace,
            touched,
            first: None,
            last: None,
            longest: None,
            lately: VecDeque::new(),
            begun: None,
            known: None,
            restless: None,
            wholly: false,
            area: f64::from(size.0) * f64::from(size.1),
        }
    }

    /// What went on changing in one place before the touch may go on.
    pub(crate) fn knowing(mut self, place: Option<Bounds>) -> Self {
        self.known = place;
        self
    }

    /// Has it wait for what goes on changing in one place, too: a page that is loading.
    pub(crate) fn wholly(mut self) -> Self {
        self.wholly = true;
        self.known = None;
        self
    }

    /// Where it goes on changing though it has come to rest, and when it last did.
    pub(crate) fn restless(&self) -> Option<(Bounds, Instant)> {
        self.restless
    }

    /// A picture came that differs from the one before within `bounds`.
    pub(crate) fn changed(&mut self, at: Instant, bounds: Bounds) {
        if let Some(place) = self.restless_place(bounds, at).filter(|_| !self.wholly) {
            self.restless = Some((place, at));
            return;
        }
        // Something else moves: what was restless may be gone with it.
        self.known = None;
        self.restless = None;
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

    /// When something last changed that is not restless.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.last
    }

    /// Whether anything changed at all.
    pub(crate) fn moved(&self) -> bool {
        self.first.is_some()
    }

    /// The place in which a change is one of many: it has been changing there for long, and this is no farther out.
    fn restless_place(&mut self, bounds: Bounds, at: Instant) -> Option<Bounds> {
        while let Some((first, _)) = self.lately.front()
            && at.saturating_duration_since(*first) > RESTLESS
        {
            self.lately.pop_front();
        }
        let place = self.lately.iter().map(|(_, bounds)| *bounds).reduce(union);
        self.lately.push_back((at, bounds));
        let begun = *self.begun.get_or_insert(at);
        let long = at.saturating_duration_since(begun) >= RESTLESS;
        // Coding noise spills into its neighbours.
        let holds = |place: &Bounds| area(union(*place, bounds)) <= area(*place) * SPILLS;
        self.known
            .filter(&holds)
            .or_else(|| place.filter(|place| long && area(*place) <= self.area * PLACE && holds(place)))
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
    fn check(pace: IdleTiming, changes: &[(u64, Bounds)], expected: u64) -> IdleTiming {
        let touched = Instant::now();
        let mut rest = IdleDetector::after(touched, pace, WHOLE);
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
        let pace = IdleTiming::default();
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
        let pace = IdleTiming::default();
        let spinner = place(260, 600, 56, 56);
        let due = |bounds, expected| check(pace, &every(16, 40, 20_000, bounds), expected);
        due(spinner, 1224 + 220);
        // One dot after the other, round a ring.
        let dots: Vec<(u64, Bounds)> = (0..150_u64)
            .map(|at| {
                let turn = f64::from(u32::try_from(at % 8).unwrap()) / 8.0 * std::f64::consts::TAU;
                let side = |part: f64| (30.0 * part) as i32;
                (
                    40 + at * 133,
                    place(280 + side(turn.cos()), 600 + side(turn.sin()), 16, 16),
                )
            })
            .collect();
        check(pace, &dots, 40 + 9 * 133 + 220);
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
    async fn what_turns_is_waited_for_where_that_is_wanted() {
        let spinner = place(260, 600, 56, 56);
        let touched = Instant::now();
        let at = |ms| touched + Duration::from_millis(ms);
        let mut rest = IdleDetector::after(touched, IdleTiming::default(), WHOLE)
            .knowing(Some(spinner))
            .wholly();
        for ms in (40..=3000).step_by(16) {
            assert!(at(ms) < rest.due(), "called quiet while it turns");
            rest.changed(at(ms), spinner);
        }
        assert_eq!(rest.due(), at(3000 + 220));
        assert_eq!(rest.restless(), None);
    }

    #[tokio::test]
    async fn what_was_restless_before_the_touch_is_known() {
        let spinner = place(260, 600, 56, 56);
        let touched = Instant::now();
        let at = |ms| touched + Duration::from_millis(ms);
        let mut rest = IdleDetector::after(touched, IdleTiming::default(), WHOLE).knowing(Some(spinner));
        rest.changed(at(200), spinner);
        assert!(!rest.moved());
        assert_eq!(rest.restless(), Some((spinner, at(200))));
        // It goes, with all of the page.
        rest.changed(at(300), place(0, 0, 576, 1280));
        rest.changed(at(310), spinner);
        assert!(rest.moved());
        assert_eq!(rest.restless(), None);
        assert_eq!(rest.due(), at(310 + 220));
    }

    #[tokio::test]
    async fn both_moments_are_learned() {
        let all = place(0, 0, 576, 1280);
        let mut pace = IdleTiming::default();
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
        // One slow moment is not for ever, where each touch changes one thing once; where nothing changes nothing is learned.
        let slow = check(pace, &[], 120);
        assert_eq!(slow.pause, PAUSE.most);
        for _ in 0..20 {
            let pause = u64::try_from(pace.pause.as_millis()).unwrap();
            pace = check(pace, &[(30, place(260, 600, 56, 56))], 30 + pause);
        }
        assert_eq!(pace.pause.as_millis(), 102);
    }
}
