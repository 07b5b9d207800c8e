//! The judge, scored on a labelled set of screens and actions (`README.md`).
//!
//! Each case goes the way a run goes: the tree is read by `screen`, the action planned by `agent::plan`, the touch judged
//! by `agent::judge`. What was opened must hold; the figures of each sealed part's one score are in the README.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test reads its own files and prints its figures"
)]

mod case;
mod injection;
mod order;
mod score;
mod seal;
mod table;

use score::Score;

/// The one door: a half is read, judged and scored; where it must hold, what is wrong is told and fails.
fn check(half: &str, must_hold: bool) {
    let cases = case::read(half);
    assert!(!cases.is_empty(), "{half}: there are cases");
    let score = Score::of(&cases);
    println!("{}", score.report(half, must_hold));
    if must_hold {
        let faults = score.faults();
        assert!(faults.is_empty(), "{half}: {}", faults.join("; "));
    }
}

#[test]
fn open_half() {
    check("open", true);
}

/// Sealed once, scored once, and opened: it must hold like the open half.
#[test]
fn sealed_half() {
    check("sealed", true);
}

/// Sealed and scored once in its turn, and opened.
#[test]
fn closed_part() {
    check("closed", true);
}

/// The third, likewise.
#[test]
fn third_part() {
    check("third", true);
}

/// The fourth.
#[test]
fn fourth_part() {
    check("fourth", true);
}

/// The fifth.
#[test]
fn fifth_part() {
    check("fifth", true);
}

/// The sixth.
#[test]
fn sixth_part() {
    check("sixth", true);
}

/// What the structural rules were written on, batch by batch.
#[test]
fn fourth_dev() {
    check("fourth-dev", true);
}

/// What strangers to the rules wrote, part by part, before the fifth.
#[test]
fn fifth_dev() {
    check("fifth-dev", true);
}

/// The same before the sixth.
#[test]
fn sixth_dev() {
    check("sixth-dev", true);
}

/// Each action of the tables means what its line says; what the judge makes of it is not asked.
#[test]
fn the_tables_can_be_read() {
    let parts = [
        "closed",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "fourth-dev",
        "fifth-dev",
        "sixth-dev",
    ];
    let cases: Vec<_> = parts.into_iter().flat_map(case::read).collect();
    assert!(cases.len() >= 500, "{} cases", cases.len());
    let off = off(&cases);
    assert!(off.is_empty(), "{}", off.join("\n"));
}

/// The cases whose action touches something else than its line names.
fn off(cases: &[case::Labelled]) -> Vec<String> {
    let told = |case: &case::Labelled| Some(format!("{}: {}", case.id, case.misses_its_target()?));
    cases.iter().filter_map(told).collect()
}

/// Tables that lie elsewhere, before they are sealed or while rules are written on them: `POCKETDECK_CASES` names their folder.
#[test]
#[ignore = "needs POCKETDECK_CASES"]
fn a_folder_of_tables() {
    let folder = std::env::var("POCKETDECK_CASES").expect("POCKETDECK_CASES names a folder");
    let cases = case::read(&folder);
    println!("{}", Score::of(&cases).report(&folder, true));
}

/// The same, whether they can be read; what the judge makes of them is not asked.
#[test]
#[ignore = "needs POCKETDECK_CASES"]
fn a_folder_of_tables_can_be_read() {
    let folder = std::env::var("POCKETDECK_CASES").expect("POCKETDECK_CASES names a folder");
    let off = off(&case::read(&folder));
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn the_seal_is_whole() {
    let broken = seal::broken();
    assert!(broken.is_empty(), "changed since they were sealed: {broken:?}");
}
