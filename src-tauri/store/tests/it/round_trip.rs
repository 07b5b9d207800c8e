//! Whatever an event says, it reads back word for word and number for number.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use crate::common::{payment, picture, screen};
use crate::long;
use agent::ports::Journal;
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use protocol::{
    Act, Action, AnswerLifetime, Ask, AskId, AskKind, AskOutcome, Bounds, CaptureResult, Ending, Event,
    Failure, FailureCode, FrameId, MaybeKnown, Outcome, PauseReason, PhoneId, Place, Rule, RunId,
    Sensitivity, Stream, Target, UnclearCode, Usage, Warning, What,
};
use store::Store;

fn text() -> BoxedStrategy<String> {
    any::<String>().boxed()
}

fn int() -> BoxedStrategy<u32> {
    any::<u32>().boxed()
}

fn long() -> BoxedStrategy<u64> {
    any::<u64>().boxed()
}

fn flag() -> BoxedStrategy<bool> {
    any::<bool>().boxed()
}

fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        any::<f64>().prop_filter("a number", |n| n.is_finite()),
        any::<i32>().prop_map(f64::from),
    ]
    .boxed()
}

fn usage() -> BoxedStrategy<Usage> {
    (long(), long(), of(number()), flag())
        .prop_map(|(input_tokens, output_tokens, dollars, is_estimate)| Usage {
            cached_tokens: 0,
            input_tokens,
            output_tokens,
            dollars,
            is_estimate,
        })
        .boxed()
}

fn target() -> BoxedStrategy<Target> {
    (
        of(text()),
        of(int()),
        of(text()),
        of([number(), number(), number(), number()]),
    )
        .prop_map(|(track_id, element, text, region)| Target {
            track_id,
            element,
            text,
            region,
            ..Target::default()
        })
        .boxed()
}

fn act() -> BoxedStrategy<Act> {
    prop_oneof![
        (of(number()), of(number()), of(target())).prop_map(|(x, y, target)| Act::Tap { x, y, target }),
        (number(), number(), number(), number(), number()).prop_map(|(x1, y1, x2, y2, duration_ms)| {
            Act::Swipe {
                x1,
                y1,
                x2,
                y2,
                duration_ms,
            }
        }),
        (text(), of(target())).prop_map(|(text, target)| Act::Type { text, target }),
        text().prop_map(|command| Act::Shell { command }),
        (text(), number()).prop_map(|(script, timeout_sec)| Act::RunScript { script, timeout_sec }),
        vec(text(), 0..3).prop_map(|keys| Act::KeyCombination { keys }),
        (target(), text()).prop_map(|(target, value)| Act::SetValue { target, value }),
        text().prop_map(|message| Act::Finish { message }),
        Just(Act::ListApps),
    ]
    .boxed()
}

fn actions() -> BoxedStrategy<Action> {
    (act(), of(text()), of(text()), flag(), flag(), vec(text(), 0..3))
        .prop_map(
            |(act, reason, app, capture_after, then_finish, modifiers)| Action {
                reason,
                app,
                capture_after,
                then_finish,
                modifiers,
                ..Action::from(act)
            },
        )
        .boxed()
}

fn failure() -> BoxedStrategy<Failure> {
    (btree_map(text(), text(), 0..3), of(text()))
        .prop_map(|(values, detail)| Failure {
            code: FailureCode::ModelServer,
            values,
            detail,
        })
        .boxed()
}

fn outcome() -> BoxedStrategy<AskOutcome> {
    prop_oneof![
        Just(AskOutcome::Allowed),
        Just(AskOutcome::Denied),
        int().prop_map(|characters| AskOutcome::Supplied { characters }),
        Just(AskOutcome::TimedOut),
        Just(AskOutcome::Withdrawn),
    ]
    .boxed()
}

fn ask() -> BoxedStrategy<Ask> {
    (text(), of(actions()), text(), of(text()), long())
        .prop_map(|(id, action, amount, text, deadline)| {
            let What::Asked { mut ask, .. } = payment(&id, Some(&amount), action) else {
                unreachable!("a question");
            };
            ask.evidence.text = text;
            ask.deadline = deadline;
            ask
        })
        .boxed()
}

fn bounds() -> BoxedStrategy<Bounds> {
    (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>())
        .prop_map(|(left, top, right, bottom)| Bounds {
            left,
            top,
            right,
            bottom,
        })
        .boxed()
}

fn pause() -> BoxedStrategy<PauseReason> {
    prop_oneof![
        Just(PauseReason::Person),
        text().prop_map(|ask| PauseReason::TimedOut { ask: AskId(ask) }),
        text().prop_map(|limit| PauseReason::Limit {
            limit: MaybeKnown::Other(limit),
        }),
        failure().prop_map(|failure| PauseReason::Journal { failure }),
    ]
    .boxed()
}

fn ending() -> BoxedStrategy<Ending> {
    prop_oneof![
        (text(), any::<bool>()).prop_map(|(message, declined)| Ending::Finished { message, declined }),
        Just(Ending::Stopped),
        failure().prop_map(|failure| Ending::Failed { failure }),
        flag().prop_map(|unknown_effect| Ending::Interrupted { unknown_effect }),
    ]
    .boxed()
}

