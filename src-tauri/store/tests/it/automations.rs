//! Automations and the times they were due: read back as they were written, begun by one, gone when they are erased.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{Story, all_bytes, contains, ended};
use protocol::{
    Automation, AutomationHold, AutomationId, AutomationPhones, AutomationPlan, ClockTime, Ending, MissedRun,
    Occurrence, OccurrenceState, PhoneId, RunEndKind, RunId, Schedule, SkipReason, StartedBy, Trigger,
    Variable, VariableKind, WaitReason, Weekday,
};
use store::{KeptAutomation, Store, StoreError};

fn kept(id: &str, name: &str) -> KeptAutomation {
    KeptAutomation {
        automation: Automation {
            id: AutomationId::from(id),
            made_at: 7,
            plan: AutomationPlan {
                name: name.to_owned(),
                task: "Text {who} that I am late, with {pin}".to_owned(),
                variables: vec![
                    Variable {
                        name: "who".to_owned(),
                        kind: VariableKind::Text,
                        value: "Dana".to_owned(),
                        ask: true,
                    },
                    Variable {
                        name: "pin".to_owned(),
                        kind: VariableKind::Secret,
                        value: String::new(),
                        ask: false,
                    },
                ],
                phones: AutomationPhones::These {
                    phones: vec![PhoneId::from("moto"), PhoneId::from("nexus")],
                },
                schedule: Some(Schedule::Week {
                    days: vec![Weekday::Monday, Weekday::Friday],
                    at: ClockTime { hour: 7, minute: 30 },
                }),
                trigger: Some(Trigger::Notification {
                    app: "com.greenleaf".to_owned(),
                    label: "Greenleaf".to_owned(),
                    words: "arrived".to_owned(),
                }),
                missed: MissedRun::Skip,
                recorded: Some(RunId::from("r")),
            },
            held: Some(AutomationHold::Failures),
            clean_replays: 2,
            quiet: false,
        },
        since: 100,
        failures: 3,
    }
}

fn waits(automation: &str, phone: &str, due: u64) -> Occurrence {
    Occurrence {
        automation: AutomationId::from(automation),
        phone: PhoneId::from(phone),
        phone_name: format!("The {phone}"),
        due,
        by: StartedBy::Schedule,
        state: OccurrenceState::Waiting {
            because: WaitReason::Missing,
        },
        at: due,
    }
}

fn becomes(one: &Occurrence, state: OccurrenceState) -> Occurrence {
    Occurrence {
        state,
        at: one.at + 1,
        ..one.clone()
    }
}

fn runs(one: &Occurrence, run: &str) -> Occurrence {
    becomes(
        one,
        OccurrenceState::Running {
            run: RunId::from(run),
        },
    )
}

fn is_over(one: &Occurrence, run: &str, text: &str) -> Occurrence {
    let ending = Ending::Finished {
        message: text.to_owned(),
        declined: false,
    };
    becomes(
        one,
        OccurrenceState::Ended {
            run: RunId::from(run),
            end: RunEndKind::Finished,
            ending: Some(ending),
            took: 9,
        },
    )
}

#[tokio::test]
async fn what_is_kept_reads_back_after_each_write() {
    let folder = tempfile::tempdir().unwrap();
    let id = AutomationId::from("a");
    // Every step in a program of its own, as if the one before had been killed.
    let open = || Store::open(folder.path()).unwrap();
    open()
        .save_automations(&[kept("a", "Late"), kept("b", "Early")])
        .await
        .unwrap();
    assert_eq!(
        open().automations().await.unwrap(),
        [kept("a", "Late"), kept("b", "Early")]
    );

    let due = [waits("a", "moto", 200), waits("a", "nexus", 200)];
    let written = open()
        .write_occurrences(&id, &due, |kept| kept.since = 200)
        .await
        .unwrap();
    assert_eq!(written, due);
    // The same times once more: nothing of them is written again, whatever became of them.
    let running = runs(&due[0], "r1");
    assert!(
        open()
            .advance_occurrence(&due[0], &running, |_| {})
            .await
            .unwrap()
    );
    let again = open()
        .write_occurrences(&id, &due, |kept| kept.since = 201)
        .await
        .unwrap();
    assert_eq!(again, []);
    assert_eq!(
        open().open_occurrences().await.unwrap(),
        [running.clone(), due[1].clone()]
    );
    assert_eq!(open().automations().await.unwrap()[0].since, 201);

    // What follows for the automation is written with it.
    let over = is_over(&running, "r1", "Done.");
    let counts = |kept: &mut KeptAutomation| kept.failures = 0;
    assert!(open().advance_occurrence(&running, &over, counts).await.unwrap());
    assert!(
        !open()
            .advance_occurrence(&running, &over, |kept| kept.failures = 9)
            .await
            .unwrap()
    );
    assert_eq!(open().automations().await.unwrap()[0].failures, 0);
    assert_eq!(open().open_occurrences().await.unwrap(), [due[1].clone()]);
    assert!(open().withdraw_occurrence(&due[1]).await.unwrap());
    assert!(!open().withdraw_occurrence(&due[1]).await.unwrap());

    let later = becomes(
        &waits("a", "moto", 300),
        OccurrenceState::Skipped {
            because: SkipReason::Asleep,
            failure: None,
        },
    );
    open()
        .write_occurrences(&id, std::slice::from_ref(&later), |_| {})
        .await
        .unwrap();
    assert_eq!(open().occurrences(&id, 100).await.unwrap(), [later.clone(), over]);
    assert_eq!(open().occurrences(&id, 1).await.unwrap().len(), 1);
    assert_eq!(open().latest_occurrences().await.unwrap(), [later]);

    let changed = open()
        .change_automation(&id, |kept| kept.automation.held = None)
        .await
        .unwrap();
    assert_eq!(changed.automation.held, None);
    open().delete_automation(&id).await.unwrap();
    assert_eq!(
        open().occurrences(&id, 100).await.unwrap(),
        [],
        "its times go with it"
    );
    assert_eq!(open().automations().await.unwrap(), [kept("b", "Early")]);
    let gone = [
        open().delete_automation(&id).await.err(),
        open().change_automation(&id, |_| {}).await.err(),
        open().write_occurrences(&id, &due, |_| {}).await.err(),
    ];
    for error in gone {
        assert!(matches!(error, Some(StoreError::NotFound(_))), "{error:?}");
    }
    assert_eq!(
        open().open_occurrences().await.unwrap(),
        [],
        "nothing is due of one that is gone"
    );
}

