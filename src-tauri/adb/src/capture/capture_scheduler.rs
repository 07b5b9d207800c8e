//! One phone's captures, taken once for whoever asked for them.
//!
//! Captures are taken one at a time and handed to everybody: to the window's mirror, to the agent's look, to the
//! question whether the screen has settled. Whoever needs a picture says since when it must have been begun; a newer
//! one that is there already is taken, else the next is waited for. The newest is held for the next to be compared with, and
//! given up a while after the last: a phone nobody looks at holds no ten megabytes.

use crate::capture::lock;
use crate::capture::screens::{self, Screens};
use crate::capture::shot::{CapturedPicture, ScreencapMode, is_secure, judge, take};
use crate::clock::now;
use crate::connect::route::Route;
use crate::connect::server::Device;
use crate::error::AdbError;
use crate::stream::of_several;
use protocol::{CaptureResult, Frame, Millis};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until};

/// Between the end of a capture and the start of the next.
const PAUSE: Duration = Duration::from_millis(100);
/// The same while the screen stays black or the phone does not answer.
const LONG_PAUSE: Duration = Duration::from_secs(1);
/// How long the answer to whether a window is hidden holds for a picture that does not change.
const JUDGED_FOR: Duration = Duration::from_secs(2);
/// How long the newest picture is held when nobody watches.
const HELD: Duration = Duration::from_secs(20);

/// One picture of a phone, as a capture gave it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// How the capture went.
    pub capture: CaptureResult,
    /// The picture; absent when there is none.
    pub frame: Option<Frame>,
    /// When it was begun.
    pub at: Millis,
    /// Counts the captures of this phone, from 1.
    pub seq: u64,
    /// It differs from the one before, in any pixel or in how it went. Unchanged ones share their pixels.
    pub changed: bool,
    pub(crate) begun: Instant,
    pub(crate) done: Instant,
    /// When it was last asked whether its window is hidden; pictures that did not change since share the answer.
    judged: Instant,
}

impl Picture {
    /// Since when another picture must have been begun to be a later one: after this one's end, for a capture that fails at
    /// once ends as it begins.
    pub(crate) fn later(&self) -> Instant {
        self.done + Duration::from_nanos(1)
    }
}

pub(crate) struct CaptureScheduler {
    me: Weak<Self>,
    route: Arc<Route>,
    /// One capture at a time; what worked last, and how often since.
    turn: tokio::sync::Mutex<(ScreencapMode, u64)>,
    newest: watch::Sender<Option<Arc<Picture>>>,
    /// How large the last picture was, and when it was begun: known also when it is given up.
    size: Mutex<Option<(Instant, (u16, u16))>>,
    /// Somebody sees to it that the newest is given up.
    forgets: AtomicBool,
    seq: AtomicU64,
    touched: Mutex<Option<Instant>>,
    screens: Mutex<Screens>,
    woken: Notify,
    watching: Mutex<bool>,
}

