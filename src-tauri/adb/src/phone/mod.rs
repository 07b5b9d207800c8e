//! One phone, as the run sees it.

mod act;
mod files;
mod hand;
mod text;

use crate::apps::{self, icon};
use crate::capture::capture_scheduler::CaptureFeed;
use crate::capture::observer::Observer;
use crate::capture::settle::SettleGoal;
use crate::capture::shot;
use crate::capture::tree::TreeReader;
use crate::connect::console;
use crate::connect::route::Route;
use crate::connect::server::Device;
use crate::dumpsys::notifications::{self, Notification};
use crate::dumpsys::properties;
use crate::error::AdbError;
use crate::exec::script;
use crate::files::{Files, media_import};
use crate::input::adb_keyboard::AdbKeyboard;
use crate::input::capabilities::InputCapabilities;
use crate::input::command::{Command, is_that, still_good};
use crate::input::device_control::DeviceControl;
use crate::input::field::FieldReader;
use crate::input::injector::Injector;
use crate::input::persistent_shell::PersistentShell;
use crate::input::pointer_input::PointerInput;
use crate::input::text_input::TextInput;
use crate::input::typing;
use crate::input::{paste, wake};
use crate::scrcpy;
use crate::scrcpy::SoundListener;
use crate::scrcpy::sound::{NoSound, Sound};
use crate::stream::Feed;
use agent::lease::Grip;
use agent::ports::{
    App, Effect, Phone, PhoneError, PickedFile, RawObservation, RawTree, ScreenMark, ScriptEnd, TreeMark,
};
use async_trait::async_trait;
use judge::{Input, Judged};
use protocol::PhoneId;
use secrecy::SecretString;
use std::sync::Arc;
use std::time::Duration;
use video::sound::SoundCodec;

/// How long a phone has to list its notifications.
const NOTIFICATIONS: Duration = Duration::from_secs(8);

/// One phone behind an adb server.
pub struct AdbPhone {
    id: PhoneId,
    route: Arc<Route>,
    observer: Observer,
    capabilities: Arc<InputCapabilities>,
    tree: TreeReader,
    scrcpy: Arc<scrcpy::SharedSession>,
    shell: Arc<PersistentShell>,
    keyboard: Arc<AdbKeyboard>,
    feed: Feed,
    sound: scrcpy::SoundFeed,
}

impl AdbPhone {
    /// A phone reached over a server. Phones of a [`crate::Roster`] are had from there: one per phone, so that all
    /// share its captures.
    #[must_use]
    pub fn new(id: PhoneId, device: Device) -> Self {
        Self::with(id, device, scrcpy::FetchedServer::default())
    }

    /// The same, with the place a scrcpy server is fetched to.
    #[must_use]
    pub fn with(id: PhoneId, device: Device, fetched: scrcpy::FetchedServer) -> Self {
        let route = Arc::new(Route::new(device));
        let scrcpy = Arc::new(scrcpy::SharedSession::new(fetched));
        let feed = Feed::new(Arc::clone(&route), Arc::clone(&scrcpy));
        Self {
            id,
            observer: Observer::new(Arc::clone(&route), feed.clone()),
            feed,
            route,
            capabilities: Arc::default(),
            tree: TreeReader::default(),
            scrcpy,
            shell: Arc::default(),
            keyboard: Arc::default(),
            sound: scrcpy::SoundFeed::default(),
        }
    }

    /// Its pictures, now and as they come: taken once for all who look on.
    #[must_use]
    pub fn captures(&self) -> CaptureFeed {
        CaptureFeed::new(Arc::clone(&self.observer.captures))
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

    /// Its ways from now on: the best that can be used, and all over which it is known to be reached.
    pub(crate) fn reroute(&self, best: Option<&Device>, own: &[&Device]) {
        self.route.set(best, own);
    }

    /// Whether it is awake and locked.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn condition(&self) -> Result<wake::WakeState, AdbError> {
        wake::condition(&self.device()).await
    }

