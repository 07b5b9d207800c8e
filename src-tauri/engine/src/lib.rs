//! Phones, runs and questions put together: the one door between the rooms and the two fronts.
//!
//! The window (the shell) and `deck` call this room and nothing else, so both act under the same judge, journal, lease
//! and lock. It owns what is true while the program runs: which phones there are, which runs live, who holds which
//! phone, which questions are open. Listeners are told everything from the beginning and then as it happens, so a
//! window that was closed shows the same again.
//!
//! Absent on purpose: Tauri (the shell), standard input and output (`deck`), decisions (room `agent`).
//!
//! Start reading at [`Engine::open`], then `runs`.

mod act;
mod adb_program;
mod app_icons;
mod approvals;
mod automations;
mod backoff;
mod changes;
mod clips;
mod credentials;
mod demo;
mod doctor;
mod error;
mod event_hub;
mod export;
mod files;
mod history;
mod log;
mod loosening;
mod manual_control;
mod mirror;
mod mirror_server;
mod model_choice;
mod notes;
mod opening;
mod phone_list;
mod phone_retry;
mod phone_session;
mod phones;
mod pictures;
mod programs;
mod recorder;
mod redact;
mod reply;
mod retention;
mod runs;
mod scripts;
mod settings;
mod sound;
mod spending;
mod typing;
mod wifi_reconnect;
#[cfg(test)]
mod wifi_reconnect_tests;
mod wireless;
pub mod words;

pub use act::OneAction;
pub use adb::Listing;
pub use adb::memory::give_frames_back;
/// Where Google gives out its platform tools.
pub use adb::tools::MAKERS_PAGE as PLATFORM_TOOLS_PAGE;
pub use adb_program::ProgramChoice;
pub use agent::is_unusable;
pub use agent::timing;
pub use approvals::LARGEST_FILE;
pub use automations::{ComputerTime, TimeOfDay};
pub use backoff::{Pauses, pauses};
pub use clips::videos_folder;
pub use error::EngineError;
pub use log::start_log;
pub use loosening::{loosened, loosens, tightened};
pub use mirror::{Mirror, MirrorMessage, Rung, Shown, StreamRequest, Why};
pub use mirror_server::fetch_scrcpy;
pub use model_choice::{MODEL_KEY, ModelChoice};
pub use opening::{remedies, set_aside};
pub use phone_list::{Look, PhoneList, not_found, not_listed};
pub use pictures::{Screenshot, documents_folder, pictures_folder, write_file};
pub use reply::{ReplyOptions, ReplyReader};
pub use runs::{may_be_switched_off, no};
pub use sound::PhoneSound;
pub use tracing_subscriber::filter::LevelFilter;
pub use wireless::{PairingPage, Watch};

use adb::wireless::Found;
use adb::{Place, Roster};
use app_icons::AppIcons;
use automations::Automations;
use clips::Clips;
use demo::Demo;
use event_hub::EventHub;
use model_choice::Models;
use phone_session::PhoneSessions;
use protocol::{AskId, News, OpenAsks, Phone, PhoneId, Server, WirelessPhone};
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::Store;
pub use store::keychain::Keychain;
use tokio::sync::{mpsc, watch};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// The folder's name where nobody says otherwise, in the system's place for such things.
const FOLDER: &str = "pocketdeck";

/// How long closing waits for the journal: a program that does not end is ended by force.
const WRITING: std::time::Duration = std::time::Duration::from_secs(5);

/// How an engine is opened.
pub struct Options {
    /// Where runs, pictures and settings are kept.
    pub folder: PathBuf,
    /// The adb servers to follow, the demo's aside.
    pub places: Vec<Place>,
    /// Which adb program this computer's server is started with.
    pub program: ProgramChoice,
    /// Demo phones may be shown.
    pub demo: bool,
    /// Where keys are kept.
    pub keychain: Keychain,
    /// A key from the environment: used instead of the keychain's.
    pub key: Option<SecretString>,
    /// The clock by which automations begin by themselves; without one, only the person begins them.
    pub scheduler: Option<Arc<dyn TimeOfDay>>,
}

impl Options {
    /// The usual ones: this computer's adb server, the system's keychain.
    ///
    /// # Errors
    /// When the environment names an adb server that is no address.
    pub fn usual(folder: PathBuf) -> Result<Self, EngineError> {
        let program = ProgramChoice::new(&folder);
        let place = program.place().map_err(EngineError::Environment)?;
        Ok(Self::at(folder, program, place))
    }

