//! Commands and scripts on the phone.

use crate::support::{Table, World, start};
use insta::assert_snapshot;
use protocol::{AskKind, Choice, What};
use std::time::Duration;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
const SCRIPT: &str =
    r#"{"type": "run_script", "script": "for f in /sdcard/*; do\n  echo $f\ndone", "timeoutSec": 5}"#;

/// Answers the one question there must be, and goes on to the end.
async fn approve(table: &mut Table, kind: AskKind) -> Option<String> {
    let ask = table.question().await;
    assert_eq!(ask.kind, kind);
    table.answer(&ask, Choice::Approve);
    table.end().await;
    ask.evidence.text
}

#[tokio::test(start_paused = true)]
async fn a_command_says_its_code_and_both_outputs() {
    let mut table = start(
        World::default(),
        [
            r#"{"type": "shell", "command": "ls /nowhere"}"#.into(),
            DONE.into(),
        ],
    );
    table
        .phone
        .says(Duration::from_millis(80), 2, "partly", "no such file");
    approve(&mut table, AskKind::Shell).await;
    assert_snapshot!("shell_outcomes", table.outcomes());
    let told = table.model.shown()[1].user();
    assert!(
        told.contains("exit code 2") && told.contains("no such file"),
        "{told}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_script_runs_on_the_phone_and_is_asked_about_with_its_whole_text() {
    let mut table = start(World::default(), [SCRIPT.into(), DONE.into()]);
    table.phone.says(Duration::from_secs(2), 0, "/sdcard/a", "");
    let shown = approve(&mut table, AskKind::Script).await;
    assert_eq!(shown.as_deref(), Some("for f in /sdcard/*; do\n  echo $f\ndone"));
    assert_snapshot!("script_outcomes", table.outcomes());
    assert_snapshot!("script_reached", table.phone.record().join("\n"));

    let mut table = start(World::default(), [SCRIPT.into(), DONE.into()]);
    table.phone.says(Duration::from_secs(900), 0, "so far", "");
    approve(&mut table, AskKind::Script).await;
    assert!(table.outcomes().contains("timed_out"), "{}", table.outcomes());
}

#[tokio::test(start_paused = true)]
async fn stop_ends_a_script_and_a_hard_rule_is_a_hard_rule_in_it() {
    let mut table = start(World::default(), [SCRIPT.into()]);
    table.phone.says(Duration::from_secs(900), 0, "", "");
    let ask = table.question().await;
    table.answer(&ask, Choice::Approve);
    table
        .until("acting", |what| matches!(what, What::Acting { .. }))
        .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = tokio::time::Instant::now();
    table.handle.stop().await;
    assert!(began.elapsed() <= agent::STOP_BOUND);
    table.handle.wait_written().await;
    let last = table.journal.events().pop().unwrap();
    assert!(
        matches!(
            last.what,
            What::Ended {
                maybe_running: false,
                ..
            }
        ),
        "{last:?}"
    );

    let wipe = r#"{"type": "run_script", "script": "echo hi; rm -rf /sdcard"}"#;
    let mut table = start(World::default(), [wipe.into(), DONE.into()]);
    table.end().await;
    assert_eq!(table.outcomes(), "refused: wipe\n");

    // Nor is a script a way round the question about money: it is asked about with its whole text, wherever it is run.
    for (page, script) in [
        ("checkout", "sleep 1; input tap 130 520"),
        ("checkout", "am start -n x/.Y"),
        ("code", "input text 418027"),
        ("checkout", "ls | wc -l"),
    ] {
        let turn = serde_json::json!({"type": "run_script", "script": script}).to_string();
        let mut table = start(World::on(page), [turn.as_str().into(), DONE.into()]);
        while let Some(event) = table.next().await {
            if let What::Asked { ask, .. } = event.what {
                assert_eq!(ask.kind, AskKind::Script, "{script}");
                assert_eq!(ask.evidence.text.as_deref(), Some(script));
                table.answer(&ask, Choice::Deny);
            }
        }
        assert_eq!(table.phone.record(), [""; 0], "{script}");
    }
}

/// A closed journal: the run is over before its end is written, and both are told.
#[tokio::test(start_paused = true)]
async fn over_and_written_are_two_things() {
    use crate::support::{MemoryJournal, start_with};
    let journal = MemoryJournal::failing_at(5);
    let mut table = start_with(
        World::default(),
        [DONE.into()],
        protocol::Settings::default(),
        journal,
    );
    table
        .until("the end", |what| matches!(what, What::Ended { .. }))
        .await;
    table.handle.wait_over().await;
    assert!(
        !table
            .journal
            .events()
            .iter()
            .any(|event| matches!(event.what, What::Ended { .. }))
    );
    table.handle.wait_written().await;
    assert!(matches!(
        table.journal.events().pop().unwrap().what,
        What::Ended { .. }
    ));
}
