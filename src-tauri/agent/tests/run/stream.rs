//! Looks that come from a stream, at less than the screen's size.

use crate::support::{World, start};
use protocol::{Choice, RefusalCode, RefusedBy, What};

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
/// Changes nothing that is seen.
const LOUDER: &str = r#"{"type": "keyevent", "keycode": "KEYCODE_VOLUME_UP"}"#;
const PAY: &str = r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

/// What the person is shown is a capture in full; the Yes holds, and what changed is told although sizes differ.
#[tokio::test(start_paused = true)]
async fn a_question_shows_its_screen_in_full() {
    let mut table = start(
        World::default(),
        [LOUDER.into(), CHECKOUT.into(), PAY.into(), DONE.into()],
    );
    table.phone.streams();
    let ask = table.question().await;
    let shown = ask.evidence.frame.clone().expect("a picture");
    let number: usize = shown.0.rsplit('/').next().unwrap().parse().unwrap();
    let frames = table.journal.frames();
    let question = &frames[number - 1];
    let look = &frames[number - 2];
    assert_eq!(
        (question.width, question.height),
        (2 * look.width, 2 * look.height)
    );
    table.answer(&ask, Choice::Approve);
    table.end().await;
    assert_eq!(table.phone.world().paid.len(), 1);
    let changed: Vec<_> = table
        .events
        .iter()
        .filter_map(|event| match &event.what {
            What::Acted { outcome, .. } => outcome.changed,
            _ => None,
        })
        .collect();
    assert_eq!(changed, [false, true, true]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_about_a_screen_that_is_gone() {
    let mut table = start(World::default(), [CHECKOUT.into(), PAY.into(), DONE.into()]);
    table.phone.streams();
    // The first look, what the tap came to rest with, and the capture in full.
    table.phone.before_look(3, |world| world.page = "paid");
    table
        .until("the end", |what| {
            matches!(what, What::Ended { .. } | What::Paused { .. })
        })
        .await;
    assert!(table.phone.world().paid.is_empty());
    let refused = |what: &What| matches!(what, What::Refused { code, .. } if *code == RefusedBy::Code(RefusalCode::ScreenChanged));
    assert!(
        table.events.iter().any(|event| refused(&event.what)),
        "{}",
        table.transcript()
    );
}
