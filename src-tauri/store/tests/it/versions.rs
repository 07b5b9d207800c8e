//! What any version ever wrote is opened by this one; and what no version wrote, or nobody can read any more, hides nothing
//! else and stays as it is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{self, Story, acting, contains};
use agent::ports::Journal;
use protocol::{AskKind, Ending, Event, FrameId, HistoryQuery, PhoneId, RunEndKind, RunId, What};
use rusqlite::{Connection, params};
use std::path::Path;
use store::Store;

/// The steps from version to version, as they were released.
const STEPS: [&str; 6] = [
    include_str!("../../src/schema/1.sql"),
    include_str!("../../src/schema/2.sql"),
    include_str!("../../src/schema/3.sql"),
    include_str!("../../src/schema/4.sql"),
    include_str!("../../src/schema/5.sql"),
    include_str!("../../src/schema/6.sql"),
];
/// A line for each kind of event and each of its variants, as the versions up to the second schema wrote them. It is never
/// changed: what does not read any more locks somebody out of their own past.
const WRITTEN: &str = include_str!("../written/2.jsonl");
/// What was written with the fourth schema and not before. It is never changed either: what comes later has a file of its own.
const WRITTEN_SINCE: &str = include_str!("../written/4.jsonl");
/// What was written with the fifth and not before.
const WRITTEN_FIFTH: &str = include_str!("../written/5.jsonl");
/// What was written with the sixth and not before.
const WRITTEN_SIXTH: &str = include_str!("../written/6.jsonl");
/// What was written with the sixth, later.
const WRITTEN_LATEST: &str = include_str!("../written/6-since.jsonl");
/// A gap-free run of lines that no version reads.
const STRANGE: [(&str, &str); 6] = [
    (
        "started",
        r#"{"run":"strange","phone":"nexus","seq":1,"at":1,"what":"started","goal":"g","model":"m","demoAi":false,"mood":"of a newer version"}"#,
    ),
    (
        "dreamed",
        r#"{"run":"strange","phone":"nexus","seq":2,"at":2,"what":"dreamed","of":"sheep"}"#,
    ),
    (
        "acting",
        r#"{"run":"strange","phone":"nexus","seq":3,"at":3,"what":"acting","step":1,"action":{"type":"levitate"}}"#,
    ),
    (
        "asked",
        r#"{"run":"strange","phone":"nexus","seq":4,"at":4,"what":"asked","step":1,"ask":{"id":"strange/1","phoneName":"Old Nexus","goal":"g","kind":"teleport","appLabel":"Northbank","askedAt":77,"evidence":{"frame":"everything/1"}}}"#,
    ),
    ("said", "{ this is no JSON"),
    (
        "ended",
        r#"{"run":"strange","phone":"nexus","seq":6,"at":6,"what":"ended","ending":{"how":"vanished"}}"#,
    ),
];

/// A database of a version, with a run of everything, a run of what nobody reads, and one that was interrupted.
fn database(folder: &Path, version: usize) {
    let connection = Connection::open(folder.join("pocketdeck.db")).unwrap();
    connection
        .pragma_update(None, "auto_vacuum", "INCREMENTAL")
        .unwrap();
    for step in &STEPS[..version] {
        connection.execute_batch(step).unwrap();
    }
    connection
        .pragma_update(None, "user_version", i64::try_from(version).unwrap())
        .unwrap();
    let begin = "INSERT INTO runs (id, phone, goal, model, demo_ai, started_at, owner) VALUES (?1, ?2, 'g', 'm', 0, 5, 'nobody')";
    let write = "INSERT INTO events (run, seq, at, what, json) VALUES (?1, ?2, ?3, ?4, ?5)";
    for (run, phone) in [("everything", "moto"), ("strange", "nexus"), ("open", "galaxy")] {
        connection.execute(begin, [run, phone]).unwrap();
    }
    for line in WRITTEN.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let (seq, at, what) = (
            event["seq"].as_i64(),
            event["at"].as_i64(),
            event["what"].as_str(),
        );
        connection
            .execute(write, params!["everything", seq, at, what, line])
            .unwrap();
    }
    for (n, (what, json)) in STRANGE.iter().enumerate() {
        let seq = i64::try_from(n).unwrap() + 1;
        connection
            .execute(write, params!["strange", seq, seq, what, json])
            .unwrap();
    }
    connection
        .execute(
            write,
            params![
                "open",
                1,
                1,
                "started",
                STRANGE[0].1.replace("strange", "open").replace("nexus", "galaxy")
            ],
        )
        .unwrap();
    // Text that is no text.
    connection
        .execute(
            "INSERT INTO events VALUES ('open', 2, 2, CAST(x'FF61' AS TEXT), CAST(x'7BFF7D' AS TEXT))",
            (),
        )
        .unwrap();
    connection
        .execute(
            "UPDATE runs SET ended_at = 9 WHERE id IN ('everything', 'strange')",
            (),
        )
        .unwrap();
    let mut png = Vec::new();
    let grey = image::RgbaImage::from_pixel(3, 2, image::Rgba([9, 9, 9, 255]));
    grey.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png)
        .unwrap();
    connection
        .execute(
            &format!(
                "INSERT INTO frames VALUES ('everything', 1, x'00', 3, 2, ?1{})",
                if version > 3 { ", NULL" } else { "" }
            ),
            [png],
        )
        .unwrap();
    connection
        .execute(
            "INSERT INTO spending (at, input_tokens, output_tokens, dollars) VALUES (9, 10, 1, 0.5)",
            (),
        )
        .unwrap();
    connection.execute(r#"INSERT INTO settings VALUES (1, '{"demoPhones": 3, "level": "of a newer version", "later": 1}')"#, ()).unwrap();
}

