//! Many at the same time: on one database, and with the same answer.

use crate::rig::{Many, Rig, Says, at, finish, on, say};
use engine::Keychain;
use protocol::{Ask, AskKind, Choice, Ending, Level, Op, PauseReason, SettingsPatch, What};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Barrier;

const DISPLAY: &str = "com.android.settings/.Settings$DisplaySettingsActivity";

/// Each program has a phone and a connection of its own, as `deck run` started so often has; the database is everybody's.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_of_thirty_two_is_stuck() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut rigs = Vec::new();
    for n in 0..32 {
        let mut options = at("com.android.settings/.Settings");
        options.profile.phone.serial = format!("PHONE{n}");
        rigs.push(Rig::in_folder(options, Keychain::absent(), Arc::clone(&folder)).await);
    }
    let start = Arc::new(Barrier::new(rigs.len()));
    let runs = rigs.into_iter().map(|mut rig| {
        let start = Arc::clone(&start);
        tokio::spawn(async move {
            let model = Says::new(vec![
                say(json!({"type": "keyevent", "keycode": "HOME"})),
                say(json!({"type": "keyevent", "keycode": "BACK"})),
                finish(),
            ]);
            start.wait().await;
            let run = rig.run(&model, rig.engine.settings());
            let mut pauses = 0;
            loop {
                match rig.next(&run).await.what {
                    What::Paused {
                        reason: PauseReason::Journal { .. },
                    } => pauses += 1,
                    What::Paused { reason } => panic!("{reason:?}"),
                    What::Ended { ending, .. } => break (ending, pauses),
                    _ => {}
                }
            }
        })
    });
    let mut pauses = 0;
    for run in runs.collect::<Vec<_>>() {
        let (ending, more) = run.await.unwrap();
        assert!(matches!(ending, Ending::Finished { .. }), "{ending:?}");
        pauses += more;
    }
    println!("32 runs on one database: all finished, {pauses} pauses on the way");
}

/// One touch of the same switch on every phone: the questions, all open at once.
async fn asked_on_all(host: &Many) -> Vec<Ask> {
    for phone in &host.phones {
        let model = Says::new(vec![on("Dark theme", json!({"type": "tap"})), finish()]);
        host.engine
            .run_with(phone, "Try it", model, host.engine.settings())
            .unwrap();
    }
    let mut open = host.engine.open_asks();
    let all = open.wait_for(|open| open.asks.len() == host.phones.len());
    let all = tokio::time::timeout(Duration::from_secs(120), all).await;
    all.unwrap().unwrap().asks.clone()
}

fn answer(host: &Many, ask: &Ask, choice: Choice) {
    let answer = engine::no(ask);
    host.engine.answer(protocol::Answer { choice, ..answer }).unwrap();
}

async fn all_over(host: &Many) {
    for phone in &host.phones {
        let over = async {
            while host.engine.live_run(phone).is_some() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), over)
            .await
            .unwrap();
    }
}

/// Questions on many phones, each answered "Always" in the same moment: every rule is kept, and every run hears of all.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn always_said_at_once_is_kept_each_time() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let host = Many::new(6, DISPLAY, &folder).await;
    let everything = SettingsPatch {
        level: Some(Level::Everything),
        ..SettingsPatch::default()
    };
    host.engine.patch_settings(everything).await.unwrap();
    // "Always" is offered for what was allowed twice: on, off, on, off.
    for _ in 0..4 {
        for ask in asked_on_all(&host).await {
            assert!(!ask.choices.contains(&Choice::ApproveAlways), "{:?}", ask.choices);
            answer(&host, &ask, Choice::Approve);
        }
        all_over(&host).await;
    }
    for ask in asked_on_all(&host).await {
        assert_eq!(ask.kind, AskKind::Act);
        assert!(ask.choices.contains(&Choice::ApproveAlways), "{:?}", ask.choices);
        answer(&host, &ask, Choice::ApproveAlways);
    }
    all_over(&host).await;
    assert!(host.engine.written(Duration::from_secs(60)).await);
    let wanted: BTreeSet<_> = host.phones.iter().cloned().collect();
    for settings in [
        host.engine.store().settings().await.unwrap(),
        host.engine.settings(),
    ] {
        let kept: BTreeSet<_> = settings
            .rules
            .allowed
            .iter()
            .filter_map(|rule| rule.phone.clone())
            .collect();
        assert_eq!(kept, wanted);
        assert_eq!(settings.rules.allowed.len(), wanted.len());
    }
    // One is taken back: the others stay.
    let gone = host.engine.settings().rules.allowed[2].clone();
    host.engine.take_back(gone.clone()).await.unwrap();
    let left = host.engine.settings().rules.allowed;
    assert_eq!((left.len(), left.contains(&gone)), (5, false));
}

/// A run is over before its end can be written, and the next begins: when the first leaves at last, the second keeps its
/// seat, and with it the lock of its phone.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_written_late_takes_nobodys_seat() {
    let mut rig = Rig::new(at("com.android.settings/.Settings"), Keychain::absent()).await;
    let waits = Says::new(vec![say(json!({"type": "wait", "durationMs": 60_000}))]);
    let first = rig.run(&waits, rig.engine.settings());
    while !matches!(rig.next(&first).await.what, What::Decided { .. }) {}
    let database = rusqlite::Connection::open(rig.folder.path().join("pocketdeck.db")).unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    rig.engine.steer(&first, Op::Stop).await.unwrap();
    let asks = json!({"type": "request_human_auth", "capability": "unknown", "instruction": "Is it so?"});
    let second = rig.run(&Says::new(vec![say(asks), finish()]), rig.engine.settings());
    while !matches!(rig.next(&second).await.what, What::Paused { .. }) {}
    drop(database);
    let is_written = async {
        while rig.engine.store().run(&first).await.unwrap().end.is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), is_written)
        .await
        .unwrap();
    while !matches!(rig.next(&second).await.what, What::Asked { .. }) {}
    assert_eq!(rig.engine.live_run(&rig.phone), Some(second.clone()));
    rig.engine.steer(&second, Op::Stop).await.unwrap();
    rig.over().await;
}