/// Everything but the first and the last event of a run.
fn middle() -> BoxedStrategy<What> {
    let warning = (text(), of(text()), text()).prop_map(|(code, field, message)| Warning {
        code: MaybeKnown::Other(code),
        field,
        message,
    });
    prop_oneof![
        (int(), of(text()), text(), int(), int(), int()).prop_map(
            |(step, frame, app, width, height, elements)| What::Looked {
                step,
                frame: frame.map(FrameId),
                app,
                width,
                height,
                capture: CaptureResult::Protected,
                elements,
            }
        ),
        int().prop_map(|step| What::Thinking { step }),
        (
            int(),
            text(),
            actions(),
            text(),
            vec(text(), 0..3),
            vec(warning, 0..3),
            of(text()),
            usage()
        )
            .prop_map(
                |(step, thought, action, dialect, defaulted, warnings, raw, usage)| What::Decided {
                    step,
                    thought,
                    action,
                    dialect,
                    sensitivity: Some(Sensitivity::Sensitive),
                    defaulted,
                    warnings,
                    raw,
                    usage,
                }
            ),
        (int(), text(), of(text()), usage()).prop_map(|(step, message, raw, usage)| What::Unclear {
            step,
            code: UnclearCode::MissingTarget,
            message,
            raw,
            usage
        }),
        (int(), actions(), text(), of(text())).prop_map(|(step, action, code, label)| What::Refused {
            step,
            action,
            code: MaybeKnown::Other(code),
            app_label: label.clone(),
            label,
            place: Some(Place::ThisComputer),
        }),
        (int(), ask()).prop_map(|(step, ask)| What::Asked { step, ask }),
        (text(), long()).prop_map(|(ask, deadline)| What::Extended {
            ask: AskId(ask),
            deadline
        }),
        (text(), outcome()).prop_map(|(ask, outcome)| What::Answered {
            ask: AskId(ask),
            outcome
        }),
        (text(), text()).prop_map(|(ask, app)| What::Allowed {
            ask: AskId(ask),
            rule: Rule {
                kind: AskKind::Oauth,
                app: Some(app.clone()),
                app_label: app,
                phone: None,
                since: 7,
                element: None,
            },
            reach: AnswerLifetime::Always,
        }),
        text().prop_map(|ask| What::Voided { ask: AskId(ask) }),
        (text(), text()).prop_map(|(ask, amount)| What::Picked {
            ask: AskId(ask),
            amount
        }),
        (int(), text(), text(), of(text())).prop_map(|(step, app, label, text)| What::Unasked {
            step,
            standing: protocol::StandingAnswer::Mandate {
                deed: protocol::Mandate {
                    kind: AskKind::Send,
                    app,
                    app_label: label,
                    recipient: text.clone(),
                    text,
                    count: step,
                },
            },
        }),
        (int(), actions(), of(text()), of(bounds()), of(int())).prop_map(
            |(step, action, label, ring, secret_characters)| What::Acting {
                step,
                action,
                label,
                role: None,
                place: Some(Place::BottomRight),
                app_label: None,
                ring,
                secret_characters,
            }
        ),
        (int(), flag(), text(), of(text()), of(flag()), long()).prop_map(
            |(step, ok, code, output, changed, took_ms)| What::Acted {
                step,
                outcome: Outcome {
                    ok,
                    // Any text at all: a word of ours, or one of another version.
                    code: serde_json::from_value(code.into()).unwrap(),
                    stderr: output.clone(),
                    exit: changed.map(i32::from),
                    kept: output.clone(),
                    pages: changed.map(u32::from),
                    gap_ms: changed.map(u64::from),
                    output,
                    changed,
                    ..Outcome::default()
                },
                took_ms,
            }
        ),
        (int(), flag(), text()).prop_map(|(step, errors, text)| What::Printed {
            step,
            stream: if errors { Stream::Stderr } else { Stream::Stdout },
            text,
        }),
        text().prop_map(|text| What::Said { text }),
        (text(), flag()).prop_map(|(text, from_screen)| What::NoteProposed { text, from_screen }),
        pause().prop_map(|reason| What::Paused { reason }),
        Just(What::Resumed),
        Just(What::TakenOver),
        Just(What::HandedBack),
        (failure(), long()).prop_map(|(failure, after_ms)| What::Retrying { failure, after_ms }),
    ]
    .boxed()
}

fn run() -> BoxedStrategy<Vec<Event>> {
    let names = (text(), text(), text(), text(), flag());
    let events = (names, vec((long(), middle()), 0..12), of((ending(), flag())));
    events
        .prop_map(|((run, phone, goal, model, demo_ai), middle, end)| {
            let mut whats = vec![(
                0,
                What::Started {
                    goal,
                    model,
                    demo_ai,
                    automation: None,
                    goes_on: None,
                },
            )];
            whats.extend(middle);
            whats.extend(end.map(|(ending, maybe_running)| {
                (
                    1,
                    What::Ended {
                        ending,
                        maybe_running,
                    },
                )
            }));
            let (run, phone) = (RunId(run), PhoneId(phone));
            let event = |(seq, (at, what))| Event {
                run: run.clone(),
                phone: phone.clone(),
                seq,
                at,
                what,
            };
            (1..).zip(whats).map(event).collect()
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: long::times(64), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_run_reads_back_as_it_was(events in run()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path()).unwrap();
            for event in &events {
                store.append(event).await.unwrap();
            }
            let run = &events[0].run;
            assert_eq!(store.events(run, 0, 1_000).await.unwrap(), events);
            store.last_payment(&events[0].phone, "com.greenleaf").await.unwrap();
            store.spending_within(0..u64::MAX).await.unwrap();
            let frame = store.keep(run, screen(&picture(3, 2, 1))).await.unwrap();
            store.frame(&frame).await.unwrap();

            drop(store);
            let store = Store::open(folder.path()).unwrap();
            let again = store.events(run, 0, 1_000).await.unwrap();
            assert_eq!(again[..events.len()], events);
            assert!(matches!(again.last().unwrap().what, What::Ended { .. }));
        });
    }
}
