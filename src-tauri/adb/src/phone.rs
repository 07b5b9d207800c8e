//! One phone, as the run sees it.

use crate::camera::{self, Camera, Eye, Picture};
use crate::dumpsys::{front, screen};
use crate::error::AdbError;
use crate::files::Files;
use crate::hands::{Hands, Talents};
use crate::kept::Kept;
use crate::leash;
use crate::lookout::{self, Lookout, Rested};
use crate::route::Route;
use crate::server::Device;
use crate::stream::{Feed, Seen};
use crate::{apps, capture, console, gift, leftover, owner, paste, scrcpy, tree, typing, wake};
use agent::lease::Grip;
use agent::ports::{App, Command, Effect, Gift, Phone, PhoneTrouble, ScriptEnd, Sight};
use async_trait::async_trait;
use protocol::{CaptureResult, Frame, PhoneId};
use secrecy::SecretString;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};

const DUMP: Duration = Duration::from_secs(4);
/// How long the first picture of a settling screen may take, whatever the bound.
const FIRST: Duration = Duration::from_secs(6);
/// How long after a touch a capture is begun where nothing moves: what moves has begun by then.
const EARLY: Duration = Duration::from_millis(50);

/// A capture, and what the phone told of its screen at that time.
type Shot = (Arc<Picture>, Result<Scene, AdbError>);

/// One phone behind an adb server.
pub struct AdbPhone {
    id: PhoneId,
    route: Arc<Route>,
    pub(crate) camera: Arc<Camera>,
    talents: Arc<Talents>,
    dumping: Arc<Mutex<tree::Reading>>,
    scrcpy: Arc<scrcpy::Shared>,
    kept: Arc<Kept>,
    feed: Feed,
    lookout: Lookout,
    /// Which of [`FRONTS`] answered last.
    front: AtomicUsize,
}

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
#[derive(Default)]
struct Scene {
    app: Option<String>,
    window: Option<String>,
    keyboard: bool,
}

impl AdbPhone {
    /// A phone reached over a server. Phones of a [`crate::Roster`] are had from there: one per phone, so that all
    /// share its eye.
    #[must_use]
    pub fn new(id: PhoneId, device: Device) -> Self {
        Self::with(id, device, scrcpy::Fetched::default())
    }

    /// The same, with the place a scrcpy server is fetched to.
    #[must_use]
    pub fn with(id: PhoneId, device: Device, fetched: scrcpy::Fetched) -> Self {
        let route = Arc::new(Route::new(device));
        let scrcpy = Arc::new(scrcpy::Shared::new(fetched));
        let feed = Feed::new(Arc::clone(&route), Arc::clone(&scrcpy));
        Self {
            id,
            camera: Camera::new(Arc::clone(&route)),
            lookout: Lookout::new(feed.clone()),
            feed,
            route,
            talents: Arc::default(),
            dumping: Arc::default(),
            scrcpy,
            kept: Arc::default(),
            front: AtomicUsize::new(0),
        }
    }

    /// Its one eye.
    #[must_use]
    pub fn eye(&self) -> Eye {
        Eye::new(Arc::clone(&self.camera))
    }

    /// Its stream.
    #[must_use]
    pub fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// Its files.
    #[must_use]
    pub fn files(&self) -> Files {
        Files::new(&self.device())
    }

    /// The way it is reached now.
    #[must_use]
    pub fn device(&self) -> Device {
        self.route.device()
    }

    /// Uses this scrcpy server, or none, instead of the one this computer has.
    pub fn use_scrcpy(&self, jar: Option<scrcpy::Jar>) {
        self.scrcpy.give(jar);
    }

    /// Another way from now on.
    pub(crate) fn reroute(&self, device: Device) {
        self.route.set(device);
    }

