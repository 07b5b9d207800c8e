//! The one door of tests that cannot run here: they say so, and the closing lines of `cargo xtask test` count them.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;

/// Names the file the closing lines are made of. Set by `cargo xtask test`; without it the test only prints.
const FILE: &str = "POCKETDECK_SKIPPED";

/// Says why the test that calls this is not run: `why` names what is missing on this computer. To be called by the test
/// itself: its line is what is counted.
#[track_caller]
#[allow(clippy::print_stdout, reason = "what was not tried is said")]
pub(crate) fn skipped(why: &str) {
    let place = Location::caller();
    let line = format!("{}:{}: {}\n", place.file(), place.line(), why.trim());
    print!("skipped, {line}");
    if let Some(file) = std::env::var_os(FILE) {
        // In one piece: tests of other processes write, too.
        let mut file = OpenOptions::new().append(true).create(true).open(file).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}