/// Every stored line, as it stands in the file.
fn lines(folder: &Path) -> Vec<(String, i64, Vec<u8>)> {
    let connection = Connection::open(folder.join("pocketdeck.db")).unwrap();
    let mut statement = connection
        .prepare("SELECT run, seq, CAST(json AS BLOB) FROM events ORDER BY rowid")
        .unwrap();
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

async fn check(version: usize) {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path(), version);
    let before = lines(folder.path());
    let store = Store::open(folder.path()).unwrap();

    // All that was ever written is read as what it was.
    let everything = store.events(&RunId::from("everything"), 0, 1_000).await.unwrap();
    let unread: Vec<&Event> = everything
        .iter()
        .filter(|event| matches!(event.what, What::Unreadable { .. }))
        .collect();
    assert!(unread.is_empty(), "{unread:#?}");
    assert_eq!(everything.len(), WRITTEN.lines().count());

    // What cannot be read is told in its place, and the rest of its run with it.
    let strange = store.events(&RunId::from("strange"), 0, 10).await.unwrap();
    let told: Vec<(u64, String)> = strange
        .iter()
        .map(|event| match &event.what {
            What::Unreadable { was } => (event.seq, was.clone()),
            other => (
                event.seq,
                format!("{other:?}").split(' ').next().unwrap().to_owned(),
            ),
        })
        .collect();
    let expected = [
        (1, "Started"),
        (2, "dreamed"),
        (3, "acting"),
        (4, "asked"),
        (5, "said"),
        (6, "ended"),
    ];
    assert_eq!(told, expected.map(|(seq, was)| (seq, was.to_owned())));
    assert!(strange.iter().all(|event| event.phone == PhoneId::from("nexus")));
    let end = store.run(&RunId::from("strange")).await.unwrap().end.unwrap();
    assert_eq!((end.at, end.ending), (9, None), "over, nobody can say how");

    // The run that was open is closed; what nobody can read may have been an intent.
    let [closed] = store.interrupted() else {
        panic!("{:?}", store.interrupted())
    };
    assert_eq!(closed.run, RunId::from("open"));
    let open = store.events(&RunId::from("open"), 0, 10).await.unwrap();
    assert_eq!(
        open[1].what,
        What::Unreadable {
            was: "\u{fffd}a".to_owned()
        }
    );
    assert!(matches!(
        open[2].what,
        What::Ended {
            ending: Ending::Interrupted { .. },
            ..
        }
    ));

    // The page of questions shows them all, and what is left of the one nobody can read.
    let asks = store.asks(None, 500).await.unwrap();
    let readable = asks.iter().filter(|record| !record.unreadable).count();
    let written = everything
        .iter()
        .filter(|event| matches!(event.what, What::Asked { .. }))
        .count();
    assert_eq!(readable, written);
    let odd = asks.iter().find(|record| record.unreadable).unwrap();
    assert_eq!(
        (
            odd.ask.id.0.as_str(),
            odd.ask.kind,
            odd.ask.app_label.as_str(),
            odd.ask.phone_name.as_str(),
            odd.ask.asked_at
        ),
        ("strange/1", AskKind::Unknown, "Northbank", "Old Nexus", 77)
    );
    assert_eq!(odd.ask.evidence.frame, Some(FrameId::from("everything/1")));

    // Pictures, spending and settings are there.
    let kept = store.frame(&FrameId::from("everything/1")).await.unwrap();
    assert_eq!((kept.ending(), kept.decode().unwrap().rgba[0]), ("png", 9));
    assert_eq!(store.spending_within(0..u64::MAX).await.unwrap().dollars, 0.5);
    assert_eq!(store.settings().await.unwrap().demo_phones, 3);
    store.last_payment(&PhoneId::from("nexus"), "a").await.unwrap();

    // All of them are listed with their ends, and found by what stands in them.
    let look = async |text: &str, end: Option<RunEndKind>| -> Vec<String> {
        let query = HistoryQuery {
            text: text.to_owned(),
            end,
            ..HistoryQuery::default()
        };
        let page = store.history(&query).await.unwrap();
        page.runs.into_iter().map(|run| run.run.0).collect()
    };
    assert_eq!(look("", None).await, ["open", "strange", "everything"]);
    // Of the strange run nobody can read the question that named its phone.
    assert_eq!(look("old nexus", None).await, ["everything"]);
    assert_eq!(look("greenleaf", None).await, ["everything"]);
    assert_eq!(look("", Some(RunEndKind::Unknown)).await, ["strange"]);
    // The run of everything ends in every way there is, in this one last.
    assert_eq!(
        look("", Some(RunEndKind::Interrupted)).await,
        ["open", "everything"]
    );

    // It goes on as ever, and nothing of the old was touched.
    let mut story = Story::begin(&store, "new", "moto").await;
    story.tell(acting(1)).await;
    drop(store);
    assert_eq!(lines(folder.path())[..before.len()], before);
}

