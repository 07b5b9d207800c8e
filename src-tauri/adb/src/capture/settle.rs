//! The phone's stream, kept open while a run acts: it tells when the screen has come to rest, and what it shows then.
//!
//! It is opened by the first look or touch and closed a while after the last. A stream can stop without a word, and a quiet
//! one looks the same: so where nothing moved it is asked for a key frame, which only a living one gives. Where none comes, or none
//! can be asked for, the caller takes a capture.
//!
//! The same stream tells later whether anything has changed since a picture ([`SettleDetector::changed_since`]): what a phone
//! has not drawn need not be looked at again.

use crate::capture::compare::change;
use crate::capture::idle_detector::{IdleDetector, IdleTiming};
use crate::capture::lock;
use crate::capture::stream_positions::StreamPositions;
use crate::stream::{Feed, NewestPicture, PictureInfo, StreamRequest, StreamSource};
use agent::ports::ScreenMark;
use protocol::{Bounds, Frame};
use screen::picture::{CODING_NOISE, NOISE};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};
use tokio_util::task::AbortOnDropHandle;

/// What a model is sent at most, as often as a movement must be told from its end.
const REQUEST: StreamRequest = StreamRequest {
    longest_side: 1280,
    fps: 30,
};
/// How long after the last touch the stream is kept.
const KEPT: Duration = Duration::from_secs(30);
/// A movement so soon after the screen was called quiet was one movement with it.
const SOON: Duration = Duration::from_millis(1500);

/// A place that changed so shortly ago goes on changing.
const LIVELY: Duration = Duration::from_millis(250);
/// How long a living stream may take for a key frame.
const ANSWERS: Duration = Duration::from_millis(400);

/// What came of a touch, as the stream showed it.
#[derive(Debug)]
pub(crate) enum SettleResult {
    /// There is no stream, or not yet.
    Unseen,
    /// Nothing moved, or nothing was shown of it. What the stream showed last.
    Silent(Frame, Option<ScreenMark>),
    /// What it shows, once it came to rest or was given up waiting for.
    Seen {
        seen: PictureInfo,
        frame: Frame,
        /// Nothing changed any more.
        quiet: bool,
        /// Where it goes on changing all the same, in the screen's pixels.
        restless: Option<Bounds>,
        /// For [`SettleDetector::changed_since`].
        mark: Option<ScreenMark>,
    },
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettleGoal {
    /// Rest, but for what goes on changing in one place.
    Rest,
    /// That nothing changes anywhere.
    Stillness,
}

pub(crate) struct SettleDetector {
    feed: Feed,
    state: Arc<Mutex<State>>,
    positions: StreamPositions,
    /// One waits at a time.
    open: Arc<tokio::sync::Mutex<Option<Open>>>,
    /// When the screen that is waited for moved last; nothing where it has not.
    moved: watch::Sender<Option<Instant>>,
}

/// What is known of a phone's movements, by what set them going: an app that opens shows its first frame and later its content, with
/// a longer pause between them than pages have.
#[derive(Default)]
struct Paces {
    touch: IdleTiming,
    opening: IdleTiming,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MotionTrigger {
    #[default]
    Touch,
    Opening,
}

impl Paces {
    fn of(&mut self, trigger: MotionTrigger) -> &mut IdleTiming {
        match trigger {
            MotionTrigger::Touch => &mut self.touch,
            MotionTrigger::Opening => &mut self.opening,
        }
    }
}

#[derive(Default)]
struct State {
    paces: Paces,
    /// What sets going what is waited for next.
    next: MotionTrigger,
    /// What had set going what came to rest last.
    last: MotionTrigger,
    used: Option<Instant>,
    /// When the screen was last called quiet.
    rested: Option<Instant>,
    /// Where it went on changing then.
    restless: Option<Bounds>,
    /// Nothing moved yet, and the stream cannot be asked whether it lives.
    needs_capture: bool,
}

struct Open {
    newest: NewestPicture,
    /// What was last looked at, by its session and its number there.
    last: Option<(u64, u64, Frame)>,
    /// Sees what comes between two questions.
    _follows: AbortOnDropHandle<()>,
}

impl SettleDetector {
    pub(crate) fn new(feed: Feed) -> Self {
        Self {
            feed,
            state: Arc::default(),
            positions: StreamPositions::default(),
            open: Arc::default(),
            moved: watch::Sender::new(None),
        }
    }

