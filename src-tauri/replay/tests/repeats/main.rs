//! Tasks done once, and then again on other days: what is decided at each look, and how often no AI is needed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

#[path = "../common/mod.rs"]
mod common;
mod days;
mod groceries;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod message;
mod overlays;
mod phone;
mod search;
mod setting;
mod table;
mod task;

use common::values;
use groceries::GROCERIES;
use message::MESSAGE;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use protocol::{Act, Millis, Screen};
use replay::{LastActResult, Recording, Replay, ReplayStep, ReplayView, Replayer};
use search::SEARCH;
use setting::SETTING;
use table::decisions;
use task::{SIZE, Task};

/// How long a page is waited for.
const BUDGET: Millis = 8_000;

const TASKS: [&Task; 4] = [&GROCERIES, &MESSAGE, &SETTING, &SEARCH];

/// How often a task came to its end without a word of the AI's, of the first 2, 10 and 50 times it was repeated on a phone
/// that differs in one thing from the day it was recorded. What one time learned, the next one knows. Whatever is tapped or
/// typed in it is what was recorded: [`phone::Phone::act`] looks.
#[test]
fn how_often_a_repeat_needs_no_ai() {
    let table = table::table(&TASKS);
    println!("{table}");
    insta::assert_snapshot!(table);
}

#[test]
fn the_groceries_on_other_days() {
    insta::assert_snapshot!(decisions(&GROCERIES));
}

#[test]
fn the_message_on_other_days() {
    insta::assert_snapshot!(decisions(&MESSAGE));
}

#[test]
fn the_setting_on_other_days() {
    insta::assert_snapshot!(decisions(&SETTING));
}

#[test]
fn the_search_on_other_days() {
    insta::assert_snapshot!(decisions(&SEARCH));
}

/// Whatever pages come in whatever order, and whatever is told of what was done: a thing is tapped only where it was recorded,
/// no step is done again of which it is not certain that it was not done, and what is over stays over.
#[test]
fn whatever_comes_nothing_else_is_tapped_and_nothing_is_repeated() {
    for task in TASKS {
        whatever_comes(task);
    }
}

fn whatever_comes(task: &Task) {
    let own = task.steps.iter().map(|step| step.page);
    let names: Vec<&str> = own.chain([task.end, "help", "rating", "survey"]).collect();
    let pages: Vec<(&str, Screen)> = names
        .iter()
        .map(|name| (*name, task.shown(name, &task.tree(name, task.values), SIZE)))
        .collect();
    let told = [
        LastActResult::Done,
        LastActResult::Done,
        LastActResult::Done,
        LastActResult::NotDone,
        LastActResult::Refused,
        LastActResult::Unknown,
    ];
    let mut runner = TestRunner::new(Config {
        cases: long::times(500),
        failure_persistence: None,
        ..Config::default()
    });
    // Often the page that is to come, else any.
    let look = (0..2_usize, 0..pages.len(), 0..told.len(), 0..9_000_u64);
    let looks = proptest::collection::vec(look, 1..25);
    let recorded = task.recording();
    runner
        .run(&looks, |looks| {
            let mut replay = Replay::new(recorded.clone(), values(task.values), BUDGET);
            let (mut at, mut last) = (0, LastActResult::Nothing);
            let mut done: Vec<(u32, LastActResult)> = Vec::new();
            let mut over: Option<ReplayStep> = None;
            for (expected, any, tells, later) in looks {
                at += later;
                let step = replay
                    .step()
                    .map_or(task.steps.len(), |step| step.step as usize - 1);
                let index = if expected == 0 { step } else { any };
                let (name, screen) = &pages[index];
                let seen = ReplayView {
                    screen,
                    signer: None,
                    at,
                };
                let next = replay.next(&seen, last);
                let step = replay.step().map_or(0, |step| step.step);
                if let Some(over) = &over {
                    prop_assert_eq!(&next, over);
                }
                last = LastActResult::Nothing;
                let action = match &next {
                    ReplayStep::Act { action, .. } => {
                        let again = done.iter().rev().find(|(known, _)| *known == step);
                        prop_assert!(again.is_none_or(|(_, last)| *last == LastActResult::NotDone));
                        prop_assert!(
                            done.last()
                                .is_none_or(|(_, last)| *last != LastActResult::Unknown)
                        );
                        last = told[tells];
                        done.push((step, last));
                        Some(action)
                    }
                    ReplayStep::Heal(heal) => {
                        last = told[tells];
                        Some(&heal.action)
                    }
                    ReplayStep::AskAi { .. } => {
                        last = told[tells];
                        None
                    }
                    ReplayStep::Wait { .. } => None,
                    ReplayStep::HandOver { .. } | ReplayStep::Stop { .. } | ReplayStep::Finished => {
                        over = Some(next.clone());
                        None
                    }
                };
                if let Some(act @ Act::Tap { .. }) = action.map(|action| &action.act) {
                    let is = task.check(name, act, screen, task.values, false);
                    prop_assert!(is.is_ok(), "{} at step {}: {:?}", task.name, step, is);
                    let recorded = task
                        .steps
                        .get((step as usize).wrapping_sub(1))
                        .map(|step| step.page);
                    prop_assert!(
                        *name == "rating" || recorded == Some(*name),
                        "on {} at {}",
                        name,
                        step
                    );
                }
            }
            Ok(())
        })
        .unwrap();
}

