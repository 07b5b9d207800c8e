//! What is to be done next: one answer a look.

use crate::heal::Heal;
use crate::recording::NotRepeatable;
use protocol::{Action, Divergence, FrameId, Millis, ReplayedBy, Screen};

/// One look.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The screen as the model may know it: secrets taken out.
    pub screen: &'a Screen,
    /// Who signed the app in front, SHA-256 in hex, where known.
    pub signer: Option<&'a str>,
    /// When.
    pub at: Millis,
}

/// What came of the act that was answered last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Last {
    /// Nothing was to be done: it is the first look, or the answer was to wait.
    Nothing,
    /// It was done.
    Done,
    /// It surely was not done, and may be tried once more: the screen had changed, a Yes had become void.
    NotDone,
    /// It is not to be done: a hard rule, or the person's No.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Nothing yet: look again when the screen has changed, at the latest then.
    Wait {
        /// Milliseconds, by the clock of [`Seen::at`].
        until: Millis,
    },
    /// The step's act. It points by an element's number on the screen that was seen, and names the app that must be in front.
    Act {
        /// What is done.
        action: Action,
        /// How its target was found.
        by: ReplayedBy,
    },
    /// Something that mends the page first.
    Heal(Heal),
    /// The AI is asked for this one step. What it did is told to [`Replay::ai_did`].
    AskAi {
        /// Why.
        why: WhyAi,
    },
    /// The AI does the rest; or the person is asked.
    HandOver {
        /// What does not fit.
        why: Divergence,
    },
    /// What the person said Yes to is another now: both pictures are shown to them. [`Replay::accept`] goes on; the judge's own
    /// question follows in any case.
    Stop {
        /// [`Divergence::OtherAmount`] or [`Divergence::OtherRecipient`].
        why: Divergence,
        /// The recorded picture.
        recorded: Option<FrameId>,
    },
    /// All steps are done, and the page is the one it ended on.
    Finished,
}

/// Why the AI is asked for one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhyAi {
    /// The page or the target does not fit, and nothing else mended it.
    Healing(Divergence),
    /// This step cannot be recorded; the AI does it each time.
    NotRepeatable(NotRepeatable),
}
