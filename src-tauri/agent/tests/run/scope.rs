//! A Yes, and what a person hands over, is for the matter that stood on the page: not for what has come into its place.

use crate::support::{Turn, World, start};
use protocol::{Choice, What};
use secrecy::SecretString;

const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;
const ACCEPT: &str = r#"{"type": "tap", "target": {"text": "Accept"}, "matters": true}"#;

/// Whether a request is accepted that changed like this while the person was asked.
async fn accepts(change: impl Fn(&mut World)) -> bool {
    let mut table = start(World::on("request"), [Turn::from(ACCEPT), DONE.into()]);
    let ask = table.question().await;
    table.phone.change(change);
    table.answer(&ask, Choice::Approve);
    table.end().await;
    let voided = table
        .events
        .iter()
        .any(|event| matches!(event.what, What::Voided { .. }));
    let sent = !table.phone.world().sent.is_empty();
    assert_ne!(voided, sent, "{}", table.transcript());
    sent
}

#[tokio::test(start_paused = true)]
async fn a_yes_is_for_whom_the_page_named() {
    assert!(accepts(|_| {}).await);
    assert!(!accepts(|world| world.with = "Eve Moss").await);
}

#[tokio::test(start_paused = true)]
async fn a_code_is_for_the_matter_it_was_asked_for() {
    const WANTS: &str = r#"{"thought": "A code is needed.", "action": {"type": "request_human_auth", "capability": "2fa", "instruction": "Type the code from Northbank."}}"#;
    for (later, expected) in [
        ("Sign in to Northbank", "418027"),
        ("Pay $500.00 to Eve Moss", ""),
        ("Sign in to Southbank", ""),
    ] {
        let world = World {
            notice: "Sign in to Northbank".to_owned(),
            ..World::on("code")
        };
        let mut table = start(world, [Turn::from(WANTS), DONE.into()]);
        let ask = table.question().await;
        table.phone.change(|world| world.notice = later.into());
        table
            .handle
            .supply(ask.id.clone(), ask.digest.clone(), SecretString::from("418027"));
        table.end().await;
        assert_eq!(
            table.phone.world().code,
            expected,
            "{later}: {}",
            table.transcript()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_yes_in_advance_is_for_the_button_that_was_shown() {
    const AUTH: &str =
        r#"{"type": "request_human_auth", "capability": "payment", "instruction": "Pay for the basket."}"#;
    for (press, questions) in [("Pay $23.40", 1), ("Pay $23.40 every week", 2)] {
        let tap = format!(r#"{{"type": "tap", "target": {{"text": "{press}"}}}}"#);
        let mut table = start(
            World::on("two_pays"),
            [Turn::from(AUTH), tap.as_str().into(), DONE.into()],
        );
        let ask = table.question().await;
        table.answer(&ask, Choice::Approve);
        let mut asked = 1;
        while let Some(event) = table.next().await {
            if let What::Asked { ask, .. } = event.what {
                asked += 1;
                table.answer(&ask, Choice::Deny);
            }
        }
        assert_eq!(asked, questions, "{press}: {}", table.transcript());
    }
}