    /// The same with this computer's own adb server, whatever the environment names.
    #[must_use]
    pub fn own_server(folder: PathBuf) -> Self {
        let program = ProgramChoice::new(&folder);
        let place = program.own_place();
        Self::at(folder, program, place)
    }

    fn at(folder: PathBuf, program: ProgramChoice, place: Place) -> Self {
        Self {
            folder,
            places: vec![place],
            program,
            demo: true,
            keychain: Keychain::system(),
            key: None,
            scheduler: None,
        }
    }

    /// The same where automations begin by themselves, by this computer's clock.
    #[must_use]
    pub fn with_scheduler(self) -> Self {
        Self {
            scheduler: Some(Arc::new(ComputerTime)),
            ..self
        }
    }
}

/// Where data is kept when nobody says otherwise: `POCKETDECK_DATA`, else the system's place for a program's data.
///
/// # Errors
/// When the system names no such place.
pub fn usual_folder() -> Result<PathBuf, EngineError> {
    if let Some(folder) = std::env::var_os("POCKETDECK_DATA").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    dirs::data_local_dir()
        .map(|folder| folder.join(FOLDER))
        .ok_or(EngineError::NoFolder)
}

/// Everything together. Clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    store: Store,
    keychain: Keychain,
    key: Option<SecretString>,
    roster: Roster,
    demo: Option<Demo>,
    hub: EventHub,
    /// One change of the settings at a time.
    changing: tokio::sync::Mutex<()>,
    /// One tidying at a time.
    tidying: tokio::sync::Mutex<()>,
    /// What is being written down although its run is over.
    writing: TaskTracker,
    sessions: PhoneSessions,
    clips: Clips,
    icons: AppIcons,
    automations: Automations,
    models: Models,
    program: ProgramChoice,
    /// The servers it was opened with: no setting takes them away.
    given: Vec<Server>,
    fetch: adb_program::Fetch,
    fetch_server: adb_program::Fetch,
    /// The remembered phones, to be kept connected.
    wanted: watch::Sender<Vec<WirelessPhone>>,
    /// What an open pairing page sees; nothing while none is open.
    around: watch::Sender<Vec<Found>>,
    _wifi_reconnect: Option<AbortOnDropHandle<()>>,
    _following: AbortOnDropHandle<()>,
    /// Which tells of the new day's spending.
    days: OnceLock<AbortOnDropHandle<()>>,
}

impl Engine {
    /// Opens the store, closes what an earlier program left open, and begins to follow the phones.
    ///
    /// # Errors
    /// When the store cannot be opened.
    pub async fn open(options: Options) -> Result<Self, EngineError> {
        let Options {
            folder,
            mut places,
            program,
            demo,
            keychain,
            key,
            scheduler,
        } = options;
        let opening = folder.clone();
        let store = tokio::task::spawn_blocking(move || Store::open(&opening))
            .await
            .map_err(EngineError::Broken)??;
        let settings = store.settings().await?;
        let demo = demo.then(Demo::new);
        if let Some(demo) = &demo {
            demo.set_count(settings.demo_phones);
            places.push(demo.place());
        }
        program.set(&settings.adb_program);
        let roster = Roster::follow(places);
        roster
            .fetched_scrcpy()
            .lies_at(&adb::tools::scrcpy_server(&folder));
        let given = roster.servers();
        wireless::follow_servers(&roster, &given, &settings.adb_servers);
        let wanted = watch::Sender::new(settings.wireless.clone());
        let around = watch::Sender::new(Vec::new());
        let (learned, facts) = mpsc::unbounded_channel();
        let wifi_reconnect = roster.local_server().map(|server| {
            let follow = wifi_reconnect::Following {
                wanted: wanted.subscribe(),
                listing: roster.listing(),
                around: around.subscribe(),
                learned,
            };
            AbortOnDropHandle::new(tokio::spawn(wifi_reconnect::keep(server, follow)))
        });
        let hub = EventHub::new(settings);
        hub.remember(&store).await?;
        let sessions = PhoneSessions::default();
        let following = phones::follow(roster.listing(), hub.clone(), sessions.clone());
        let engine = Self {
            inner: Arc::new(Inner {
                folder,
                store,
                keychain,
                key,
                roster,
                demo,
                hub,
                changing: tokio::sync::Mutex::default(),
                tidying: tokio::sync::Mutex::default(),
                writing: TaskTracker::new(),
                sessions,
                clips: Clips::default(),
                icons: AppIcons::default(),
                automations: Automations::new(scheduler),
                models: Models::default(),
                program,
                given,
                fetch: adb_program::Fetch::default(),
                fetch_server: adb_program::Fetch::default(),
                wanted,
                around,
                _following: following,
                _wifi_reconnect: wifi_reconnect,
                days: OnceLock::new(),
            }),
        };
        tokio::spawn(wifi_reconnect::write_down(Arc::downgrade(&engine.inner), facts));
        engine.follow_days();
        engine.tell_spending().await;
        engine.tell_automations().await;
        engine.begin_automations();
        tokio::spawn({
            let engine = engine.clone();
            async move { engine.tidy().await }
        });
        Ok(engine)
    }

