//! Tests that could not run for want of a tool. They say so in a file (`tests/shared/skipped.rs` writes it), and the
//! closing lines of a test run repeat it: a test that was not run is not one that passed.

use crate::process::{Done, root};
use std::path::PathBuf;

/// Names the file to the tests; where it is not set they only print.
pub(crate) const VARIABLE: &str = "POCKETDECK_SKIPPED";

pub(crate) fn file() -> PathBuf {
    root().join("target/skipped-tests")
}

/// Forgets what an earlier run skipped.
pub(crate) fn begin() -> Done {
    let file = file();
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", file.display()))
        }
        _ => Ok(()),
    }
}

/// The closing lines.
pub(crate) fn report() -> String {
    closing(&std::fs::read_to_string(file()).unwrap_or_default())
}

/// A line a test: its place and what it wants. A test that says it twice counts once.
fn closing(told: &str) -> String {
    let mut lines: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    lines.dedup();
    match lines.len() {
        0 => "No test skipped itself.".to_owned(),
        1 => format!("1 test skipped itself:\n  {}", lines.join("\n  ")),
        many => format!("{many} tests skipped themselves:\n  {}", lines.join("\n  ")),
    }
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn what_was_skipped_is_counted() {
        let check = |told, expected| assert_eq!(closing(told), expected);
        check("", "No test skipped itself.");
        check("b: no jar\n", "1 test skipped itself:\n  b: no jar");
        check(
            "b: no jar\na: no adb\nb: no jar\n",
            "2 tests skipped themselves:\n  a: no adb\n  b: no jar",
        );
    }
}