    /// Whether it is awake and locked.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn condition(&self) -> Result<wake::Condition, AdbError> {
        wake::condition(&self.device()).await
    }

    /// Whether the window in front forbids pictures of itself, where the phone tells. A stream shows it black.
    pub async fn hides_screen(&self) -> Option<bool> {
        camera::is_secure(&self.device()).await
    }

    /// The release of the scrcpy server that would be used on it, if there is one.
    pub async fn scrcpy_version(&self) -> Option<String> {
        self.scrcpy.version().await
    }

    fn console(&self) -> Option<u16> {
        let device = self.device();
        console::port(device.serial(), device.server().link().address())
    }

    /// App, window and keyboard; what is not said is not known.
    async fn scene(&self) -> Result<Scene, AdbError> {
        let device = self.device();
        let (front, ime) = tokio::join!(self.front(&device), device.look("dumpsys input_method", DUMP));
        let (front, dump) = front?;
        let said = ime.ok().and_then(|output| screen::keyboard(&output.text()));
        Ok(Scene {
            app: front.app,
            window: front.window,
            keyboard: said.or_else(|| screen::keyboard_window(&dump)).unwrap_or(false),
        })
    }

    async fn front(&self, device: &Device) -> Result<(front::Front, String), AdbError> {
        let first = self.front.load(Ordering::Relaxed);
        let mut dump = String::new();
        for (index, (line, read)) in FRONTS.iter().enumerate().skip(first) {
            dump = match device.look(line, DUMP).await {
                Ok(output) => output.text(),
                Err(error) if error.is_unreachable() => return Err(error),
                Err(error) => {
                    tracing::debug!(%error, "what is in front was not told");
                    continue;
                }
            };
            let mut found = read(&dump);
            if found.app.is_some() || found.focus.is_some() {
                // The last way is for a restarting window manager; the one before is an older phone's for good.
                if index == 1 {
                    self.front.store(index, Ordering::Relaxed);
                }
                if found.disputed {
                    owner::settle(device, &mut found, DUMP).await;
                }
                return Ok((found, dump));
            }
        }
        self.front.store(0, Ordering::Relaxed);
        Ok((front::Front::default(), dump))
    }

    /// What the stream showed when the screen came to rest. Nothing where a capture must tell: what is hidden and what is
    /// dark look the same in a stream.
    async fn sight_of(&self, seen: &Seen, frame: Frame, quiet: bool) -> Option<Result<Sight, AdbError>> {
        if seen.screen == (0, 0) || capture::darkness(&frame).is_suspicious() {
            return None;
        }
        let scene = match self.scene().await {
            Ok(scene) => scene,
            Err(error) => return Some(Err(error)),
        };
        Some(Ok(Sight {
            capture: CaptureResult::Ok,
            frame: Some(frame),
            width: seen.screen.0.into(),
            height: seen.screen.1.into(),
            app: scene.app.unwrap_or_else(|| "unknown".to_owned()),
            window: scene.window,
            keyboard_shown: scene.keyboard,
            at: seen.at,
            quiet,
        }))
    }

    /// A capture begun a little after a touch, unless something moves by then.
    async fn shoot_early(&self, touched: Instant) -> Result<Option<Shot>, AdbError> {
        sleep_until(touched + EARLY).await;
        if !self.lookout.needs_capture() {
            return Ok(None);
        }
        let (picture, scene) = tokio::join!(self.camera.shoot(Instant::now()), self.scene());
        Ok(Some((picture?, scene)))
    }

    async fn sight(&self, picture: &Picture, quiet: bool) -> Result<Sight, AdbError> {
        let scene = self.scene().await;
        self.put_together(picture, scene, quiet).await
    }

    async fn put_together(
        &self,
        picture: &Picture,
        scene: Result<Scene, AdbError>,
        quiet: bool,
    ) -> Result<Sight, AdbError> {
        let scene = match scene {
            Ok(scene) => scene,
            Err(error) if picture.frame.is_none() => return Err(error),
            Err(error) => {
                tracing::debug!(%error, "a picture, but nothing about it");
                Scene::default()
            }
        };
        let (width, height) = match &picture.frame {
            Some(frame) => (frame.width, frame.height),
            None => self.size_without_picture().await?,
        };
        Ok(Sight {
            capture: picture.capture,
            frame: picture.frame.clone(),
            width,
            height,
            app: scene.app.unwrap_or_else(|| "unknown".to_owned()),
            window: scene.window,
            keyboard_shown: scene.keyboard,
            at: picture.at,
            quiet,
        })
    }

    /// `wm size` does not turn with the screen: the rotation is asked for too. (0, 0) when the phone does not say.
    async fn size_without_picture(&self) -> Result<(u32, u32), AdbError> {
        let device = self.device();
        let output = device.look("wm size; dumpsys input", DUMP).await?;
        let text = output.text();
        let turns = screen::rotation(&text).unwrap_or(0);
        Ok(screen::size(&text).map_or((0, 0), |size| screen::turned(size, turns)))
    }

    /// What does things on it, as it is now.
    pub(crate) fn hands(&self) -> Hands {
        Hands {
            device: self.device(),
            talents: Arc::clone(&self.talents),
            dumping: Arc::clone(&self.dumping),
            scrcpy: Arc::clone(&self.scrcpy),
            kept: Arc::clone(&self.kept),
            size: self.screen().or_else(|| self.camera.size(Duration::MAX)),
            display: self.camera.other_display(),
        }
    }

    /// Does something under the lease, in a task of its own, and tells the eye when.
    pub(crate) async fn act<T, Work>(
        &self,
        grip: &Grip,
        work: impl FnOnce(Hands, leash::Leash) -> Work + Send,
    ) -> Result<T, PhoneTrouble>
    where
        T: Send + 'static,
        Work: Future<Output = Result<T, AdbError>> + Send + 'static,
    {
        let hands = self.hands();
        let device = hands.device.clone();
        let camera = Arc::clone(&self.camera);
        camera.touch();
        let done = leash::held(grip, move |leash| {
            let first = (hands.clone(), leash.clone());
            let work = work(hands, leash);
            async move {
                leftover::lift(&first.0, &first.1).await?;
                let done = work.await;
                camera.touch();
                done
            }
        });
        match done.await {
            Ok(done) => Ok(done),
            Err(error) => Err(device.explained(error).await.into()),
        }
    }
}

