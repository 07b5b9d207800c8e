//! One flat table: what is a question, what is never done, what only moves.

use crate::case::Case;
use crate::input::Input;
use crate::key::Effect;
use protocol::AskKind;

/// What a rule makes of an act, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Does {
    /// No setting, no Yes and no opinion lifts it.
    Never,
    /// Asked; no opinion, no binding and no mandate answers it.
    Always(AskKind),
    /// Asked unless the person's switch, binding or mandate says otherwise.
    Core(AskKind),
    /// Asked unless the opinion clears it.
    Unknown(AskKind),
    /// Only moves.
    Moves,
}

impl Does {
    pub(crate) fn kind(self) -> Option<AskKind> {
        match self {
            Self::Always(kind) | Self::Core(kind) | Self::Unknown(kind) => Some(kind),
            Self::Never | Self::Moves => None,
        }
    }
}

/// What was found, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    pub(crate) does: Does,
}

/// What the rules find in every input of a case.
pub(crate) fn find(case: &Case<'_>) -> Vec<Finding> {
    case.inputs
        .iter()
        .map(|input| match input {
            Input::Key(key) if matches!(key.effect(), Effect::Navigates | Effect::Adjusts) => Finding {
                rule: "navigates",
                does: Does::Moves,
            },
            Input::Wake | Input::Launch(_) => Finding {
                rule: "opens",
                does: Does::Moves,
            },
            _ => Finding {
                rule: "unknown",
                does: Does::Unknown(AskKind::Unknown),
            },
        })
        .collect()
}
