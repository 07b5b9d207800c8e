//! Runs of the past: found by their words, filtered, page by page, and gone from the index when they are erased.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{self, Story, all_bytes, contains, ended, noise, picture, screen};
use agent::ports::Journal;
use agent::ports::KeptScreen;
use protocol::{
    Bounds, Element, Ending, Failure, FailureCode, HistoryQuery, PhoneId, RunEndKind, RunId, What,
};
use std::collections::BTreeMap;
use store::Store;

const DAY: u64 = 86_400_000;

fn looked(app: &str) -> What {
    What::Looked {
        step: 3,
        frame: None,
        app: app.to_owned(),
        width: 1080,
        height: 2400,
        capture: protocol::CaptureResult::Ok,
        elements: 5,
    }
}

fn finished(message: &str) -> Ending {
    Ending::Finished {
        message: message.to_owned(),
        declined: false,
    }
}

/// A run of a day, in an app, with an end or none.
async fn run(store: &Store, name: &str, phone: &str, goal: &str, app: &str, end: Option<Ending>) {
    let mut story = Story {
        store,
        run: RunId::from(name),
        phone: PhoneId::from(phone),
        seq: 0,
        at: 1_750_000_000_000,
    };
    story.tell(common::started(goal)).await;
    story.tell(looked(app)).await;
    if let Some(end) = end {
        story.tell(ended(end)).await;
    }
}

async fn filled(folder: &std::path::Path) -> Store {
    let store = Store::open(folder).unwrap();
    store.call_phone(&PhoneId::from("mum"), "Mum’s Galaxy");
    store.call_phone(&PhoneId::from("shop"), "Shop phone");
    let failed = Ending::Failed {
        failure: Failure {
            code: FailureCode::PhoneLocked,
            values: BTreeMap::new(),
            detail: None,
        },
    };
    for (name, phone, goal, app, end) in [
        (
            "r1",
            "mum",
            "Text Dana I’m running late",
            "com.android.messages",
            Some(finished("Sent to Dana.")),
        ),
        (
            "r2",
            "shop",
            "Order the weekly groceries",
            "com.greenleaf.shop",
            Some(finished("$21.85 paid,\nThursday 6–8 pm")),
        ),
        (
            "r3",
            "shop",
            "Install security updates",
            "com.android.settings",
            Some(failed),
        ),
        (
            "r4",
            "mum",
            "Café in der Nähe finden",
            "com.android.chrome",
            Some(Ending::Stopped),
        ),
        (
            "r5",
            "shop",
            "给妈妈发消息说我晚点到",
            "com.tencent.mm",
            Some(finished("消息已发送")),
        ),
        (
            "r6",
            "mum",
            "Order the weekly groceries again",
            "com.greenleaf.shop",
            None,
        ),
    ] {
        run(&store, name, phone, goal, app, end).await;
    }
    store
}

async fn check(store: &Store, query: HistoryQuery, expected: &[&str]) {
    let page = store.history(&query).await.unwrap();
    let found: Vec<&str> = page.runs.iter().map(|run| run.run.0.as_str()).collect();
    assert_eq!(found, expected, "{query:?}");
}

fn text(text: &str) -> HistoryQuery {
    HistoryQuery {
        text: text.to_owned(),
        ..HistoryQuery::default()
    }
}

#[tokio::test]
async fn words_of_the_task_the_app_the_phone_and_the_answer_find_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    for (words, expected) in [
        ("", &["r6", "r5", "r4", "r3", "r2", "r1"][..]),
        ("groceries", &["r6", "r2"]),
        ("groc", &["r6", "r2"]),
        ("WEEKLY order", &["r6", "r2"]),
        // What a task touched is known once it is over.
        ("greenleaf", &["r2"]),
        ("shop phone", &["r5", "r3", "r2"]),
        ("galaxy dana", &["r1"]),
        ("$21.85", &["r2"]),
        ("cafe", &["r4"]),
        ("nahe", &["r4"]),
        ("妈妈", &["r5"]),
        ("已发", &["r5"]),
        ("groceries dana", &[]),
        ("\" OR 1", &[]),
        ("settings", &["r3"]),
        ("nothing of the kind", &[]),
    ] {
        check(&store, text(words), expected).await;
    }
}

#[tokio::test]
async fn phone_end_and_day_leave_out_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let phone = HistoryQuery {
        phone: Some(PhoneId::from("mum")),
        ..HistoryQuery::default()
    };
    check(&store, phone.clone(), &["r6", "r4", "r1"]).await;
    check(
        &store,
        HistoryQuery {
            text: "order".to_owned(),
            ..phone
        },
        &["r6"],
    )
    .await;
    for (end, expected) in [
        (RunEndKind::Finished, &["r5", "r2", "r1"][..]),
        (RunEndKind::Failed, &["r3"]),
        (RunEndKind::Stopped, &["r4"]),
        (RunEndKind::Going, &["r6"]),
        (RunEndKind::Interrupted, &[]),
    ] {
        let query = HistoryQuery {
            end: Some(end),
            ..HistoryQuery::default()
        };
        check(&store, query, expected).await;
    }
    let began = 1_750_000_001_000;
    for (from, until, found) in [
        (began, began + DAY, 6),
        (began - DAY, began, 0),
        (began + 1, began + DAY, 0),
    ] {
        let query = HistoryQuery {
            from: Some(from),
            until: Some(until),
            ..HistoryQuery::default()
        };
        assert_eq!(store.history(&query).await.unwrap().runs.len(), found);
    }
}