#[tokio::test]
async fn a_database_of_the_first_version_is_opened() {
    check(1).await;
}

#[tokio::test]
async fn a_database_of_the_second_version_is_opened() {
    check(2).await;
}

#[tokio::test]
async fn a_database_of_the_third_version_is_opened() {
    check(3).await;
}

#[tokio::test]
async fn a_database_of_the_fourth_version_is_opened() {
    check(4).await;
}

#[tokio::test]
async fn a_database_of_the_fifth_version_is_opened() {
    check(5).await;
}

#[tokio::test]
async fn a_database_of_this_version_is_opened() {
    check(6).await;
    assert!(matches!(
        Connection::open_in_memory().and_then(|one| one.execute_batch(&STEPS.concat())),
        Ok(())
    ));
}

/// A disk that forgot a letter: one line is damaged in the middle of the file, and only that line is lost.
#[tokio::test]
async fn a_line_that_was_damaged_on_the_disk_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", "p").await;
    for id in ["r/1", "r/2", "r/3"] {
        let What::Asked { step, mut ask } = common::payment(id, Some("$23.40"), None) else {
            unreachable!()
        };
        ask.goal = format!("the goal of {id}");
        ask.asked_at = 10;
        story.tell(What::Asked { step, ask }).await;
    }
    drop(store);
    let file = folder.path().join("pocketdeck.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let needle = b"the goal of r/2\"";
    let at = bytes
        .windows(needle.len())
        .position(|window| window == needle)
        .unwrap();
    // The closing quote is gone: from here on it is no JSON.
    bytes[at + needle.len() - 1] = b'x';
    std::fs::write(&file, &bytes).unwrap();

    let store = Store::open(folder.path()).unwrap();
    let asks = store.asks(None, 10).await.unwrap();
    let ids: Vec<(&str, bool)> = asks
        .iter()
        .map(|record| (record.ask.id.0.as_str(), record.unreadable))
        .collect();
    assert_eq!(ids, [("r/3", false), ("r/#3", true), ("r/1", false)]);
    // Page by page, too.
    let mut found = Vec::new();
    let mut before = None;
    loop {
        let page = store.asks(before, 1).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some((last.ask.asked_at, last.ask.id.clone()));
        found.extend(page.into_iter().map(|record| record.ask.id.0));
    }
    assert_eq!(found, ["r/3", "r/#3", "r/1"]);
    store
        .last_payment(&PhoneId::from("p"), "com.greenleaf")
        .await
        .unwrap();
    let events = store.events(&RunId::from("r"), 0, 10).await.unwrap();
    assert_eq!(
        events[2].what,
        What::Unreadable {
            was: "asked".to_owned()
        }
    );
    drop(store);
    assert!(contains(&std::fs::read(&file).unwrap(), b"the goal of r/2x"));
}

/// What every version wrote reads, and there is a line of each kind that is read.
#[test]
fn every_kind_of_event_stands_in_a_line_that_was_written() {
    let mut found = std::collections::BTreeSet::new();
    for line in WRITTEN
        .lines()
        .chain(WRITTEN_SINCE.lines())
        .chain(WRITTEN_FIFTH.lines())
        .chain(WRITTEN_SIXTH.lines())
        .chain(WRITTEN_LATEST.lines())
    {
        serde_json::from_str::<Event>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let written: serde_json::Value = serde_json::from_str(line).unwrap();
        found.insert(written["what"].as_str().unwrap().to_owned());
    }
    // The reader itself lists what it knows.
    let known = serde_json::from_str::<What>(r#"{"what":""}"#)
        .unwrap_err()
        .to_string();
    let all = known
        .split('`')
        .skip(3)
        .step_by(2)
        .filter(|word| *word != "unreadable")
        .map(str::to_owned)
        .collect();
    assert_eq!(found, all);
}
