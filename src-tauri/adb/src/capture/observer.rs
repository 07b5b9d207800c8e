//! What a phone shows: its picture and what stands around it, now or once the screen has come to rest.

use crate::capture::capture_scheduler::{CaptureScheduler, Picture};
use crate::capture::settle::{SettleDetector, SettleGoal, SettleResult};
use crate::capture::{compare, decode, lock, owner};
use crate::connect::route::Route;
use crate::connect::server::Device;
use crate::dumpsys::screen::KeyReceiver;
use crate::dumpsys::{front, screen};
use crate::error::AdbError;
use crate::exec::several;
use crate::stream::{Feed, PictureInfo};
use agent::ports::{PhoneError, PictureSource, RawObservation, ScreenMark};
use protocol::{Bounds, CaptureResult, Frame};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};

const DUMP: Duration = Duration::from_secs(4);
/// How long the first picture of a settling screen may take, whatever the bound.
const FIRST: Duration = Duration::from_secs(6);
/// How long after a touch a capture is begun where nothing moves: what moves has begun by then.
const EARLY: Duration = Duration::from_millis(50);
/// A screen that has not moved for so long may have come to rest.
const STILL: Duration = Duration::from_millis(60);

/// A capture, and what the phone told of its screen, where it was asked.
type PictureWithFacts = (Arc<Picture>, Option<Result<WindowFacts, AdbError>>);

/// How long what was told of a screen holds where no picture can prove that it is the same one.
const HOLDS: Duration = Duration::from_secs(30);

