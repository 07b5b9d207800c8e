//! The groceries, ordered once and then again on other days: what is decided at each look.

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
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod pages;
mod phone;

use common::values;
use days::days;
use pages::{SIZE, recording, shown, tree};
use phone::{Day, Phone};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use protocol::{Act, Millis, Screen};
use replay::{Last, Next, Recording, Replay, Replayer, Seen};
use std::fmt::Write as _;

/// How long a page is waited for.
const BUDGET: Millis = 8_000;
/// What an act takes until the screen is quiet again.
const ACT: Millis = 500;

fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value)
        .unwrap()
        .as_str()
        .unwrap_or("?")
        .to_owned()
}

/// The task done again once.
#[derive(Default)]
struct Once {
    /// What was decided, a line each, with the seconds that passed.
    told: String,
    /// It went to its end.
    is_finished: bool,
    /// Requests to the AI; what it does after it took over is not counted.
    requests: u32,
    /// What is repeated the next time, where something was learned.
    learned: Option<Recording>,
}

/// What is decided, a line each.
fn decisions(day: &Day) -> String {
    again(day, &recording()).told
}

fn again(day: &Day, known: &Recording) -> Once {
    let mut replay = Replay::new(known.clone(), values(&[]), BUDGET);
    let mut phone = Phone {
        day,
        page: "launcher",
        opening: None,
        over: None,
        scrolled: 0,
    };
    let (mut at, mut last) = (0, Last::Nothing);
    let mut out = String::new();
    let mut once = Once::default();
    for _ in 0..40 {
        phone.arrive(at);
        let screen = phone.screen();
        let seen = Seen {
            screen: &screen,
            signer: Some("5167"),
            at,
        };
        let on = phone.over.unwrap_or(phone.page);
        let next = replay.next(&seen, last);
        write!(out, "{:>5.1} s  {on:<10} ", at as f64 / 1000.0).unwrap();
        last = Last::Nothing;
        match next {
            Next::Wait { until } => {
                assert!(until > at && until <= at + BUDGET);
                writeln!(out, "wait").unwrap();
                at = phone
                    .opening
                    .map_or(until, |(when, _)| when.min(until))
                    .max(at + 1);
            }
            Next::Act { action, by } => {
                let is_paying = phone.page == "checkout";
                last = if is_paying { day.paid } else { Last::Done };
                let before = phone.page;
                let done = phone.act(&action, &screen, at + ACT);
                writeln!(out, "{done} ({})", word(by)).unwrap();
                at += ACT;
                if last == Last::Refused {
                    phone.page = before;
                }
            }
            Next::Heal(heal) => {
                let done = phone.act(&heal.action, &screen, at + ACT);
                writeln!(out, "mend: {done} ({})", word(heal.by)).unwrap();
                at += ACT;
                last = Last::Done;
            }
            Next::AskAi { why } => {
                writeln!(out, "ask the AI for this step ({why:?})").unwrap();
                once.requests += 1;
                phone.over = None;
                phone.on(at + ACT);
                at += ACT;
                last = Last::Done;
            }
            Next::Stop { why, recorded, .. } => {
                let picture = recorded.map(|frame| frame.0).unwrap_or_default();
                writeln!(out, "stop: {} (recorded picture {picture})", word(why)).unwrap();
                if !day.accepts {
                    break;
                }
                replay.accept(Some("run2/4".into()));
            }
            Next::HandOver { why } => {
                writeln!(out, "hand over: {}", word(why)).unwrap();
                break;
            }
            Next::Finished => {
                writeln!(out, "finished").unwrap();
                once.is_finished = true;
                break;
            }
        }
    }
    for (new, old) in replay
        .learned()
        .iter()
        .flat_map(|new| new.steps.iter().zip(&known.steps))
    {
        if new.approval != old.approval {
            writeln!(
                out,
                "         (learned: {})",
                serde_json::to_string(&new.approval).unwrap()
            )
            .unwrap();
        }
        if new.deed != old.deed {
            writeln!(out, "         (learned: the target of step {})", new.step).unwrap();
        }
    }
    Once {
        told: out,
        learned: replay.learned(),
        ..once
    }
}

