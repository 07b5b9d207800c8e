//! What a run is done again by: kept beside its steps, gone with the run, and kept for an automation that repeats it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{Story, all_bytes, contains, ended};
use protocol::{Automation, AutomationId, AutomationPhones, AutomationPlan, Ending, MissedRun, RunId};
use store::{KeptAutomation, Store, StoreError};

fn repeats(id: &str, run: Option<&str>) -> KeptAutomation {
    KeptAutomation {
        automation: Automation {
            id: AutomationId::from(id),
            made_at: 1,
            plan: AutomationPlan {
                name: id.to_owned(),
                task: "Order".to_owned(),
                variables: Vec::new(),
                phones: AutomationPhones::All,
                schedule: None,
                trigger: None,
                missed: MissedRun::Late,
                recorded: run.map(RunId::from),
            },
            held: None,
            clean_replays: 0,
            quiet: false,
        },
        since: 1,
        failures: 0,
    }
}

async fn over(store: &Store, name: &str) -> RunId {
    let mut story = Story::begin(store, name, "moto").await;
    store
        .keep_step(&story.run, 2, format!("MARKER-{name}-second"))
        .await
        .unwrap();
    store
        .keep_step(&story.run, 1, format!("MARKER-{name}-first"))
        .await
        .unwrap();
    story.tell(ended(Ending::Stopped)).await;
    story.run
}

#[tokio::test]
async fn steps_are_kept_in_order_and_the_newest_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let run = over(&store, "r").await;
    store.keep_step(&run, 2, "again".to_owned()).await.unwrap();
    assert_eq!(
        store.recorded_steps(&run).await.unwrap(),
        ["MARKER-r-first", "again"]
    );
    let nobody = RunId::from("nobody");
    assert!(matches!(
        store.keep_step(&nobody, 1, String::new()).await,
        Err(StoreError::NotFound(_))
    ));
    assert_eq!(store.recorded_steps(&nobody).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_repeated_goes_with_its_run_and_with_its_automation() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (one, other) = (over(&store, "one").await, over(&store, "other").await);
    let id = AutomationId::from("a");
    store
        .save_automations(&[repeats("a", Some("one"))])
        .await
        .unwrap();
    let keep = async |run: &RunId, json: &str| store.keep_recording(&id, run, json.to_owned()).await;
    let kept = async |run: &RunId| store.recording(&id, run).await;
    keep(&one, "MARKER-recording").await.unwrap();
    assert_eq!(kept(&one).await.unwrap().as_deref(), Some("MARKER-recording"));
    assert_eq!(kept(&other).await.unwrap(), None);
    // Its automation is written anew: what it repeats stays.
    store
        .save_automations(&[repeats("a", Some("one"))])
        .await
        .unwrap();
    keep(&one, "MARKER-learned").await.unwrap();
    assert_eq!(kept(&one).await.unwrap().as_deref(), Some("MARKER-learned"));

    store.erase(std::slice::from_ref(&one)).await.unwrap();
    assert_eq!(kept(&one).await.unwrap(), None);
    let bytes = all_bytes(folder.path());
    assert!(!contains(&bytes, b"MARKER-one") && !contains(&bytes, b"MARKER-learned"));
    assert!(contains(&bytes, b"MARKER-other"));

    keep(&other, "MARKER-last").await.unwrap();
    store.delete_automation(&id).await.unwrap();
    assert_eq!(kept(&other).await.unwrap(), None);
    assert!(!contains(&all_bytes(folder.path()), b"MARKER-last"));
}

/// A run that an automation repeats is as old as it likes: its pictures are shown beside those of today.
#[tokio::test]
async fn time_takes_no_run_that_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for name in ["a", "b", "c", "d"] {
        over(&store, name).await;
    }
    store
        .save_automations(&[repeats("x", Some("b")), repeats("y", None)])
        .await
        .unwrap();
    let names = |runs: Vec<RunId>| runs.into_iter().map(|run| run.0).collect::<Vec<_>>();
    assert_eq!(
        names(store.surplus(u64::MAX, u64::MAX).await.unwrap()),
        ["a", "c", "d"]
    );
    assert_eq!(names(store.surplus(0, 0).await.unwrap()), ["a", "c"]);
}
