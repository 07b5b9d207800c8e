//! What is over goes with time, or when it takes too much room; what waits stays; what is gone is in no file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

use crate::common::{Story, all_bytes, contains, ended, noise, screen};
use agent::ports::Journal;
use protocol::{Ending, RunId, What};
use std::collections::BTreeSet;
use std::path::Path;
use store::Store;

/// Bytes of everything in a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| entry.metadata().unwrap().len()).sum()
}

fn names(runs: &[RunId]) -> Vec<&str> {
    runs.iter().map(|run| run.0.as_str()).collect()
}

/// A run with words and pictures of its own, over or not.
async fn run(store: &Store, name: &str, phone: &str, at: u64, over: bool) {
    let mut story = Story::begin(store, name, phone).await;
    let text = format!("MARKER-{name}-of-a-private-life");
    story.tell(What::Said { text }).await;
    for n in 0..4 {
        store
            .keep(&story.run, screen(&noise(200 + n, 300)))
            .await
            .unwrap();
    }
    if over {
        // An event is a second after the one before it.
        story.at = at - 1_000;
        story.tell(ended(Ending::Stopped)).await;
    }
}

#[tokio::test]
async fn what_is_old_or_too_much_goes_and_what_waits_stays() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    // Two phones, a run a day; one of them never ended, and a third phone has but an old one.
    for day in 1..=20_u64 {
        let phone = if day % 2 == 0 { "moto" } else { "nexus" };
        run(&store, &format!("r{day:02}"), phone, day * 1_000, day != 5).await;
    }
    run(&store, "lone", "galaxy", 3_500, true).await;
    assert_eq!(store.surplus(0, u64::MAX).await.unwrap(), []);
    // By age: all that ended before, and never one that goes on.
    assert_eq!(
        names(&store.surplus(6_500, u64::MAX).await.unwrap()),
        ["r01", "r02", "r03", "lone", "r04", "r06"]
    );
    // By room: the oldest first; each phone's latest stays.
    let all = store.surplus(0, 0).await.unwrap();
    assert_eq!(all.len(), 17, "{all:?}");
    assert!(
        all.iter()
            .all(|run| !["r05", "r19", "r20", "lone"].contains(&run.0.as_str()))
    );
    let one = store
        .frame(&protocol::FrameId::from("r01/1"))
        .await
        .unwrap()
        .bytes
        .len() as u64;
    let some = store.surplus(0, one * 4 * 10).await.unwrap();
    assert!((10..=13).contains(&some.len()), "{some:?}");
    assert_eq!(some[..3], all[..3]);
}

#[tokio::test]
async fn many_runs_are_erased_and_the_disk_has_its_room_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..60_u64 {
        run(&store, &format!("r{n:02}"), "moto", 1_000 + n, n != 30).await;
    }
    let before = size(folder.path());
    let surplus = store.surplus(1_055, u64::MAX).await.unwrap();
    assert_eq!(surplus.len(), 54);
    store.erase(&surplus).await.unwrap();
    let after = size(folder.path());
    println!("60 runs took {} kB, 6 take {} kB", before / 1_000, after / 1_000);
    assert!(after * 7 < before, "{before} {after}");

    let bytes = all_bytes(folder.path());
    for n in 0..60_u64 {
        let marker = format!("MARKER-r{n:02}-of-a-private-life");
        let there = n == 30 || n >= 55;
        assert_eq!(contains(&bytes, marker.as_bytes()), there, "{marker}");
    }
    assert_eq!(store.runs(None, None, 100).await.unwrap().len(), 6);
    // Once more is no failure.
    let mut again = surplus.clone();
    again.push(RunId::from("r59"));
    store.erase(&again).await.unwrap();
    assert!(!contains(&all_bytes(folder.path()), b"MARKER-r59"));
}

/// Somebody reads while it is erased: what could not be taken out of the log then is taken out the next time.
#[tokio::test]
async fn what_stands_in_the_log_still_goes_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    run(&store, "r1", "moto", 1_000, true).await;
    let reader = rusqlite::Connection::open(folder.path().join("pocketdeck.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM runs").unwrap();
    store.erase(&[RunId::from("r1")]).await.unwrap();
    assert!(contains(&all_bytes(folder.path()), b"MARKER-r1"));
    reader.execute_batch("COMMIT").unwrap();
    store.erase(&[]).await.unwrap();
    assert!(!contains(&all_bytes(folder.path()), b"MARKER-r1"));
}

mod long {
    use super::*;

    /// Ten runs a day for a hundred days, of which thirty are kept, and no more than `ROOM` bytes of pictures: the folder keeps
    /// to it at the end of each day, and what went is in no file.
    #[ignore = "a thousand runs are written and erased: half a minute"]
    #[tokio::test]
    async fn a_thousand_runs_keep_to_their_days_and_their_room() {
        const DAY: u64 = 24 * 60 * 60 * 1_000;
        const ROOM: u64 = 1_000_000;
        // SQLite's log takes a thousand pages before it is written back.
        const LOG: u64 = 4_200_000;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (mut largest, mut written) = (0, 0);
        for day in 0..100_u64 {
            for n in 0..10_u64 {
                let at = (day + 100) * DAY + n * 60_000;
                let mut story = Story::begin(&store, &format!("r{day:02}{n}"), "moto").await;
                let text = format!("MARKER-r{day:02}{n}-of-a-private-life");
                story.tell(What::Said { text }).await;
                // On some days the pictures are large, so that the room is what counts.
                let side = if day % 20 > 14 { 150 } else { 40 };
                let frame = store
                    .keep(&story.run, screen(&noise(side + 1, side)))
                    .await
                    .unwrap();
                written += store.frame(&frame).await.unwrap().bytes.len() as u64;
                story.at = at - 1_000;
                story.tell(ended(Ending::Stopped)).await;
            }
            let before = (day + 70) * DAY;
            let surplus = store.surplus(before, ROOM).await.unwrap();
            store.erase(&surplus).await.unwrap();
            largest = largest.max(size(folder.path()));
        }
        let kept = store.runs(None, None, 2_000).await.unwrap();
        let after = size(folder.path());
        println!(
            "a thousand runs with {} kB of pictures: {} are kept, {} kB on the disk, at most {} kB at the end of a day",
            written / 1_000,
            kept.len(),
            after / 1_000,
            largest / 1_000
        );
        assert!(kept.len() <= 310 && !kept.is_empty(), "{}", kept.len());
        // The journal and its index beside the pictures.
        assert!(largest < ROOM + LOG + 1_000_000, "{largest}");
        assert!(after < ROOM + 1_000_000, "{after}");
        let bytes = all_bytes(folder.path());
        let markers = bytes.windows("MARKER-r000".len());
        let found: BTreeSet<&[u8]> = markers.filter(|it| it.starts_with(b"MARKER-r")).collect();
        let names: Vec<String> = kept.iter().map(|run| format!("MARKER-{}", run.run.0)).collect();
        assert_eq!(found, names.iter().map(String::as_bytes).collect());
    }
}
