//! Commands and scripts of the phone: which programs would run, and what they may do.

use crate::input::Input;
use protocol::AskKind;

/// What a question about a command is about, and by which rule.
pub type Risk = (AskKind, &'static str);

/// What a command or script comes down to, the mildest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It only reads what is no secret.
    Reads,
    /// It does what these inputs do: they are judged, and sent, in its place.
    Touches(Vec<Input>),
    /// It changes something or carries it away. The gravest risk first, never empty.
    Asks(Vec<Risk>),
    /// What no switch, binding or opinion answers: opaque, nested, unknown, a script, an install, a permission.
    Always(Vec<Risk>),
    /// A hard rule, by its name.
    Never(&'static str),
}

/// Reads one command: the program and its arguments, as the phone gets them.
#[must_use]
pub fn command(_words: &[String]) -> Reading {
    Reading::Always(vec![(AskKind::Shell, "shell_opaque")])
}

/// Reads a script for the phone's shell.
#[must_use]
pub fn script(_text: &str) -> Reading {
    Reading::Always(vec![(AskKind::Script, "script")])
}
