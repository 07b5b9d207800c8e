//! A locked database and a full disk: plain failures, nothing lost, well again afterwards.

use crate::database::WAIT;
use crate::{Store, StoreError};
use agent::ports::Journal;
use protocol::{Event, FailureCode, PhoneId, RunId, What};
use rusqlite::Connection;
use std::time::Instant;

fn event(seq: u64, what: What) -> Event {
    Event {
        run: RunId::from("r1"),
        phone: PhoneId::from("moto"),
        seq,
        at: 1_750_000_000_000 + seq,
        what,
    }
}

fn said(seq: u64, text: &str) -> Event {
    event(
        seq,
        What::Said {
            text: text.to_owned(),
        },
    )
}

async fn begin(store: &Store) {
    let (goal, model) = ("g".to_owned(), "m".to_owned());
    store
        .append(&event(
            1,
            What::Started {
                goal,
                model,
                demo_ai: true,
                automation: None,
                goes_on: None,
            },
        ))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_locked_database_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    begin(&store).await;
    let other = Connection::open(folder.path().join("pocketdeck.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();

    let start = Instant::now();
    let failure = store.append(&said(2, "hello")).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::JournalLocked);
    assert!(start.elapsed() >= WAIT, "others are waited for");
    let error = Store::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::Locked), "{error:?}");
    // Reading goes on.
    assert_eq!(store.events(&RunId::from("r1"), 0, 10).await.unwrap().len(), 1);

    other.execute_batch("ROLLBACK").unwrap();
    store.append(&said(2, "hello")).await.unwrap();
    let events = store.events(&RunId::from("r1"), 0, 10).await.unwrap();
    assert_eq!(events[1..], [said(2, "hello")]);
}

#[tokio::test]
async fn a_lock_that_is_let_go_in_time_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    begin(&store).await;
    let other = Connection::open(folder.path().join("pocketdeck.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let append = tokio::spawn({
        let store = store.clone();
        async move { store.append(&said(2, "hello")).await }
    });
    tokio::time::sleep(WAIT / 8).await;
    assert!(!append.is_finished());
    other.execute_batch("COMMIT").unwrap();
    append.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    begin(&store).await;
    set_pages(&store, 1).await;
    let long = "x".repeat(100_000);
    let mut last = 1;
    let failure = loop {
        assert!(last < 1_000, "the disk is never full");
        match store.append(&said(last + 1, &long)).await {
            Ok(()) => last += 1,
            Err(failure) => break failure,
        }
    };
    assert_eq!(failure.code, FailureCode::DiskFull);
    assert_eq!(
        store.events(&RunId::from("r1"), 0, 1_000).await.unwrap().len() as u64,
        last
    );

    set_pages(&store, 1_000_000).await;
    store.append(&said(last + 1, &long)).await.unwrap();
    let events = store.events(&RunId::from("r1"), 0, 1_000).await.unwrap();
    assert_eq!(events.last(), Some(&said(last + 1, &long)));
}

/// The disk's size, as SQLite can be made to see it. Never below what is used already.
async fn set_pages(store: &Store, pages: u32) {
    let set = store.database().read(move |connection| {
        Ok(connection.query_row(&format!("PRAGMA max_page_count = {pages}"), (), |_| Ok(()))?)
    });
    set.await.unwrap();
}

#[tokio::test]
async fn a_commit_waits_for_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let settings = store.database().read(|connection| {
        let names = [
            "journal_mode",
            "synchronous",
            "foreign_keys",
            "secure_delete",
            "auto_vacuum",
        ];
        let value = |name| connection.query_row(&format!("PRAGMA {name}"), (), |row| row.get(0));
        Ok(names
            .map(value)
            .map(|value: rusqlite::Result<rusqlite::types::Value>| format!("{:?}", value.unwrap())))
    });
    // WAL; FULL; on; on; incremental.
    let expected = [
        r#"Text("wal")"#,
        "Integer(2)",
        "Integer(1)",
        "Integer(1)",
        "Integer(2)",
    ];
    assert_eq!(settings.await.unwrap(), expected);
}

/// Time that is not real stands still while the database works: no time limit of a run passes meanwhile.
#[tokio::test(start_paused = true)]
async fn virtual_time_waits_for_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let before = tokio::time::Instant::now();
    let hour = tokio::time::sleep(std::time::Duration::from_secs(3_600));
    tokio::select! {
        () = hour => panic!("an hour passed"),
        () = begin(&store) => {}
    }
    assert_eq!(before.elapsed().as_millis(), 0);
}

