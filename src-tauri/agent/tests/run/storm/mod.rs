//! Storms: several phones at once, models that want anything, persons who answer, pause, stop, take over, pull cables and
//! change their minds at any moment. Seeded, in virtual time, over the real run loop. What must hold is in `law`.

mod law;
mod person;
mod restless;

use crate::support::{FakePhone, FakeScripts, MemoryJournal, VirtualClock, World};
use agent::{Handle, Lease, Ports, Task};
use law::{Log, faults};
use person::Person;
use protocol::{Event, Level, PhoneId, RunId, Settings};
use restless::RestlessModel;
pub(crate) use restless::SeededRng;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Storms in all, split so that they run side by side.
const PARTS: u64 = 4;
const STORMS_OF_A_PART: u64 = 250;
/// Longer than any question may wait, and than a storm may last.
const FOR_EVER: Duration = Duration::from_secs(6 * 3600);

/// One phone in a storm, with its run.
struct Corner {
    phone: Arc<FakePhone>,
    handle: Handle,
    log: Arc<Mutex<Log>>,
    told: mpsc::UnboundedReceiver<Event>,
}

fn corner(seed: u64, number: u64) -> Corner {
    let mut rng = SeededRng::new(seed * 8 + number);
    let world = World::on(rng.pick(&["shop", "checkout", "chat", "code", "sign_in"]));
    let phone = Arc::new(FakePhone::new(world));
    phone.sends_thumbnails();
    let journal = if rng.one_in(4) {
        MemoryJournal::failing_at(rng.below(40) + 1)
    } else {
        MemoryJournal::default()
    };
    let ports = Ports {
        phone: phone.clone(),
        model: Arc::new(RestlessModel::new(seed * 8 + number + 1)),
        journal: Arc::new(journal),
        scripts: Arc::new(FakeScripts::default()),
        credentials: Arc::new(agent::ports::NoCredentials),
        clock: Arc::new(VirtualClock(Instant::now())),
        recorder: None,
        replayer: None,
    };
    let level = rng.pick(&[Level::WhenItMatters, Level::WhenItMatters, Level::Everything]);
    let task = Task {
        run: RunId(format!("run {number}")),
        phone: PhoneId("phone".into()),
        phone_name: "Shop phone".into(),
        automation: None,
        earlier: None,
        goal: "Buy what is needed".into(),
        settings: Settings {
            level,
            ..Settings::default()
        },
    };
    let log = Arc::new(Mutex::new(Log::default()));
    let (sender, told) = mpsc::unbounded_channel();
    let tell = {
        let log = Arc::clone(&log);
        Arc::new(move |event: &Event| {
            log.lock().unwrap().events.push((Instant::now(), event.clone()));
            let _ = sender.send(event.clone());
        })
    };
    let lease = Lease::new();
    let (handle, run) = agent::start(task, ports, &lease, tell);
    tokio::spawn(run);
    Corner {
        phone,
        handle,
        log,
        told,
    }
}

/// One storm; what went wrong in it, and what happened.
async fn storm(seed: u64, happened: &mut BTreeMap<&'static str, u32>) -> Vec<String> {
    let phones = SeededRng::new(seed).below(3) + 1;
    let corners: Vec<Corner> = (0..phones).map(|number| corner(seed, number)).collect();
    let lived = (0..).zip(corners).map(|(number, corner)| async move {
        let person = Person::new(seed * 8 + number + 2, &corner);
        let mut wrong = match tokio::time::timeout(FOR_EVER, person.live(corner.told)).await {
            Ok(wrong) => wrong,
            Err(_) => vec!["the run never ended".to_owned()],
        };
        let before = corner.phone.record().len();
        tokio::time::sleep(Duration::from_secs(120)).await;
        if corner.phone.record().len() != before {
            wrong.push("something reached the phone after the end".to_owned());
        }
        let mut log = corner.log.lock().unwrap().clone();
        log.effects = corner.phone.effects();
        wrong.extend(faults(&log));
        let wrong: Vec<String> = wrong
            .into_iter()
            .map(|what| format!("storm {seed}, phone {number}: {what}\n{log}"))
            .collect();
        (wrong, log)
    });
    let mut wrong = Vec::new();
    for (more, log) in futures::future::join_all(lived).await {
        wrong.extend(more);
        for what in log.happened() {
            *happened.entry(what).or_default() += 1;
        }
    }
    wrong
}

/// The one door: storms of one part, none of which may break a law. A calm proves nothing: everything must have
/// happened often.
async fn check(part: u64) {
    assert!(part < PARTS);
    let mut wrong = Vec::new();
    let mut happened = BTreeMap::new();
    for seed in part * STORMS_OF_A_PART..(part + 1) * STORMS_OF_A_PART {
        wrong.extend(storm(seed, &mut happened).await);
    }
    assert!(
        wrong.is_empty(),
        "{} wrong; the first:\n{}",
        wrong.len(),
        wrong[0]
    );
    for what in law::HAPPENS {
        let times = happened.get(what).copied().unwrap_or_default();
        assert!(times >= 10, "{what} happened {times} times: {happened:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn storms_of_the_first_part() {
    check(0).await;
}

#[tokio::test(start_paused = true)]
async fn storms_of_the_second_part() {
    check(1).await;
}

#[tokio::test(start_paused = true)]
async fn storms_of_the_third_part() {
    check(2).await;
}

#[tokio::test(start_paused = true)]
async fn storms_of_the_fourth_part() {
    check(3).await;
}
