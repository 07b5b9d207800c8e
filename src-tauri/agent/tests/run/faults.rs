//! Everything that can go wrong, at every moment it can go wrong in.

use crate::support::{MemoryJournal, Table, Turn, World, start, start_with};
use agent::ports::PhoneError;
use protocol::{Choice, FailureCode, Op, PauseReason, PhoneState as S, Settings, What};

const PAY: &str = r#"{"type": "tap", "target": {"text": "Pay $23.40"}}"#;
const CHECKOUT: &str = r#"{"type": "tap", "target": {"text": "Checkout"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Finished."}"#;

fn script() -> Vec<Turn> {
    vec![CHECKOUT.into(), PAY.into(), DONE.into()]
}

/// Answers every question with `choice` until the run is over or pauses.
async fn drive(table: &mut Table, choice: Choice) -> Option<PauseReason> {
    while let Some(event) = table.next().await {
        match event.what {
            What::Asked { ask, .. } => table.answer(&ask, choice),
            What::Paused { reason } => return Some(reason),
            _ => {}
        }
    }
    None
}

/// No act without its intent on the disk, none without the Yes it needs.
fn check_order(table: &Table) {
    let written = table.journal.events();
    let intents = written
        .iter()
        .filter(|e| matches!(e.what, What::Acting { .. }))
        .count();
    assert!(
        table.phone.record().len() <= intents,
        "something reached the phone unpromised:\n{}",
        table.transcript()
    );
    if !table.phone.world().paid.is_empty() {
        assert_eq!(
            table.phone.world().paid.len(),
            1,
            "paid twice:\n{}",
            table.transcript()
        );
        let allowed = written.iter().any(|e| {
            matches!(&e.what, What::Answered { outcome, .. } if *outcome == protocol::AskOutcome::Allowed)
        });
        assert!(allowed, "paid without a Yes:\n{}", table.transcript());
    }
}

#[tokio::test(start_paused = true)]
async fn the_phone_goes_away_at_any_call_and_the_run_waits_for_it() {
    let mut clean = start(World::default(), script());
    assert_eq!(drive(&mut clean, Choice::Approve).await, None);
    let calls = clean.phone.calls();
    assert!(calls >= 10, "{calls} calls");
    for call in 1..=calls {
        let mut table = start(World::default(), []);
        for turn in script() {
            table.model.push(turn);
        }
        table.phone.go_away_at(call);
        let reason = drive(&mut table, Choice::Approve).await;
        check_order(&table);
        // A settling that fails after the last act is noticed by the next look, if there is one.
        let Some(reason) = reason else { continue };
        assert_eq!(reason, PauseReason::PhoneGone, "at call {call}");
        table.phone.come_back();
        for turn in [CHECKOUT, PAY, DONE] {
            table.model.push(turn);
        }
        table.handle.phone_is_back();
        table
            .until("going on", |what| matches!(what, What::Resumed))
            .await;
        table.handle.stop().await;
        check_order(&table);
    }
}

/// What could not be asked for a moment is waited for: the pause says why, and ends when the phone is tried again.
#[tokio::test(start_paused = true)]
async fn a_phone_that_cannot_be_asked_just_now_is_waited_for() {
    let why = || "why".to_owned();
    for (trouble, code) in [
        (PhoneError::Slow(why()), FailureCode::PhoneSlow),
        (PhoneError::Refused(why()), FailureCode::PhoneRefused),
        (PhoneError::NoServer(why()), FailureCode::AdbSilent),
        (PhoneError::Unauthorized, FailureCode::PhoneUnauthorized),
        (PhoneError::Unusable(S::Connecting), FailureCode::PhoneConnecting),
        (
            PhoneError::Unusable(S::NoPermissions),
            FailureCode::PhoneNoPermissions,
        ),
        (PhoneError::Unusable(S::Bootloader), FailureCode::PhoneBootloader),
        (PhoneError::Unusable(S::Recovery), FailureCode::PhoneRecovery),
        (PhoneError::Unusable(S::Rescue), FailureCode::PhoneRescue),
        (PhoneError::Unusable(S::Sideload), FailureCode::PhoneSideload),
        (PhoneError::Unusable(S::Host), FailureCode::PhoneHost),
        (PhoneError::Unusable(S::Detached), FailureCode::PhoneDetached),
    ] {
        let mut table = start(World::default(), [DONE.into()]);
        table.phone.fails_with(trouble);
        // Tried once more in vain, it waits again.
        for _ in 0..2 {
            let paused = table.paused().await;
            let said = matches!(&paused.what, What::Paused { reason: PauseReason::Look { failure } } if failure.code == code);
            assert!(said, "{code:?}: {:?}", paused.what);
            let What::Paused { reason } = paused.what else {
                unreachable!()
            };
            assert!(agent::waits_for_phone(&reason), "{code:?}");
            table.handle.phone_is_back();
        }
        table.paused().await;
        table.phone.come_back();
        table.handle.phone_is_back();
        table.end().await;
        assert!(matches!(
            table.events.last().map(|event| &event.what),
            Some(What::Ended { .. })
        ));
    }
}

