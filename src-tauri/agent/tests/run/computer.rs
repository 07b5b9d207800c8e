//! Scripts on this computer: only where the person switched that on, and each one asked about.

use crate::support::{FakeScripts, MemoryJournal, Play, Table, World, start, start_with};
use protocol::{AskKind, Choice, Level, Place, ScriptSettings, Settings, Stream, What};
use std::time::Duration;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
const DATE: &str = r#"{"type": "run_script", "script": "/usr/bin/date\nwc -l < in.txt", "timeoutSec": 30}"#;

fn here() -> Settings {
    Settings {
        scripts: ScriptSettings {
            on_this_computer: true,
            programs: vec!["/usr/bin/date".into(), "/usr/bin/wc".into()],
        },
        ..Settings::default()
    }
}

fn table(settings: Settings, turns: &[&str]) -> Table {
    let turns = turns.iter().map(|turn| (*turn).into());
    start_with(World::default(), turns, settings, MemoryJournal::default())
}

fn printing(lines: &[(u64, Stream, &'static str)], exit: i32) -> Play {
    let lines = lines.iter();
    Play {
        lines: lines
            .map(|(after, stream, text)| (Duration::from_millis(*after), *stream, *text))
            .collect(),
        exit,
        hangs: false,
    }
}

/// What the timeline was told while it ran, a line each.
fn printed(table: &Table) -> Vec<(Stream, String)> {
    let events = table.events.iter();
    events
        .filter_map(|event| match &event.what {
            What::Printed { stream, text, .. } => Some((*stream, text.clone())),
            _ => None,
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn off_is_the_phone_and_on_is_here() {
    assert!(!Settings::default().scripts.on_this_computer);
    let mut off = start(World::default(), [DATE.into(), DONE.into()]);
    let ask = off.question().await;
    assert_eq!(ask.kind, AskKind::Script);
    off.answer(&ask, Choice::Approve);
    off.end().await;
    assert!(off.scripts.ran().is_empty());
    assert_eq!(off.phone.record().len(), 1, "{:?}", off.phone.record());
    let told = off.model.shown()[0].user();
    assert!(!told.contains("run_script"), "{told}");

    let mut on = table(here(), &[DATE, DONE]);
    on.scripts.play(printing(&[(0, Stream::Stdout, "Monday\n")], 0));
    let ask = on.question().await;
    assert_eq!(ask.kind, AskKind::ComputerScript);
    assert_eq!(
        ask.evidence.text.as_deref(),
        Some("/usr/bin/date\nwc -l < in.txt")
    );
    assert_eq!(
        ask.choices,
        [Choice::Deny, Choice::Approve, Choice::TakeOver, Choice::MoreTime]
    );
    assert!(on.scripts.ran().is_empty(), "nothing runs before the answer");
    on.answer(&ask, Choice::Approve);
    on.end().await;
    assert_eq!(
        on.scripts.ran(),
        [r#""/usr/bin/date\nwc -l < in.txt" with ["/usr/bin/date", "/usr/bin/wc"] for 30s"#]
    );
    assert!(on.phone.record().is_empty(), "{:?}", on.phone.record());
    let acting = on.events.iter().find_map(|event| match &event.what {
        What::Acting { place, .. } => Some(*place),
        _ => None,
    });
    assert_eq!(acting, Some(Some(Place::ThisComputer)));
    assert_eq!(
        on.outcomes(),
        "{\"ok\":true,\"code\":\"done\",\"rung\":\"this_computer\",\"output\":\"Monday\\n\",\"exit\":0,\
         \"folder\":\"/data/scripts/run-1\"}\n"
    );
    let told = on.model.shown()[0].user();
    assert!(
        told.contains("person's computer") && told.contains("/usr/bin/date, /usr/bin/wc"),
        "{told}"
    );
}

/// No level and no switch lifts the question; a No runs nothing, and the same script is not asked about again.
#[tokio::test(start_paused = true)]
async fn it_asks_every_time() {
    for level in [Level::Everything, Level::WhenItMatters, Level::HardStops] {
        let mut settings = Settings { level, ..here() };
        settings.ask_before.shell = false;
        let mut table = table(settings, &[DATE, DATE, DONE]);
        for _ in 0..2 {
            let ask = table.question().await;
            assert_eq!(ask.kind, AskKind::ComputerScript);
            table.answer(&ask, Choice::Approve);
        }
        table.end().await;
        assert_eq!(table.scripts.ran().len(), 2);
    }
    let mut denied = table(here(), &[DATE, DATE, DONE]);
    let ask = denied.question().await;
    denied.answer(&ask, Choice::Deny);
    denied.end().await;
    assert!(denied.scripts.ran().is_empty());
    assert_eq!(denied.outcomes(), "refused: denied_before\n");
    // Nobody there is No.
    let mut alone = table(here(), &[DATE]);
    alone.question().await;
    alone.paused().await;
    assert!(alone.scripts.ran().is_empty());
}

/// What the list does not allow is refused before anybody is asked; the hard rules hold here too.
#[tokio::test(start_paused = true)]
async fn what_is_not_allowed_is_not_even_asked() {
    for (script, outcome, told) in [
        (
            "date; forbidden",
            "refused: script_program\n",
            "allows /usr/bin/date, /usr/bin/wc",
        ),
        ("echo hi; rm -rf /sdcard", "refused: wipe\n", "never done"),
        ("su -c id", "refused: root\n", "never done"),
    ] {
        let turn = serde_json::json!({"type": "run_script", "script": script}).to_string();
        let mut table = table(here(), &[&turn, DONE]);
        table.end().await;
        assert_eq!(table.outcomes(), outcome, "{script}");
        assert!(table.scripts.ran().is_empty());
        let asked = table
            .events
            .iter()
            .any(|event| matches!(event.what, What::Asked { .. }));
        assert!(!asked, "{script}");
        let shown = table.model.shown()[1].user();
        assert!(shown.contains(told), "{shown}");
    }
}

/// Told as it comes, a quarter of a second together; the model hears code and both outputs.
#[tokio::test(start_paused = true)]
async fn what_it_prints_is_told_while_it_runs() {
    let mut table = table(here(), &[DATE, DONE]);
    table.scripts.play(printing(
        &[
            (0, Stream::Stdout, "one\n"),
            (100, Stream::Stdout, "two\n"),
            (0, Stream::Stderr, "careful\n"),
            (2_000, Stream::Stdout, "three\n"),
            (5_000, Stream::Stdout, "four"),
        ],
        7,
    ));
    let ask = table.question().await;
    table.answer(&ask, Choice::Approve);
    table
        .until("its beginning", |what| matches!(what, What::Acting { .. }))
        .await;
    let began = tokio::time::Instant::now();
    table
        .until("the first lines", |what| matches!(what, What::Printed { .. }))
        .await;
    assert!(began.elapsed() < Duration::from_secs(1), "long before its end");
    table.end().await;
    let text = |stream, text: &str| (stream, text.to_owned());
    assert_eq!(
        printed(&table),
        [
            text(Stream::Stdout, "one\ntwo\n"),
            text(Stream::Stderr, "careful\n"),
            text(Stream::Stdout, "three\n"),
            text(Stream::Stdout, "four"),
        ]
    );
    let told = table.model.shown()[1].user();
    for part in ["exit code 7", "output: one\ntwo\nthree\nfour", "errors: careful"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(table.outcomes().contains("script_failed"), "{}", table.outcomes());
}

#[tokio::test(start_paused = true)]
async fn time_and_stop_end_it() {
    let long: &[(u64, Stream, &'static str)] = &[
        (0, Stream::Stdout, "begun\n"),
        (900_000, Stream::Stdout, "late\n"),
    ];
    // The limit is held to 1…600 seconds, and the question says the one that holds.
    for (asked, given) in [(0.0, 1), (5.0, 5), (9_999.0, 600)] {
        let turn =
            serde_json::json!({"type": "run_script", "script": "date", "timeoutSec": asked}).to_string();
        let mut table = table(here(), &[&turn, DONE]);
        table.scripts.play(printing(long, 0));
        let ask = table.question().await;
        let shown = serde_json::to_value(ask.action.as_ref().unwrap()).unwrap();
        assert_eq!(shown["timeoutSec"], given);
        table.answer(&ask, Choice::Approve);
        table.end().await;
        assert!(table.outcomes().contains("timed_out"), "{}", table.outcomes());
        assert!(
            table.scripts.ran()[0].ends_with(&format!("for {given}s")),
            "{:?}",
            table.scripts.ran()
        );
    }

    for hangs in [false, true] {
        let mut table = table(here(), &[DATE]);
        table.scripts.play(Play {
            hangs,
            ..printing(long, 0)
        });
        let ask = table.question().await;
        table.answer(&ask, Choice::Approve);
        table
            .until("its first line", |what| matches!(what, What::Printed { .. }))
            .await;
        let began = tokio::time::Instant::now();
        table.handle.stop().await;
        assert!(began.elapsed() <= agent::STOP_BOUND);
        table.handle.wait_written().await;
        let last = table.journal.events().pop().unwrap();
        let What::Ended { maybe_running, .. } = last.what else {
            panic!("{last:?}");
        };
        assert_eq!(maybe_running, hangs);
    }
}

/// A code the person gave never goes into a script, and what a script prints of it is taken out.
#[tokio::test(start_paused = true)]
async fn a_secret_is_neither_given_nor_told() {
    let script = |text: &str| serde_json::json!({"type": "run_script", "script": text}).to_string();
    let auth = r#"{"type": "request_human_auth", "capability": "2fa", "instruction": "The code, please."}"#;
    let (with, without) = (script("echo 418027"), script("date"));
    let turns = [auth, &with, &without, DONE].map(Into::into);
    let mut table = start_with(World::on("code"), turns, here(), MemoryJournal::default());
    table
        .scripts
        .play(printing(&[(0, Stream::Stdout, "it is 418027\n")], 0));
    let ask = table.question().await;
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), String::from("418027").into());
    while let Some(event) = table.next().await {
        if let What::Asked { ask, .. } = event.what {
            assert_eq!(ask.kind, AskKind::ComputerScript);
            table.answer(&ask, Choice::Approve);
        }
    }
    assert!(
        table.outcomes().contains("refused: secret_elsewhere"),
        "{}",
        table.outcomes()
    );
    let ran: &FakeScripts = &table.scripts;
    assert_eq!(ran.ran().len(), 1);
    let all = serde_json::to_string(&table.journal.events()).unwrap();
    let decided = |line: &&str| !line.contains("\"decided\"") && !line.contains("\"refused\"");
    let told: Vec<String> = table
        .journal
        .events()
        .iter()
        .map(|event| serde_json::to_string(event).unwrap())
        .filter(|line| decided(&line.as_str()))
        .collect();
    assert!(told.iter().all(|line| !line.contains("418027")), "{told:#?}");
    assert!(all.contains("printed"), "{all}");
}
