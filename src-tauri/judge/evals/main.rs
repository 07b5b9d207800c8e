//! The judge, scored on labelled screens and actions (`README.md`): `cargo test -p judge --test evals -- --ignored --nocapture`.
//!
//! Each case goes the way a run goes: the tree is read by `screen`, the action becomes what the phone would receive, and
//! that is judged. Figures, no gates: `EVALS_LINES=1` tells every case that went wrong, `EVALS_PARTS` names other parts
//! or folders.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test reads its own files and prints its figures"
)]

mod case;
mod lower;
mod opinion;
mod score;
mod seal;
mod table;

use score::Score;

/// Every part, all of them opened.
const PARTS: &[&str] = &[
    "open",
    "sealed",
    "closed",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "fourth-dev",
    "fifth-dev",
    "sixth-dev",
];

/// Parts of which each action means what its line says.
const TABLES: &[&str] = &[
    "closed",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "fourth-dev",
    "fifth-dev",
    "sixth-dev",
];

#[test]
#[ignore = "figures, some seconds"]
fn figures() {
    let lines = std::env::var("EVALS_LINES").is_ok();
    let chosen = std::env::var("EVALS_PARTS").ok();
    let chosen: Vec<&str> = chosen
        .as_deref()
        .map_or_else(|| PARTS.to_vec(), |parts| parts.split(',').collect());
    let mut all = Score::default();
    for part in chosen {
        let cases = case::read(part);
        assert!(!cases.is_empty(), "{part}: there are cases");
        let score = Score::of(&cases, &opinion::recorded(part));
        println!("{}", score.report(part, lines));
        all.add(score);
    }
    println!("{}", all.report("all", false));
}

/// Each action of the tables means what its line says; what the judge makes of it is not asked.
#[test]
fn the_tables_can_be_read() {
    let cases: Vec<_> = TABLES.iter().flat_map(|part| case::read(part)).collect();
    assert!(cases.len() >= 3900, "{} cases", cases.len());
    let told = |case: &case::Labelled| Some(format!("{}: {}", case.id, case.misses_its_target()?));
    let off: Vec<String> = cases.iter().filter_map(told).collect();
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn the_seal_is_whole() {
    let broken = seal::broken();
    assert!(broken.is_empty(), "changed since they were sealed: {broken:?}");
}
