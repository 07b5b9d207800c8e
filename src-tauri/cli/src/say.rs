//! Saying things: JSON on standard output, words on standard error. Neither ever panics, whoever stopped reading.

use engine::words;
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
pub(crate) type CommandResult = Result<u8, Failure>;

/// One object, one line. `false`: nobody reads any more, and whoever has something to wind up does it now.
#[must_use]
pub(crate) fn tell(object: &impl Serialize) -> bool {
    let Ok(mut text) = serde_json::to_string(object) else {
        return true;
    };
    text.push('\n');
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}

/// One object, one line, where nothing is left to wind up: a reader that is gone ends the program, as everywhere.
pub(crate) fn line(object: &impl Serialize) {
    if !tell(object) {
        std::process::exit(i32::from(FAILED));
    }
}

/// A sentence for the person. Whatever of it came from a phone, an AI or a file steers no terminal.
pub(crate) fn note(text: &str) {
    let text: String = text
        .chars()
        .map(|one| if one != '\n' && steers(one) { ' ' } else { one })
        .collect();
    // Nobody reads it: then nobody misses it.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Control characters, and those that turn the direction of what follows them.
pub(crate) fn steers(one: char) -> bool {
    one.is_control() || matches!(one, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A failure, in a sentence and its detail.
pub(crate) fn failure(failure: &Failure) -> u8 {
    note(&words::failed(failure));
    if let Some(detail) = &failure.detail {
        note(&format!("({}: {detail})", words::tag(&failure.code)));
    }
    FAILED
}

/// Called wrongly: a line about how.
pub(crate) fn usage(message: &str) -> u8 {
    note(message);
    USAGE
}
