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
    "seventh",
    "eighth",
    "ninth",
    "fourth-dev",
    "fifth-dev",
    "sixth-dev",
    "attacked",
];

/// Parts of which each action means what its line says.
const TABLES: &[&str] = &[
    "closed",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "fourth-dev",
    "fifth-dev",
    "sixth-dev",
];

mod by_hand {
    use super::*;

    #[test]
    #[ignore = "figures, some seconds"]
    fn figures() {
        let lines = std::env::var("EVALS_LINES").is_ok();
        let mut all = Score::default();
        for part in chosen() {
            let cases = case::read(&part);
            assert!(!cases.is_empty(), "{part}: there are cases");
            let score = Score::of(&cases, &opinion::recorded(&part));
            println!("{}", score.report(&part, lines));
            all.add(score);
        }
        println!("{}", all.report("all", false));
    }

    /// The questions a guard is asked about each screen, for somebody to answer who saw no label; `EVALS_QUESTIONS` names the
    /// folder they are written to. The answers, `{screen, reply}` a line, lie beside a part as `PART.opinions.jsonl`.
    #[test]
    #[ignore = "needs EVALS_QUESTIONS"]
    fn questions() {
        let into = std::env::var("EVALS_QUESTIONS").expect("EVALS_QUESTIONS names a folder");
        for part in chosen() {
            let written = opinion::write_questions(&part, std::path::Path::new(&into));
            println!("{part}: {written} questions");
        }
    }
}

/// The parts, or those that `EVALS_PARTS` names.
fn chosen() -> Vec<String> {
    let chosen = std::env::var("EVALS_PARTS").unwrap_or_else(|_| PARTS.join(","));
    chosen.split(',').map(str::to_owned).collect()
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
