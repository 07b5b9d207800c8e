//! A task that was broken off is gone on with: what was begun and has no outcome is done at most once.

use crate::rig::{Rig, Says, Turn, at, finish, on, say};
use engine::Keychain;
use protocol::{Act, AskKind, Choice, Ending, Event, FailureCode, Op, RunId, What};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use virtual_phone::system::System;
use virtual_phone::{Fault, Host, PhoneHandle, Received, Speed};

const DISPLAY: &str = "com.android.settings/.Settings$DisplaySettingsActivity";
const TASK: &str = "Switch the dark theme on";
/// Nothing here takes so long.
const BOUND: Duration = Duration::from_secs(60);

fn touch(then: Turn) -> Arc<Says> {
    Says::new(vec![on("Dark theme", json!({"type": "tap"})), then])
}

/// How often a finger came down on this phone.
fn touches(handle: &PhoneHandle) -> usize {
    let down = |what: &Received| matches!(what, Received::Finger { action: "down", .. });
    let entries = handle.record().entries();
    entries.iter().filter(|entry| down(&entry.what)).count()
}

/// A program that is gone between the intent and the outcome: the phone did what it was sent, and never said so.
fn killed(host: &Arc<Host>, handle: &PhoneHandle, folder: &Arc<TempDir>) -> RunId {
    let program = Runtime::new().unwrap();
    let silent: Fault = "silence:input".parse().unwrap();
    let run = program.block_on(async {
        let mut rig = Rig::of_phone(
            Arc::clone(host),
            handle.clone(),
            Keychain::absent(),
            Arc::clone(folder),
        )
        .await;
        let run = rig.run_task(TASK, &touch(finish()), rig.engine.settings());
        loop {
            match rig.next(&run).await.what {
                What::Asked { ask, .. } => rig.answer(&ask, Choice::Approve).await,
                What::Decided { .. } => handle.set_fault(silent),
                What::Acting { .. } => break,
                What::Ended { ending, .. } => panic!("{ending:?}"),
                _ => {}
            }
        }
        let mut changes = handle.record().changes();
        let done = async {
            while touches(handle) == 0 {
                changes.changed().await.unwrap();
            }
        };
        tokio::time::timeout(BOUND, done).await.unwrap();
        run
    });
    program.shutdown_background();
    handle.clear_fault(silent);
    run
}

/// What the journal says of a run once nobody has it any more.
async fn left(rig: &Rig, run: &RunId) -> Vec<Event> {
    let until = Instant::now() + BOUND;
    loop {
        rig.engine.store().close_interrupted().await.unwrap();
        let story = rig.engine.run_story(run).await.unwrap();
        if story.run.ending.is_some() {
            return story.events;
        }
        assert!(Instant::now() < until, "{story:#?}");
        tokio::task::yield_now().await;
    }
}

/// The scripted AI goes on with it, wanting the same once more, and then something else: while it waits, the person breaks it
/// off. The questions that came, each answered so.
async fn go_on(rig: &mut Rig, run: &RunId, choice: Choice, then: Turn) -> (Vec<AskKind>, Vec<Event>, String) {
    let model = touch(then);
    let next = rig.engine.go_on_with(run, "", model.clone()).await.unwrap();
    let (mut kinds, mut events) = (Vec::new(), Vec::new());
    loop {
        let event = rig.next(&next).await;
        events.push(event.clone());
        match event.what {
            What::Asked { ask, .. } => {
                assert!(ask.evidence.maybe_done, "{ask:#?}");
                rig.answer(&ask, choice).await;
                kinds.push(ask.kind);
            }
            What::Acting { action, .. } if matches!(action.act, Act::Wait { .. }) => {
                rig.engine.steer(&next, Op::Stop).await.unwrap();
            }
            What::Ended { .. } => break,
            _ => {}
        }
    }
    rig.over().await;
    (kinds, events, model.told().swap_remove(0))
}

#[test]
fn an_act_without_an_outcome_is_not_done_again_but_on_a_yes() {
    let phones = Runtime::new().unwrap();
    let _there = phones.enter();
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let host = Arc::new(Host::new());
    let attached = virtual_phone::Options {
        speed: Speed::Instant,
        ..virtual_phone::Options::default()
    };
    let handle = host.add(Box::new(System::try_new(at(DISPLAY)).unwrap()), attached);
    let first = killed(&host, &handle, &folder);
    assert_eq!(touches(&handle), 1, "it reached the phone");
    phones.block_on(async {
        let mut rig = Rig::of_phone(host, handle.clone(), Keychain::absent(), Arc::clone(&folder)).await;
        let events = left(&rig, &first).await;
        let ending = events.iter().find_map(|event| match &event.what {
            What::Ended { ending, .. } => Some(ending.clone()),
            _ => None,
        });
        assert_eq!(ending, Some(Ending::Interrupted { unknown_effect: true }));

        // A switch of the display is no deed that is asked about: it is now, and No means that the phone is not touched.
        let wait = say(json!({"type": "wait", "durationMs": 60_000}));
        let (kinds, events, told) = go_on(&mut rig, &first, Choice::Deny, wait).await;
        assert_eq!(kinds, [AskKind::Act]);
        assert_eq!(touches(&handle), 1, "{}", handle.record().commands().join("\n"));
        assert_eq!(rig.state("/settings/darkTheme"), json!(true));
        assert!(told.contains("nobody knows whether it was done"), "{told}");
        assert!(told.contains("Dark theme"), "{told}");
        let What::Started { goal, goes_on, .. } = &events[0].what else {
            panic!("{events:#?}")
        };
        assert_eq!((goal.as_str(), goes_on.as_ref()), (TASK, Some(&first)));
        let looked = |event: &Event| matches!(event.what, What::Looked { .. });
        let acts = |event: &Event| matches!(event.what, What::Acting { .. } | What::Asked { .. });
        let first_look = events.iter().position(looked).unwrap();
        assert!(!events[..first_look].iter().any(acts), "it begins with a look");

        // Whoever says Yes has it done: once. The first is gone on with by way of what went on with it.
        let second = events[0].run.clone();
        let (kinds, events, told) = go_on(&mut rig, &first, Choice::Approve, finish()).await;
        assert_eq!(kinds, [AskKind::Act]);
        assert_eq!(touches(&handle), 2);
        let What::Started { goes_on, .. } = &events[0].what else {
            panic!("{events:#?}")
        };
        assert_eq!(goes_on.as_ref(), Some(&second));
        assert!(told.contains("the person said no"), "{told}");

        // What is done is not gone on with, by whichever of its runs.
        for run in [&first, &second, &events[0].run] {
            let again = rig.engine.go_on(run, "").await.unwrap_err();
            assert_eq!(again.code, FailureCode::TaskDone, "{run}");
        }
    });
}