    /// Where everything is kept.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// Everything from the beginning, then as it happens.
    #[must_use]
    pub fn listen(&self) -> mpsc::UnboundedReceiver<News> {
        self.inner.hub.listen()
    }

    /// The open questions, anew at each change.
    #[must_use]
    pub fn open_asks(&self) -> watch::Receiver<OpenAsks> {
        self.inner.hub.open_asks()
    }

    /// Puts an open question before the others. False where it is over.
    #[must_use]
    pub fn bring_forward(&self, ask: &AskId) -> bool {
        self.inner.hub.bring_forward(ask)
    }

    /// Ends every run. When this returns, nothing more can reach a phone through this program, and every run's end is
    /// written down; where the journal does not open for some seconds, an end is missing, and the next start says so.
    pub async fn close(&self) {
        self.inner.automations.stop();
        let runs = self.inner.sessions.unwritten();
        let living = runs.iter().filter(|run| !run.is_over());
        futures::future::join_all(living.map(agent::Handle::stop)).await;
        let written = futures::future::join_all(runs.iter().map(agent::Handle::wait_written));
        let (written, ()) = tokio::join!(tokio::time::timeout(WRITING, written), self.inner.clips.close());
        if written.is_err() {
            tracing::error!("the journal is closed; the end of a run is not in it");
        }
        self.written(WRITING).await;
    }

    /// How many tasks go on.
    #[must_use]
    pub fn running(&self) -> usize {
        let runs = self.inner.sessions.unwritten();
        runs.iter().filter(|run| !run.is_over()).count()
    }

    /// Waits until what runs left to be written down is: what was allowed for good, what goes with time. At most so long;
    /// whether all of it is.
    pub async fn written(&self, bound: std::time::Duration) -> bool {
        self.inner.writing.close();
        let done = tokio::time::timeout(bound, self.inner.writing.wait())
            .await
            .is_ok();
        self.inner.writing.reopen();
        done
    }

    /// The store, for looking things up.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    fn phone(&self, id: &PhoneId) -> Result<Arc<adb::AdbPhone>, EngineError> {
        self.inner.roster.phone(id).ok_or(EngineError::NoPhone)
    }

    /// What is known of a phone, by the name the person gave it.
    fn known(&self, id: &PhoneId) -> Result<Phone, EngineError> {
        let listing = self.inner.roster.listing();
        let listing = listing.borrow();
        let phone = listing.phones.iter().find(|phone| phone.id == *id);
        let mut phone = phone.cloned().ok_or(EngineError::NoPhone)?;
        phones::call(&mut phone, &self.inner.hub.settings().borrow().phones);
        Ok(phone)
    }

    /// The phone listed under a serial, once the servers have answered or the bound is over.
    ///
    /// # Errors
    /// When no server lists it.
    pub async fn phone_by_serial(
        &self,
        serial: &str,
        bound: std::time::Duration,
    ) -> Result<PhoneId, EngineError> {
        let mut listing = self.inner.roster.listing();
        let found = listing.wait_for(|listing| {
            let line = listing.connections.iter().find(|line| line.serial == serial);
            match line {
                Some(line) => line.state != protocol::PhoneState::Device || !listing.looking,
                None => !listing.looking,
            }
        });
        let _ = tokio::time::timeout(bound, found).await;
        let listing = self.inner.roster.listing();
        let listing = listing.borrow();
        let line = listing
            .connections
            .iter()
            .find(|line| line.serial == serial)
            .ok_or(EngineError::NoPhone)?;
        Ok(line.phone.clone())
    }

    /// All that is known of phones and servers.
    #[must_use]
    pub fn listing(&self) -> watch::Receiver<adb::Listing> {
        self.inner.roster.listing()
    }
}
