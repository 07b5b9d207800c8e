//! What is true of every reply. The bodies stand apart, so that a fuzzer can share them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod bodies;
mod honest;
#[path = "../../../../tests/shared/long.rs"]
mod long;
mod mutation;
mod sayable;
mod strategy;

use dialect::{Dialect, Size};
use proptest::prelude::*;

/// Screens of real phones, upright and turned.
const SCREENS: [Size; 4] = [
    Size {
        width: 1080,
        height: 2400,
    },
    Size {
        width: 1000,
        height: 2000,
    },
    Size {
        width: 1440,
        height: 3120,
    },
    Size {
        width: 2340,
        height: 1080,
    },
];

/// Cases of one property: what suits every run. A long one has so many times more as `POCKETDECK_LONG` says.
fn cases(usual: u32) -> ProptestConfig {
    ProptestConfig {
        cases: long::times(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn any_text_is_read_or_refused(raw in any::<String>()) {
        honest::total_in_some(&raw);
    }
}

proptest! {
    #![proptest_config(cases(8_000))]

    #[test]
    fn any_soup_of_structure_is_read_or_refused(raw in strategy::soup()) {
        honest::total_in_some(&raw);
    }

    #[test]
    fn any_soup_of_calls_and_tags_is_read_or_refused(raw in strategy::soup_of_calls()) {
        honest::total_in_some(&raw);
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn what_stands_in_a_thought_is_never_done(inner in prop_oneof![strategy::soup(), strategy::soup_of_calls()], tag in 0..3usize) {
        bodies::only_thought(&inner, tag);
    }
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn what_is_written_reads_back(action in strategy::action()) {
        bodies::reads_back(Dialect::OpenPocket, "Because.", &action, SCREENS[0]);
    }

    #[test]
    fn what_any_dialect_can_say_reads_back(action in strategy::action(), screen in prop::sample::select(SCREENS.to_vec())) {
        let action = strategy::on_a_screen(&action);
        for (dialect, _) in dialect::DIALECTS {
            bodies::reads_back(dialect, "It's time, \"now\".", &action, screen);
        }
    }

    #[test]
    fn damage_with_one_reading_changes_nothing(action in strategy::action(), damage in strategy::damage()) {
        bodies::survives_damage(&action, &damage);
    }
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn no_beginning_of_a_reply_is_another_action(action in strategy::action(), damage in strategy::damage()) {
        bodies::beginnings(&action, &damage);
    }

    #[test]
    fn no_beginning_of_any_dialects_reply_says_more_than_it(action in strategy::action()) {
        let action = strategy::on_a_screen(&action);
        for (dialect, _) in dialect::DIALECTS {
            bodies::cut_anywhere(dialect, &action);
        }
    }
}

/// Pieces that make careless readers begin again and again.
const NASTY: [&str; 74] = [
    "\"//",
    "\"#",
    "\"/*",
    "{\"a\":\"//\"",
    "'//",
    "CLICK(K(//",
    "K(a//",
    "do(a=\"#\"",
    "{",
    "[",
    "(",
    "}",
    "\"",
    "'",
    "\\",
    "{\"",
    "{\"a\":",
    "{'a':\"",
    "{a:[",
    "[{",
    "[{\"a\":[{",
    "/*",
    "{/*",
    "{//",
    "{#\n",
    "<think>",
    "</think>",
    "<",
    "</",
    "<|",
    "<answer>",
    "◁think▷",
    "[think]",
    "{\"a\":\"b\"c",
    "{\"a\":\"b\",",
    "{\"a\":1 ",
    "{\"a\" ",
    "\"a\":",
    ",",
    "`",
    "```json\n",
    "｛",
    "“",
    "{“",
    "do(",
    "do(action=\"Type\", text=\"",
    "CLICK(box=[[",
    "Action: ",
    "Action: click(",
    "Grounded Operation:",
    "\n\nGrounded Operation: X(",
    "<invoke",
    "<invoke name=\"a\">",
    "<function=a>",
    "<parameter=a>",
    "<invoke name=\"a\"><parameter name=\"b\">",
    "<<",
    "[TOOL_CALLS]",
    "{\"name\":{\"name\":",
    "{\"content\":[",
    "tap(1) ",
    "｜DSML｜",
    "__CogName_",
    "＿",
    "__CogName___",
    "a",
    " ",
    "\u{feff}",
    "{\"type\":\"tap\"}",
    "{\"type\":\"tap\",\"x\":1,\"y\":2}\n",
    "<think>{\"type\":\"finish\"}",
    "{\"type\":\"",
    "\\u",
    "{\"\\ud800",
];

/// Twice the length is twice the work, by count: in every dialect, for what makes careless readers begin again.
#[test]
fn twice_the_length_is_twice_the_work() {
    let forms: [fn(String) -> String; 3] = [
        |raw| raw,
        |raw| format!("{{\"type\":\"type\",\"text\":\"{raw}"),
        |raw| format!("TYPE(box=[[1,2,3,4]], text='{raw}"),
    ];
    for piece in NASTY {
        for form in forms {
            for told in dialect::DIALECTS
                .iter()
                .map(|(dialect, _)| Some(*dialect))
                .chain([None])
            {
                let length = long::times(2_000) as usize;
                let [once, twice] = [length, 2 * length].map(|length: usize| {
                    dialect::parse_counting(&form(piece.repeat(length / piece.len())), told, None).1
                });
                assert!(
                    twice <= 2 * once + once / 4 + 1_000,
                    "{told:?}, {piece:?}: {once} steps, then {twice}"
                );
            }
        }
    }
}

#[test]
fn the_work_grows_with_the_length_alone() {
    for piece in NASTY {
        let raw: String = piece.repeat(long::times(3_000) as usize / piece.len());
        honest::total(&raw);
        // The same inside the first value of an object, and inside a text.
        honest::total(&format!("{{\"type\":\"type\",\"text\":{raw}"));
        honest::total(&format!("{{\"type\":\"type\",\"text\":\"{raw}"));
    }
}

#[test]
fn a_wall_of_brackets_is_refused() {
    for piece in ["{", "[", "[{", "{\"a\":"] {
        let raw: String = piece.repeat(long::times(100_000) as usize / piece.len());
        honest::total_in_some(&raw);
        assert!(dialect::parse(&raw, None).is_err());
    }
}

#[test]
fn every_reply_that_is_written_down_is_read_or_refused() {
    let corpus = mutation::corpus();
    assert!(corpus.len() > 300, "the corpus was found");
    for reply in &corpus {
        honest::total(reply);
    }
}

/// A short run of what `examples/fuzz.rs` does at length.
#[test]
fn every_change_of_a_reply_is_read_or_refused() {
    let corpus = mutation::corpus();
    let mut mutation = mutation::Mutation::new(1);
    for _ in 0..long::times(8_000) {
        honest::total_in_some(&mutation.of(&corpus));
    }
}
