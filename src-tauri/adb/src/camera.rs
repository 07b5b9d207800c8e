//! The one eye of a phone: its captures, whoever asked for them.
//!
//! Captures are taken one at a time and handed to everybody: to the window's mirror, to the agent's look, to the
//! question whether the screen has settled. Whoever needs a picture says since when it must have been begun; a newer
//! one that is there already is taken, else the next is waited for.

use crate::capture::{self, Darkness, darkness};
use crate::dumpsys::{front, windows};
use crate::error::AdbError;
use crate::files::Files;
use crate::hands::mark;
use crate::route::Route;
use crate::screens::{self, Screens};
use crate::server::Device;
use crate::shell::Output;
use protocol::{CaptureResult, Frame, Millis};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until};

/// Between the end of a capture and the start of the next.
const PAUSE: Duration = Duration::from_millis(100);
/// The same while the screen stays black or the phone does not answer.
const LONG_PAUSE: Duration = Duration::from_secs(1);
/// A raw capture of a slow phone takes 1.1 s, a PNG 2.6 s.
const RAW: Duration = Duration::from_secs(6);
const ENCODED: Duration = Duration::from_secs(10);
const DUMP: Duration = Duration::from_secs(4);
/// How long the answer to whether a window is hidden holds for a picture that does not change.
const JUDGED_FOR: Duration = Duration::from_secs(2);
/// After so many captures by a lower rung the first is tried again.
const RETRY_RAW: u64 = 40;

/// One picture of a phone, as the eye hands it out.
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

/// Which way a picture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rung {
    /// `screencap`: raw pixels through the stream.
    Raw,
    /// `screencap -p` through the stream.
    Png,
    /// `screencap -p` into a file, carried here by the sync service.
    File,
}

pub(crate) struct Camera {
    route: Arc<Route>,
    /// One capture at a time; what worked last, and how often since.
    turn: tokio::sync::Mutex<(Rung, u64)>,
    newest: watch::Sender<Option<Arc<Picture>>>,
    seq: AtomicU64,
    touched: Mutex<Option<Instant>>,
    screens: Mutex<Screens>,
    woken: Notify,
    watching: Mutex<bool>,
}

