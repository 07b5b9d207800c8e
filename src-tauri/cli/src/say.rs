//! Saying things: JSON on standard output, words on standard error.

use desk::words;
use protocol::Failure;
use serde::Serialize;
use std::io::Write;

/// Fine.
pub(crate) const FINE: u8 = 0;
/// Failed.
pub(crate) const FAILED: u8 = 1;
/// Called wrongly.
pub(crate) const USAGE: u8 = 2;
/// A person was needed.
pub(crate) const NEEDED: u8 = 3;

/// What a command gives: its exit code, or a failure to tell.
pub(crate) type Done = Result<u8, Failure>;

/// One object, one line. A reader that is gone ends the program, as everywhere.
pub(crate) fn line(object: &impl Serialize) {
    let Ok(mut text) = serde_json::to_string(object) else {
        return;
    };
    text.push('\n');
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(i32::from(FAILED));
    }
}

/// A failure, in a sentence and its detail.
pub(crate) fn failure(failure: &Failure) -> u8 {
    let code = serde_json::to_value(failure.code).ok();
    let code = code.as_ref().and_then(|code| code.as_str()).unwrap_or_default();
    let values: Vec<(&str, &str)> = failure
        .values
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_str()))
        .collect();
    eprintln!("{}", words::fill(&format!("failures.{code}"), &values));
    if let Some(detail) = &failure.detail {
        eprintln!("({code}: {detail})");
    }
    FAILED
}

/// Called wrongly: a line about how.
pub(crate) fn usage(message: &str) -> u8 {
    eprintln!("{message}");
    USAGE
}
