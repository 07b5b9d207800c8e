//! What the page of past runs waits for, with 10,000 runs of 20 steps: `cargo bench -p store --bench history`.
//!
//! Figures are printed, nothing is judged: they are the machine's.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench"
)]

use protocol::{HistoryQuery, PhoneId, RunEndKind, RunId};
use rusqlite::{Connection, params};
use std::time::Instant;
use store::Store;

const RUNS: u32 = 10_000;
const STEPS: u32 = 20;
const TASKS: [&str; 5] = [
    "Order the weekly groceries and pay",
    "Text Dana that I am running late",
    "Find a train for Friday evening",
    "Clear out old screenshots",
    "Install security updates",
];
const APPS: [&str; 5] = [
    "com.greenleaf.shop",
    "com.android.messages",
    "com.rail.tickets",
    "com.android.photos",
    "com.android.settings",
];

/// The journal of so many runs, written straight into the tables as [`Store`] writes it, in one transaction.
fn fill(file: &std::path::Path) {
    let mut connection = Connection::open(file).unwrap();
    let all = connection.transaction().unwrap();
    {
        let mut begin = all
            .prepare("INSERT INTO runs (id, phone, goal, model, demo_ai, started_at, owner, phone_name) VALUES (?1, ?2, ?3, 'm', 0, ?4, 'nobody', ?2)")
            .unwrap();
        let mut write = all
            .prepare("INSERT INTO events (run, seq, at, what, json) VALUES (?1, ?2, ?3, ?4, ?5)")
            .unwrap();
        let mut keep = all
            .prepare("INSERT INTO frames (run, n, digest, width, height, bytes) VALUES (?1, ?2, ?3, 1080, 2400, ?4)")
            .unwrap();
        for n in 0..RUNS {
            let (run, phone) = (format!("run-{n:05}"), format!("phone {}", n % 5));
            let kind = usize::try_from(n % 5).unwrap();
            let at = 1_750_000_000_000_i64 + i64::from(n) * 600_000;
            begin.execute(params![run, phone, TASKS[kind], at]).unwrap();
            let mut seq = 0;
            let mut tell = |what: &str, rest: &str| {
                seq += 1;
                let json = format!(
                    r#"{{"run":"{run}","phone":"{phone}","seq":{seq},"at":{at},"what":"{what}",{rest}}}"#
                );
                write.execute(params![run, seq, at, what, json]).unwrap();
            };
            tell(
                "started",
                &format!(r#""goal":"{}","model":"m","demoAi":false"#, TASKS[kind]),
            );
            for step in 1..=STEPS {
                tell(
                    "looked",
                    &format!(
                        r#""step":{step},"frame":"{run}/{step}","app":"{}","width":1080,"height":2400,"capture":"ok","elements":40"#,
                        APPS[kind]
                    ),
                );
                tell(
                    "decided",
                    &format!(
                        r#""step":{step},"thought":"The list is open, so I go on with the next entry.","action":{{"type":"tap","target":{{"element":{step}}}}},"dialect":"openpocket","usage":{{"inputTokens":1500,"outputTokens":60}}"#
                    ),
                );
                tell(
                    "acting",
                    &format!(
                        r#""step":{step},"action":{{"type":"tap","target":{{"element":{step}}}}},"label":"Entry {step}""#
                    ),
                );
                tell(
                    "acted",
                    &format!(r#""step":{step},"outcome":{{"ok":true,"code":"done"}},"tookMs":800"#),
                );
                keep.execute(params![
                    run,
                    step,
                    format!("{n}/{step}").as_bytes(),
                    vec![7_u8; 600]
                ])
                .unwrap();
            }
            let ending = [
                "finished\",\"message\":\"It is done, number ",
                "stopped\",\"x\":\"",
            ][usize::from(n % 7 == 0)];
            tell("ended", &format!(r#""ending":{{"how":"{ending}{n}"}}"#));
            all.execute("UPDATE runs SET ended_at = ?2 WHERE id = ?1", params![run, at])
                .unwrap();
        }
    }
    all.commit().unwrap();
}

fn main() {
    // `cargo test --benches` only asks whether it is well.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let file = folder.path().join("pocketdeck.db");
    fill(&file);
    let megabytes = std::fs::metadata(&file).unwrap().len() / 1_000_000;
    println!("{RUNS} runs, {STEPS} steps each: {megabytes} MB without pictures to speak of");
    let timed = |name: &str, work: &mut dyn FnMut()| {
        let began = Instant::now();
        work();
        println!("{:9.2} ms  {name}", began.elapsed().as_secs_f64() * 1_000.0);
    };
    timed(
        "opened the first time: every run gets its row in the index",
        &mut || drop(Store::open(folder.path()).unwrap()),
    );
    timed("opened", &mut || drop(Store::open(folder.path()).unwrap()));
    let store = Store::open(folder.path()).unwrap();
    let ask = |query: HistoryQuery| runtime.block_on(store.history(&query)).unwrap();
    let of = |text: &str| HistoryQuery {
        text: text.to_owned(),
        ..HistoryQuery::default()
    };
    timed("the first page", &mut || assert_eq!(ask(of("")).runs.len(), 50));
    timed("a page in the middle", &mut || {
        let before = Some(RunId::from("run-05000"));
        assert_eq!(
            ask(HistoryQuery {
                before,
                ..HistoryQuery::default()
            })
            .runs
            .len(),
            50
        );
    });
    timed("the oldest page", &mut || {
        let before = Some(RunId::from("run-00050"));
        assert_eq!(
            ask(HistoryQuery {
                before,
                ..HistoryQuery::default()
            })
            .runs
            .len(),
            50
        );
    });
    timed("of one phone", &mut || {
        let phone = Some(PhoneId::from("phone 3"));
        assert_eq!(
            ask(HistoryQuery {
                phone,
                ..HistoryQuery::default()
            })
            .runs
            .len(),
            50
        );
    });
    timed("that were stopped", &mut || {
        let end = Some(RunEndKind::Stopped);
        assert_eq!(
            ask(HistoryQuery {
                end,
                ..HistoryQuery::default()
            })
            .runs
            .len(),
            50
        );
    });
    timed("of one day", &mut || {
        let from = Some(1_751_000_000_000);
        let until = Some(1_751_086_400_000);
        assert!(
            !ask(HistoryQuery {
                from,
                until,
                ..HistoryQuery::default()
            })
            .runs
            .is_empty()
        );
    });
    timed("a word that a fifth of them have", &mut || {
        assert_eq!(ask(of("groceries")).runs.len(), 50)
    });
    timed("the beginning of one", &mut || {
        assert_eq!(ask(of("gr")).runs.len(), 50)
    });
    timed("a word that one of them has", &mut || {
        assert_eq!(ask(of("number 4243")).runs.len(), 1)
    });
    timed("a word that none has", &mut || {
        assert_eq!(ask(of("zebra")).runs.len(), 0)
    });
    timed("the events of one run", &mut || {
        let run = RunId::from("run-04242");
        assert_eq!(runtime.block_on(store.events(&run, 0, 1_000)).unwrap().len(), 82);
    });
    timed("the space it takes", &mut || {
        runtime.block_on(store.space()).unwrap();
    });
    timed("one run erased, from every page of the index", &mut || {
        runtime
            .block_on(store.erase(&[RunId::from("run-04242")]))
            .unwrap()
    });
}
