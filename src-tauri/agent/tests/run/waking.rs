//! Phones that sleep, and phones that are locked.

use crate::support::{World, start};
use protocol::{FailureCode, Op, PauseReason, What};

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

#[tokio::test(start_paused = true)]
async fn a_dark_phone_is_woken_before_it_is_looked_at_and_when_it_falls_asleep() {
    let mut table = start(World::default(), [CHECKOUT.into(), DONE.into()]);
    table.phone.falls_asleep();
    table
        .until("acting", |what| matches!(what, What::Acting { step: 1, .. }))
        .await;
    table.phone.falls_asleep();
    table.end().await;
    assert_eq!(table.phone.record(), ["wake", "tap 135 420", "wake"]);
    assert!(
        table
            .model
            .shown()
            .iter()
            .all(|prompt| prompt.picture.is_some() && !prompt.user().contains("black")),
        "the model never sees the dark"
    );
}

#[tokio::test(start_paused = true)]
async fn a_locked_phone_waits_for_the_person_and_goes_on_by_itself() {
    let mut table = start(World::default(), [CHECKOUT.into(), DONE.into()]);
    table.phone.is_locked(true);
    table.phone.falls_asleep();
    let event = table.paused().await;
    let What::Paused {
        reason: PauseReason::Look { failure },
    } = event.what
    else {
        panic!("{}", table.transcript());
    };
    assert_eq!(failure.code, FailureCode::PhoneLocked);
    assert!(table.model.shown().is_empty());
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    assert_eq!(table.phone.record(), ["wake"], "without its lease it only asks");
    table.phone.is_locked(false);
    table.end().await;
    assert_eq!(table.phone.record(), ["wake", "tap 135 420"]);
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_the_persons_outlasts_the_lock_screen() {
    let mut table = start(World::default(), []);
    table.phone.is_locked(true);
    table.phone.falls_asleep();
    table.paused().await;
    table.handle.steer(Op::Pause).await;
    table.phone.is_locked(false);
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    table.handle.stop().await;
    table.end().await;
    table.is_held_by_the_person();
}