/// A page of the shop on the day it was recorded.
fn at(name: &str) -> Screen {
    GROCERIES.shown(name, &GROCERIES.tree(name, &[]), SIZE)
}

/// What is not told of is unknown, and what is unknown is never done again.
#[test]
fn an_act_nobody_tells_of_is_not_repeated() {
    let mut replay = Replay::new(GROCERIES.recording(), values(&[]), BUDGET);
    let screen = at("launcher");
    let seen = ReplayView {
        screen: &screen,
        signer: None,
        at: 0,
    };
    assert!(matches!(
        replay.next(&seen, LastActResult::Nothing),
        ReplayStep::Act { .. }
    ));
    for last in [
        LastActResult::Nothing,
        LastActResult::Done,
        LastActResult::NotDone,
    ] {
        let why = protocol::Divergence::OutcomeUnknown;
        assert_eq!(replay.next(&seen, last), ReplayStep::HandOver { why });
    }
}

/// After what the person said Yes to, no key is pressed by guess: the AI looks.
#[test]
fn nothing_is_pressed_by_guess_after_a_payment() {
    let mut recording = GROCERIES.recording();
    let again = recording.steps[1].clone();
    recording.steps.push(again);
    let mut replay = Replay::new(recording, values(&[]), 0);
    let mut last = LastActResult::Nothing;
    for name in ["launcher", "home", "basket", "checkout"] {
        let screen = at(name);
        let seen = ReplayView {
            screen: &screen,
            signer: None,
            at: 0,
        };
        let next = replay.next(&seen, last);
        assert!(matches!(next, ReplayStep::Act { .. }), "{name}: {next:?}");
        last = LastActResult::Done;
    }
    let screen = at("help");
    let seen = ReplayView {
        screen: &screen,
        signer: None,
        at: 0,
    };
    let why = replay::WhyAi::Healing(protocol::Divergence::OtherPage);
    assert_eq!(replay.next(&seen, last), ReplayStep::AskAi { why });
}

/// A press that changed nothing is not done again, and nobody goes back from the page it was done on.
#[test]
fn a_press_that_changed_nothing_is_left_to_the_ai() {
    let mut replay = Replay::new(GROCERIES.recording(), values(&[]), 0);
    let mut last = LastActResult::Nothing;
    for (name, expected) in [("launcher", true), ("home", true), ("home", false)] {
        let screen = at(name);
        let seen = ReplayView {
            screen: &screen,
            signer: None,
            at: 0,
        };
        let next = replay.next(&seen, last);
        let why = replay::WhyAi::Healing(protocol::Divergence::OtherOutcome);
        let is_left = next == ReplayStep::AskAi { why };
        assert_eq!(matches!(next, ReplayStep::Act { .. }), expected, "{next:?}");
        assert_eq!(is_left, !expected, "{next:?}");
        last = LastActResult::Done;
    }
}

/// What surely was not done is done once more, and not a third time.
#[test]
fn what_was_not_done_is_tried_once_more() {
    let mut replay = Replay::new(GROCERIES.recording(), values(&[]), BUDGET);
    let screen = at("launcher");
    let seen = ReplayView {
        screen: &screen,
        signer: None,
        at: 0,
    };
    assert!(matches!(
        replay.next(&seen, LastActResult::Nothing),
        ReplayStep::Act { .. }
    ));
    assert!(matches!(
        replay.next(&seen, LastActResult::NotDone),
        ReplayStep::Act { .. }
    ));
    let why = protocol::Divergence::OtherOutcome;
    assert_eq!(
        replay.next(&seen, LastActResult::NotDone),
        ReplayStep::HandOver { why }
    );
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let written = GROCERIES.recording().write().unwrap();
    assert_eq!(Recording::read(&written).unwrap(), GROCERIES.recording());
    let newer = written.replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(Recording::read(&newer), Err(replay::RecordError::Version(2)));
    assert!(matches!(
        Recording::read("{}"),
        Err(replay::RecordError::Broken(_))
    ));
}
