//! Several commands in one line, and their answers told apart: each line of its own is another exchange with the phone.

/// Stands between two answers.
const BETWEEN: &str = "pocketdeck-and";

/// One line that does them one after another, whatever each of them ends with.
pub(crate) fn line(commands: &[&str]) -> String {
    commands.join(&format!("; echo {BETWEEN}; "))
}

/// What each of them said, in their order. Fewer where the line was cut off.
pub(crate) fn answers(said: &str) -> impl Iterator<Item = &str> {
    said.split(BETWEEN)
}
