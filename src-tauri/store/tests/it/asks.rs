//! The list of questions: newest first, page by page, each with its one end.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{Story, answered, ended, payment};
use agent::ports::Journal;
use protocol::{
    AnswerLifetime, AskId, AskKind, AskOutcome, AskRecord, ElementBinding, Ending, PhoneId, Role, Rule, What,
};
use store::Store;

fn asked(id: &str, at: u64) -> What {
    let What::Asked { step, mut ask } = payment(id, Some("$23.40"), None) else {
        unreachable!("a question")
    };
    ask.asked_at = at;
    What::Asked { step, ask }
}

fn ids(records: &[AskRecord]) -> Vec<&str> {
    records.iter().map(|record| record.ask.id.0.as_str()).collect()
}

fn send_button() -> ElementBinding {
    ElementBinding {
        signer: "sum 57f52fdb".to_owned(),
        version: "412".to_owned(),
        page: "chat|send".to_owned(),
        resource_id: "com.greenleaf:id/send".to_owned(),
        role: Role::Button,
        label: "Send".to_owned(),
        used: 5,
    }
}

/// How often a Yes to this button counts, on the phone `p`, after these answers to questions about `asked_about`.
async fn check_approved(asked_about: Option<ElementBinding>, phone: &str, after: &[What], expected: u32) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", phone).await;
    let What::Asked { step, mut ask } = asked("r/1", 10) else {
        unreachable!("a question")
    };
    ask.element = asked_about;
    story.tell(What::Asked { step, ask }).await;
    for what in after {
        story.tell(what.clone()).await;
    }
    let before = store
        .approved_before(&PhoneId::from("p"), &send_button())
        .await
        .unwrap();
    assert_eq!(before, expected, "{after:?}");
}

#[tokio::test]
async fn a_yes_counts_for_the_very_same_thing_on_the_same_phone() {
    let yes = || answered("r/1", AskOutcome::Allowed);
    let same = Some(send_button());
    check_approved(same.clone(), "p", &[yes()], 1).await;
    check_approved(
        Some(ElementBinding {
            used: 9,
            ..send_button()
        }),
        "p",
        &[yes()],
        1,
    )
    .await;
    check_approved(same.clone(), "p", &[], 0).await;
    check_approved(same.clone(), "p", &[answered("r/1", AskOutcome::Denied)], 0).await;
    check_approved(same.clone(), "p", &[answered("r/1", AskOutcome::TimedOut)], 0).await;
    check_approved(same.clone(), "p", &[answered("r/2", AskOutcome::Allowed)], 0).await;
    let ask = AskId::from("r/1");
    check_approved(same.clone(), "p", &[yes(), What::Voided { ask }], 0).await;
    check_approved(same, "another", &[yes()], 0).await;
    check_approved(None, "p", &[yes()], 0).await;
    for other in [
        ElementBinding {
            signer: "sum 0".to_owned(),
            ..send_button()
        },
        ElementBinding {
            page: "mail|send".to_owned(),
            ..send_button()
        },
        ElementBinding {
            resource_id: String::new(),
            ..send_button()
        },
        ElementBinding {
            role: Role::Item,
            ..send_button()
        },
        ElementBinding {
            label: "Send all".to_owned(),
            ..send_button()
        },
    ] {
        check_approved(Some(other), "p", &[yes()], 0).await;
    }
}

#[tokio::test]
async fn every_yes_of_every_run_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for run in ["r", "s", "t"] {
        let mut story = Story::begin(&store, run, "p").await;
        let id = format!("{run}/1");
        let What::Asked { step, mut ask } = asked(&id, 10) else {
            unreachable!("a question")
        };
        ask.element = Some(send_button());
        story.tell(What::Asked { step, ask }).await;
        story.tell(answered(&id, AskOutcome::Allowed)).await;
        story.tell(ended(Ending::Stopped)).await;
    }
    assert_eq!(
        store
            .approved_before(&PhoneId::from("p"), &send_button())
            .await
            .unwrap(),
        3
    );
}

#[tokio::test]
async fn the_amount_that_was_picked_is_kept_with_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", "p").await;
    let picked = |ask: &str| What::Picked {
        ask: AskId::from(ask),
        amount: "$230.40".to_owned(),
    };
    story.tell(asked("r/1", 10)).await;
    story.tell(picked("r/1")).await;
    story.tell(answered("r/1", AskOutcome::Allowed)).await;
    story.tell(asked("r/2", 20)).await;
    story.tell(answered("r/2", AskOutcome::Allowed)).await;
    let amounts = store.asks(None, 10).await.unwrap().into_iter();
    let amounts: Vec<_> = amounts
        .map(|record| record.end.and_then(|end| end.amount))
        .collect();
    assert_eq!(amounts, [None, Some("$230.40".to_owned())]);
}

#[tokio::test]
async fn every_question_is_listed_with_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", "p").await;
    story.tell(asked("r/1", 10)).await;
    story
        .tell(answered("r/1", AskOutcome::Supplied { characters: 6 }))
        .await;
    story.tell(asked("r/2", 20)).await;
    story.tell(answered("r/2", AskOutcome::Allowed)).await;
    story
        .tell(What::Allowed {
            ask: AskId::from("r/2"),
            rule: Rule {
                kind: AskKind::Act,
                app: Some("com.greenleaf".to_owned()),
                app_label: "Greenleaf".to_owned(),
                phone: None,
                since: 1,
                element: None,
            },
            reach: AnswerLifetime::Always,
        })
        .await;
    story
        .tell(What::Voided {
            ask: AskId::from("r/2"),
        })
        .await;
    story.tell(asked("r/3", 30)).await;
    story
        .tell(What::Extended {
            ask: AskId::from("r/3"),
            deadline: 99,
        })
        .await;

    let all = store.asks(None, 10).await.unwrap();
    assert_eq!(ids(&all), ["r/3", "r/2", "r/1"]);
    assert_eq!((all[0].end.clone(), all[0].ask.deadline), (None, 99));
    let end = all[1].end.clone().unwrap();
    assert_eq!(
        (end.outcome, end.reach, all[1].voided),
        (AskOutcome::Allowed, AnswerLifetime::Always, true)
    );
    assert_eq!(
        all[2].end.clone().unwrap().outcome,
        AskOutcome::Supplied { characters: 6 }
    );

    // A run that goes on elsewhere: the newest of all is first, whatever run it is of.
    let mut other = Story::begin(&store, "s", "q").await;
    other.tell(asked("s/1", 25)).await;
    other.tell(answered("s/1", AskOutcome::Denied)).await;
    other.tell(ended(Ending::Stopped)).await;
    let mut found = Vec::new();
    let mut before = None;
    loop {
        let page = store.asks(before, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some((last.ask.asked_at, last.ask.id.clone()));
        found.extend(page);
    }
    assert_eq!(ids(&found), ["r/3", "s/1", "r/2", "r/1"]);
}

/// A program that was killed while a question stood open: the next start shows it as withdrawn, and nothing was done.
#[tokio::test]
async fn a_question_that_outlived_its_program_is_withdrawn() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", "p").await;
    story.tell(asked("r/1", 10)).await;
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    let all = store.asks(None, 10).await.unwrap();
    assert_eq!(all[0].end.clone().unwrap().outcome, AskOutcome::Withdrawn);
}
