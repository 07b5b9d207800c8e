//! Many at the same time: on one database, and with the same answer.

use crate::rig::{Rig, Says, at, finish, on, say};
use desk::Keychain;
use protocol::{AskKind, Choice, Ending, Level, PauseReason, SettingsPatch, What};
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
            let run = rig.run(&model, rig.desk.settings());
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

/// Questions on many phones, each answered "Always" in the same moment: every rule is kept, and every run hears of all.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn always_said_at_once_is_kept_each_time() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let host = crate::rig::Many::new(6, DISPLAY, &folder).await;
    let everything = SettingsPatch {
        level: Some(Level::Everything),
        ..SettingsPatch::default()
    };
    host.desk.patch_settings(everything).await.unwrap();
    for phone in &host.phones {
        let model = Says::new(vec![on("Dark theme", json!({"type": "tap"})), finish()]);
        host.desk
            .run_with(phone, "Try it", model, host.desk.settings())
            .unwrap();
    }
    let mut open = host.desk.open_asks();
    let all = open.wait_for(|open| open.asks.len() == host.phones.len());
    let asks = tokio::time::timeout(Duration::from_secs(120), all)
        .await
        .unwrap()
        .unwrap()
        .asks
        .clone();
    for ask in &asks {
        assert_eq!(ask.kind, AskKind::Act);
        let answer = desk::no(ask);
        let choice = Choice::ApproveAlways;
        host.desk.answer(protocol::Answer { choice, ..answer }).unwrap();
    }
    for phone in &host.phones {
        let over = async {
            while host.desk.live_run(phone).is_some() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), over)
            .await
            .unwrap();
    }
    assert!(host.desk.written(Duration::from_secs(60)).await);
    let wanted: BTreeSet<_> = host.phones.iter().cloned().collect();
    for settings in [host.desk.store().settings().await.unwrap(), host.desk.settings()] {
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
    let gone = host.desk.settings().rules.allowed[2].clone();
    host.desk.take_back(gone.clone()).await.unwrap();
    let left = host.desk.settings().rules.allowed;
    assert_eq!((left.len(), left.contains(&gone)), (5, false));
}