#[async_trait]
impl Phone for AdbPhone {
    fn id(&self) -> PhoneId {
        self.id.clone()
    }

    async fn see(&self) -> Result<Sight, PhoneTrouble> {
        let (picture, scene) = tokio::join!(self.camera.shoot(self.camera.present()), self.scene());
        Ok(self.put_together(&*picture?, scene, true).await?)
    }

    async fn read(&self) -> Result<String, PhoneTrouble> {
        Ok(tree::read(self.device(), Arc::clone(&self.dumping)).await?)
    }

    async fn settle(&self, bound: Duration) -> Result<Sight, PhoneTrouble> {
        let until = Instant::now() + bound;
        let touched = self.camera.after_touch();
        // Begun while it is waited whether something moves: in the end it may be all there is.
        let mut early = std::pin::pin!(self.shoot_early(touched));
        let mut shot = None;
        let rested = match self.camera.other_display() {
            None => {
                let mut rest = std::pin::pin!(self.lookout.rest(touched, until));
                loop {
                    tokio::select! {
                        biased;
                        rested = &mut rest => break rested,
                        picture = &mut early, if shot.is_none() => shot = Some(picture?),
                    }
                }
            }
            // A stream shows the phone's own display.
            Some(_) => Rested::Unseen,
        };
        let mut first = None;
        match rested {
            Rested::Seen { seen, frame, quiet } => {
                if let Some(sight) = self.sight_of(&seen, frame, quiet).await {
                    return Ok(sight?);
                }
            }
            Rested::Silent(frame) => {
                let early = match shot {
                    Some(early) => early,
                    None => early.await?,
                };
                let (picture, scene) = match early {
                    Some(early) => early,
                    None => {
                        let (picture, scene) = tokio::join!(self.camera.shoot(Instant::now()), self.scene());
                        (picture?, scene)
                    }
                };
                let agrees = match &picture.frame {
                    Some(capture) => lookout::shows(capture, &frame).await,
                    None => false,
                };
                if agrees {
                    return Ok(self.put_together(&picture, scene, true).await?);
                }
                // The stream has missed something, or the screen moves at this moment.
                first = Some(picture);
            }
            Rested::Unseen => {}
        }
        // One picture there must be, though the phone takes longer for it than the caller would wait.
        let mut last = match first {
            Some(first) => first,
            None => {
                let first = self.camera.shoot(touched);
                let Ok(first) = timeout_at(until.max(Instant::now() + FIRST), first).await else {
                    return Err(PhoneTrouble::Slow("screencap".to_owned()));
                };
                first?
            }
        };
        let mut quiet = false;
        while !quiet {
            let Ok(next) = timeout_at(until, self.camera.shoot(last.later())).await else {
                break;
            };
            let next = next?;
            quiet = look_alike(&last, &next);
            last = next;
        }
        let sight = self.sight(&last, quiet).await?;
        if self.camera.other_display().is_none() {
            self.lookout.open().await;
        }
        Ok(sight)
    }

