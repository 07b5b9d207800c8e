//! What is written down, and that it reads back as it was.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::*;
use agent::ports::Journal;
use protocol::{Act, Action, Ending, FailureCode, FrameId, PhoneId, RunId, What};
use rusqlite::Connection;
use std::path::Path;
use store::{Spending, Store, StoreError};
use tempfile::TempDir;

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

fn raw(folder: &Path) -> Connection {
    let connection = Connection::open(folder.join("pocketdeck.db")).unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    connection
}

#[tokio::test]
async fn a_run_reads_back_in_order_and_in_pages() {
    let (_folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    let mut told = store.events(&story.run, 0, 10).await.unwrap();
    for step in 1..=10 {
        told.push(story.tell(acting(step)).await);
        told.push(story.tell(acted(step, true)).await);
    }
    let mut pages = Vec::new();
    loop {
        let after = pages.last().map_or(0, |event: &protocol::Event| event.seq);
        let page = store.events(&story.run, after, 4).await.unwrap();
        if page.is_empty() {
            break;
        }
        pages.extend(page);
    }
    assert_eq!(pages, told);
    assert!(store.events(&story.run, u64::MAX, 10).await.unwrap().is_empty());
    let unknown = store.events(&RunId::from("r2"), 0, 10).await;
    assert!(matches!(unknown, Err(StoreError::NotFound(_))), "{unknown:?}");
}

#[tokio::test]
async fn only_the_next_event_is_taken() {
    let (_folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    for wrong in [0, 1, 3, 7] {
        let mut event = story.event(acting(1));
        event.seq = wrong;
        assert_eq!(
            store.append(&event).await.unwrap_err().code,
            FailureCode::Internal,
            "seq {wrong}"
        );
    }
    let mut of_another = story.event(acting(1));
    of_another.phone = PhoneId::from("nexus");
    store.append(&of_another).await.unwrap_err();
    let mut of_none = story.event(acting(1));
    of_none.run = RunId::from("r2");
    assert_eq!(
        store.append(&of_none).await.unwrap_err().code,
        FailureCode::NotFound
    );
    let mut again = story.event(started("again"));
    again.seq = 1;
    store.append(&again).await.unwrap_err();

    story.tell(ended(Ending::Stopped)).await;
    story.try_tell(acting(1)).await.unwrap_err();
    assert_eq!(store.run(&story.run).await.unwrap().events, 2);
}

/// The schema is the second fence: code that goes round the first does not get round this one.
#[tokio::test]
async fn the_schema_itself_refuses_gaps_changes_and_holes() {
    let (folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    story.tell(acting(1)).await;
    let raw = raw(folder.path());
    let refuse = |sql: &str, why: &str| {
        let error = raw.execute(sql, ()).unwrap_err().to_string();
        assert!(error.contains(why), "{sql}: {error}");
    };
    refuse(
        "INSERT INTO events VALUES ('r1', 4, 1, 'x', '{}')",
        "not the next event",
    );
    refuse(
        "INSERT INTO events VALUES ('r1', 2, 1, 'x', '{}')",
        "not the next event",
    );
    refuse(
        "INSERT INTO events VALUES ('r1', 0, 1, 'x', '{}')",
        "not the next event",
    );
    refuse("INSERT INTO events VALUES ('r2', 1, 1, 'x', '{}')", "FOREIGN KEY");
    refuse(
        "UPDATE events SET json = '{}' WHERE run = 'r1' AND seq = 2",
        "never changed",
    );
    refuse(
        "DELETE FROM events WHERE run = 'r1' AND seq = 2",
        "erased with its run",
    );
    refuse("DELETE FROM events", "erased with its run");
    story.tell(ended(Ending::Stopped)).await;
    refuse("INSERT INTO events VALUES ('r1', 4, 1, 'x', '{}')", "has ended");
}

#[tokio::test]
async fn an_event_that_would_not_read_back_is_refused() {
    let (_folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    let swipe = |x1| Act::Swipe {
        x1,
        y1: 0.0,
        x2: 0.0,
        y2: 0.0,
        duration_ms: 300.0,
    };
    story
        .try_tell(doing(1, Action::from(swipe(f64::NAN))))
        .await
        .unwrap_err();
    let nowhere = Act::Tap {
        x: Some(f64::INFINITY),
        y: None,
        target: None,
    };
    story.try_tell(doing(1, Action::from(nowhere))).await.unwrap_err();
    story.tell(doing(1, Action::from(swipe(0.1 + 0.2)))).await;
}

#[tokio::test]
async fn runs_are_listed_newest_first() {
    let (_folder, store) = store();
    for (run, phone) in [("r1", "moto"), ("r2", "nexus"), ("r3", "moto"), ("r4", "moto")] {
        let mut story = Story::begin(&store, run, phone).await;
        if run != "r4" {
            let message = format!("{run} done");
            story
                .tell(ended(Ending::Finished {
                    message,
                    declined: false,
                }))
                .await;
        }
    }
    let names =
        |runs: Vec<store::RunSummary>| -> Vec<String> { runs.into_iter().map(|run| run.run.0).collect() };
    let moto = PhoneId::from("moto");
    assert_eq!(
        names(store.runs(None, None, 10).await.unwrap()),
        ["r4", "r3", "r2", "r1"]
    );
    assert_eq!(
        names(store.runs(Some(&moto), None, 2).await.unwrap()),
        ["r4", "r3"]
    );
    let r3 = RunId::from("r3");
    assert_eq!(
        names(store.runs(Some(&moto), Some(&r3), 2).await.unwrap()),
        ["r1"]
    );
    assert_eq!(names(store.latest_runs().await.unwrap()), ["r4", "r2"]);
    assert!(store.run(&RunId::from("r4")).await.unwrap().end.is_none());
    insta::assert_debug_snapshot!(store.run(&r3).await.unwrap(), @r#"
    RunSummary {
        run: RunId(
            "r3",
        ),
        phone: PhoneId(
            "moto",
        ),
        goal: "Order the weekly groceries and pay",
        model: "demo",
        demo_ai: true,
        started_at: 1750000001000,
        events: 2,
        end: Some(
            RunEnd {
                at: 1750000002000,
                ending: Some(
                    Finished {
                        message: "r3 done",
                        declined: false,
                    },
                ),
                maybe_running: false,
            },
        ),
    }
    "#);
}

#[tokio::test]
async fn a_picture_is_kept_once() {
    let (_folder, store) = store();
    let story = Story::begin(&store, "shop/r1", "moto").await;
    let (first, second) = (picture(40, 90, 7), picture(40, 90, 200));
    let a = store.keep(&story.run, screen(&first)).await.unwrap();
    let b = store.keep(&story.run, screen(&second)).await.unwrap();
    let again = store.keep(&story.run, screen(&first)).await.unwrap();
    assert_eq!((a.0.as_str(), b.0.as_str()), ("shop/r1/1", "shop/r1/2"));
    assert_eq!(again, a);
    for id in [&a, &b] {
        let kept = store.frame(id).await.unwrap();
        assert_eq!((kept.width, kept.height, kept.ending()), (40, 90, "jpg"));
        let decoded = kept.decode().unwrap();
        assert_eq!((decoded.width, decoded.height), (40, 90));
    }
    for missing in ["shop/r1/9", "shop/r1", "nothing", "shop/r1/-1", "other/1"] {
        let missing = store.frame(&FrameId::from(missing)).await;
        assert!(matches!(missing, Err(StoreError::NotFound(_))), "{missing:?}");
    }
}

#[tokio::test]
async fn what_is_no_picture_is_refused() {
    let (_folder, store) = store();
    let story = Story::begin(&store, "r1", "moto").await;
    let mut cut = picture(4, 4, 7);
    cut.rgba = cut.rgba.iter().copied().take(60).collect();
    assert_eq!(
        store.keep(&story.run, screen(&cut)).await.unwrap_err().code,
        FailureCode::BadInput
    );
    let empty = picture(0, 4, 7);
    assert_eq!(
        store.keep(&story.run, screen(&empty)).await.unwrap_err().code,
        FailureCode::BadInput
    );
    let of_none = store.keep(&RunId::from("r2"), screen(&picture(4, 4, 7))).await;
    assert_eq!(of_none.unwrap_err().code, FailureCode::NotFound);
}

#[tokio::test]
async fn spending_is_counted_from_a_moment_and_outlives_its_run() {
    let (_folder, store) = store();
    assert_eq!(
        store.spending_within(0..u64::MAX).await.unwrap(),
        Spending::default()
    );
    let mut story = Story::begin(&store, "r1", "moto").await;
    story.tell(thought(100, Some(0.25))).await;
    let later = story.tell(thought(40, None)).await.at;
    story.tell(thought(0, Some(0.5))).await;
    story.tell(thought(u64::MAX, Some(0.0))).await;
    story.tell(ended(Ending::Stopped)).await;
    let all = store.spending_within(0..u64::MAX).await.unwrap();
    assert_eq!((all.unpriced_tokens, all.dollars), (50, 0.75));
    // Without money: $2 for a million tokens read, $10 for a million written.
    assert!(
        (all.estimated - (40.0 * 2.0 + 10.0 * 10.0) / 1e6).abs() < 1e-12,
        "{all:?}"
    );
    assert_eq!(store.spending_within(later..u64::MAX).await.unwrap().dollars, 0.5);
    store.erase(std::slice::from_ref(&story.run)).await.unwrap();
    assert_eq!(store.spending_within(0..u64::MAX).await.unwrap(), all);
    // The story plays in 2025.
    assert_eq!(store.spent_today().await.unwrap(), 0.0);
}

#[tokio::test]
async fn a_question_beside_the_task_is_paid_for_with_its_step() {
    let (_folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    let outcome = protocol::Outcome {
        ok: true,
        usage: Some(protocol::Usage {
            input_tokens: 10,
            output_tokens: 1,
            dollars: Some(0.125),
            is_estimate: true,
            ..protocol::Usage::default()
        }),
        ..protocol::Outcome::default()
    };
    let (step, took_ms) = (1, 80);
    story
        .tell(What::Acted {
            step,
            outcome,
            took_ms,
        })
        .await;
    story.tell(ended(Ending::Stopped)).await;
    let spent = store.spending_within(0..u64::MAX).await.unwrap();
    assert_eq!(
        (spent.dollars, spent.estimated, spent.unpriced_tokens),
        (0.0, 0.125, 11)
    );
}

#[tokio::test]
async fn today_counts_from_midnight_to_midnight() {
    let (_folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    let today = || store::day(&jiff::Zoned::now());
    let day = today();
    // What the clock was ahead of when it was written down is not of every day until then.
    for (at, dollars) in [(day.start, 0.25), (day.start - 9_000, 4.0), (day.end, 8.0)] {
        story.at = at;
        story.tell(thought(100, Some(dollars))).await;
    }
    // A model whose price nobody knows reaches the day's limit too.
    story.at = day.start;
    story.tell(thought(2_000_000, None)).await;
    let (spent, all) = (
        store.spent_today().await.unwrap(),
        store.spending_today().await.unwrap(),
    );
    store.erase_all().await.unwrap();
    let left = store.spending_within(0..u64::MAX).await.unwrap();
    // The test may run at midnight.
    if today() == day {
        assert!(spent > 4.0 && spent < 8.0, "{spent}");
        assert_eq!((all.tokens, all.dollars, left), (2_000_120, 0.25, all));
    }
}

#[tokio::test]
async fn an_erased_run_is_gone_from_the_disk() {
    let (folder, store) = store();
    let mut story = Story::begin(&store, "r1", "moto").await;
    let other = Story::begin(&store, "r2", "moto").await;
    story
        .tell(What::Said {
            text: "MARKER-of-a-private-life".to_owned(),
        })
        .await;
    let frame = store.keep(&story.run, screen(&noise(300, 300))).await.unwrap();
    let kept = store.frame(&frame).await.unwrap().bytes;
    let size = || -> u64 {
        let files = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
        files.map(|file| file.metadata().unwrap().len()).sum()
    };
    assert!(contains(&all_bytes(folder.path()), b"MARKER-of-a-private-life"));
    let running = store.erase(std::slice::from_ref(&story.run)).await;
    assert!(matches!(running, Err(StoreError::Running(_))), "{running:?}");

    story.tell(ended(Ending::Stopped)).await;
    let full = size();
    store.erase(std::slice::from_ref(&story.run)).await.unwrap();
    assert!(
        size() + kept.len() as u64 <= full,
        "its room goes back to the system"
    );
    let bytes = all_bytes(folder.path());
    assert!(!contains(&bytes, b"MARKER-of-a-private-life"));
    assert!(!contains(&bytes, &kept[kept.len() / 2..kept.len() / 2 + 64]));
    assert!(matches!(store.frame(&frame).await, Err(StoreError::NotFound(_))));
    assert!(matches!(
        store.erase(std::slice::from_ref(&story.run)).await,
        Err(StoreError::NotFound(_))
    ));
    assert_eq!(store.events(&other.run, 0, 10).await.unwrap().len(), 1);
}
