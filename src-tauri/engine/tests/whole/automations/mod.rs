//! Automations on a phone and in virtual time: begun once, one after another, late, or not and why.

mod person;
mod times;
mod triggers;

use crate::rig::at;
use adb::FollowedServer;
use async_trait::async_trait;
use engine::{Engine, Keychain, ModelChoice, Options, ProgramChoice, TimeOfDay};
use jiff::tz::TimeZone;
use protocol::{
    AutomationHold, AutomationId, AutomationPhones, AutomationPlan, Failure, HistoryQuery, Level, MissedRun,
    News, Occurrence, OccurrenceState, PastRun, PhoneId, PhoneState, RunId, Schedule, SettingsPatch,
    Variable, VariableKind,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use virtual_phone::system::System;
use virtual_phone::{Host, PhoneHandle, Speed};

const BOUND: Duration = Duration::from_secs(120);
const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
/// Half past midnight on Monday, 5 January 2026, in UTC.
pub(crate) const BEGIN: u64 = 1_767_573_000 * SECOND;
/// The first full hour after.
const ONE: u64 = BEGIN + 30 * MINUTE;

/// A clock that a test sets.
pub(crate) struct Clock {
    now: watch::Sender<u64>,
    zone: Mutex<TimeZone>,
}

impl Clock {
    pub(crate) fn at(now: u64) -> Arc<Self> {
        Arc::new(Self {
            now: watch::Sender::new(now),
            zone: Mutex::new(TimeZone::UTC),
        })
    }

    pub(crate) fn advance(&self, by: u64) {
        self.now.send_modify(|now| *now += by);
    }

    /// So many hours east of Greenwich from now on.
    pub(crate) fn travel(&self, hours: i8) {
        *self.zone.lock().unwrap() = TimeZone::fixed(jiff::tz::offset(hours));
    }
}

#[async_trait]
impl TimeOfDay for Clock {
    fn now(&self) -> u64 {
        *self.now.borrow()
    }

    fn zone(&self) -> TimeZone {
        self.zone.lock().unwrap().clone()
    }

    async fn sleep_until(&self, at: u64) {
        let _ = self.now.subscribe().wait_for(|now| *now >= at).await;
    }
}

struct Table {
    engine: Engine,
    clock: Arc<Clock>,
    handle: PhoneHandle,
    phone: PhoneId,
    folder: Arc<TempDir>,
    news: UnboundedReceiver<News>,
}

async fn open(folder: &Arc<TempDir>, now: u64) -> Table {
    let host = Arc::new(Host::new());
    let attached = virtual_phone::Options {
        speed: Speed::Instant,
        ..virtual_phone::Options::default()
    };
    let system = System::try_new(at("com.android.settings/.Settings")).unwrap();
    let handle = host.add(Box::new(system), attached);
    let connector = adb::connector(move || host.open());
    let clock = Clock::at(now);
    let engine = open_engine(folder, vec![FollowedServer::demo(connector)], false, &clock).await;
    let news = engine.listen();
    let phone = ready(&engine).await;
    Table {
        engine,
        clock,
        handle,
        phone,
        folder: Arc::clone(folder),
        news,
    }
}

/// An engine that begins automations by this clock, and asks nothing that a switch can turn off.
pub(crate) async fn open_engine(
    folder: &TempDir,
    places: Vec<FollowedServer>,
    demo: bool,
    clock: &Arc<Clock>,
) -> Engine {
    let scheduler: Arc<dyn TimeOfDay> = clock.clone();
    let engine = Engine::open(Options {
        folder: folder.path().to_path_buf(),
        places,
        program: ProgramChoice::default(),
        demo,
        keychain: Keychain::absent(),
        key: None,
        scheduler: Some(scheduler),
    })
    .await
    .unwrap();
    ask_nothing(&engine).await;
    engine
}

async fn table() -> Table {
    open(&Arc::new(tempfile::tempdir().unwrap()), BEGIN).await
}

async fn ask_nothing(engine: &Engine) {
    let patch = SettingsPatch {
        level: Some(Level::HardStops),
        ..SettingsPatch::default()
    };
    engine.patch_settings(patch).await.unwrap();
}

/// The first phone that is ready.
async fn ready(engine: &Engine) -> PhoneId {
    let mut listing = engine.listing();
    let is_ready = |phone: &&protocol::Phone| phone.state == PhoneState::Device;
    let there = listing.wait_for(|listing| listing.phones.iter().any(|phone| is_ready(&phone)));
    let there = tokio::time::timeout(BOUND, there).await.unwrap().unwrap();
    there.phones.iter().find(is_ready).unwrap().id.clone()
}

fn plan(name: &str, phone: &PhoneId) -> AutomationPlan {
    AutomationPlan {
        name: name.to_owned(),
        task: "Turn off Battery Saver".to_owned(),
        variables: Vec::new(),
        phones: AutomationPhones::These {
            phones: vec![phone.clone()],
        },
        schedule: None,
        trigger: None,
        missed: MissedRun::Late,
        recorded: None,
    }
}

fn hourly(name: &str, phone: &PhoneId) -> AutomationPlan {
    AutomationPlan {
        schedule: Some(Schedule::Hours { hours: 1 }),
        ..plan(name, phone)
    }
}

fn variable(name: &str, kind: VariableKind, value: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        kind,
        value: value.to_owned(),
        ask: true,
    }
}