    /// Waits until the screen rests after a touch, at most until `until`; what turns in one place only where that is wanted.
    pub(crate) async fn rest(&self, touched: Instant, until: Instant, wants: SettleGoal) -> SettleResult {
        self.watch(touched, until, wants)
            .await
            .unwrap_or(SettleResult::Unseen)
    }

    /// When the screen that is waited for moved last.
    pub(crate) fn moved(&self) -> watch::Receiver<Option<Instant>> {
        self.moved.subscribe()
    }

    /// Whether what is waited for next is an app that opens.
    pub(crate) fn opens(&self, opens: bool) {
        self.state().next = match opens {
            true => MotionTrigger::Opening,
            false => MotionTrigger::Touch,
        };
    }

    /// Whether what is waited for is likely to need a capture in the end.
    pub(crate) fn needs_capture(&self) -> bool {
        self.state().needs_capture
    }

    /// Opens the stream of a phone that answers and is being touched, for the next time.
    pub(crate) async fn open(&self) {
        let mut open = self.open.lock().await;
        if open.is_none() {
            let newest = NewestPicture::exact(&self.feed, REQUEST);
            let follows =
                AbortOnDropHandle::new(tokio::spawn(self.positions.clone().follow(newest.glance())));
            *open = Some(Open {
                newest,
                last: None,
                _follows: follows,
            });
        }
        drop(open);
        self.keep();
    }

    /// The same for whoever begins: a phone that was away, or had no stream before, is tried again at once.
    pub(crate) async fn begin(&self) {
        self.feed.nudge();
        self.open().await;
    }

    /// What the stream shows now, marked: what is drawn later is drawn after it. Nothing where there is no stream, or
    /// somebody waits for it to come to rest.
    pub(crate) async fn mark(&self) -> Option<(ScreenMark, Frame)> {
        let mut open = self.open.try_lock().ok()?;
        let session = self.feed.session();
        let (seen, frame) = open.as_mut()?.newest.frame().await?;
        Some((self.positions.add(session, seen.seq, &frame), frame))
    }

    /// Whether the stream showed anything else since `mark`, the status bar and a caret aside. *No* is only said where the
    /// stream gave the key frame it was asked for, in the session of the mark. Nothing where it cannot tell.
    pub(crate) async fn changed_since(&self, mark: ScreenMark) -> Option<bool> {
        let until = Instant::now() + ANSWERS;
        let mut open = timeout_at(until, self.open.lock()).await.ok()?;
        let Open { newest, .. } = open.as_mut()?;
        self.keep();
        let asked = Instant::now();
        let answers = newest.ask_for_key();
        loop {
            let (seen, frame) = newest.frame().await?;
            let changed = self
                .positions
                .changed(mark, self.feed.session(), seen.seq, &frame)
                .await?;
            if changed {
                return Some(true);
            }
            if !answers {
                return None;
            }
            if seen.keyed.is_some_and(|keyed| keyed >= asked) {
                return Some(false);
            }
            timeout_at(until, newest.changed()).await.ok()?;
        }
    }