/// How often the task came to its end without a word of the AI's, of the first 2, 10 and 50 times it was repeated on a phone
/// that differs in one thing from the day it was recorded. What one time learned, the next one knows. Whatever is tapped in it
/// is what was recorded: [`Phone::act`] looks.
#[test]
fn how_often_a_repeat_needs_no_ai() {
    let mut table = String::from("| what differs | 2 | 10 | 50 | where not |\n|---|---|---|---|---|\n");
    for day in days() {
        let mut known = recording();
        let (mut clean, mut rates) = (0, Vec::new());
        let mut last = String::new();
        let mut once = Once::default();
        for time in 1..=50_u32 {
            // Where nothing was learned, the next time is the same.
            if time == 1 || once.learned.is_some() {
                known = once.learned.take().unwrap_or(known);
                once = again(&day, &known);
            }
            if once.is_finished && once.requests == 0 {
                clean += 1;
            } else {
                last = if once.is_finished {
                    format!("the AI does {} of 4 steps", once.requests)
                } else {
                    let line = once.told.trim_end().lines().last().unwrap_or_default();
                    line.chars().skip(20).collect()
                };
            }
            if [2, 10, 50].contains(&time) {
                rates.push(format!("{} %", clean * 100 / time));
            }
        }
        let rates = rates.join(" | ");
        writeln!(table, "| {} | {rates} | {last} |", day.name).unwrap();
    }
    println!("{table}");
    insta::assert_snapshot!(table);
}