    async fn perform(&self, command: &Command, grip: &Grip) -> Result<Effect, PhoneTrouble> {
        let command = command.clone();
        self.act(grip, |hands, leash| async move {
            hands.perform(&leash, &command).await
        })
        .await
    }

    async fn wake(&self, grip: &Grip) -> Result<bool, PhoneTrouble> {
        // Most phones are awake: that is no touch, and no reason to take new pictures.
        let now = wake::condition(&self.device()).await?;
        if now.awake != Some(false) && now.locked != Some(true) {
            return Ok(false);
        }
        self.act(
            grip,
            |hands, leash| async move { wake::wake(&hands, &leash).await },
        )
        .await
    }

    async fn type_secret(&self, secret: &SecretString, grip: &Grip) -> Result<Effect, PhoneTrouble> {
        let secret = secret.clone();
        self.act(grip, |hands, leash| async move {
            typing::secret(&hands, &leash, &secret).await
        })
        .await
    }

    async fn script(&self, script: &str, limit: Duration, grip: &Grip) -> Result<ScriptEnd, PhoneTrouble> {
        let script = script.to_owned();
        self.act(grip, move |hands, leash| async move {
            hands.script(&leash, &script, limit).await
        })
        .await
    }

    async fn clipboard(&self, grip: &Grip) -> Result<String, PhoneTrouble> {
        self.act(
            grip,
            |hands, leash| async move { paste::copied(&hands, &leash).await },
        )
        .await
    }

    fn can_be_placed(&self) -> bool {
        self.console().is_some()
    }

    async fn place(&self, latitude: f64, longitude: f64, grip: &Grip) -> Result<(), PhoneTrouble> {
        let Some(port) = self.console() else {
            return Err(PhoneTrouble::NotSupported(
                "no emulator of this computer".to_owned(),
            ));
        };
        self.act(grip, move |_, _| async move {
            console::fix(port, &console::token().await, latitude, longitude).await
        })
        .await
    }

    async fn signers(&self, package: &str) -> Result<Vec<String>, PhoneTrouble> {
        Ok(apps::signers(&self.device(), package).await?)
    }

    fn takes_files(&self) -> bool {
        true
    }

    async fn give(&self, file: &Gift, grip: &Grip) -> Result<String, PhoneTrouble> {
        let file = file.clone();
        self.act(grip, |hands, leash| async move {
            gift::give(&hands, &leash, &file).await
        })
        .await
    }

    async fn apps(&self) -> Result<Vec<App>, PhoneTrouble> {
        Ok(apps::list(&self.device()).await?)
    }
}

/// A capture that failed is like no other: a screen nobody saw has not settled.
fn look_alike(one: &Picture, other: &Picture) -> bool {
    one.capture == other.capture
        && match (&one.frame, &other.frame) {
            (Some(a), Some(b)) => capture::same(a, b),
            (None, None) => one.capture == CaptureResult::Protected,
            _ => false,
        }
}