    /// The notifications it shows.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn notifications(&self) -> Result<Vec<Notification>, AdbError> {
        let device = self.device();
        let asked = device
            .look("dumpsys notification --noredact", NOTIFICATIONS)
            .await?;
        Ok(notifications::read(&asked.text()))
    }

    /// An app's icon: a PNG of at most 96 pixels a side, drawn anew here. Nothing where the phone gives none within a second; only
    /// the reader that stays can be asked, and it is not started for that.
    pub async fn icon(&self, package: &str) -> Option<Vec<u8>> {
        if !properties::is_package(package) {
            return None;
        }
        let sent = self.tree.icon(&self.device(), package, icon::SIDE).await?;
        let redrawn = tokio::task::spawn_blocking(move || icon::redraw(&sent))
            .await
            .ok()?;
        redrawn
            .inspect_err(|error| tracing::debug!(package, %error, "an icon is not shown"))
            .ok()
    }

    /// Whether the window in front forbids pictures of itself, where the phone tells. A stream shows it black.
    pub async fn hides_screen(&self) -> Option<bool> {
        shot::is_secure(&self.device()).await
    }

    /// Its sound, from now on, by one server for all who listen: as AAC, which every player of a clip reads.
    ///
    /// # Errors
    /// Why it gives none.
    pub async fn listen(&self) -> Result<SoundListener, NoSound> {
        self.sound.listen(self.sound(SoundCodec::Aac)).await
    }

    /// The same by a server of its own.
    ///
    /// # Errors
    /// Why it gives none.
    pub async fn sound(&self, codec: SoundCodec) -> Result<Sound, NoSound> {
        let jar = self.scrcpy.jar().await.ok_or(NoSound::NoServer)?;
        Sound::start(&self.device(), &jar, codec).await
    }

    /// The release of the scrcpy server that would be used on it, if there is one.
    pub async fn scrcpy_version(&self) -> Option<String> {
        self.scrcpy.version().await
    }

    fn console(&self) -> Option<u16> {
        let device = self.device();
        console::port(device.serial(), device.server().link().address())
    }

    /// What does things on it, as it is now.
    pub(crate) fn control(&self) -> DeviceControl {
        let input = Injector {
            device: self.device(),
            capabilities: Arc::clone(&self.capabilities),
            display: self.observer.captures.other_display(),
        };
        DeviceControl {
            text: TextInput {
                field: FieldReader {
                    device: input.device.clone(),
                    tree: self.tree.clone(),
                    listener: self.observer.listener(),
                    shown: self.tree.last(self.observer.captures.touched()),
                },
                input: input.clone(),
                scrcpy: Arc::clone(&self.scrcpy),
                keyboard: Arc::clone(&self.keyboard),
                goes_on: false,
            },
            pointer: PointerInput {
                input: input.clone(),
                scrcpy: Arc::clone(&self.scrcpy),
                shell: Arc::clone(&self.shell),
                screen: self
                    .screen()
                    .or_else(|| self.observer.captures.size(Duration::MAX)),
            },
            input,
        }
    }
}

#[async_trait]
impl Phone for AdbPhone {
    fn id(&self) -> PhoneId {
        self.id.clone()
    }

    async fn see(&self) -> Result<RawObservation, PhoneError> {
        Ok(self.observer.seen().await?)
    }

    async fn see_again(&self, before: &RawObservation) -> Result<RawObservation, PhoneError> {
        Ok(self.observer.seen_again(before).await?)
    }

    async fn changed_since(&self, mark: ScreenMark) -> Option<bool> {
        self.observer.changed_since(mark).await
    }

    fn tree_takes(&self) -> Option<Duration> {
        self.tree.takes()
    }

    async fn tree_holds(&self, mark: TreeMark) -> Option<bool> {
        self.tree.holds(&self.device(), mark).await
    }

    async fn read(&self) -> Result<RawTree, PhoneError> {
        let touched = self.observer.captures.touched();
        Ok(self.tree.read_since(&self.device(), touched).await?)
    }

    async fn settle(&self, bound: Duration) -> Result<RawObservation, PhoneError> {
        // What was touched is looked at next.
        let touched = self.observer.captures.touched();
        if touched.is_some() && self.tree.last(touched).is_none() {
            self.tree.begin(&self.device());
        }
        self.observer.settled(bound, SettleGoal::Rest).await
    }

