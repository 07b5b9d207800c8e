//! What a command or script comes down to.

use crate::input::Input;
use protocol::{AskKind, RuleName};

/// What a question is about, and by which rule.
pub type Risk = (AskKind, RuleName);

/// What a command or script comes down to, the mildest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It only reads what is no secret: nothing but this is what the switch about commands is about.
    Reads,
    /// It does what these inputs do: they are judged, and sent, in its place.
    Touches(Vec<Input>),
    /// It changes something or carries it away. Never empty; what the question is about stands first.
    Asks(Vec<Risk>),
    /// Asked whatever switches, bindings and opinions say: opaque, nested, unknown, a script, an install, a permission.
    Always(Vec<Risk>),
    /// A hard rule, by its name.
    Never(RuleName),
}