impl Camera {
    pub(crate) fn new(route: Arc<Route>) -> Arc<Self> {
        Arc::new(Self {
            route,
            turn: tokio::sync::Mutex::new((Rung::Raw, 0)),
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

    /// The logical display a person looks at, where it is not the phone's own (a cover screen).
    pub(crate) fn other_display(&self) -> Option<u32> {
        lock(&self.screens)
            .shown
            .map(|one| one.logical)
            .filter(|number| *number != 0)
    }

    /// Takes a picture of the display that is looked at. Where there are several it is asked which, every time: a phone is
    /// folded between two pictures.
    async fn take_shown(
        &self,
        device: &Device,
        turn: &mut (Rung, u64),
        before: Option<Frame>,
    ) -> Result<Taken, AdbError> {
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
            if !matches!(&taken, Ok(taken) if taken.several) {
                return taken;
            }
            let shown = screens::shown(device).await;
            *lock(&self.screens) = Screens { several: true, shown };
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
        let newest = self.newest.borrow();
        let newest = newest.as_ref().filter(|newest| newest.begun.elapsed() <= age)?;
        let frame = newest.frame.as_ref()?;
        Some((
            u16::try_from(frame.width).ok()?,
            u16::try_from(frame.height).ok()?,
        ))
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
        self.newest.send_replace(Some(Arc::clone(&picture)));
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

/// The eye of a phone, for whoever wants to look on.
#[derive(Clone)]
pub struct Eye {
    camera: Arc<Camera>,
}

impl Eye {
    pub(crate) fn new(camera: Arc<Camera>) -> Self {
        Self { camera }
    }

    /// The newest picture, now and whenever there is another: a few a second, as fast as the phone gives them. Pictures
    /// are taken for as long as any such receiver lives, once for all of them.
    ///
    /// Must be called within a tokio runtime.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        self.camera.watch()
    }
}

/// A picture, and what was seen of it at once.
struct Taken {
    /// Shares its pixels with the one before when they are the same.
    frame: Frame,
    changed: bool,
    darkness: Darkness,
    /// The phone said that it has several displays and was not told which.
    several: bool,
}

/// Takes one picture by the highest rung that works.
async fn take(
    device: &Device,
    turn: &mut (Rung, u64),
    before: Option<Frame>,
    panel: Option<u64>,
) -> Result<Taken, AdbError> {
    if turn.0 != Rung::Raw && turn.1 >= RETRY_RAW {
        *turn = (Rung::Raw, 0);
    }
    let mut why = None;
    let first = turn.0;
    for rung in [Rung::Raw, Rung::Png, Rung::File] {
        if (rung as u8) < (first as u8) {
            continue;
        }
        match by(device, rung, before.clone(), panel).await {
            Ok(taken) => {
                *turn = if rung == first {
                    (rung, turn.1 + 1)
                } else {
                    (rung, 0)
                };
                return Ok(taken);
            }
            Err(error) if error.is_unreachable() => return Err(error),
            Err(error) => {
                tracing::debug!(?rung, %error, "this way gave no picture");
                if let AdbError::Slow(_) = error {
                    // Over a slow way the packed picture may come in time where the raw one does not; a phone that
                    // gives neither is not asked a third time.
                    *turn = (Rung::Png, 0);
                    if rung != Rung::Raw {
                        return Err(error);
                    }
                }
                why = why.or(Some(error));
            }
        }
    }
    *turn = (Rung::Raw, 0);
    Err(why.unwrap_or_else(|| AdbError::Picture("no way to take one".to_owned())))
}

async fn by(
    device: &Device,
    rung: Rung,
    before: Option<Frame>,
    panel: Option<u64>,
) -> Result<Taken, AdbError> {
    let shown = panel.map_or_else(String::new, |panel| format!(" -d {panel}"));
    match rung {
        Rung::Raw => {
            let output = device.look_at_bytes(&format!("screencap{shown}"), RAW).await?;
            succeeded(&output)?;
            develop(output, capture::read_raw, before).await
        }
        Rung::Png => {
            let output = device
                .look_at_bytes(&format!("screencap -p{shown}"), ENCODED)
                .await?;
            succeeded(&output)?;
            develop(output, capture::read_png, before).await
        }
        Rung::File => {
            let file = format!("/data/local/tmp/pocketdeck-{}.png", mark());
            let files = Files::new(device);
            files.can()?;
            let written = device.look(&format!("screencap -p{shown} {file}"), ENCODED).await;
            let pulled = match written {
                Ok(_) => files.pull(&file).await,
                Err(error) => Err(error),
            };
            let _ = device.look(&format!("rm -f {file}"), DUMP).await;
            let output = Output {
                stdout: pulled?,
                ..Output::default()
            };
            develop(output, capture::read_png, before).await
        }
    }
}

/// Reads, compares and measures ten megabytes: not work for the threads that everything else waits on.
async fn develop(
    output: Output,
    read: fn(&[u8]) -> Result<Frame, AdbError>,
    before: Option<Frame>,
) -> Result<Taken, AdbError> {
    let work = move || {
        let frame = read(&output.stdout).map_err(|error| with_words(error, &output.error_text()))?;
        let darkness = darkness(&frame);
        let several = capture::tells_of_several(&output);
        Ok(match before {
            Some(before) if before == frame => Taken {
                frame: before,
                changed: false,
                darkness,
                several,
            },
            _ => Taken {
                frame,
                changed: true,
                darkness,
                several,
            },
        })
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(taken) => taken,
        Err(error) => Err(AdbError::Internal(error.to_string())),
    }
}

/// A `screencap` that failed, or was killed, printed no picture, whatever it printed.
fn succeeded(output: &Output) -> Result<(), AdbError> {
    if output.failed() {
        return Err(AdbError::Picture(crate::error::clip(output.all().trim())));
    }
    Ok(())
}

fn with_words(error: AdbError, stderr: &str) -> AdbError {
    match error {
        AdbError::Picture(why) if !stderr.trim().is_empty() => {
            AdbError::Picture(format!("{why}; {}", crate::error::clip(stderr.trim())))
        }
        error => error,
    }
}

/// *Black* and *protected* are two things: a window that forbids pictures comes out as pure black.
async fn judge(device: &Device, darkness: Darkness) -> CaptureResult {
    if !darkness.is_suspicious() {
        return CaptureResult::Ok;
    }
    match is_secure(device).await {
        Some(true) => CaptureResult::Protected,
        _ if darkness.is_black() => CaptureResult::Black,
        _ => CaptureResult::Ok,
    }
}

/// Whether the window with the focus forbids pictures of itself.
pub(crate) async fn is_secure(device: &Device) -> Option<bool> {
    let text = device
        .look("dumpsys window displays; dumpsys window windows", DUMP)
        .await
        .ok()?
        .text();
    let focus = front::read_windows(&text).focus?;
    windows::read(&text, &focus).map(|owner| owner.secure)
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// A panic elsewhere leaves plain values behind: they are still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