impl CaptureScheduler {
    pub(crate) fn new(route: Arc<Route>) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            size: Mutex::default(),
            forgets: AtomicBool::new(false),
            route,
            turn: tokio::sync::Mutex::new((ScreencapMode::Raw, 0)),
            newest: watch::Sender::new(None),
            seq: AtomicU64::new(0),
            touched: Mutex::new(None),
            screens: Mutex::default(),
            woken: Notify::new(),
            watching: Mutex::new(false),
        })
    }

    /// The phone is being touched, or was just now: older pictures show what was before.
    pub(crate) fn touch(&self) {
        *lock(&self.touched) = Some(Instant::now());
        self.woken.notify_waiters();
    }

    /// When it was last touched.
    pub(crate) fn touched(&self) -> Option<Instant> {
        *lock(&self.touched)
    }

    /// The logical display a person looks at, where it is not the phone's own (a cover screen).
    pub(crate) fn other_display(&self) -> Option<u32> {
        lock(&self.screens)
            .shown
            .map(|one| one.logical)
            .filter(|number| *number != 0)
    }

    /// Takes a picture of the display that is looked at. Where there are several it is asked which, every time: a phone is
    /// folded between two pictures. Whether there are several is asked once, when a picture is black or there is none, where
    /// the phone does not say so itself.
    async fn take_shown(
        &self,
        device: &Device,
        turn: &mut (ScreencapMode, u64),
        before: Option<Frame>,
    ) -> Result<CapturedPicture, AdbError> {
        let known = *lock(&self.screens);
        let panel = known.shown.and_then(|one| one.physical);
        let taken = if known.several {
            let (taken, shown) =
                tokio::join!(take(device, turn, before.clone(), panel), screens::shown(device));
            if shown.is_some() {
                lock(&self.screens).shown = shown;
            }
            taken
        } else {
            let taken = take(device, turn, before.clone(), None).await;
            let shown = match &taken {
                Ok(taken) if taken.several => screens::shown(device).await,
                // Up to Android 12 a phone with two panels does not say so, and its first may be off.
                Ok(taken) if !taken.darkness.is_black() => None,
                Err(error) if error.is_unreachable() || matches!(error, AdbError::Slow(_)) => None,
                _ if known.single => None,
                _ => {
                    let asked = of_several(device).await;
                    lock(&self.screens).single = matches!(asked, Ok(None));
                    asked.ok().flatten()
                }
            };
            let several = shown.is_some() || matches!(&taken, Ok(taken) if taken.several);
            if !several {
                return taken;
            }
            *lock(&self.screens) = Screens {
                several,
                single: false,
                shown,
            };
            taken
        };
        let now = lock(&self.screens).shown.and_then(|one| one.physical);
        if now.is_some() && now != panel {
            return take(device, turn, before, now).await;
        }
        taken
    }

    /// The size of the newest picture, where it is no older.
    pub(crate) fn size(&self, age: Duration) -> Option<(u16, u16)> {
        let (begun, size) = (*lock(&self.size))?;
        (begun.elapsed() <= age).then_some(size)
    }

    /// Gives the newest picture up once it is old and nobody watches.
    fn forget_later(&self) {
        if self.forgets.swap(true, Ordering::Relaxed) {
            return;
        }
        let me = self.me.clone();
        tokio::spawn(async move {
            let mut due = Instant::now() + HELD;
            loop {
                sleep_until(due).await;
                let Some(captures) = me.upgrade() else { return };
                let now = Instant::now();
                due = now + HELD;
                let watched = captures.newest.receiver_count() > 0;
                let mut over = false;
                captures.newest.send_if_modified(|newest| {
                    if let Some(young) = newest
                        .as_ref()
                        .map(|newest| newest.done + HELD)
                        .filter(|old| *old > now)
                    {
                        due = young;
                    } else if !watched {
                        *newest = None;
                        over = true;
                        captures.forgets.store(false, Ordering::Relaxed);
                    }
                    // Nobody is there to be told.
                    false
                });
                if over {
                    return;
                }
            }
        });
    }

    /// Since when a picture must have been begun to show the present: since the last touch, and not long ago.
    pub(crate) fn present(&self) -> Instant {
        let now = Instant::now();
        let recent = now.checked_sub(Duration::from_millis(250)).unwrap_or(now);
        lock(&self.touched).map_or(recent, |touched| touched.max(recent))
    }

    /// Since when, for a picture that shows what the last touch did.
    pub(crate) fn after_touch(&self) -> Instant {
        let now = Instant::now();
        lock(&self.touched).unwrap_or(now)
    }

    /// A picture begun at `since` or later.
    ///
    /// # Errors
    /// When the phone cannot be asked at all. A picture that could not be taken is a [`Picture`] that says so.
    pub(crate) async fn shoot(&self, since: Instant) -> Result<Arc<Picture>, AdbError> {
        let mut turn = self.turn.lock().await;
        let last = self.newest.borrow().clone();
        if let Some(last) = &last {
            if last.begun >= since {
                return Ok(Arc::clone(last));
            }
            sleep_until(last.done + PAUSE).await;
        }
        let begun = Instant::now();
        let at = now();
        let device = self.route.device();
        let before = last.as_deref().and_then(|last| last.frame.clone());
        let mut judged = begun;
        let mut changed = true;
        let (capture, frame) = match self.take_shown(&device, &mut turn, before).await {
            Ok(taken) => {
                changed = taken.changed;
                let held = last
                    .as_deref()
                    .filter(|last| !changed && last.judged + JUDGED_FOR > begun);
                let capture = match held {
                    Some(last) => {
                        judged = last.judged;
                        last.capture
                    }
                    None => judge(&device, taken.darkness).await,
                };
                (capture, Some(taken.frame))
            }
            Err(error) if error.is_unreachable() => return Err(error),
            Err(error) => {
                tracing::debug!(%error, "no picture");
                let answers = !matches!(error, AdbError::Slow(_));
                let hidden = answers && is_secure(&device).await == Some(true);
                let capture = if hidden {
                    CaptureResult::Protected
                } else {
                    CaptureResult::Failed
                };
                (capture, None)
            }
        };
        let picture = Arc::new(Picture {
            changed: changed || last.is_none_or(|last| last.capture != capture),
            capture,
            frame,
            at,
            seq: self.next(),
            begun,
            done: Instant::now(),
            judged,
        });
        let size = picture.frame.as_ref().and_then(|frame| {
            let side = |pixels: u32| u16::try_from(pixels).ok();
            Some((begun, (side(frame.width)?, side(frame.height)?)))
        });
        if size.is_some() {
            *lock(&self.size) = size;
        }
        self.newest.send_replace(Some(Arc::clone(&picture)));
        self.forget_later();
        Ok(picture)
    }

    fn next(&self) -> u64 {
        self.seq.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Subscribes to the pictures, and sees to it that there are some.
    fn watch(self: &Arc<Self>) -> watch::Receiver<Option<Arc<Picture>>> {
        let mut watching = lock(&self.watching);
        let mut receiver = self.newest.subscribe();
        // What is there is the first thing a new reader is shown.
        receiver.mark_changed();
        if !*watching {
            *watching = true;
            tokio::spawn(Arc::clone(self).run());
        }
        receiver
    }

    /// Captures for as long as somebody watches.
    async fn run(self: Arc<Self>) {
        let mut dull = 0_u32;
        loop {
            {
                let mut watching = lock(&self.watching);
                if self.newest.receiver_count() == 0 {
                    *watching = false;
                    return;
                }
            }
            let shot = tokio::select! {
                shot = self.shoot(Instant::now()) => shot,
                () = self.newest.closed() => continue,
            };
            let good = match shot {
                Ok(picture) => matches!(picture.capture, CaptureResult::Ok),
                Err(error) => {
                    self.gone(&error);
                    false
                }
            };
            dull = if good { 0 } else { dull.saturating_add(1) };
            let pause = if dull > 3 { LONG_PAUSE } else { PAUSE };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.woken.notified() => {}
                () = self.newest.closed() => {}
            }
        }
    }

    /// Tells the watchers once that nothing can be seen now.
    fn gone(&self, error: &AdbError) {
        let last = self.newest.borrow().clone();
        if last.is_some_and(|last| last.capture == CaptureResult::Failed && last.frame.is_none()) {
            return;
        }
        tracing::debug!(%error, "the phone cannot be seen");
        let moment = Instant::now();
        self.newest.send_replace(Some(Arc::new(Picture {
            capture: CaptureResult::Failed,
            frame: None,
            at: now(),
            seq: self.next(),
            changed: true,
            begun: moment,
            done: moment,
            judged: moment,
        })));
    }
}

/// A phone's captures, for whoever wants to look on.
#[derive(Clone)]
pub struct CaptureFeed {
    captures: Arc<CaptureScheduler>,
}

impl CaptureFeed {
    pub(crate) fn new(captures: Arc<CaptureScheduler>) -> Self {
        Self { captures }
    }

    /// The newest picture, now and whenever there is another: a few a second, as fast as the phone gives them. Pictures
    /// are taken for as long as any such receiver lives, once for all of them.
    ///
    /// Must be called within a tokio runtime.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        self.captures.watch()
    }
}
