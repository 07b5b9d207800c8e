//! What a command inside the system server answers (`frameworks/libs/modules-utils` `BasicShellCommandHandler.java`).

use crate::process::{Call, ProgramResult};
use std::fmt::Display;

/// Output, errors, exit code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) out: String,
    pub(super) err: String,
    pub(super) code: i32,
}

impl Reply {
    /// Nothing to say: it is done.
    pub(super) fn done() -> Self {
        Self::default()
    }

    /// Says a text, and is done.
    pub(super) fn out(text: impl Into<String>) -> Self {
        Self {
            out: text.into(),
            ..Self::default()
        }
    }

    /// Says a text on standard output and failed (`return -1`: 255 to the shell).
    pub(super) fn failed(text: impl Into<String>) -> Self {
        Self {
            out: text.into(),
            code: 255,
            ..Self::default()
        }
    }

    /// Says a line on standard error and failed.
    pub(super) fn error(line: impl Display) -> Self {
        Self {
            err: format!("{line}\n"),
            code: 255,
            ..Self::default()
        }
    }

    /// `handleDefaultCommands` for a name nobody knows.
    pub(super) fn unknown(command: &str) -> Self {
        Self::failed(format!("Unknown command: {command}\n"))
    }

    /// `exec` catching what a command threw: its trace goes to standard error.
    pub(super) fn exception(command: &str, thrown: impl Display, frames: &[&str]) -> Self {
        let mut err = format!("\nException occurred while executing '{command}':\n{thrown}\n");
        for frame in frames.iter().copied().chain(OUTER) {
            err.push_str(&format!("\tat {frame}\n"));
        }
        Self {
            err,
            code: 255,
            ..Self::default()
        }
    }

    /// `getNextArgRequired` finding none after `last`.
    pub(super) fn argument_expected(command: &str, last: &str, frames: &[&str]) -> Self {
        let thrown = format!("java.lang.IllegalArgumentException: Argument expected after \"{last}\"");
        Self::exception(command, thrown, frames)
    }
}

/// The frames below every shell command (line numbers of one Android 14 build).
const OUTER: [&str; 5] = [
    "com.android.modules.utils.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)",
    "android.os.ShellCommand.exec(ShellCommand.java:38)",
    "android.os.Binder.shellCommand(Binder.java:1103)",
    "android.os.Binder.onTransact(Binder.java:923)",
    "android.os.Binder.execTransact(Binder.java:1339)",
];

/// A command's words, taken one after the other.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    arguments: std::vec::IntoIter<String>,
    last: String,
}

impl Arguments {
    /// The words after `command`.
    pub(super) fn new(command: &str, arguments: Vec<String>) -> Self {
        Self {
            arguments: arguments.into_iter(),
            last: command.to_owned(),
        }
    }

    /// `getNextArg`.
    pub(super) fn next(&mut self) -> Option<String> {
        let word = self.arguments.next()?;
        self.last.clone_from(&word);
        Some(word)
    }

    /// `peekNextArg`.
    pub(super) fn peek(&self) -> Option<&str> {
        self.arguments.as_slice().first().map(String::as_str)
    }

    /// The word taken last (or the command itself).
    pub(super) fn last(&self) -> &str {
        &self.last
    }
}

/// Says a reply on a program’s output and error, and ends with its code.
pub(super) async fn tell(call: &Call, reply: Reply) -> ProgramResult {
    if !reply.out.is_empty() {
        call.out(reply.out).await?;
    }
    if !reply.err.is_empty() {
        call.err(reply.err).await?;
    }
    Ok(reply.code & 0xff)
}