    async fn settle_wholly(&self, bound: Duration) -> Result<RawObservation, PhoneError> {
        self.observer.settled(bound, SettleGoal::Stillness).await
    }

    async fn perform(&self, judged: &Judged, grip: &Grip) -> Result<Effect, PhoneError> {
        let command = Command::of(judged)?;
        self.observer
            .opens(matches!(command, Command::Launch(_) | Command::OpenUrl(_)));
        self.act(grip, |mut control, guard| async move {
            control.text.goes_on = true;
            control.perform(&guard, &command).await
        })
        .await
    }

    async fn can_type(&self, text: &str, grip: &Grip) -> Result<bool, PhoneError> {
        match self.typist(text, grip).await {
            Ok(_) => Ok(true),
            Err(PhoneError::CannotType) => Ok(false),
            Err(trouble) => Err(trouble),
        }
    }

    async fn wake(&self, judged: &Judged, grip: &Grip) -> Result<bool, PhoneError> {
        is_that(judged, &Input::Wake)?;
        // Whoever begins so goes on to touch: the stream that tells what came of it takes a second to come up.
        self.observer.begin().await;
        let now = wake::condition(&self.device()).await?;
        let lifted = self.lift_leftover(grip).await?;
        // Most phones are awake: that is no touch, and no reason to take new pictures.
        if now.awake != Some(false) && now.locked != Some(true) {
            return Ok(lifted);
        }
        self.act(grip, |control, guard| async move {
            wake::wake(&control.input, &guard).await
        })
        .await
    }

    async fn type_secret(
        &self,
        secret: &SecretString,
        judged: &Judged,
        grip: &Grip,
    ) -> Result<Effect, PhoneError> {
        is_that(judged, &Input::Secret { at: (0, 0) })?;
        let secret = secret.clone();
        self.act(grip, |control, guard| async move {
            typing::secret(&control.text, &guard, &secret).await
        })
        .await
    }

    async fn script(&self, judged: &Judged, limit: Duration, grip: &Grip) -> Result<ScriptEnd, PhoneError> {
        let Input::Script(script) = still_good(judged)? else {
            return Err(PhoneError::NotSupported("no script".to_owned()));
        };
        let script = script.clone();
        self.act(grip, move |control, guard| async move {
            script::run(control.device(), &guard, &script, limit).await
        })
        .await
    }

    async fn clipboard(&self, judged: &Judged, grip: &Grip) -> Result<String, PhoneError> {
        is_that(judged, &Input::ReadClipboard)?;
        self.act(grip, |control, guard| async move {
            paste::copied(&control.text.scrcpy, control.device(), &guard).await
        })
        .await
    }

    fn can_be_placed(&self) -> bool {
        self.console().is_some()
    }

    async fn place(
        &self,
        latitude: f64,
        longitude: f64,
        judged: &Judged,
        grip: &Grip,
    ) -> Result<(), PhoneError> {
        let place = format!("{latitude}, {longitude}");
        is_that(judged, &Input::Location { place })?;
        let Some(port) = self.console() else {
            return Err(PhoneError::NotSupported(
                "no emulator of this computer".to_owned(),
            ));
        };
        self.act(grip, move |control, _| async move {
            // The console is a port of this computer, which another emulator may have by now.
            control.device().is_its_own()?;
            console::fix(port, &console::token().await, latitude, longitude).await
        })
        .await
    }

    async fn app_version(&self, package: &str) -> Result<String, PhoneError> {
        Ok(apps::version(&self.device(), package).await?)
    }

    async fn signers(&self, package: &str) -> Result<Vec<String>, PhoneError> {
        Ok(apps::signers(&self.device(), package).await?)
    }

    fn takes_files(&self) -> bool {
        true
    }

    async fn give(&self, file: &PickedFile, judged: &Judged, grip: &Grip) -> Result<String, PhoneError> {
        let name = file.name.clone();
        is_that(judged, &Input::File { name })?;
        let file = file.clone();
        self.act(grip, |control, guard| async move {
            media_import::give(control.device(), &guard, &file).await
        })
        .await
    }

    async fn apps(&self) -> Result<Vec<App>, PhoneError> {
        Ok(apps::list(&self.device()).await?)
    }
}
