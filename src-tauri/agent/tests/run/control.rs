//! Pause, stop, take over, hand back, say; limits; unclear answers.

use crate::support::{
    MemoryJournal, Saved, ScriptedModel, Table, Turn, World, start, start_task, start_with,
};
use agent::Grip;
use insta::assert_snapshot;
use protocol::{AskKind, Choice, FailureCode, Level, LimitKind, Limits, Op, PauseReason, Settings, What};
use std::time::Duration;

const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

#[tokio::test(start_paused = true)]
async fn stop_while_the_model_thinks_does_nothing_more() {
    let mut table = start(
        World::default(),
        [Turn::After(Duration::from_secs(9), CHECKOUT.into())],
    );
    table.thinking().await;
    table.handle.stop().await;
    assert!(table.handle.is_over());
    table.end().await;
    assert_eq!(table.phone.record(), Vec::<String>::new());
    assert_snapshot!(table.transcript());
}

#[tokio::test(start_paused = true)]
async fn pause_holds_still_and_resume_looks_again() {
    let mut table = start(
        World::default(),
        [
            Turn::After(Duration::from_secs(9), CHECKOUT.into()),
            CHECKOUT.into(),
            DONE.into(),
        ],
    );
    table.thinking().await;
    table.handle.steer(Op::Pause).await;
    table.paused().await;
    assert!(!table.lease.is_held());
    tokio::time::sleep(Duration::from_secs(7200)).await;
    assert_eq!(table.phone.record(), Vec::<String>::new());
    table.handle.steer(Op::Resume).await;
    table.end().await;
    assert_snapshot!(table.transcript());
}

/// A run whose phone a person has in hand, taken while the model thought.
async fn taken_over() -> (Table, Grip) {
    let mut table = start(
        World::default(),
        [Turn::After(Duration::from_secs(9), CHECKOUT.into()), DONE.into()],
    );
    table.thinking().await;
    let person = table.handle.take_over();
    table
        .until("taken over", |what| matches!(what, What::TakenOver))
        .await;
    (table, person)
}

#[tokio::test(start_paused = true)]
async fn take_over_gives_the_phone_away_and_hand_back_looks_again() {
    let (mut table, person) = taken_over().await;
    assert!(person.holds());
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert!(person.holds(), "the run does not take it back by itself");
    table.handle.steer(Op::HandBack).await;
    table.end().await;
    assert!(!person.holds());
    assert_snapshot!(table.transcript());
    assert!(table.model.shown()[1].user().contains("used the phone by hand"));
}

/// What the person does with the phone in hand is looked at by nobody: no picture of it is kept or shown to the model.
#[tokio::test(start_paused = true)]
async fn what_the_person_does_meanwhile_is_neither_kept_nor_shown() {
    let (mut table, person) = taken_over().await;
    let kept = table.journal.frames().len();
    table.phone.change(|world| *world = World::on("checkout"));
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(table.journal.frames().len(), kept);
    table.phone.change(|world| *world = World::default());
    table.handle.steer(Op::HandBack).await;
    table.end().await;
    drop(person);
    let shown = table.model.shown();
    assert_eq!(
        shown.len(),
        2,
        "the reply of before is not heard: it is asked again"
    );
    assert!(shown.iter().all(|prompt| !prompt.user().contains("23.40")));
}

/// A click on Take over and one on Hand back, both while the finger still is on the glass.
#[tokio::test(start_paused = true)]
async fn handing_back_before_the_step_is_over_is_heard() {
    let mut table = start(World::default(), [CHECKOUT.into(), DONE.into()]);
    table
        .until("acting", |what| matches!(what, What::Acting { .. }))
        .await;
    let _person = table.handle.take_over();
    table.handle.steer(Op::HandBack).await;
    tokio::time::timeout(Duration::from_secs(3600), table.end())
        .await
        .expect("the run goes on");
    assert!(table.transcript().contains("Finished."), "{}", table.transcript());
}

