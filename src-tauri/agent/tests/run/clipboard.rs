//! The phone's clipboard: told by what can, else pasted by the person. What looks like a code stays a secret.

use crate::support::{Table, Turn, World, start};
use protocol::{AskKind, AskOutcome, Choice, What};

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
const READ: &str = r#"{"type": "read_clipboard", "output": "__CogName_C__"}"#;
const USE: &str = r#"{"type": "type", "text": "see __CogName_C__"}"#;

fn table(turns: &[&str]) -> Table {
    start(World::on("chat"), turns.iter().map(|turn| Turn::from(*turn)))
}

fn asked(table: &Table) -> usize {
    let events = table.events.iter();
    events
        .filter(|event| matches!(event.what, What::Asked { .. }))
        .count()
}

/// Nothing anywhere holds this: no event, no prompt, no variable.
#[track_caller]
fn nowhere(table: &Table, secret: &str) {
    for event in table.journal.events() {
        let written = serde_json::to_string(&event).unwrap();
        assert!(!written.contains(secret), "{written}");
    }
    for prompt in table.model.shown() {
        assert!(!prompt.user().contains(secret), "{}", prompt.user());
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_phone_tells_reaches_the_ai_after_a_yes() {
    let mut table = table(&[READ, USE, DONE]);
    table
        .phone
        .tells_its_clipboard("https://greenleaf.example/basket");
    let ask = table.question().await;
    assert_eq!(
        (ask.kind, ask.choices.as_slice()),
        (
            AskKind::Clipboard,
            [Choice::Deny, Choice::Approve, Choice::TakeOver, Choice::MoreTime].as_slice()
        )
    );
    nowhere(&table, "greenleaf.example");
    table.answer(&ask, Choice::Approve);
    table.end().await;
    assert_eq!(asked(&table), 1);
    assert!(
        table.outcomes().starts_with(
            "{\"ok\":true,\"code\":\"done\",\"rung\":\"phone\",\"output\":\"https://greenleaf.example/basket\",\
             \"kept\":\"__CogName_C__\"}\n"
        ),
        "{}",
        table.outcomes()
    );
    assert!(
        table
            .phone
            .record()
            .contains(&"text \"see https://greenleaf.example/basket\"".to_owned()),
        "{:?}",
        table.phone.record()
    );
}

/// A password that was copied looks like any text.
#[tokio::test(start_paused = true)]
async fn what_the_phone_tells_reaches_nobody_after_a_no() {
    let mut table = table(&[READ, READ, DONE]);
    table.phone.tells_its_clipboard("correct-Horse7 battery");
    let ask = table.question().await;
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(
        (asked(&table), table.outcomes().as_str()),
        (1, "refused: denied_before\n")
    );
    nowhere(&table, "Horse7");
}

/// Nothing was copied: nothing is asked.
#[tokio::test(start_paused = true)]
async fn an_empty_clipboard_is_told_as_it_is() {
    let mut table = table(&[READ, DONE]);
    table.phone.tells_its_clipboard("");
    table.end().await;
    assert_eq!(asked(&table), 0);
}

#[tokio::test(start_paused = true)]
async fn else_the_person_pastes_it() {
    let mut table = table(&[READ, USE, DONE]);
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Clipboard);
    assert_eq!(
        ask.choices,
        [Choice::Deny, Choice::Supply, Choice::TakeOver, Choice::MoreTime]
    );
    // A plain Yes is no text.
    table.answer(&ask, Choice::Approve);
    table.handle.supply(
        ask.id.clone(),
        ask.digest.clone(),
        String::from("Elm Street 12\nGarden gate").into(),
    );
    // Its line end would send.
    table.approve_all().await;
    assert!(
        table.events.iter().any(|event| matches!(
            event.what,
            What::Answered {
                outcome: AskOutcome::Supplied { characters: 25 },
                ..
            }
        )),
        "{}",
        table.transcript()
    );
    let outcomes = table.outcomes();
    assert!(
        outcomes.contains("\"rung\":\"person\"") && outcomes.contains("Elm Street 12"),
        "{outcomes}"
    );
    let told = table.model.shown()[1].user();
    assert!(told.contains("kept as __CogName_C__, 25 characters"), "{told}");
    assert!(
        table.phone.record().contains(&"text \"Garden gate\"".to_owned()),
        "{:?}",
        table.phone.record()
    );
}

#[tokio::test(start_paused = true)]
async fn a_no_is_a_no_and_silence_waits() {
    let mut denied = table(&[READ, READ, DONE]);
    let ask = denied.question().await;
    denied.answer(&ask, Choice::Deny);
    denied.end().await;
    assert_eq!(
        (asked(&denied), denied.outcomes().as_str()),
        (1, "refused: denied_before\n")
    );

    let mut alone = table(&[READ, DONE]);
    alone.question().await;
    alone.paused().await;
    alone.handle.steer(protocol::Op::AskAgain).await;
    let again = alone.question().await;
    assert_eq!(again.kind, AskKind::Clipboard);
    alone.handle.supply(
        again.id.clone(),
        again.digest.clone(),
        String::from("late").into(),
    );
    alone.end().await;
    assert!(alone.outcomes().contains("late"), "{}", alone.outcomes());
}

/// Whoever told it, a code is told to nobody, and from then on it is out of every tree.
#[tokio::test(start_paused = true)]
async fn what_looks_like_a_code_is_a_secret() {
    for (copied, secret) in [
        ("418027", "418027"),
        ("418 027", "418 027"),
        ("  G-418027 ", "418027"),
        ("Your verification code is 418027. Do not share it.", "418027"),
        ("Code: 418 027", "418 027"),
    ] {
        let mut told = table(&[READ, DONE]);
        told.phone.tells_its_clipboard(copied);
        told.end().await;
        assert_eq!(told.outcomes(), "refused: clipboard_code\n", "{copied}");
        nowhere(&told, secret);

        let mut pasted = table(&[READ, DONE]);
        let ask = pasted.question().await;
        pasted
            .handle
            .supply(ask.id.clone(), ask.digest.clone(), copied.to_owned().into());
        pasted.end().await;
        assert_eq!(pasted.outcomes(), "refused: clipboard_code\n", "{copied}");
        nowhere(&pasted, secret);
        let shown = pasted.model.shown()[1].user();
        assert!(shown.contains("request_human_auth"), "{shown}");
    }
    // A date, an address, a sum are not.
    for copied in ["Elm Street 12", "Monday 14 October", "It costs $23.40 in all"] {
        let mut table = table(&[READ, DONE]);
        table.phone.tells_its_clipboard(copied);
        table.approve_all().await;
        assert!(table.outcomes().contains(copied), "{}", table.outcomes());
    }
}

/// A code that was copied is nobody's Yes: signing in is asked about as before.
#[tokio::test(start_paused = true)]
async fn a_code_that_is_refused_was_given_by_nobody() {
    let press = r#"{"type": "tap", "target": {"text": "Sign in"}}"#;
    let turns = [READ, press, DONE].map(Turn::from);
    let world = World {
        password: "x".into(),
        ..World::on("sign_in")
    };
    let mut table = start(world, turns);
    table.phone.tells_its_clipboard("418027");
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Oauth);
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert!(
        table.outcomes().starts_with("refused: clipboard_code\n"),
        "{}",
        table.outcomes()
    );
}

/// A phone that goes meanwhile pauses the run, as everywhere.
#[tokio::test(start_paused = true)]
async fn a_question_ends_with_its_run() {
    let mut table = table(&[READ]);
    let ask = table.question().await;
    table.handle.stop().await;
    table.handle.wait_written().await;
    table
        .handle
        .supply(ask.id.clone(), ask.digest.clone(), String::from("late").into());
    while table.next().await.is_some() {}
    assert!(
        table.events.iter().any(|event| matches!(
            event.what,
            What::Answered {
                outcome: AskOutcome::Withdrawn,
                ..
            }
        )),
        "{}",
        table.transcript()
    );
    nowhere(&table, "late");
}