#[tokio::test(start_paused = true)]
async fn the_journal_closes_at_any_line_and_nothing_is_done_unwritten() {
    let mut clean = start(World::default(), script());
    assert_eq!(drive(&mut clean, Choice::Approve).await, None);
    let lines = clean.journal.events().len() as u64;
    for line in 1..=lines {
        let mut table = start_with(
            World::default(),
            script(),
            Settings::default(),
            MemoryJournal::failing_at(line),
        );
        let reason = drive(&mut table, Choice::Approve).await;
        check_order(&table);
        if let Some(reason) = reason {
            let locked = matches!(reason, PauseReason::Journal { ref failure } if failure.code == FailureCode::JournalLocked);
            assert!(locked, "line {line}: {reason:?}");
            for turn in script() {
                table.model.push(turn);
            }
            table.handle.steer(Op::Resume).await;
            table
                .until("going on", |what| matches!(what, What::Resumed))
                .await;
            table.handle.stop().await;
            check_order(&table);
        }
        table.handle.stop().await;
        tokio::time::sleep(std::time::Duration::from_secs(60)).await;
        // Nothing that happened is missing: the numbering on the disk has no gap (the journal itself asserts it), and
        // everything told is there.
        let written = table.journal.events();
        assert!(
            written.len() >= table.events.len(),
            "line {line}: {} of {}",
            written.len(),
            table.events.len()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn stop_pause_and_take_over_after_any_event_let_nothing_more_through() {
    let mut clean = start(World::default(), script());
    assert_eq!(drive(&mut clean, Choice::Approve).await, None);
    let lines = clean.events.len();
    for op in [Op::Stop, Op::Pause, Op::TakeOver] {
        for line in 1..lines {
            let mut table = start(World::default(), script());
            while table.events.len() < line {
                let event = table.next().await.expect("the run goes on");
                if let What::Asked { ask, .. } = event.what {
                    table.answer(&ask, Choice::Approve);
                }
            }
            let holding = match op {
                Op::TakeOver => Some(table.handle.take_over()),
                _ => {
                    table.handle.steer(op.clone()).await;
                    None
                }
            };
            if op != Op::Stop {
                let drained = table.lease.drained(agent::STOP_BOUND).await;
                assert!(drained, "{op:?} at {line}");
            }
            let reached = table.phone.record();
            tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
            assert_eq!(
                table.phone.record(),
                reached,
                "{op:?} at event {line}:\n{}",
                table.transcript()
            );
            check_order(&table);
            drop(holding);
            table.handle.stop().await;
            assert_eq!(table.phone.record(), reached);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_ai_fails_and_the_run_waits_with_the_reason() {
    for code in [
        FailureCode::ModelKey,
        FailureCode::ModelServer,
        FailureCode::ModelEmpty,
        FailureCode::ModelQuota,
    ] {
        let mut table = start(World::default(), [Turn::Fails(code), DONE.into()]);
        let paused = table.paused().await;
        assert!(
            matches!(paused.what, What::Paused { reason: PauseReason::Model { ref failure } } if failure.code == code),
            "{code:?}"
        );
        table.handle.steer(Op::Resume).await;
        table.end().await;
        assert!(matches!(
            table.events.last().map(|e| &e.what),
            Some(What::Ended { .. })
        ));
    }
}

/// A tree that was missing for a moment asks nobody; a question about a screen that can be read again goes away by itself,
/// and no Yes is needed where reading shows that it only moves.
#[tokio::test(start_paused = true)]
async fn a_question_that_no_longer_stands_goes_away() {
    let tap = || Turn::from(r#"{"type": "tap", "x": 135, "y": 420}"#);
    // Looked at again, the AI says again what it wants.
    for (missing, asked, turns) in [
        (3, false, vec![tap(), DONE.into()]),
        (20, true, vec![tap(), tap(), DONE.into()]),
    ] {
        let mut table = start(World::default(), turns);
        table.phone.without_tree();
        table.phone.reads_its_tree_in(2200);
        let phone = std::sync::Arc::clone(&table.phone);
        tokio::spawn(async move {
            tokio::time::sleep(std::time::Duration::from_secs(missing)).await;
            phone.with_tree();
        });
        let mut unreadable = 0;
        let mut withdrawn = 0;
        while let Some(event) = table.next().await {
            match event.what {
                What::Asked { ask, .. } if ask.kind == protocol::AskKind::Unreadable => unreadable += 1,
                What::Asked { ask, .. } => table.answer(&ask, Choice::Deny),
                What::Answered {
                    outcome: protocol::AskOutcome::Withdrawn,
                    ..
                } => withdrawn += 1,
                _ => {}
            }
        }
        assert_eq!(
            (unreadable, withdrawn),
            (usize::from(asked), usize::from(asked)),
            "{}",
            table.transcript()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn without_elements_every_touch_asks() {
    let tap = r#"{"type": "tap", "x": 130, "y": 420}"#;
    let mut table = start(World::default(), []);
    for turn in [tap, r#"{"type": "tap", "x": 130, "y": 500}"#, DONE] {
        table.model.push(turn);
    }
    table.phone.without_tree();
    // A Yes is for the touch that was shown, not for the app.
    for _ in 0..2 {
        let ask = table.question().await;
        assert_eq!(ask.kind, protocol::AskKind::Unreadable);
        table.answer(&ask, Choice::Approve);
    }
    table.end().await;
    let questions = table
        .events
        .iter()
        .filter(|e| matches!(e.what, What::Asked { .. }))
        .count();
    assert_eq!(questions, 2);
}

/// The phone did it, and the connection broke before it could say so: the run that lives on knows as little as the one that goes
/// on with a broken-off task.
#[tokio::test(start_paused = true)]
async fn what_the_phone_may_have_received_is_asked_about_as_that() {
    for trouble in [
        PhoneError::Gone("cut".into()),
        PhoneError::NoServer("silent".into()),
        PhoneError::Slow("input".into()),
        PhoneError::MaybeRunning("input".into()),
    ] {
        let mut table = start(World::on("checkout"), [PAY, PAY, DONE].map(Turn::from));
        table.phone.loses_answer(trouble.clone());
        let first = table.question().await;
        assert!(!first.evidence.maybe_done, "{trouble}");
        table.answer(&first, Choice::Approve);
        table
            .until("its outcome", |what| matches!(what, What::Acted { .. }))
            .await;
        // As an app does that the model leads back to its page.
        table.phone.change(|world| world.page = "checkout");
        if trouble.is_unreachable() {
            table.paused().await;
            table.handle.phone_is_back();
        }
        let second = table.question().await;
        assert!(second.evidence.maybe_done, "{trouble}");
        table.answer(&second, Choice::Deny);
        table.end().await;
        assert_eq!(table.phone.world().paid.len(), 1, "{trouble}");
        let told = table.model.shown()[1].user();
        assert!(told.contains("nobody knows whether it was done"), "{told}");
    }
}

/// What is known not to have been done is asked about as before.
#[tokio::test(start_paused = true)]
async fn what_the_phone_would_not_do_is_no_second_time() {
    let mut table = start(World::on("checkout"), [PAY, PAY, DONE].map(Turn::from));
    table.phone.loses_answer(PhoneError::Refused("exit 1".into()));
    let first = table.question().await;
    table.answer(&first, Choice::Approve);
    table
        .until("its outcome", |what| matches!(what, What::Acted { .. }))
        .await;
    table.phone.change(|world| world.page = "checkout");
    let second = table.question().await;
    assert!(!second.evidence.maybe_done);
    table.answer(&second, Choice::Deny);
    table.end().await;
}