/// Two programs see the same time wait: one of them begins it.
#[tokio::test]
async fn of_two_that_begin_it_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let stores = [
        Store::open(folder.path()).unwrap(),
        Store::open(folder.path()).unwrap(),
    ];
    stores[0].save_automations(&[kept("a", "Late")]).await.unwrap();
    for due in 0..20 {
        let one = waits("a", "moto", due);
        let id = one.automation.clone();
        stores[0]
            .write_occurrences(&id, std::slice::from_ref(&one), |_| {})
            .await
            .unwrap();
        let (first, second) = (runs(&one, "first"), runs(&one, "second"));
        let (first, second) = tokio::join!(
            stores[0].advance_occurrence(&one, &first, |_| {}),
            stores[1].advance_occurrence(&one, &second, |_| {}),
        );
        assert!(first.unwrap() ^ second.unwrap(), "{due}");
    }
}

#[tokio::test]
async fn what_is_erased_stands_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (old, live) = (kept("a", "MARKER-old"), kept("b", "MARKER-live"));
    store.save_automations(&[old, live]).await.unwrap();
    for (automation, run) in [("a", "r1"), ("a", "r2"), ("b", "r3")] {
        let mut story = Story::begin(&store, run, "moto").await;
        let one = waits(
            automation,
            "moto",
            story.at + story.seq + u64::from(run.as_bytes()[1]),
        );
        let id = one.automation.clone();
        let running = runs(&one, run);
        store
            .write_occurrences(&id, std::slice::from_ref(&running), |_| {})
            .await
            .unwrap();
        if run != "r3" {
            let message = format!("MARKER-answer-{run}");
            story
                .tell(ended(Ending::Finished {
                    message: message.clone(),
                    declined: false,
                }))
                .await;
            store
                .advance_occurrence(&running, &is_over(&running, run, &message), |_| {})
                .await
                .unwrap();
        }
    }
    let there = |marker: &str| contains(&all_bytes(folder.path()), marker.as_bytes());
    assert!(there("MARKER-answer-r1") && there("MARKER-answer-r2"));

    // One run: what it said goes, and how it ended stays.
    store.erase(&[RunId::from("r1")]).await.unwrap();
    assert!(!there("MARKER-answer-r1") && there("MARKER-answer-r2"));
    let states = store.occurrences(&AutomationId::from("a"), 10).await.unwrap();
    let endings = states.iter().map(|one| match &one.state {
        OccurrenceState::Ended { end, ending, .. } => (*end, ending.is_some()),
        other => panic!("{other:?}"),
    });
    assert_eq!(
        endings.collect::<Vec<_>>(),
        [(RunEndKind::Finished, true), (RunEndKind::Finished, false)]
    );

    // Everything: but for the automation whose run goes on.
    assert_eq!(store.erase_all().await.unwrap(), 1);
    assert!(!there("MARKER-old") && !there("MARKER-answer-r2") && there("MARKER-live"));
    assert_eq!(store.open_occurrences().await.unwrap().len(), 1);
    store.delete_automation(&AutomationId::from("b")).await.unwrap();
    assert!(!there("MARKER-live"));
}

/// What is over and old goes; what is open, and the newest of each phone, stays however old it is.
#[tokio::test]
async fn old_times_go_but_the_newest_and_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let id = AutomationId::from("a");
    store.save_automations(&[kept("a", "Late")]).await.unwrap();
    let due = [
        waits("a", "moto", 100),
        waits("a", "moto", 200),
        waits("a", "moto", 300),
        waits("a", "nexus", 100),
        waits("a", "pixel", 100),
        waits("a", "pixel", 900),
    ];
    store.write_occurrences(&id, &due, |_| {}).await.unwrap();
    // Of the spare one the second still waits; of the others nothing does.
    for one in due
        .iter()
        .filter(|one| (one.phone.0.as_str(), one.due) != ("moto", 200))
    {
        let over = is_over(one, &format!("r-{}-{}", one.phone, one.due), "Done");
        assert!(store.advance_occurrence(one, &over, |_| {}).await.unwrap());
    }
    assert_eq!(store.prune_occurrences(500).await.unwrap(), 2);
    let left = store.occurrences(&id, 100).await.unwrap();
    let left: Vec<(&str, u64)> = left.iter().map(|one| (one.phone.0.as_str(), one.due)).collect();
    assert_eq!(
        left,
        [("pixel", 900), ("moto", 300), ("moto", 200), ("nexus", 100)]
    );
    assert_eq!(store.prune_occurrences(500).await.unwrap(), 0);
}