/// A system that lets an open file be deleted would let a run write on into nothing.
#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_moved_away_is_noticed_and_goes_on_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    begin(&store).await;
    let (file, away) = (folder.path().join("pocketdeck.db"), folder.path().join("away"));
    std::fs::rename(&file, &away).unwrap();
    for another_in_its_place in [false, true] {
        if another_in_its_place {
            std::fs::write(&file, "").unwrap();
        }
        let failure = store.append(&said(2, "hello")).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::StoreGone);
    }
    std::fs::rename(&away, &file).unwrap();
    store.append(&said(2, "hello")).await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let events = store.events(&RunId::from("r1"), 0, 10).await.unwrap();
    assert_eq!(events[1], said(2, "hello"));
}

#[test]
fn what_the_system_refuses_is_the_folders_fault() {
    for (code, expected) in [
        (rusqlite::ffi::SQLITE_READONLY, FailureCode::StoreFolder),
        (rusqlite::ffi::SQLITE_CANTOPEN, FailureCode::StoreFolder),
        (rusqlite::ffi::SQLITE_PERM, FailureCode::StoreFolder),
        (rusqlite::ffi::SQLITE_IOERR, FailureCode::StoreFolder),
        (rusqlite::ffi::SQLITE_FULL, FailureCode::DiskFull),
        (rusqlite::ffi::SQLITE_BUSY, FailureCode::JournalLocked),
        (rusqlite::ffi::SQLITE_CORRUPT, FailureCode::StoreBroken),
        (rusqlite::ffi::SQLITE_NOTADB, FailureCode::StoreBroken),
    ] {
        let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        assert_eq!(
            protocol::Failure::from(StoreError::from(error)).code,
            expected,
            "{code}"
        );
    }
}

/// Many change what is there at the same moment, in stores of their own: everybody's change is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobodys_rule_is_lost_to_anothers() {
    use protocol::{AskKind, Rule, SettingsPatch};
    let folder = tempfile::tempdir().unwrap();
    let stores: Vec<Store> = (0..8).map(|_| Store::open(folder.path()).unwrap()).collect();
    let writers = (0..64_u64).map(|n| {
        let store = stores[usize::try_from(n).unwrap() % stores.len()].clone();
        tokio::spawn(async move {
            let wanted = move |now: &protocol::Settings| {
                let mut rules = now.rules.clone();
                rules.allowed.push(Rule {
                    kind: AskKind::Act,
                    app: Some(format!("com.app{n}")),
                    app_label: String::new(),
                    phone: None,
                    since: n,
                    element: None,
                });
                SettingsPatch {
                    rules: Some(rules),
                    ..SettingsPatch::default()
                }
            };
            store.change_settings(wanted).await.unwrap();
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let allowed = stores[0].settings().await.unwrap().rules.allowed;
    let mut since: Vec<u64> = allowed.iter().map(|rule| rule.since).collect();
    since.sort_unstable();
    assert_eq!(since, (0..64).collect::<Vec<_>>());
}

/// The file gets another name, with all that lies beside it, and is opened under it as it was.
#[tokio::test]
async fn what_is_set_aside_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    begin(&store).await;
    // As a crash leaves it: the last of it is in the log only.
    let crashed = tempfile::tempdir().unwrap();
    for name in ["pocketdeck.db", "pocketdeck.db-wal"] {
        std::fs::copy(folder.path().join(name), crashed.path().join(name)).unwrap();
    }
    drop(store);
    for n in ["", " 2"] {
        let aside = crate::set_aside(crashed.path(), "2024-05-14 09.41.00").unwrap();
        let name = format!("pocketdeck 2024-05-14 09.41.00{n}.db");
        assert_eq!(aside, crashed.path().join(&name));
        assert!(!crate::exists(crashed.path()));
        let fresh = Store::open(crashed.path()).unwrap();
        assert!(fresh.runs(None, None, 10).await.unwrap().is_empty());
    }
    let old = tempfile::tempdir().unwrap();
    for ending in ["", "-wal"] {
        let name = format!("pocketdeck 2024-05-14 09.41.00.db{ending}");
        std::fs::rename(
            crashed.path().join(name),
            old.path().join(format!("pocketdeck.db{ending}")),
        )
        .unwrap();
    }
    let old = Store::open(old.path()).unwrap();
    assert_eq!(old.runs(None, None, 10).await.unwrap().len(), 1);
    assert!(matches!(
        crate::set_aside(&folder.path().join("none"), "x"),
        Err(StoreError::Folder(_))
    ));
}
