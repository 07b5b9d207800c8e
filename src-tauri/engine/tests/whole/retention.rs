//! What is over goes with time and with the room it takes: runs, their pictures, their scripts' folders. What waits stays.

use crate::automations::{Clock, open_engine};
use crate::rig::{Rig, Says, all_bytes, at, finish, say};
use agent::ports::{Journal, KeptScreen};
use engine::Keychain;
use protocol::{Choice, Ending, Event, Frame, KeepSettings, News, PhoneId, RunId, SettingsPatch, What};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::{Store, StoreError};

const DAY: u64 = 24 * 60 * 60 * 1_000;

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// A run of so many days ago, with words, a picture and a script's folder of its own.
pub(crate) async fn past(store: &Store, folder: &Path, name: &str, phone: &str, days: u64, over: bool) {
    let run = RunId::from(name);
    let mut seq = 0;
    let mut whats = vec![
        What::Started {
            goal: format!("MARKER-{name}"),
            model: "m".to_owned(),
            demo_ai: true,
            automation: None,
            goes_on: None,
        },
        What::Said {
            text: format!("MARKER-{name} again"),
        },
    ];
    if over {
        whats.push(What::Ended {
            ending: Ending::Stopped,
            maybe_running: false,
        });
    }
    for what in whats {
        seq += 1;
        if seq == 3 {
            let pixels: Vec<u8> = (0..40_000_u32)
                .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
                .collect();
            let frame = Frame {
                width: 200,
                height: 200,
                rgba: pixels.into(),
            };
            let screen = KeptScreen {
                picture: &frame,
                width: frame.width,
                height: frame.height,
                elements: &[],
            };
            store.keep(&run, screen).await.unwrap();
        }
        let event = Event {
            run: run.clone(),
            phone: PhoneId::from(phone),
            seq,
            at: now() - days * DAY,
            what,
        };
        store.append(&event).await.unwrap();
    }
    let script = folder.join("scripts").join(format!("{name}-Ab3dE9"));
    std::fs::create_dir_all(&script).unwrap();
    std::fs::write(script.join("script.sh"), format!("echo MARKER-{name}")).unwrap();
}

pub(crate) fn holds(bytes: &[u8], name: &str) -> bool {
    let needle = format!("MARKER-{name}");
    bytes
        .windows(needle.len())
        .any(|window| window == needle.as_bytes())
}

/// Waits until a run is gone from the store and its script's folder from the disk.
async fn gone(rig: &Rig, name: &str) {
    let folder = rig.folder.path().join("scripts").join(format!("{name}-Ab3dE9"));
    let wait = async {
        loop {
            let known = rig.engine.store().run(&RunId::from(name)).await;
            if matches!(known, Err(StoreError::NotFound(_))) && !folder.exists() {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), wait)
        .await
        .unwrap_or_else(|_| panic!("{name} is kept"));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_runs_go_and_what_waits_stays() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    // A program that is open beside ours has a run that waits since long ago.
    let other = Store::open(folder.path()).unwrap();
    for (name, phone, days, over) in [
        ("0001-old", "moto", 40, true),
        ("0002-waits", "moto", 40, false),
        ("0003-lone", "galaxy", 31, true),
        ("0004-young", "moto", 29, true),
    ] {
        past(&other, folder.path(), name, phone, days, over).await;
    }
    let before = all_bytes(folder.path()).len();
    let mut rig = Rig::in_folder(
        at("com.android.settings/.Settings"),
        Keychain::absent(),
        Arc::clone(&folder),
    )
    .await;
    // At the start.
    for name in ["0001-old", "0003-lone"] {
        gone(&rig, name).await;
    }
    let bytes = all_bytes(folder.path());
    for (name, there) in [
        ("0001-old", false),
        ("0002-waits", true),
        ("0003-lone", false),
        ("0004-young", true),
    ] {
        assert_eq!(holds(&bytes, name), there, "{name}");
    }

    // After each run: there is room for nothing but each phone's latest.
    let keep = KeepSettings {
        days: 30,
        megabytes: 0,
    };
    let patch = SettingsPatch {
        keep: Some(keep),
        ..SettingsPatch::default()
    };
    rig.engine.patch_settings(patch).await.unwrap();
    past(&other, folder.path(), "0005-next", "moto", 1, true).await;
    let model = Says::new(vec![
        say(json!({"type": "keyevent", "keycode": "HOME"})),
        finish(),
    ]);
    let run = rig.run(&model, rig.engine.settings());
    rig.end(&run, Choice::Deny).await;
    gone(&rig, "0004-young").await;
    let bytes = all_bytes(folder.path());
    println!("{} kB before, {} kB after", before / 1_000, bytes.len() / 1_000);
    for (name, there) in [("0002-waits", true), ("0004-young", false), ("0005-next", true)] {
        assert_eq!(holds(&bytes, name), there, "{name}");
    }
    assert!(
        rig.engine.store().run(&run).await.unwrap().end.is_some(),
        "the run that just ended"
    );
}

/// A clock that is far ahead makes everything old. One by which something is young is believed.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_far_ahead_takes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    past(&store, folder.path(), "0001-old", "moto", 20, true).await;
    past(&store, folder.path(), "0002-young", "galaxy", 1, true).await;
    for (ahead, expected) in [(400, true), (15, false)] {
        // It goes last, whatever is kept.
        let orphan = folder.path().join("scripts").join("0000-nobodys-Ab3dE9");
        std::fs::create_dir_all(&orphan).unwrap();
        std::fs::write(orphan.join("script.sh"), "echo").unwrap();
        let clock = Clock::at(now() + ahead * DAY);
        let engine = open_engine(&folder, Vec::new(), false, &clock).await;
        let tidied = async {
            while orphan.exists() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), tidied)
            .await
            .unwrap();
        let there = async |name: &str| store.run(&RunId::from(name)).await.is_ok();
        assert_eq!(there("0001-old").await, expected, "{ahead} days ahead");
        assert!(there("0002-young").await);
        engine.close().await;
    }
}

/// What could not be erased is there, and whoever listens is told of it.
#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_erased_is_not_said_to_be_gone() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let store = Store::open(folder.path()).unwrap();
    for (name, phone, days) in [
        ("0001-old", "moto", 40),
        ("0002-stuck", "galaxy", 39),
        ("0003-young", "nexus", 1),
    ] {
        past(&store, folder.path(), name, phone, days, true).await;
    }
    let database = rusqlite::Connection::open(folder.path().join("pocketdeck.db")).unwrap();
    database
        .execute_batch(
            "CREATE TRIGGER stuck BEFORE DELETE ON runs WHEN OLD.id = '0002-stuck'
             BEGIN SELECT raise(ABORT, 'it stays'); END",
        )
        .unwrap();
    drop(database);
    let rig = Rig::in_folder(at("com.android.settings/.Settings"), Keychain::absent(), folder).await;
    gone(&rig, "0001-old").await;
    let stuck = RunId::from("0002-stuck");
    assert!(store.run(&stuck).await.is_ok());
    let mut news = rig.engine.listen();
    let mut told = std::iter::from_fn(|| news.try_recv().ok());
    assert!(told.any(|one| matches!(one, News::Run { event } if event.run == stuck)));
}