impl Table {
    async fn save(&self, plan: AutomationPlan) -> AutomationId {
        self.engine
            .save_automation(None, plan)
            .await
            .unwrap()
            .automation
            .id
    }

    fn advance(&self, by: u64) {
        self.clock.advance(by);
    }

    /// The times of an automation once they are as wished, newest first.
    async fn until(&mut self, id: &AutomationId, wish: impl Fn(&[Occurrence]) -> bool) -> Vec<Occurrence> {
        let wished = async {
            loop {
                let times = self.engine.automation_occurrences(id).await.unwrap();
                if wish(&times) {
                    return times;
                }
                self.news.recv().await.unwrap();
            }
        };
        let wished = tokio::time::timeout(BOUND, wished).await;
        match wished {
            Ok(times) => times,
            Err(_) => panic!("{:#?}", self.engine.automation_occurrences(id).await),
        }
    }

    /// A look, and what came of it: this changes nothing of what is not held.
    async fn look(&self, id: &AutomationId) -> Result<(), Failure> {
        self.engine.hold_automation(id, false).await
    }

    async fn held(&self, id: &AutomationId) -> Option<AutomationHold> {
        let cards = self.engine.automations().await.unwrap();
        let card = cards.into_iter().find(|card| card.automation.id == *id);
        card.unwrap().automation.held
    }

    /// Past runs, the oldest first.
    async fn runs(&self) -> Vec<PastRun> {
        let page = self.engine.history(&HistoryQuery::default()).await.unwrap();
        page.runs.into_iter().rev().collect()
    }

    async fn by_hand(
        &self,
        id: &AutomationId,
        values: &[(&str, &str)],
    ) -> Result<Vec<RunId>, protocol::Failure> {
        let values = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let values: BTreeMap<_, _> = values.collect();
        self.engine
            .run_automation(id, &values, &ModelChoice::Settings)
            .await
    }
}

/// What a state says, in a word or two.
fn word(one: &Occurrence) -> String {
    match &one.state {
        OccurrenceState::Waiting { because } => format!("waits: {because:?}"),
        OccurrenceState::Running { .. } => "runs".to_owned(),
        OccurrenceState::Ended { end, .. } => format!("{end:?}"),
        OccurrenceState::Skipped { because, .. } => format!("skipped: {because:?}"),
    }
}

fn is_over(one: &Occurrence) -> bool {
    matches!(
        one.state,
        OccurrenceState::Ended { .. } | OccurrenceState::Skipped { .. }
    )
}

fn all_over(count: usize) -> impl Fn(&[Occurrence]) -> bool {
    move |times| times.len() == count && times.iter().all(is_over)
}