    async fn watch(&self, touched: Instant, until: Instant, wants: SettleGoal) -> Option<SettleResult> {
        let mut open = self.open.lock().await;
        let Open { newest, last, .. } = open.as_mut()?;
        self.keep();
        let session = self.feed.session();
        let (seen, frame) = newest.frame().await?;
        // What another session shows, of a phone that was away meanwhile, is no change of this screen.
        let before = last.take().filter(|(of, _, _)| *of == session);
        let (trigger, pace, rested, restless) = {
            let mut state = self.state();
            let trigger = match wants {
                SettleGoal::Rest => std::mem::take(&mut state.next),
                SettleGoal::Stillness => state.last,
            };
            (trigger, *state.paces.of(trigger), state.rested, state.restless)
        };
        let mut rest = IdleDetector::after(touched, pace, (frame.width, frame.height)).knowing(restless);
        if wants == SettleGoal::Stillness {
            rest = rest.wholly();
        }
        self.state().needs_capture = seen.source != StreamSource::Scrcpy;
        self.moved.send_replace(None);
        let mut now = (seen, frame);
        // What the touch did may be here already.
        if let Some((_, seq, old)) = before
            && seq != now.0.seq
            && let Some(bounds) = change(&old, &now.1, NOISE).await
        {
            if now.0.arrived >= touched {
                rest.changed(now.0.arrived, bounds);
                self.moved.send_replace(rest.last());
            } else if restless.is_none() {
                self.moved_after_rest(rested, now.0.arrived);
            }
        }
        // Since when a key frame is waited for, where nothing moves.
        let mut asked: Option<Instant> = None;
        let mut lives = false;
        while !lives {
            let due = match asked {
                Some(asked) if !rest.moved() => asked + ANSWERS,
                _ => rest.due(),
            };
            tokio::select! {
                biased;
                () = newest.changed() => {}
                () = sleep_until(due.min(until)) => {
                    // What moves on in its place lives.
                    lives = rest.restless().is_some_and(|(_, at)| at + LIVELY >= due);
                    if lives || rest.moved() || asked.is_some() || due >= until || !newest.ask_for_key() {
                        break;
                    }
                    asked = Some(Instant::now());
                    continue;
                }
            }
            let next = newest.frame().await?;
            if next.0.seq == now.0.seq {
                continue;
            }
            let answers = !rest.moved() && asked.is_some_and(|asked| next.0.arrived >= asked);
            let noise = if answers { CODING_NOISE } else { NOISE };
            match change(&now.1, &next.1, noise).await {
                Some(bounds) => {
                    rest.changed(next.0.arrived, bounds);
                    self.moved.send_replace(rest.last());
                    self.state().needs_capture &= !rest.moved() && rest.restless().is_none();
                }
                // A key frame is coarser than what was refined before it, and shows nothing new.
                None if answers => {
                    lives = true;
                    now.0 = next.0;
                    continue;
                }
                None => {}
            }
            now = next;
        }
        let quiet = Instant::now() < until;
        *last = Some((session, now.0.seq, now.1.clone()));
        {
            let mut state = self.state();
            state.rested = Some(Instant::now());
            state.restless = rest.restless().map(|(place, _)| place);
            state.last = trigger;
            // How a ring turns says nothing of how pages move.
            if quiet && wants == SettleGoal::Rest {
                state.paces.of(trigger).learn(&rest);
            }
        }
        let (seen, frame) = now;
        let mark = (self.feed.session() == session).then(|| self.positions.add(session, seen.seq, &frame));
        let restless = rest.restless().map(|(place, _)| on_screen(place, &frame, &seen));
        if !rest.moved() && !lives {
            return Some(SettleResult::Silent(frame, mark));
        }
        Some(SettleResult::Seen {
            seen,
            frame,
            quiet,
            restless,
            mark,
        })
    }

    /// Something moved between the last rest and this touch: where that was soon after, the rest was called too early.
    fn moved_after_rest(&self, rested: Option<Instant>, arrived: Instant) {
        let after = rested.and_then(|rested| arrived.checked_duration_since(rested));
        let Some(after) = after.filter(|after| *after <= SOON) else {
            return;
        };
        let mut state = self.state();
        let last = state.last;
        tracing::debug!(?after, cause = ?last, "a screen was called quiet too early");
        state.paces.of(last).too_early(after);
    }

    /// Keeps the stream open for a while from now on.
    fn keep(&self) {
        let mut state = self.state();
        let first = state.used.is_none();
        state.used = Some(Instant::now());
        drop(state);
        if first {
            self.close_later();
        }
    }

    /// Closes the stream once nobody has touched the phone for a while.
    fn close_later(&self) {
        let (open, state) = (Arc::downgrade(&self.open), Arc::downgrade(&self.state));
        let positions = self.positions.clone();
        tokio::spawn(async move {
            loop {
                let Some(until) = state.upgrade().and_then(|state| lock(&state).used) else {
                    return;
                };
                sleep_until(until + KEPT).await;
                let (Some(open), Some(state)) = (open.upgrade(), state.upgrade()) else {
                    return;
                };
                let mut open = open.lock().await;
                let mut state = lock(&state);
                if state.used.is_none_or(|used| used + KEPT <= Instant::now()) {
                    *open = None;
                    state.used = None;
                    positions.clear();
                    return;
                }
            }
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// A place of a stream's picture, in pixels of the screen.
fn on_screen(place: Bounds, frame: &Frame, seen: &PictureInfo) -> Bounds {
    let scaled = |at: i32, whole: u32, of: u32| {
        i32::try_from(i64::from(at) * i64::from(whole) / i64::from(of.max(1))).unwrap_or(at)
    };
    let (width, height) = (u32::from(seen.screen.0), u32::from(seen.screen.1));
    Bounds {
        left: scaled(place.left, width, frame.width),
        top: scaled(place.top, height, frame.height),
        right: scaled(place.right, width, frame.width),
        bottom: scaled(place.bottom, height, frame.height),
    }
}
