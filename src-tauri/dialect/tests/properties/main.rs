//! What is true of every reply. The bodies stand apart, so that a fuzzer can share them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod bodies;
mod strategy;

use dialect::Dialect;
use proptest::prelude::*;

/// Cases of one property, unless `PROPTEST_CASES` says otherwise.
fn cases(usual: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = usual;
    }
    config.failure_persistence = None;
    config
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn any_text_is_read_or_refused(raw in any::<String>()) {
        bodies::total(&raw);
    }

    #[test]
    fn any_soup_of_structure_is_read_or_refused(raw in strategy::soup()) {
        bodies::total(&raw);
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn what_is_written_reads_back(action in strategy::action()) {
        bodies::reads_back(Dialect::OpenPocket, &action);
    }

    #[test]
    fn damage_with_one_reading_changes_nothing(action in strategy::action(), damage in strategy::damage()) {
        bodies::survives_damage(&action, &damage);
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_beginning_of_a_reply_is_another_action(action in strategy::action(), damage in strategy::damage()) {
        bodies::beginnings(&action, &damage);
    }
}

/// Pieces that make careless readers begin again and again.
const NASTY: [&str; 48] = [
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

#[test]
fn the_work_grows_with_the_length_alone() {
    for piece in NASTY {
        let raw: String = piece.repeat(100_000 / piece.len());
        bodies::total(&raw);
        // The same inside the first value of an object, and inside a text.
        bodies::total(&format!("{{\"type\":\"type\",\"text\":{raw}"));
        bodies::total(&format!("{{\"type\":\"type\",\"text\":\"{raw}"));
    }
}

#[test]
fn a_megabyte_of_brackets_is_refused() {
    for piece in ["{", "[", "[{", "{\"a\":"] {
        let raw: String = piece.repeat(1_000_000 / piece.len());
        bodies::total(&raw);
        assert!(dialect::parse(&raw, None).is_err());
    }
}
