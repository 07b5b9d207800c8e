//! Whatever is asked, wherever it begins, whatever is answered: a run ends by itself, with words, in a bounded number of
//! steps, and does nothing that matters without a Yes.

use crate::starts::{MIDDLES, PAGES};
use crate::support::{Says, Setup, check};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

const GOALS: &[&str] = &[
    "Order the weekly groceries and pay",
    "Order the weekly groceries for Sunday morning and pay at most $20",
    "Put 3 bananas and a unicorn in the basket",
    "Order 2 lemons, milk and pay",
    "Sign in to Northbank and tell me the balance",
    "Text Dana that I’m late",
    "Text Nobody that I’m late",
    "Turn off Wi-Fi, then turn on dark mode",
    "Turn on Do Not Disturb",
    "Set the brightness to 3%",
    "What uses the most storage?",
    "Install the app updates",
    "Add a note called Ferns saying water them",
    "Delete the note Crêpes",
    "Add Lea with the number 555 0199 to my contacts",
    "What is Anna’s number?",
    "Open gone.example and tell me its headline",
    "What is the headline of The Alder Post?",
    "Open the camera",
    "Open nothing at all",
    "Buy me love",
];

/// What a person may do, as a number each.
fn says(kind: u8, step: u32, words: &'static str) -> Says {
    match kind {
        0 => Says::No,
        1 => Says::Code,
        2 => Says::Types("123456"),
        3 => Says::Adds(step, words),
        4 => Says::takes_at(step, |hand| hand.key("HOME")),
        5 => Says::takes(|hand| hand.key("BACK")),
        _ => Says::Yes,
    }
}

const WORDS: &[&str] = &[
    "stop",
    "don’t pay",
    "go on",
    "Turn on Bluetooth",
    "No, open the calendar",
    "purple",
    "say “hi” instead",
];

#[test]
fn every_run_ends() {
    let goals = prop_oneof![4 => select(GOALS).prop_map(str::to_owned), 1 => "\\PC{0,60}"];
    let says_of = || proptest::collection::vec((0..9_u8, 1..6_u32, select(WORDS)), 0..4);
    let starts = 0..PAGES.len() + MIDDLES.len();
    let strategy = (goals, starts, says_of(), 0..4_u8, any::<bool>(), 0..3_u32);
    let config = Config {
        cases: 40,
        max_shrink_iters: 30,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let result = runner.run(&strategy, |(goal, start, people, rotation, small, unread)| {
        // The hands that lead into the middle of something know only the upright phone.
        let upright = start >= PAGES.len();
        let start = PAGES
            .iter()
            .chain(MIDDLES)
            .nth(start)
            .ok_or_else(|| TestCaseError::fail("no such start"))?;
        let setup = Setup::new(&goal)
            .says(
                people
                    .into_iter()
                    .map(|(kind, step, words)| says(kind, step, words)),
            )
            .unread(unread)
            .with(|options| {
                if upright {
                    return;
                }
                if small {
                    options.profile.phone.size = (720, 1280);
                    options.profile.phone.density = 320;
                } else {
                    options.rotation = rotation;
                }
            });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        runtime
            .unwrap()
            .block_on(async { check(start.of(setup), "", &[]).await });
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