#[tokio::test]
async fn pages_follow_each_other_and_say_what_each_run_came_to() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let mut query = HistoryQuery {
        limit: Some(4),
        ..HistoryQuery::default()
    };
    let first = store.history(&query).await.unwrap();
    assert_eq!((first.runs.len(), first.more), (4, true));
    let names: Vec<(&str, &str)> = first
        .phones
        .iter()
        .map(|phone| (phone.id.0.as_str(), phone.name.as_str()))
        .collect();
    assert_eq!(names, [("mum", "Mum’s Galaxy"), ("shop", "Shop phone")]);
    query.before = first.runs.last().map(|run| run.run.clone());
    let second = store.history(&query).await.unwrap();
    assert_eq!((second.runs.len(), second.more), (2, false));
    let groceries = &second.runs[0];
    assert_eq!(
        (groceries.end, groceries.steps, groceries.phone_name.as_str()),
        (RunEndKind::Finished, 3, "Shop phone")
    );
    assert_eq!(groceries.ending, Some(finished("$21.85 paid,\nThursday 6–8 pm")));
    assert_eq!(store.past_run(&groceries.run).await.unwrap(), *groceries);
    query.before = Some(RunId::from("nobody"));
    store.history(&query).await.unwrap_err();
}

/// What a screen said is kept with its picture, once, and goes with it.
#[tokio::test]
async fn a_picture_keeps_what_stood_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let story = Story::begin(&store, "r", "moto").await;
    let element = Element {
        index: 1,
        track_id: "t1".to_owned(),
        role: protocol::Role::Button,
        label: "Pay".to_owned(),
        description: None,
        value: None,
        states: Vec::new(),
        bounds: Bounds::default(),
        resource_id: String::new(),
        package: "com.greenleaf".to_owned(),
    };
    let elements = std::slice::from_ref(&element);
    let pixels = picture(40, 60, 9);
    let of_button = KeptScreen {
        elements,
        ..screen(&pixels)
    };
    let frame = store.keep(&story.run, of_button).await.unwrap();
    assert_eq!(store.elements(&frame).await.unwrap(), elements);
    let again = store.keep(&story.run, screen(&pixels)).await.unwrap();
    assert_eq!(
        (again == frame, store.elements(&frame).await.unwrap().len()),
        (true, 1)
    );
    let bare = store.keep(&story.run, screen(&picture(41, 60, 9))).await.unwrap();
    assert_eq!(store.elements(&bare).await.unwrap(), []);
}

/// Words of an erased run are in no file: not in the index's tables, not in the log.
#[tokio::test]
async fn what_is_erased_is_in_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..60 {
        let goal = format!("zqmarker{n:03}goal of {n}");
        let answer = finished(&format!("zqmarker{n:03}answer"));
        let name = format!("r{n:02}");
        run(
            &store,
            &name,
            "moto",
            &goal,
            &format!("com.zqmarker{n:03}app"),
            (n != 7).then_some(answer),
        )
        .await;
        store
            .keep(&RunId(name), screen(&noise(30, 30 + n)))
            .await
            .unwrap();
    }
    store
        .erase(&[RunId::from("r03"), RunId::from("r59")])
        .await
        .unwrap();
    let bytes = all_bytes(folder.path());
    for (n, there) in [(2, true), (3, false), (4, true), (58, true), (59, false)] {
        for part in ["goal", "answer", "app"] {
            let marker = format!("zqmarker{n:03}{part}");
            assert_eq!(contains(&bytes, marker.as_bytes()), there, "{marker}");
        }
    }
    check(&store, text("zqmarker003goal"), &[]).await;
    check(&store, text("zqmarker004goal"), &["r04"]).await;

    // All of it, but for the one that goes on.
    assert_eq!(store.erase_all().await.unwrap(), 1);
    check(&store, text(""), &["r07"]).await;
    let bytes = all_bytes(folder.path());
    assert!(contains(&bytes, b"zqmarker007goal"));
    // The index keeps what words begin with once for all of them, so any number after the common part tells.
    for n in (0..60).filter(|n| *n != 7) {
        assert!(!contains(&bytes, format!("{n:03}goal").as_bytes()), "{n}");
        assert!(!contains(&bytes, format!("{n:03}answer").as_bytes()), "{n}");
    }
    let left = store.space().await.unwrap();
    assert_eq!((left.runs, left.pictures), (1, 1));
    assert!(left.bytes > 0);
}
