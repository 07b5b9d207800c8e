//! What the command line answers beforehand.

use crate::args::Answers;
use protocol::{Answer, Ask, Choice};

/// Whether the command line says Yes to it beforehand.
pub(crate) fn is_allowed(answers: Answers, ask: &Ask) -> bool {
    // What may have been done already nobody allowed beforehand.
    let is_open = !ask.evidence.maybe_done && ask.choices.contains(&Choice::Approve);
    is_open && answers == Answers::Allow && engine::may_be_switched_off(ask)
}

/// Yes to it, once.
pub(crate) fn yes(ask: &Ask) -> Answer {
    Answer {
        choice: Choice::Approve,
        ..engine::no(ask)
    }
}
