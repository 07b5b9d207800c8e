//! A recorded run that is done again without the model, and what is written down so that it can be. Implemented by rooms
//! `replay` and `engine`.

use protocol::{
    Action, AskKind, Bounds, Divergence, FrameId, Millis, Outcome, OutcomeCode, ReplayedBy, RunId, Screen,
};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

/// A recorded run on its way. It is asked where the model would be, and touches nothing: what it answers is judged and asked
/// about like a model's action. Implemented by room `replay`.
pub trait Replayer: Send {
    /// What is to be done on what is seen, given what came of the answer before.
    fn next(&mut self, seen: &ReplayView<'_>, last: LastActResult) -> ReplayStep;

    /// The person saw what is another in the step at hand ([`ReplayStep::Stop`]), and lets it go on; `shown` is the picture they saw.
    fn accept(&mut self, shown: Option<FrameId>);

    /// What the AI did in the place of the step at hand: as it said it, and as it was sent. Told before [`LastActResult::Done`].
    fn ai_did(&mut self, seen: &ReplayView<'_>, said: &Action, sent: &Action, ring: Option<Bounds>);
}

/// One that is shared with whoever wants to know what it learned.
pub type SharedReplayer = Arc<Mutex<dyn Replayer>>;

/// Keeps what a run can be done again by. Implemented by room `engine`.
pub trait StepRecorder: Send + Sync {
    /// A step is about to act on this screen, or the run ends on it: secrets are taken out, in words and in the picture. `ring` is
    /// the rectangle of what is touched. Nobody waits for it to be written.
    fn screen(&self, run: &RunId, step: u32, shown: &Screen, ring: Option<Bounds>);
}

/// One look.
#[derive(Clone, Copy, Debug)]
pub struct ReplayView<'a> {
    /// The screen as the model may know it: secrets taken out.
    pub screen: &'a Screen,
    /// Who signed the app in front, SHA-256 in hex, where known.
    pub signer: Option<&'a str>,
    /// When, by a clock of the run's own.
    pub at: Millis,
}

/// What came of the act that was answered last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LastActResult {
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
pub enum ReplayStep {
    /// Nothing yet: look again when the screen has changed, at the latest then.
    Wait {
        /// Milliseconds, by the clock of [`ReplayView::at`].
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
    /// The AI is asked for this one step. What it did is told to [`Replayer::ai_did`].
    AskAi {
        /// Why the AI is asked.
        why: WhyAi,
    },
    /// The AI does the rest.
    HandOver {
        /// What does not fit.
        why: Divergence,
    },
    /// What the person said Yes to is another now: both pictures are shown to them. [`Replayer::accept`] goes on; the judge's
    /// own question follows in any case.
    Stop {
        /// [`Divergence::OtherAmount`] or [`Divergence::OtherRecipient`].
        why: Divergence,
        /// What they said Yes to.
        kind: AskKind,
        /// The recorded picture.
        recorded: Option<FrameId>,
    },
    /// All steps are done, and the page is the one it ended on.
    Finished,
}

/// One mending act: judged and asked about like any other.
#[derive(Clone, Debug, PartialEq)]
pub struct Heal {
    /// What it is told as.
    pub by: ReplayedBy,
    /// What is done.
    pub action: Action,
}

/// Why the AI is asked for one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhyAi {
    /// The page or the target does not fit, and nothing else mended it.
    Healing(Divergence),
    /// This step cannot be recorded; the AI does it each time.
    NotRepeatable(NotRepeatable),
}

/// Why a step cannot be done again by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRepeatable {
    /// A password or a code was typed: it is never recorded.
    Secret,
    /// Something was read from the screen, or typed that had been read.
    Read,
    /// The person's own hand did something.
    ByHand,
    /// Nothing tells what was touched from other things.
    NoTarget,
    /// A gesture that is no scroll.
    Gesture,
    /// A variable's value stands in a command, a link or an app's name.
    Variable,
    /// Nobody knows whether it was done as a whole.
    HalfDone,
}

/// Whether an act that came out so surely never reached the phone. Anything else that failed may have been done in part.
#[must_use]
pub fn never_sent(outcome: &Outcome) -> bool {
    use OutcomeCode as C;
    matches!(
        outcome.code.known(),
        Some(C::CannotType | C::AppNotFound | C::AppNotInstalled | C::NotSupported | C::NoTouchEquivalent)
    )
}

/// Who signed an app, of all that a phone tells ([`super::Phone::signers`]): the SHA-256 of the certificate in hex.
#[must_use]
pub fn certificate(signers: &[String]) -> Option<String> {
    let mut all: Vec<String> = signers
        .iter()
        .filter_map(|signer| signer.strip_prefix("sha256 "))
        .map(|hex| hex.replace(':', "").to_lowercase())
        .collect();
    all.sort();
    all.into_iter().next()
}
