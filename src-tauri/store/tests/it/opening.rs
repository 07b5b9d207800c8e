//! What is opened, what is refused, and that a refusal touches nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::*;
use protocol::{Failure, FailureCode, Settings, SettingsPatch};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;
use store::{Store, StoreError};

const FILE: &str = "pocketdeck.db";

/// Names and contents of all files in a folder. The index of the log is left out: every reader makes it anew.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files =
        entries.filter(|entry| entry.path().is_file() && !entry.path().to_string_lossy().ends_with("-shm"));
    files
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        })
        .collect()
}

/// Opens a folder whose database is refused, and checks that it stays byte for byte.
#[track_caller]
fn refuse(folder: &Path) -> StoreError {
    let before = files(folder);
    let error = Store::open(folder).expect_err("it is refused");
    let after = files(folder);
    for (name, bytes) in &before {
        assert!(after.get(name) == Some(bytes), "{name} was touched");
    }
    // SQLite may leave its empty log and index beside a file it only read.
    for (name, bytes) in &after {
        assert!(
            before.contains_key(name) || !name.ends_with("-wal") || bytes.is_empty(),
            "{name}"
        );
    }
    assert!(!folder.join("owners").exists());
    error
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    std::fs::remove_dir_all(folder.path().join("owners")).unwrap();
    let newer = Connection::open(folder.path().join(FILE)).unwrap();
    newer
        .execute_batch("CREATE TABLE future (x); PRAGMA user_version = 1000")
        .unwrap();
    // As a crash leaves it: the last of it is in the log only.
    let crashed = tempfile::tempdir().unwrap();
    for (name, bytes) in files(folder.path()) {
        std::fs::write(crashed.path().join(name), bytes).unwrap();
    }
    drop(newer);
    for folder in [folder.path(), crashed.path()] {
        let error = refuse(folder);
        assert!(
            matches!(
                error,
                StoreError::Newer {
                    found: 1000,
                    known: 6
                }
            ),
            "{error:?}"
        );
        assert_eq!(Failure::from(error).code, FailureCode::StoreNewer);
    }
}

#[test]
fn what_is_no_database_of_ours_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    std::fs::write(&file, "Dear diary, ".repeat(1_000)).unwrap();
    assert!(matches!(refuse(folder.path()), StoreError::Corrupt(_)));
    std::fs::write(&file, "x").unwrap();
    refuse(folder.path());

    std::fs::remove_file(&file).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE recipes (x)").unwrap();
    drop(other);
    let error = refuse(folder.path());
    assert!(matches!(error, StoreError::Foreign), "{error:?}");
    assert_eq!(Failure::from(error).code, FailureCode::StoreBroken);
}

#[tokio::test]
async fn a_damaged_database_is_an_error_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r1", "moto").await;
    for step in 1..=50 {
        story.tell_all([acting(step), acted(step, true)]).await;
    }
    let run = story.run.clone();
    drop(store);
    let file = folder.path().join(FILE);
    let whole = std::fs::read(&file).unwrap();
    assert!(whole.len() > 8 * 4096, "a few pages");
    // Cut in half, and every page after the first overwritten.
    let cut = whole[..whole.len() / 2].to_vec();
    let mut overwritten = whole.clone();
    overwritten[4096..].fill(0xA5);
    for damaged in [cut, overwritten] {
        std::fs::write(&file, &damaged).unwrap();
        let error = match Store::open(folder.path()) {
            Err(error) => error,
            Ok(store) => store.events(&run, 0, 1_000).await.expect_err("it is damaged"),
        };
        assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
    }
    std::fs::write(&file, &whole).unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.events(&run, 0, 1_000).await.unwrap().len(), 102);
}

#[cfg(unix)]
#[test]
fn nobody_else_may_look_into_it() {
    use std::os::unix::fs::PermissionsExt;
    let above = tempfile::tempdir().unwrap();
    let folder = above.path().join("a").join("b");
    let store = Store::open(&folder).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&above.path().join("a"))), (0o700, 0o700));
    assert_eq!(mode(&folder.join("owners")), 0o700);
    let files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files.iter().filter(|file| file.is_file()) {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    drop(store);
}

#[test]
fn a_folder_that_cannot_be_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Store::open(&file.join("below")).unwrap_err();
    assert!(matches!(error, StoreError::Folder(_)), "{error:?}");
}

#[tokio::test]
async fn settings_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.settings().await.unwrap(), Settings::default());
    let patch = SettingsPatch {
        demo_phones: Some(2),
        ..SettingsPatch::default()
    };
    let changed = store.patch_settings(patch).await.unwrap();
    assert_eq!(
        changed,
        Settings {
            demo_phones: 2,
            ..Settings::default()
        }
    );
    // Another process with the same folder sees the same.
    let other = Store::open(folder.path()).unwrap();
    assert_eq!(other.settings().await.unwrap(), changed);

    // A newer version wrote a field; this one changes another.
    let raw = Connection::open(folder.path().join(FILE)).unwrap();
    raw.execute("UPDATE settings SET json = json_set(json, '$.theme', 'dark')", ())
        .unwrap();
    let patch = SettingsPatch {
        demo_phones: Some(1),
        ..SettingsPatch::default()
    };
    store.patch_settings(patch).await.unwrap();
    let json: String = raw
        .query_row("SELECT json FROM settings", (), |row| row.get(0))
        .unwrap();
    assert_eq!(json, r#"{"demoPhones":1,"theme":"dark"}"#);
}