#[test]
fn the_groceries_on_other_days() {
    let told: Vec<String> = days()
        .iter()
        .map(|day| format!("## {}\n{}", day.name, decisions(day)))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

/// Whatever pages come in whatever order, and whatever is told of what was done: a thing is tapped only where it was recorded,
/// no step is done again of which it is not certain that it was not done, and what is over stays over.
#[test]
fn whatever_comes_nothing_else_is_tapped_and_nothing_is_repeated() {
    let names = [
        "launcher", "home", "basket", "checkout", "placed", "help", "rating", "survey",
    ];
    let pages: Vec<(&str, Screen)> = names
        .iter()
        .map(|name| (*name, shown(name, &tree(name), SIZE)))
        .collect();
    let told = [
        Last::Done,
        Last::Done,
        Last::Done,
        Last::NotDone,
        Last::Refused,
        Last::Unknown,
    ];
    let mut runner = TestRunner::new(Config {
        cases: long::times(500),
        failure_persistence: None,
        ..Config::default()
    });
    // Often the page that is to come, else any.
    let look = (0..2_usize, 0..pages.len(), 0..told.len(), 0..9_000_u64);
    let looks = proptest::collection::vec(look, 1..25);
    let recorded = recording();
    runner
        .run(&looks, |looks| {
            let mut replay = Replay::new(recorded.clone(), values(&[]), BUDGET);
            let (mut at, mut last) = (0, Last::Nothing);
            let mut done: Vec<(u32, Last)> = Vec::new();
            let mut over: Option<Next> = None;
            for (expected, any, tells, later) in looks {
                at += later;
                let step = replay.step().map_or(5, |step| step.step);
                let index = if expected == 0 { (step - 1) as usize } else { any };
                let (name, screen) = &pages[index];
                let seen = Seen {
                    screen,
                    signer: None,
                    at,
                };
                let next = replay.next(&seen, last);
                let step = replay.step().map_or(0, |step| step.step);
                if let Some(over) = &over {
                    prop_assert_eq!(&next, over);
                }
                last = Last::Nothing;
                let action = match &next {
                    Next::Act { action, .. } => {
                        let again = done.iter().rev().find(|(known, _)| *known == step);
                        prop_assert!(again.is_none_or(|(_, last)| *last == Last::NotDone));
                        prop_assert!(done.last().is_none_or(|(_, last)| *last != Last::Unknown));
                        last = told[tells];
                        done.push((step, last));
                        Some(action)
                    }
                    Next::Heal(heal) => {
                        last = told[tells];
                        Some(&heal.action)
                    }
                    Next::AskAi { .. } => {
                        last = told[tells];
                        None
                    }
                    Next::Wait { .. } => None,
                    Next::HandOver { .. } | Next::Stop { .. } | Next::Finished => {
                        over = Some(next.clone());
                        None
                    }
                };
                if let Some(Act::Tap { target, .. }) = action.map(|action| &action.act) {
                    let number = target.as_ref().and_then(|target| target.element);
                    let touched = screen.elements.iter().find(|e| Some(e.index) == number);
                    let label = touched.map_or("", |touched| touched.label.as_str());
                    let recorded = match (*name, step) {
                        ("home", 2) => "Add all to basket",
                        ("basket", 3) => "Go to checkout",
                        ("checkout", 4) => "Pay $23.40",
                        ("rating", _) => "Not now",
                        _ => "nothing",
                    };
                    prop_assert_eq!(label, recorded, "on {} at step {}", name, step);
                }
            }
            Ok(())
        })
        .unwrap();
}

/// What is not told of is unknown, and what is unknown is never done again.
#[test]
fn an_act_nobody_tells_of_is_not_repeated() {
    let mut replay = Replay::new(recording(), values(&[]), BUDGET);
    let screen = shown("launcher", &tree("launcher"), SIZE);
    let seen = Seen {
        screen: &screen,
        signer: None,
        at: 0,
    };
    assert!(matches!(replay.next(&seen, Last::Nothing), Next::Act { .. }));
    for last in [Last::Nothing, Last::Done, Last::NotDone] {
        let why = protocol::Divergence::OutcomeUnknown;
        assert_eq!(replay.next(&seen, last), Next::HandOver { why });
    }
}

/// After what the person said Yes to, no key is pressed by guess: the AI looks.
#[test]
fn nothing_is_pressed_by_guess_after_a_payment() {
    let mut recording = recording();
    let again = recording.steps[1].clone();
    recording.steps.push(again);
    let mut replay = Replay::new(recording, values(&[]), 0);
    let mut last = Last::Nothing;
    for name in ["launcher", "home", "basket", "checkout"] {
        let screen = shown(name, &tree(name), SIZE);
        let seen = Seen {
            screen: &screen,
            signer: None,
            at: 0,
        };
        let next = replay.next(&seen, last);
        assert!(matches!(next, Next::Act { .. }), "{name}: {next:?}");
        last = Last::Done;
    }
    let screen = shown("help", &tree("help"), SIZE);
    let seen = Seen {
        screen: &screen,
        signer: None,
        at: 0,
    };
    let why = replay::WhyAi::Healing(protocol::Divergence::OtherPage);
    assert_eq!(replay.next(&seen, last), Next::AskAi { why });
}

/// A press that changed nothing is not done again, and nobody goes back from the page it was done on.
#[test]
fn a_press_that_changed_nothing_is_left_to_the_ai() {
    let mut replay = Replay::new(recording(), values(&[]), 0);
    let mut last = Last::Nothing;
    for (name, expected) in [("launcher", true), ("home", true), ("home", false)] {
        let screen = shown(name, &tree(name), SIZE);
        let seen = Seen {
            screen: &screen,
            signer: None,
            at: 0,
        };
        let next = replay.next(&seen, last);
        let why = replay::WhyAi::Healing(protocol::Divergence::OtherOutcome);
        let is_left = next == Next::AskAi { why };
        assert_eq!(matches!(next, Next::Act { .. }), expected, "{next:?}");
        assert_eq!(is_left, !expected, "{next:?}");
        last = Last::Done;
    }
}

/// What surely was not done is done once more, and not a third time.
#[test]
fn what_was_not_done_is_tried_once_more() {
    let mut replay = Replay::new(recording(), values(&[]), BUDGET);
    let screen = shown("launcher", &tree("launcher"), SIZE);
    let seen = Seen {
        screen: &screen,
        signer: None,
        at: 0,
    };
    assert!(matches!(replay.next(&seen, Last::Nothing), Next::Act { .. }));
    assert!(matches!(replay.next(&seen, Last::NotDone), Next::Act { .. }));
    let why = protocol::Divergence::OtherOutcome;
    assert_eq!(replay.next(&seen, Last::NotDone), Next::HandOver { why });
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let written = recording().write().unwrap();
    assert_eq!(Recording::read(&written).unwrap(), recording());
    let newer = written.replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(Recording::read(&newer), Err(replay::RecordError::Version(2)));
    assert!(matches!(
        Recording::read("{}"),
        Err(replay::RecordError::Broken(_))
    ));
}