#[tokio::test(start_paused = true)]
async fn taking_over_from_a_question_withdraws_it() {
    let mut table = start(
        World::on("checkout"),
        [
            r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#.into(),
            DONE.into(),
        ],
    );
    let ask = table.question().await;
    table.answer(&ask, Choice::TakeOver);
    table
        .until("taken over", |what| matches!(what, What::TakenOver))
        .await;
    table.answer(&ask, Choice::Approve);
    table.handle.steer(Op::HandBack).await;
    table.end().await;
    assert_eq!(table.phone.world().paid, Vec::<String>::new());
    assert_snapshot!(table.transcript());
}

#[tokio::test(start_paused = true)]
async fn words_for_the_ai_reach_it_at_once() {
    let mut table = start(
        World::default(),
        [Turn::After(Duration::from_secs(30), CHECKOUT.into()), DONE.into()],
    );
    table.thinking().await;
    table
        .handle
        .steer(Op::Say {
            text: "Only look, buy nothing.".into(),
        })
        .await;
    table.end().await;
    let shown = table.model.shown();
    assert_eq!(shown.len(), 2);
    assert!(
        shown[1]
            .user()
            .contains("The person added: Only look, buy nothing.")
    );
    assert_eq!(table.phone.record(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn three_unclear_answers_pause_and_are_never_done() {
    let mut table = start(
        World::default(),
        [
            "I think I should tap the button.".into(),
            r#"{"type": "tap"}"#.into(),
            "".into(),
            DONE.into(),
        ],
    );
    table.paused().await;
    assert_eq!(table.phone.record(), Vec::<String>::new());
    table.handle.steer(Op::Resume).await;
    table.end().await;
    assert_snapshot!(table.transcript());
}

/// By its schema such an answer is a wait, and three of them in a row are three that could not be done.
#[tokio::test(start_paused = true)]
async fn three_answers_of_a_type_nobody_knows_pause() {
    let unknown = r#"{"type": "explode"}"#;
    let wait = r#"{"type": "wait", "durationMs": 10}"#;
    for (answers, pauses) in [
        (&[unknown, unknown, unknown][..], true),
        (&[unknown, "Hm.", unknown], true),
        (&[unknown, unknown, wait, unknown, DONE], false),
    ] {
        let mut table = start(World::default(), answers.iter().copied().map(Turn::from));
        if pauses {
            let paused = table.paused().await;
            let reason = PauseReason::Unclear;
            assert_eq!(paused.what, What::Paused { reason }, "{answers:?}");
            table.handle.stop().await;
        }
        table.end().await;
        assert_eq!(table.model.shown().len(), answers.len(), "{answers:?}");
        assert_eq!(table.phone.record(), Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_action_on_the_same_screen_is_stopped() {
    let tap = r#"{"type": "tap", "target": {"text": "Greenleaf"}, "reason": "again"}"#;
    let mut table = start(World::default(), [tap, tap, tap, tap].map(Turn::from));
    table.paused().await;
    table.handle.stop().await;
    table.end().await;
    assert_eq!(table.phone.record().len(), 3);
    assert_snapshot!(table.transcript());
}

/// What is refused costs a request each time as well, and what does nothing does it again: both count, to the same limit.
#[tokio::test(start_paused = true)]
async fn what_is_refused_or_does_nothing_is_not_asked_for_again_and_again() {
    for (act, refused, acted) in [
        (r#"{"type": "tap", "x": 99999, "y": 5}"#, 3, 0),
        (r#"{"type": "shell", "command": "wipe data"}"#, 3, 0),
        (
            r#"{"type": "tap", "target": {"text": "Nowhere to be seen"}}"#,
            3,
            0,
        ),
        (r#"{"type": "hover", "x": 5, "y": 5}"#, 0, 3),
    ] {
        let mut table = start(World::default(), [act; 50].map(Turn::from));
        let paused = table.paused().await;
        let is_so = matches!(
            paused.what,
            What::Paused {
                reason: PauseReason::Repeating
            }
        );
        assert!(is_so, "{act}: {paused:?}");
        let count = |fits: fn(&What) -> bool| table.events.iter().filter(|event| fits(&event.what)).count();
        let came = (
            count(|what| matches!(what, What::Refused { .. })),
            count(|what| matches!(what, What::Acted { .. })),
        );
        assert_eq!(came, (refused, acted), "{act}");
        // The fourth time it was thought of, and nothing came of it.
        assert_eq!(table.model.shown().len(), 4, "{act}");
        assert_eq!(table.phone.record(), Vec::<String>::new(), "{act}");
        table.handle.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn limits_pause_and_resume_gives_as_much_again() {
    let limits = Limits {
        steps: 2,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let wait = r#"{"type": "wait"}"#;
    let mut table = start_with(
        World::default(),
        [wait, wait, wait, DONE].map(Turn::from),
        settings,
        MemoryJournal::default(),
    );
    let paused = table.paused().await;
    assert!(
        matches!(paused.what, What::Paused { reason: PauseReason::Limit { ref limit } } if *limit == LimitKind::Steps)
    );
    table.handle.steer(Op::Resume).await;
    table.end().await;
    assert_snapshot!(table.transcript());
}

/// Only who saw that a limit was reached lets the run have more: a cable that came out for a moment does not.
#[tokio::test(start_paused = true)]
async fn a_phone_that_comes_back_extends_no_limit() {
    let settings = Settings {
        limits: Limits {
            steps: 2,
            ..Limits::default()
        },
        ..Settings::default()
    };
    let wait = r#"{"type": "wait"}"#;
    let turns = [wait.into(), Turn::After(Duration::from_secs(9), CHECKOUT.into())];
    let mut table = start_with(World::default(), turns, settings, MemoryJournal::default());
    table
        .until("the second step", |what| {
            matches!(what, What::Thinking { step: 2 })
        })
        .await;
    table.phone.go_away();
    let gone = table.paused().await;
    assert!(matches!(
        gone.what,
        What::Paused {
            reason: PauseReason::PhoneGone
        }
    ));
    table.phone.come_back();
    table.handle.phone_is_back();
    let paused = table.paused().await;
    assert!(
        matches!(paused.what, What::Paused { reason: PauseReason::Limit { ref limit } } if *limit == LimitKind::Steps)
    );
    table.handle.stop().await;
    table.end().await;
}

/// Whoever pauses while the phone is away wants it to stay so when it comes back.
#[tokio::test(start_paused = true)]
async fn a_pause_of_the_persons_outlasts_the_phones_absence() {
    let mut table = start(World::default(), []);
    table.phone.go_away();
    table.paused().await;
    table.handle.steer(Op::Pause).await;
    table.phone.come_back();
    table.handle.phone_is_back();
    table.handle.stop().await;
    table.end().await;
    table.is_held_by_the_person();
}

#[tokio::test(start_paused = true)]
async fn money_is_counted_before_it_is_spent() {
    let mut table = start_with(
        World::default(),
        [],
        Settings::default(),
        MemoryJournal::spent(5.0),
    );
    let paused = table.paused().await;
    assert!(
        matches!(paused.what, What::Paused { reason: PauseReason::Limit { ref limit } } if *limit == LimitKind::Dollars)
    );
    assert_eq!(table.model.shown().len(), 0);
    table.handle.stop().await;
    table.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_time_a_person_takes_does_not_count() {
    let limits = Limits {
        minutes: 1,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let wait = r#"{"type": "wait", "durationMs": 20000}"#;
    let turns = [wait, wait, wait, wait].map(Turn::from);
    let mut table = start_with(World::default(), turns, settings, MemoryJournal::default());
    table
        .until("acting", |what| matches!(what, What::Acting { .. }))
        .await;
    table.handle.steer(Op::Pause).await;
    table.paused().await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    table.handle.steer(Op::Resume).await;
    let paused = table.paused().await;
    assert!(
        matches!(paused.what, What::Paused { reason: PauseReason::Limit { ref limit } } if *limit == LimitKind::Minutes)
    );
    assert_eq!(
        table.model.shown().len(),
        4,
        "three waits fit into the minute, the cut one included"
    );
    table.handle.stop().await;
    table.end().await;
}

/// A day's limit of so many dollars.
fn dollars(dollars_a_day: f64) -> Settings {
    Settings {
        limits: Limits {
            dollars_a_day,
            ..Limits::default()
        },
        ..Settings::default()
    }
}

/// What the pause tells the person to do helps: raise it, then press Resume.
#[tokio::test(start_paused = true)]
async fn a_limit_that_is_changed_holds_from_the_next_step() {
    let wait = r#"{"type": "wait"}"#;
    let limit = |what: &What| matches!(what, What::Paused { reason: PauseReason::Limit { limit } } if *limit == LimitKind::Dollars);
    let turns = || [wait, wait, DONE].map(Turn::from);
    let mut raised = start_with(World::default(), turns(), dollars(5.0), MemoryJournal::spent(5.0));
    for _ in 0..2 {
        raised.until("a pause", limit).await;
        raised.handle.steer(Op::Resume).await;
    }
    raised.until("a pause", limit).await;
    raised.handle.follow(dollars(20.0));
    raised.handle.steer(Op::Resume).await;
    raised.end().await;

    let mut lowered = start_with(World::default(), turns(), dollars(5.0), MemoryJournal::spent(2.0));
    lowered
        .until("acting", |what| matches!(what, What::Acting { .. }))
        .await;
    lowered.handle.follow(dollars(1.0));
    lowered.until("a pause", limit).await;
    lowered.handle.follow(dollars(3.0));
    lowered.handle.steer(Op::Resume).await;
    lowered.end().await;
}

/// Whoever wants to be asked about everything is, in the task that goes on too.
#[tokio::test(start_paused = true)]
async fn a_stricter_setting_holds_in_a_run_that_goes_on() {
    let mut table = start(
        World::default(),
        [Turn::After(Duration::from_secs(9), CHECKOUT.into()), DONE.into()],
    );
    table.thinking().await;
    table.handle.follow(Settings {
        level: Level::Everything,
        ..Settings::default()
    });
    let ask = table.question().await;
    assert_eq!(ask.kind, AskKind::Act);
    table.answer(&ask, Choice::Deny);
    table.end().await;
    assert_eq!(table.phone.record(), Vec::<String>::new());
}

/// A task is not read by an AI that nothing may be spent on.
#[tokio::test(start_paused = true)]
async fn nothing_is_asked_before_the_limit_is_looked_at() {
    let read = r#"{"deeds": []}"#;
    let model = ScriptedModel::new([read, DONE].map(Turn::from)).reads_tasks();
    let (world, journal) = (World::on("chat"), MemoryJournal::spent(5.0));
    let goal = "send Dana Whitlock: on my way";
    let mut table = start_task(goal, world, model, dollars(5.0), journal, Saved::default());
    table.paused().await;
    assert_eq!(table.model.shown().len(), 0);
    table.handle.follow(dollars(20.0));
    table.handle.steer(Op::Resume).await;
    table.end().await;
}

/// What brought no answer was paid for too: written down before the run rests or ends, for no step tells of it.
#[tokio::test(start_paused = true)]
async fn what_brought_no_answer_is_counted() {
    let turns = [
        Turn::Fails(FailureCode::ModelLong),
        Turn::Fails(FailureCode::ModelLong),
    ];
    let mut table = start(World::default(), turns);
    table.paused().await;
    assert_eq!(table.journal.beside(), 100);
    table.handle.steer(Op::Resume).await;
    table.paused().await;
    assert_eq!(table.journal.beside(), 200);
    table.handle.stop().await;
    table.end().await;
    assert_eq!(table.journal.beside(), 200);
}
