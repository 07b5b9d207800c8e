//! The last payment: allowed by a person, and made.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::*;
use agent::ports::Journal;
use protocol::{Act, Action, AskOutcome, LastTime, PhoneId, What};
use store::Store;

/// Writes down `whats` in a run of its own and asks for the last payment in Greenleaf on that phone.
async fn paid(whats: Vec<What>) -> Option<LastTime> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r1", "moto").await;
    for what in whats {
        let mut event = story.event(what);
        if let What::Asked { ask, .. } = &mut event.what {
            ask.run = story.run.clone();
            ask.phone = story.phone.clone();
        }
        story.tell(event.what).await;
    }
    let elsewhere = PhoneId::from("nexus");
    assert_eq!(
        store.last_payment(&elsewhere, "com.greenleaf").await.unwrap(),
        None
    );
    assert_eq!(
        store.last_payment(&story.phone, "com.northbank").await.unwrap(),
        None
    );
    store.last_payment(&story.phone, "com.greenleaf").await.unwrap()
}

#[tokio::test]
async fn the_last_payment_is_one_that_was_allowed_and_made() {
    let ask = |id| payment(id, Some("$23.40"), Some(tap()));
    let yes = |id| answered(id, AskOutcome::Allowed);
    let amount = |paid: Option<LastTime>| paid.map(|last| last.amount);

    let made = paid(vec![ask("a"), yes("a"), acting(1), acted(1, true)])
        .await
        .unwrap();
    assert_eq!(
        made,
        LastTime {
            amount: "$23.40".to_owned(),
            at: 1_750_000_003_000
        }
    );

    let picked = What::Picked {
        ask: protocol::AskId::from("a"),
        amount: "$230.40".to_owned(),
    };
    let several = || payment("a", None, Some(tap()));
    assert_eq!(
        amount(paid(vec![several(), picked, yes("a"), acting(1), acted(1, true)]).await),
        Some("$230.40".to_owned()),
        "the one that was picked"
    );
    assert_eq!(
        amount(paid(vec![several(), yes("a"), acting(1), acted(1, true)]).await),
        None,
        "nobody knows how much"
    );
    assert_eq!(amount(paid(vec![ask("a"), yes("a")]).await), None, "not done yet");
    assert_eq!(
        amount(paid(vec![ask("a"), yes("a"), acting(1)]).await),
        None,
        "unknown"
    );
    assert_eq!(
        amount(paid(vec![ask("a"), yes("a"), acting(1), acted(1, false)]).await),
        None,
        "failed"
    );
    let denied = answered("a", AskOutcome::Denied);
    assert_eq!(
        amount(paid(vec![ask("a"), denied, acting(1), acted(1, true)]).await),
        None,
        "denied"
    );
    let late = answered("a", AskOutcome::TimedOut);
    assert_eq!(
        amount(paid(vec![ask("a"), late, acting(1), acted(1, true)]).await),
        None,
        "nobody answered"
    );
    let voided = What::Voided { ask: "a".into() };
    let void = vec![ask("a"), yes("a"), voided.clone(), acting(1), acted(1, true)];
    assert_eq!(amount(paid(void).await), None, "void");
    let unread = payment("a", None, Some(tap()));
    assert_eq!(
        amount(paid(vec![unread, yes("a"), acting(1), acted(1, true)]).await),
        None,
        "no amount"
    );

    let again = payment("b", Some("$24.00"), Some(tap()));
    let asked_anew = vec![
        ask("a"),
        yes("a"),
        voided,
        again.clone(),
        yes("b"),
        acting(1),
        acted(1, true),
    ];
    assert_eq!(amount(paid(asked_anew).await).as_deref(), Some("$24.00"));
    let twice = vec![
        ask("a"),
        yes("a"),
        acting(1),
        acted(1, true),
        again,
        answered("b", AskOutcome::Denied),
        acting(2),
        acted(2, true),
    ];
    assert_eq!(
        amount(paid(twice).await).as_deref(),
        Some("$23.40"),
        "the one before the denied one"
    );
}

#[tokio::test]
async fn a_yes_given_beforehand_is_a_payment_once_it_is_used() {
    let ask = || payment("a", Some("$23.40"), None);
    let yes = || answered("a", AskOutcome::Allowed);
    let wait = || doing(1, Action::from(Act::Wait { duration_ms: 1_000.0 }));
    let said = || What::Said {
        text: "hello".to_owned(),
    };
    assert!(
        paid(vec![
            ask(),
            yes(),
            wait(),
            acted(1, true),
            acting(2),
            acted(2, true)
        ])
        .await
        .is_some()
    );
    assert!(paid(vec![ask(), yes(), wait(), acted(1, true)]).await.is_none());
    let mut late = vec![ask(), yes()];
    late.extend(std::iter::repeat_with(said).take(60));
    late.extend([acting(2), acted(2, true)]);
    assert!(paid(late).await.is_none(), "more than a minute later");
}
