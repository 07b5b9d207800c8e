//! The list of questions: newest first, page by page, each with its one end.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use common::{Story, answered, ended, payment};
use protocol::{AskId, AskKind, AskOutcome, AskRecord, Ending, Reach, Rule, What};
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
            reach: Reach::Always,
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
        (AskOutcome::Allowed, Reach::Always, true)
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
