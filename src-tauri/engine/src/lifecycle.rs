//! An engine's beginning and end: the store is opened and the phones followed, until every run is ended and written down.

use crate::automations::Automations;
use crate::clips::Clips;
use crate::demo::Demo;
use crate::engine::Inner;
use crate::event_hub::EventHub;
use crate::fetch::Fetch;
use crate::icon_cache::AppIcons;
use crate::models::Models;
use crate::phone_session::PhoneSessions;
use crate::{Engine, EngineError, Options, phones, wifi_reconnect, wireless};
use adb::Roster;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Store;
use tokio::sync::{mpsc, watch};
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

/// How long closing waits for the journal: a program that does not end is ended by force.
const WRITING: Duration = Duration::from_secs(5);

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
        let (updates, found) = mpsc::unbounded_channel();
        let wifi_reconnect = roster.local_server().map(|server| {
            let follow = wifi_reconnect::ReconnectInputs {
                wanted: wanted.subscribe(),
                listing: roster.listing(),
                around: around.subscribe(),
                updates,
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
                fetch: Fetch::default(),
                fetch_server: Fetch::default(),
                wanted,
                around,
                _following: following,
                _wifi_reconnect: wifi_reconnect,
                days: OnceLock::new(),
            }),
        };
        tokio::spawn(wifi_reconnect::write_down(Arc::downgrade(&engine.inner), found));
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
    pub async fn written(&self, bound: Duration) -> bool {
        self.inner.writing.close();
        let done = tokio::time::timeout(bound, self.inner.writing.wait())
            .await
            .is_ok();
        self.inner.writing.reopen();
        done
    }
}
