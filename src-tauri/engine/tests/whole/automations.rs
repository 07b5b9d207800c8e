//! Automations on a phone and in virtual time: begun once, one after another, late, or not and why.

use crate::rig::{all_bytes, at};
use adb::Place;
use async_trait::async_trait;
use engine::{Engine, Keychain, ModelChoice, Options, ProgramChoice, TimeOfDay};
use jiff::tz::TimeZone;
use protocol::{
    Automation, AutomationHold, AutomationId, AutomationPhones, AutomationPlan, ChosenModel, FailureCode,
    HistoryQuery, Level, Maker, MissedRun, News, Occurrence, OccurrenceState, PastRun, PhoneId, PhoneState,
    Provider, RunEndKind, RunId, Schedule, SettingsPatch, StartedBy, Trigger, Variable, VariableKind,
    WaitReason, What,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::{KeptAutomation, Store};
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
const BEGIN: u64 = 1_767_573_000 * SECOND;
/// The first full hour after.
const ONE: u64 = BEGIN + 30 * MINUTE;

/// A clock that a test sets.
struct Clock(watch::Sender<u64>);

#[async_trait]
impl TimeOfDay for Clock {
    fn now(&self) -> u64 {
        *self.0.borrow()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::UTC
    }

    async fn sleep_until(&self, at: u64) {
        let _ = self.0.subscribe().wait_for(|now| *now >= at).await;
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
    let clock = Arc::new(Clock(watch::Sender::new(now)));
    let scheduler: Arc<dyn TimeOfDay> = clock.clone();
    let engine = Engine::open(Options {
        folder: folder.path().to_path_buf(),
        places: vec![Place::demo(connector)],
        program: ProgramChoice::default(),
        demo: false,
        keychain: Keychain::absent(),
        key: None,
        scheduler: Some(scheduler),
    })
    .await
    .unwrap();
    ask_nothing(&engine).await;
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
        self.clock.0.send_modify(|now| *now += by);
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

#[tokio::test(flavor = "multi_thread")]
async fn what_falls_due_runs_once_and_what_was_slept_through_is_said() {
    let mut table = table().await;
    let card = table
        .engine
        .save_automation(None, hourly("Saver", &table.phone))
        .await
        .unwrap();
    let id = card.automation.id;
    assert_eq!(card.next, Some(ONE));
    table.advance(29 * MINUTE);
    table.advance(MINUTE);
    let [one] = table.until(&id, all_over(1)).await.try_into().unwrap();
    assert_eq!(
        (one.due, one.by, word(&one).as_str()),
        (ONE, StartedBy::Schedule, "Finished")
    );
    assert!(!one.phone_name.is_empty());
    let [run] = table.runs().await.try_into().unwrap();
    assert_eq!(run.goal, "Turn off Battery Saver");
    let story = table.engine.run_story(&run.run).await.unwrap();
    let What::Started {
        automation: Some(of), ..
    } = &story.events[0].what
    else {
        panic!("{:?}", story.events[0])
    };
    assert_eq!(
        (&of.id, of.name.as_str(), of.by),
        (&id, "Saver", StartedBy::Schedule)
    );

    // The computer sleeps until a minute past six: the newest time is done, and the four before are not.
    table.advance(5 * HOUR + MINUTE);
    let times = table.until(&id, all_over(6)).await;
    let words: Vec<String> = times.iter().map(word).collect();
    let asleep = "skipped: Asleep";
    assert_eq!(words, ["Finished", asleep, asleep, asleep, asleep, "Finished"]);
    assert_eq!(table.runs().await.len(), 2);

    // A window that opens is told first.
    let mut news = table.engine.listen();
    let told = std::iter::from_fn(|| news.try_recv().ok());
    let cards = told.filter_map(|one| match one {
        News::Automations { automations } => Some(automations),
        _ => None,
    });
    let [cards] = cards.collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(cards[0].latest, times[..1]);
    assert_eq!(cards[0].next, Some(ONE + 6 * HOUR));
}

/// The program was killed at each moment between two writes.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_program_left_is_begun_once_or_said_to_be_interrupted() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let phone = {
        let table = open(&folder, BEGIN).await;
        table.engine.close().await;
        table.phone
    };
    let store = Store::open(folder.path()).unwrap();
    let running = OccurrenceState::Running {
        run: RunId::from("never"),
    };
    let waiting = OccurrenceState::Waiting {
        because: WaitReason::Busy,
    };
    for (name, by, state) in [
        ("named", StartedBy::Schedule, running),
        ("due", StartedBy::Schedule, waiting.clone()),
        ("by-hand", StartedBy::Person, waiting),
    ] {
        let id = AutomationId::from(name);
        let automation = Automation {
            id: id.clone(),
            made_at: BEGIN,
            plan: plan(name, &phone),
            held: None,
            clean_replays: 0,
        };
        let kept = KeptAutomation {
            automation,
            since: ONE,
            failures: 0,
        };
        store.save_automations(&[kept]).await.unwrap();
        let one = Occurrence {
            automation: id.clone(),
            phone: phone.clone(),
            phone_name: "The phone".to_owned(),
            due: ONE,
            by,
            state,
            at: ONE,
        };
        store.write_occurrences(&id, &[one], |_| {}).await.unwrap();
    }
    drop(store);
    let mut table = open(&folder, ONE + 3 * MINUTE).await;
    for (name, expected) in [
        ("named", "skipped: Interrupted"),
        ("due", "Finished"),
        ("by-hand", "skipped: Interrupted"),
    ] {
        let times = table.until(&AutomationId::from(name), all_over(1)).await;
        assert_eq!(word(&times[0]), expected, "{name}");
    }
    assert_eq!(table.runs().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_due_on_one_phone_run_one_after_the_other() {
    let mut table = table().await;
    let first = table.save(hourly("First", &table.phone)).await;
    let second = table.save(hourly("Second", &table.phone)).await;
    table.advance(30 * MINUTE);
    table.until(&first, all_over(1)).await;
    table.until(&second, all_over(1)).await;
    let [one, other] = table.runs().await.try_into().unwrap();
    assert!(one.ended_at.unwrap() <= other.started_at, "{one:?} {other:?}");
    assert_eq!([one.end, other.end], [RunEndKind::Finished; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_is_missing_is_waited_for_and_then_left() {
    let mut table = table().await;
    let id = table.save(hourly("Elsewhere", &PhoneId::from("elsewhere"))).await;
    table.advance(30 * MINUTE);
    let times = table.until(&id, |times| times.len() == 1).await;
    assert_eq!(word(&times[0]), "waits: Missing");
    table.advance(29 * MINUTE);
    table.advance(MINUTE);
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(word(&times[0]), "skipped: PhoneMissing");
    assert_eq!(table.runs().await, []);
    // By hand it is said at once.
    let failure = table.by_hand(&id, &[]).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::PhoneGone);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_failures_in_a_row_hold_it() {
    let mut table = table().await;
    let use_ai = |provider| SettingsPatch {
        provider: Some(provider),
        ..SettingsPatch::default()
    };
    let chosen = ChosenModel {
        maker: Maker::Custom,
        base_url: Some("no address".to_owned()),
        model: "m".to_owned(),
        ..ChosenModel::default()
    };
    table
        .engine
        .patch_settings(use_ai(Provider::Model { chosen }))
        .await
        .unwrap();
    let id = table.save(hourly("Fails", &table.phone)).await;
    table.advance(30 * MINUTE);
    for count in 1..=3 {
        assert_eq!(table.held(&id).await, None);
        let times = table.until(&id, all_over(count)).await;
        assert_eq!(word(&times[0]), "skipped: CouldNotBegin");
        table.advance(HOUR);
    }
    assert_eq!(table.held(&id).await, Some(AutomationHold::Failures));
    table.advance(5 * HOUR);
    table.engine.patch_settings(use_ai(Provider::Demo)).await.unwrap();
    // Times while it was held do not count.
    table.engine.hold_automation(&id, false).await.unwrap();
    assert_eq!(table.engine.automation_occurrences(&id).await.unwrap().len(), 3);
    table.advance(HOUR);
    let times = table.until(&id, all_over(4)).await;
    assert_eq!(word(&times[0]), "Finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_and_the_end_of_a_hold_run_nothing_of_the_past() {
    let mut table = table().await;
    let id = table.save(plan("Later", &table.phone)).await;
    table.advance(4 * HOUR);
    let edited = hourly("Later", &table.phone);
    let card = table
        .engine
        .save_automation(Some(&id), edited.clone())
        .await
        .unwrap();
    assert_eq!(card.next, Some(ONE + 4 * HOUR));
    table.engine.hold_automation(&id, true).await.unwrap();
    table.advance(4 * HOUR);
    table.engine.hold_automation(&id, false).await.unwrap();
    assert_eq!(table.engine.automation_occurrences(&id).await.unwrap(), []);
    // What fell due before an edit is written down before it.
    table.advance(HOUR);
    let other = AutomationPlan {
        schedule: None,
        ..edited
    };
    table.engine.save_automation(Some(&id), other).await.unwrap();
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(times[0].due, ONE + 8 * HOUR);

    for (fault, plan) in [
        (
            "name",
            AutomationPlan {
                name: String::new(),
                ..plan("x", &table.phone)
            },
        ),
        ("name_taken", plan("LATER", &table.phone)),
        (
            "variables",
            AutomationPlan {
                task: "Open {it}".to_owned(),
                ..plan("x", &table.phone)
            },
        ),
        (
            "schedule",
            AutomationPlan {
                schedule: Some(Schedule::Hours { hours: 5 }),
                ..plan("x", &table.phone)
            },
        ),
    ] {
        let failure = table.engine.save_automation(None, plan).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::PlanFault);
        assert_eq!(failure.values["fault"], fault);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_says_at_the_start_holds_for_that_run_alone() {
    let mut table = table().await;
    let asks = AutomationPlan {
        task: "Turn off {what}".to_owned(),
        variables: vec![variable("what", VariableKind::Text, "Battery Saver")],
        ..plan("Off", &table.phone)
    };
    let id = table.save(asks).await;
    let begun = table.by_hand(&id, &[("what", "Bluetooth")]).await.unwrap();
    assert_eq!(begun.len(), 1);
    // The phone is busy: this one waits, with what was said.
    let waits = table.by_hand(&id, &[("what", "airplane mode")]).await.unwrap();
    assert_eq!(waits, []);
    table.until(&id, all_over(2)).await;
    table.by_hand(&id, &[]).await.unwrap();
    table.until(&id, all_over(3)).await;
    let goals: Vec<String> = table.runs().await.into_iter().map(|run| run.goal).collect();
    assert_eq!(
        goals,
        [
            "Turn off Bluetooth",
            "Turn off airplane mode",
            "Turn off Battery Saver"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_kept() {
    let mut table = table().await;
    let secret = |value| AutomationPlan {
        task: "Turn off Battery Saver, the PIN is {pin}".to_owned(),
        variables: vec![variable("pin", VariableKind::Secret, value)],
        ..plan("Secret", &table.phone)
    };
    let refused = table
        .engine
        .save_automation(None, secret("MARKER-4711"))
        .await
        .unwrap_err();
    assert_eq!(refused.values["fault"], "secret_value");
    let id = table.save(secret("")).await;
    let refused = table.by_hand(&id, &[("pin", "MARKER-4711")]).await.unwrap_err();
    assert_eq!(
        (
            refused.values["fault"].as_str(),
            refused.values["variable"].as_str()
        ),
        ("secret_value", "pin")
    );
    table.by_hand(&id, &[]).await.unwrap();
    table.until(&id, all_over(1)).await;
    assert_eq!(
        table.runs().await[0].goal,
        "Turn off Battery Saver, the PIN is pin"
    );
    let bytes = all_bytes(table.folder.path());
    assert!(!bytes.windows(11).any(|window| window == b"MARKER-4711"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_brings_automations_that_wait_for_their_first_run() {
    let mut table = table().await;
    let id = table.save(hourly("Saver", &table.phone)).await;
    let text = table
        .engine
        .export_automations(std::slice::from_ref(&id))
        .await
        .unwrap();
    let [new] = table
        .engine
        .import_automations(&text)
        .await
        .unwrap()
        .try_into()
        .unwrap();
    assert_eq!(new.automation.plan.name, "Saver 2");
    assert_eq!(new.automation.held, Some(AutomationHold::Imported));
    table.engine.delete_automation(&id).await.unwrap();
    let new = new.automation.id;
    let refused = table.engine.hold_automation(&new, false).await.unwrap_err();
    assert_eq!(refused.code, FailureCode::NotNow);
    table.advance(3 * HOUR);
    table.by_hand(&new, &[]).await.unwrap();
    let times = table.until(&new, all_over(1)).await;
    assert_eq!(times[0].by, StartedBy::Person);
    assert_eq!(table.held(&new).await, None);
    table.advance(HOUR);
    let times = table.until(&new, all_over(2)).await;
    assert_eq!(times[0].by, StartedBy::Schedule);
    let refused = table.engine.import_automations("{}").await.unwrap_err();
    assert_eq!(
        (refused.code, refused.values["why"].as_str()),
        (FailureCode::BadInput, "unreadable")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_comes_begins_what_waits_for_it() {
    let mut table = table().await;
    let comes = AutomationPlan {
        trigger: Some(Trigger::Connected),
        ..plan("Comes", &table.phone)
    };
    let id = table.save(comes).await;
    table.handle.unplug();
    let mut listing = table.engine.listing();
    let gone = listing.wait_for(|listing| listing.phones.is_empty());
    drop(tokio::time::timeout(BOUND, gone).await.unwrap().unwrap());
    table.advance(20 * SECOND);
    table.handle.replug();
    let times = table.until(&id, all_over(1)).await;
    assert_eq!(
        (times[0].by, word(&times[0]).as_str()),
        (StartedBy::Trigger, "Finished")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_with_its_words_begins_it() {
    let table = table().await;
    let notified = |name: &str, words: &str| AutomationPlan {
        trigger: Some(Trigger::Notification {
            app: "com.android.messaging".to_owned(),
            label: "Messages".to_owned(),
            words: words.to_owned(),
        }),
        ..plan(name, &table.phone)
    };
    let id = table.save(notified("Parcel", "PARCEL")).await;
    let other = table.save(notified("Other", "invoice")).await;
    let handle = table.handle.clone();
    let asked = || {
        let commands = handle.record().commands();
        commands
            .iter()
            .filter(|line| line.contains("dumpsys notification"))
            .count()
    };
    // What is there the first time it is looked is not new.
    let looks = async |table: &Table, count: usize| {
        while asked() < count {
            table.advance(15 * SECOND);
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(BOUND, looks(&table, 2)).await.unwrap();
    table
        .handle
        .with(|phone| phone.receive_text("Dana", "Your parcel arrived"));
    let times = async {
        loop {
            table.advance(15 * SECOND);
            let times = table.engine.automation_occurrences(&id).await.unwrap();
            if times.iter().any(is_over) {
                return times;
            }
        }
    };
    let times = tokio::time::timeout(BOUND, times).await.unwrap();
    assert_eq!((times.len(), times[0].by), (1, StartedBy::Trigger));
    assert_eq!(word(&times[0]), "Finished");
    assert_eq!(table.engine.automation_occurrences(&other).await.unwrap(), []);
}

/// From the save to the end on the demo phone by the demo AI, as a person tries it.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_phone_does_at_its_time_what_it_was_told() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(Clock(watch::Sender::new(BEGIN)));
    let scheduler: Arc<dyn TimeOfDay> = clock.clone();
    let engine = Engine::open(Options {
        folder: folder.path().to_path_buf(),
        places: Vec::new(),
        program: ProgramChoice::default(),
        demo: true,
        keychain: Keychain::absent(),
        key: None,
        scheduler: Some(scheduler),
    })
    .await
    .unwrap();
    ask_nothing(&engine).await;
    let one_phone = SettingsPatch {
        demo_phones: Some(1),
        ..SettingsPatch::default()
    };
    engine.patch_settings(one_phone).await.unwrap();
    let phone = ready(&engine).await;
    let mut news = engine.listen();
    let everywhere = AutomationPlan {
        task: "Turn on Battery Saver".to_owned(),
        phones: AutomationPhones::All,
        ..hourly("Saver", &phone)
    };
    let card = engine.save_automation(None, everywhere).await.unwrap();
    clock.0.send_replace(ONE);
    let ended = async {
        loop {
            if let News::Automations { automations } = news.recv().await.unwrap()
                && let Some(one) = automations
                    .iter()
                    .flat_map(|card| &card.latest)
                    .find(|one| is_over(one))
            {
                return one.clone();
            }
        }
    };
    let one = tokio::time::timeout(BOUND, ended).await.unwrap();
    assert_eq!((one.phone, one.due), (phone, ONE));
    let OccurrenceState::Ended {
        run,
        ending: Some(ending),
        end: RunEndKind::Finished,
        ..
    } = one.state
    else {
        panic!("{:?}", one.state)
    };
    assert_eq!(
        ending,
        protocol::Ending::Finished {
            message: "Battery Saver is on.".to_owned()
        }
    );
    let past = engine.store().past_run(&run).await.unwrap();
    assert_eq!(past.goal, card.automation.plan.task);
    engine.close().await;
}