/// A command, and how its output is read.
type Source = (&'static str, fn(&str) -> front::Front);

/// Where the app in front is told: Android 9 and older know nothing of it in the first, and no phone in the first two
/// while its window manager restarts.
const FRONTS: [Source; 3] = [
    ("dumpsys window displays", front::read_windows),
    ("dumpsys window", front::read_windows),
    ("dumpsys activity activities", front::read_activities),
];

/// What the dumps say of the moment.
#[derive(Clone, Debug, Default)]
struct WindowFacts {
    app: Option<String>,
    window: Option<String>,
    keyboard: bool,
    /// Who would get keys; nothing where that was not told.
    listener: Option<KeyReceiver>,
}

/// What was told of a screen, and when it was asked for.
#[derive(Clone)]
struct CachedFacts {
    scene: WindowFacts,
    at: Instant,
}

/// What the stream showed before a picture was taken.
struct MarkedPicture {
    mark: ScreenMark,
    frame: Frame,
    at: Instant,
}

/// Looks at one phone.
pub(crate) struct Observer {
    route: Arc<Route>,
    pub(crate) captures: Arc<CaptureScheduler>,
    settle: SettleDetector,
    /// Which way of telling the app in front answered last.
    front: AtomicUsize,
    /// The last of what was told.
    told: Mutex<Option<CachedFacts>>,
}

impl Observer {
    pub(crate) fn new(route: Arc<Route>, feed: Feed) -> Self {
        Self {
            captures: CaptureScheduler::new(Arc::clone(&route)),
            settle: SettleDetector::new(feed),
            route,
            front: AtomicUsize::new(0),
            told: Mutex::default(),
        }
    }

    /// As it is now.
    ///
    /// # Errors
    /// When the phone cannot be asked at all.
    pub(crate) async fn seen(&self) -> Result<RawObservation, AdbError> {
        let marked = self.marked().await;
        let (picture, scene) = tokio::join!(self.captures.shoot(self.captures.present()), self.scene());
        let picture = picture?;
        let mark = mark_of(marked, &picture).await;
        self.put_together(&picture, scene, true, mark).await
    }

    /// As it is now, where an earlier look is known: what shows the same is told the same, and nothing is asked.
    ///
    /// # Errors
    /// As [`Observer::seen`].
    pub(crate) async fn seen_again(&self, before: &RawObservation) -> Result<RawObservation, AdbError> {
        let old = match &before.frame {
            Some(frame) if before.capture == CaptureResult::Ok => frame,
            _ => return self.seen().await,
        };
        let marked = self.marked().await;
        let picture = self.captures.shoot(self.captures.present()).await?;
        let mark = mark_of(marked, &picture).await;
        let same = match (&picture.frame, before.source) {
            _ if picture.capture != CaptureResult::Ok => false,
            (Some(new), PictureSource::Capture) => decode::same(old, new),
            (Some(new), PictureSource::Stream) => compare::shows(new, old).await,
            (None, _) => false,
        };
        let scene = if same {
            Ok(WindowFacts {
                app: Some(before.app.clone()),
                window: before.window.clone(),
                keyboard: before.keyboard_shown,
                listener: None,
            })
        } else {
            self.scene().await
        };
        self.put_together(&picture, scene, true, mark).await
    }

    /// What the stream shows, for whoever takes a picture next, and when it was asked.
    async fn marked(&self) -> Option<MarkedPicture> {
        if self.captures.other_display().is_some() {
            return None;
        }
        let (mark, frame) = self.settle.mark().await?;
        Some(MarkedPicture {
            mark,
            frame,
            at: Instant::now(),
        })
    }

    /// Whether anything was drawn since; nothing where nobody can tell.
    pub(crate) async fn changed_since(&self, mark: ScreenMark) -> Option<bool> {
        match self.captures.other_display() {
            None => self.settle.changed_since(mark).await,
            // A stream shows the phone's own display.
            Some(_) => None,
        }
    }

    /// Has the stream come up that tells of changes, for whoever begins to look. Nobody waits for it.
    pub(crate) async fn begin(&self) {
        if self.captures.other_display().is_none() {
            self.settle.begin().await;
        }
    }

    /// Whether what is about to reach the phone opens an app.
    pub(crate) fn opens(&self, opens: bool) {
        self.settle.opens(opens);
    }

    /// Who would get keys now, as told since the last touch and not long ago.
    pub(crate) fn listener(&self) -> Option<KeyReceiver> {
        self.told_since_touch()?.scene.listener
    }

    /// What was told of the screen since it was last touched, and not long ago.
    fn told_since_touch(&self) -> Option<CachedFacts> {
        let told = lock(&self.told).clone()?;
        let holds = self.captures.touched().is_none_or(|touched| touched < told.at);
        (holds && told.at.elapsed() < HOLDS).then_some(told)
    }

    /// Once its screen has come to rest, or at the bound. Stillness is waited for from now on, rest since the last touch.
    pub(crate) async fn settled(
        &self,
        bound: Duration,
        wants: SettleGoal,
    ) -> Result<RawObservation, PhoneError> {
        let until = Instant::now() + bound;
        let touched = match wants {
            SettleGoal::Rest => self.captures.after_touch(),
            SettleGoal::Stillness => Instant::now(),
        };
        // Begun while it is waited whether something moves: in the end it may be all there is.
        let mut early = std::pin::pin!(self.shoot_early(touched));
        let mut shot = None;
        let mut ahead = std::pin::pin!(self.scene_ahead(touched));
        let mut told = None;
        let rested = match self.captures.other_display() {
            None => {
                let mut rest = std::pin::pin!(self.settle.rest(touched, until, wants));
                loop {
                    tokio::select! {
                        biased;
                        rested = &mut rest => break rested,
                        picture = &mut early, if shot.is_none() => shot = Some(picture?),
                        scene = &mut ahead, if told.is_none() => told = Some(scene),
                    }
                }
            }
            // A stream shows the phone's own display.
            Some(_) => SettleResult::Unseen,
        };
        let mut first = None;
        match rested {
            SettleResult::Seen {
                seen,
                frame,
                quiet,
                restless,
                mark,
            } => {
                let scene = async {
                    let told = match told {
                        // What moved and rests is being asked about.
                        None if quiet && self.moved(touched).is_some() => Some(ahead.await),
                        told => told,
                    };
                    match told {
                        Some((asked, scene)) if self.moved(asked).is_none() => scene,
                        _ => self.scene().await,
                    }
                };
                if let Some(sight) = sight_of(&seen, frame, quiet, restless, mark, scene).await {
                    return Ok(sight?);
                }
            }
            SettleResult::Silent(frame, mark) => {
                let early = match shot {
                    Some(early) => early,
                    None => early.await?,
                };
                let (picture, scene) = match early {
                    Some(early) => early,
                    None => (self.captures.shoot(Instant::now()).await?, None),
                };
                let scene = match scene {
                    Some(scene) => scene,
                    None => self.scene().await,
                };
                let agrees = match &picture.frame {
                    Some(capture) => compare::shows(capture, &frame).await,
                    None => false,
                };
                if agrees {
                    return Ok(self.put_together(&picture, scene, true, mark).await?);
                }
                // The stream has missed something, or the screen moves at this moment.
                first = Some(picture);
            }
            SettleResult::Unseen => {}
        }
        self.settled_by_captures(first, touched, until).await
    }

    /// Two captures alike, one after the other, or at `until` the newest; `first` is there already.
    async fn settled_by_captures(
        &self,
        first: Option<Arc<Picture>>,
        touched: Instant,
        until: Instant,
    ) -> Result<RawObservation, PhoneError> {
        // One picture there must be, though the phone takes longer for it than the caller would wait.
        let mut last = match first {
            Some(first) => first,
            None => {
                let first = self.captures.shoot(touched);
                let Ok(first) = timeout_at(until.max(Instant::now() + FIRST), first).await else {
                    return Err(PhoneError::Slow("screencap".to_owned()));
                };
                first?
            }
        };
        let mut quiet = false;
        while !quiet {
            let Ok(next) = timeout_at(until, self.captures.shoot(last.later())).await else {
                break;
            };
            let next = next?;
            quiet = look_alike(&last, &next);
            last = next;
        }
        let sight = self.sight(&last, quiet).await?;
        if self.captures.other_display().is_none() {
            self.settle.open().await;
        }
        Ok(sight)
    }

    /// App, window and keyboard, by one line; what is not said is not known.
    async fn scene(&self) -> Result<WindowFacts, AdbError> {
        let device = self.route.device();
        let at = Instant::now();
        let (front, dump, ime) = self.front(&device).await?;
        let said = screen::keyboard(&ime);
        let scene = WindowFacts {
            app: front.app,
            window: front.window,
            keyboard: said.or_else(|| screen::keyboard_window(&dump)).unwrap_or(false),
            listener: (!ime.trim().is_empty()).then(|| KeyReceiver::read(&ime)),
        };
        *lock(&self.told) = Some(CachedFacts {
            scene: scene.clone(),
            at,
        });
        Ok(scene)
    }

    /// What is in front, the dump that told it, and what the input method manager says.
    async fn front(&self, device: &Device) -> Result<(front::Front, String, String), AdbError> {
        let first = self.front.load(Ordering::Relaxed);
        let (mut dump, mut ime) = (String::new(), String::new());
        for (index, (line, read)) in FRONTS.iter().enumerate().skip(first) {
            let asked = if ime.is_empty() {
                several::line(&[line, "dumpsys input_method"])
            } else {
                (*line).to_owned()
            };
            let said = match device.look(&asked, DUMP).await {
                Ok(output) => output.text(),
                Err(error) if error.is_unreachable() => return Err(error),
                Err(error) => {
                    tracing::debug!(%error, "what is in front was not told");
                    continue;
                }
            };
            let mut answers = several::answers(&said);
            dump = answers.next().unwrap_or_default().to_owned();
            if let Some(told) = answers.next() {
                told.clone_into(&mut ime);
            }
            let mut found = read(&dump);
            if found.app.is_some() || found.focus.is_some() {
                // The last way is for a restarting window manager; the one before is an older phone's for good.
                if index == 1 {
                    self.front.store(index, Ordering::Relaxed);
                }
                if found.disputed {
                    owner::settle(device, &mut found, DUMP).await;
                }
                return Ok((found, dump, ime));
            }
        }
        self.front.store(0, Ordering::Relaxed);
        Ok((front::Front::default(), dump, ime))
    }

    /// What is told of a screen that has stopped moving, asked for while it is waited for whether it moves on; and when it was
    /// asked. Once: a phone that moves on and on is asked again when it rests.
    async fn scene_ahead(&self, touched: Instant) -> (Instant, Result<WindowFacts, AdbError>) {
        let mut moved = self.settle.moved();
        loop {
            moved.mark_unchanged();
            let last = self.moved(touched);
            tokio::select! {
                biased;
                Ok(()) = moved.changed() => {}
                () = still(last) => break,
            }
        }
        let asked = Instant::now();
        (asked, self.scene().await)
    }

    /// When the screen that is waited for moved last after a touch.
    fn moved(&self, touched: Instant) -> Option<Instant> {
        let moved = *self.settle.moved().borrow();
        moved.filter(|moved| *moved >= touched)
    }

    /// A capture begun a little after a touch, unless something moves by then; and what is told of it, unless something has
    /// moved when it is there.
    async fn shoot_early(&self, touched: Instant) -> Result<Option<PictureWithFacts>, AdbError> {
        sleep_until(touched + EARLY).await;
        if !self.settle.needs_capture() {
            return Ok(None);
        }
        let picture = self.captures.shoot(Instant::now()).await?;
        let scene = match self.settle.needs_capture() {
            true => Some(self.scene().await),
            false => None,
        };
        Ok(Some((picture, scene)))
    }

    async fn sight(&self, picture: &Picture, quiet: bool) -> Result<RawObservation, AdbError> {
        let scene = self.scene().await;
        self.put_together(picture, scene, quiet, None).await
    }

    async fn put_together(
        &self,
        picture: &Picture,
        scene: Result<WindowFacts, AdbError>,
        quiet: bool,
        mark: Option<ScreenMark>,
    ) -> Result<RawObservation, AdbError> {
        let scene = match scene {
            Ok(scene) => scene,
            Err(error) if picture.frame.is_none() => return Err(error),
            Err(error) => {
                tracing::debug!(%error, "a picture, but nothing about it");
                WindowFacts::default()
            }
        };
        let (width, height) = match &picture.frame {
            Some(frame) => (frame.width, frame.height),
            None => self.size_without_picture().await?,
        };
        Ok(RawObservation {
            capture: picture.capture,
            frame: picture.frame.clone(),
            width,
            height,
            app: scene.app.unwrap_or_else(|| "unknown".to_owned()),
            window: scene.window,
            keyboard_shown: scene.keyboard,
            at: picture.at,
            quiet,
            restless: None,
            source: PictureSource::Capture,
            mark,
        })
    }

    /// `wm size` does not turn with the screen: the rotation is asked for too. (0, 0) when the phone does not say.
    async fn size_without_picture(&self) -> Result<(u32, u32), AdbError> {
        let device = self.route.device();
        let output = device.look("wm size; dumpsys input", DUMP).await?;
        let text = output.text();
        let turns = screen::rotation(&text).unwrap_or(0);
        Ok(screen::size(&text).map_or((0, 0), |size| screen::turned(size, turns)))
    }
}

/// Until nothing has moved for a while; for ever where nothing has moved yet.
async fn still(last: Option<Instant>) {
    match last {
        Some(last) => sleep_until(last + STILL).await,
        None => std::future::pending().await,
    }
}

/// What the stream showed when the screen came to rest. Nothing where a capture must tell: what is hidden and what is dark look
/// the same in a stream.
async fn sight_of(
    seen: &PictureInfo,
    frame: Frame,
    quiet: bool,
    restless: Option<Bounds>,
    mark: Option<ScreenMark>,
    scene: impl Future<Output = Result<WindowFacts, AdbError>>,
) -> Option<Result<RawObservation, AdbError>> {
    if seen.screen == (0, 0) || ::screen::picture::darkness(&frame).is_suspicious() {
        return None;
    }
    let scene = match scene.await {
        Ok(scene) => scene,
        Err(error) => return Some(Err(error)),
    };
    Some(Ok(RawObservation {
        capture: CaptureResult::Ok,
        frame: Some(frame),
        width: seen.screen.0.into(),
        height: seen.screen.1.into(),
        app: scene.app.unwrap_or_else(|| "unknown".to_owned()),
        window: scene.window,
        keyboard_shown: scene.keyboard,
        at: seen.at,
        quiet,
        restless,
        source: PictureSource::Stream,
        mark,
    }))
}

/// The mark, where the picture was begun after it and shows what the stream did then: what was drawn in between would count as
/// nothing where it is gone again by the time somebody asks.
async fn mark_of(marked: Option<MarkedPicture>, picture: &Picture) -> Option<ScreenMark> {
    let MarkedPicture { mark, frame, at } = marked?;
    let shown = picture.frame.as_ref().filter(|_| picture.begun >= at)?;
    compare::shows(shown, &frame).await.then_some(mark)
}

/// A capture that failed is like no other: a screen nobody saw has not settled.
fn look_alike(one: &Picture, other: &Picture) -> bool {
    one.capture == other.capture
        && match (&one.frame, &other.frame) {
            (Some(a), Some(b)) => decode::same(a, b),
            (None, None) => one.capture == CaptureResult::Protected,
            _ => false,
        }
}
