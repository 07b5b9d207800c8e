//! Where a phone is: an emulator is told, a phone shares what it knows.

use crate::support::{World, start};
use protocol::{Answer, Choice, What};

const ASKS: &str =
    r#"{"type": "request_human_auth", "capability": "location", "instruction": "Where is the phone?"}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

#[tokio::test(start_paused = true)]
async fn an_emulator_is_put_where_the_person_says() {
    for (emulator, words, placed) in [
        (true, Some("52.52, 13.405"), vec!["placed at 52.52, 13.405"]),
        (true, Some("near the bridge"), vec![]),
        (true, None, vec![]),
        (false, Some("52.52, 13.405"), vec![]),
    ] {
        let mut table = start(World::on("home"), [ASKS.into(), DONE.into()]);
        if emulator {
            table.phone.is_an_emulator();
        }
        let ask = table.question().await;
        // Only where it can be done is it offered.
        assert_eq!(ask.choices.contains(&Choice::Give), emulator);
        table.handle.answer(Answer {
            ask: ask.id.clone(),
            digest: ask.digest.clone(),
            choice: Choice::Approve,
            words: words.map(str::to_owned),
            amount: None,
        });
        table.end().await;
        assert_eq!(table.phone.record(), placed, "{emulator} {words:?}");
        let heard = table.model.shown()[1].user();
        assert_eq!(
            heard.contains("was told that it is at 52.52, 13.405"),
            !placed.is_empty(),
            "{heard}"
        );
    }
}

/// A No, or a file in place of a place, moves nothing.
#[tokio::test(start_paused = true)]
async fn nothing_else_moves_it() {
    let mut table = start(World::on("home"), [ASKS.into(), DONE.into()]);
    table.phone.is_an_emulator();
    let ask = table.question().await;
    let file = agent::ports::PickedFile {
        name: "52.52, 13.405".into(),
        bytes: vec![7; 10].into(),
        picture: false,
    };
    table.handle.give(ask.id.clone(), ask.digest.clone(), file);
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert!(table.phone.record().is_empty());
    let acted = |what: &What| matches!(what, What::Acting { .. });
    assert!(!table.events.iter().any(|event| acted(&event.what)));
}
