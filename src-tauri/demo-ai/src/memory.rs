//! What happened so far, read from the history: the planner keeps nothing between two questions.
//!
//! Every action carries in its `reason` what must be remembered, a line each: `done 1: The updates are installed.`,
//! `basket: 2 Whole milk`. Only what the planner itself wrote stands there; a line end inside what it took from a
//! screen is taken out ([`super::moves::Note`]), so no screen can add a line.

use super::moves::label_of;
use agent::prompt::HistoryLine;
use protocol::{Act, Action, Capability};

/// One earlier step.
#[derive(Clone, Debug)]
pub(crate) struct PastStep {
    /// What was to be done; absent when the run speaks of something else.
    pub(crate) act: Option<Act>,
    /// The lines of its reason.
    notes: Vec<(String, String)>,
    /// What came of it.
    pub(crate) end: StepOutcome,
    /// In the run's words.
    pub(crate) said: String,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    /// It was done.
    Done,
    /// It was done, and the screen looks the same.
    Same,
    /// The person said no.
    Denied,
    /// The screen changed while the person was asked: nothing was done.
    Void,
    /// The person typed a code or password into the phone.
    Supplied,
    /// The person said yes in advance.
    Yes,
    /// It may have been done or not.
    Unsure,
    /// It was not done.
    NotDone,
    /// The person used the phone by hand.
    ByHand,
}

/// The history of one task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// The task's steps, oldest first.
    pub(crate) deeds: Vec<PastStep>,
    /// What tasks before it came to, in order.
    pub(crate) done: Vec<String>,
}

/// A note of a task that is over.
pub(crate) const OVER: &str = "done";

impl Memory {
    /// Reads the history.
    pub(crate) fn read(history: &[HistoryLine]) -> Self {
        let all: Vec<PastStep> = history.iter().map(PastStep::read).collect();
        let done_of = |deed: &PastStep| -> Vec<String> { deed.told(OVER).map(str::to_owned).collect() };
        let done = all
            .iter()
            .rev()
            .find(|deed| deed.is_own())
            .map(done_of)
            .unwrap_or_default();
        // The task's own steps begin with the first that knows as many tasks before it. Lines that are not the
        // planner's (a code that was typed, the person's hand) belong to what stands before them.
        let own = |deed: &PastStep| deed.is_own() && deed.told(OVER).count() == done.len();
        let start = if done.is_empty() {
            0
        } else {
            all.iter().position(own).unwrap_or(all.len())
        };
        Self {
            deeds: all[start..].to_vec(),
            done,
        }
    }

    /// The newest step.
    pub(crate) fn last(&self) -> Option<&PastStep> {
        self.deeds.last()
    }

    /// Steps since the person last used the phone by hand: what was known of its screens before may be wrong.
    pub(crate) fn since_hand(&self) -> &[PastStep] {
        let at = self
            .deeds
            .iter()
            .rposition(|deed| deed.end == StepOutcome::ByHand);
        &self.deeds[at.map_or(0, |at| at + 1)..]
    }

    /// The person used the phone by hand in this task.
    pub(crate) fn by_hand(&self) -> bool {
        self.deeds.iter().any(|deed| deed.end == StepOutcome::ByHand)
    }

    /// Whether pressing this was done, or may have been.
    pub(crate) fn has_pressed(&self, label: &str) -> bool {
        self.deeds
            .iter()
            .any(|deed| deed.presses(label) && deed.end.may_be_done())
    }

    /// Whether it was done since the person last used the phone.
    pub(crate) fn has_pressed_lately(&self, label: &str) -> bool {
        self.since_hand()
            .iter()
            .any(|deed| deed.presses(label) && deed.end.may_be_done())
    }

    /// Whether the person said no to pressing this.
    pub(crate) fn denied(&self, label: &str) -> bool {
        self.deeds
            .iter()
            .any(|deed| deed.presses(label) && deed.end == StepOutcome::Denied)
    }

    /// What was noted about something, oldest first, since the person last used the phone.
    pub(crate) fn told<'a>(&'a self, about: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        self.since_hand().iter().flat_map(move |deed| deed.told(about))
    }

    /// The newest question of this kind.
    pub(crate) fn asked(&self, capability: Capability) -> Option<&PastStep> {
        self.deeds.iter().rev().find(|deed| deed.asks(capability))
    }

    /// How often the person was asked so.
    pub(crate) fn times_asked(&self, capability: Capability) -> usize {
        self.deeds.iter().filter(|deed| deed.asks(capability)).count()
    }

    /// How often the person typed something straight into the phone since this was last pressed.
    pub(crate) fn supplied_since(&self, label: &str) -> usize {
        let pressed = self.deeds.iter().rposition(|deed| deed.presses(label));
        let since = &self.deeds[pressed.map_or(0, |at| at + 1)..];
        since
            .iter()
            .filter(|deed| deed.end == StepOutcome::Supplied)
            .count()
    }

    /// How many of the newest steps in a row are like this.
    pub(crate) fn lately(&self, is: impl Fn(&PastStep) -> bool) -> usize {
        self.deeds.iter().rev().take_while(|deed| is(deed)).count()
    }
}

impl StepOutcome {
    /// It was done, or nobody can say that it was not.
    pub(crate) fn may_be_done(self) -> bool {
        matches!(self, Self::Done | Self::Same | Self::Unsure)
    }

    fn read(said: &str) -> Self {
        const READINGS: &[(&str, StepOutcome)] = &[
            ("done, but the screen looks the same", StepOutcome::Same),
            ("done: the end is reached", StepOutcome::Same),
            ("nothing moved", StepOutcome::Same),
            ("done", StepOutcome::Done),
            ("The person said no", StepOutcome::Denied),
            ("The screen changed while the person was asked", StepOutcome::Void),
            (
                "The person typed it straight into the phone",
                StepOutcome::Supplied,
            ),
            ("The person approved this", StepOutcome::Yes),
            ("The person said yes", StepOutcome::Yes),
            ("The person says it is done", StepOutcome::Yes),
            ("The person used the phone by hand", StepOutcome::ByHand),
            (
                "failed: the phone's keyboard has no such characters",
                StepOutcome::NotDone,
            ),
            ("failed: no such app", StepOutcome::NotDone),
            ("failed: not possible on this phone", StepOutcome::NotDone),
            ("failed: ", StepOutcome::Unsure),
            ("The person broke in", StepOutcome::Unsure),
        ];
        // Other words begin so too; this says that nothing was opened.
        if said.starts_with("failed: ") && said.contains(" is not on this phone") {
            return Self::NotDone;
        }
        READINGS
            .iter()
            .find(|(begins, _)| said.starts_with(begins))
            .map_or(Self::NotDone, |(_, end)| *end)
    }
}

impl PastStep {
    fn read(line: &HistoryLine) -> Self {
        let action: Option<Action> = serde_json::from_str(&line.action).ok();
        let reason = action
            .as_ref()
            .and_then(|action| action.reason.clone())
            .unwrap_or_default();
        let notes = reason.lines().filter_map(|line| {
            let (about, says) = line.split_once(": ")?;
            Some((about.to_owned(), says.to_owned()))
        });
        Self {
            notes: notes.collect(),
            act: action.map(|action| action.act),
            end: StepOutcome::read(&line.result),
            said: line.result.clone(),
        }
    }

    /// Whether the planner decided it. The run writes a supplied code down as typing nothing, for no reason.
    fn is_own(&self) -> bool {
        let typed_by_person = matches!(&self.act, Some(Act::Type { text, target: None }) if text.is_empty());
        self.act.is_some() && (!typed_by_person || !self.notes.is_empty())
    }

    /// What it noted about something.
    pub(crate) fn told<'a>(&'a self, about: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        self.notes
            .iter()
            .filter(move |(of, _)| of == about)
            .map(|(_, says)| says.as_str())
    }

    /// The words of what it pressed, wrote into or moved.
    pub(crate) fn label(&self) -> Option<&str> {
        self.act.as_ref().and_then(label_of)
    }

    /// What it wrote.
    pub(crate) fn text(&self) -> Option<&str> {
        self.act.as_ref().and_then(text_of)
    }

    /// Whether it pressed something whose words begin so.
    pub(crate) fn presses(&self, label: &str) -> bool {
        matches!(self.act, Some(Act::Tap { .. } | Act::LongPress { .. }))
            && self.label().is_some_and(|own| own.starts_with(label))
    }

    /// Whether it was a question of this kind.
    pub(crate) fn asks(&self, wanted: Capability) -> bool {
        matches!(self.act, Some(Act::RequestHumanAuth { capability, .. }) if capability == wanted)
    }

    pub(crate) fn waits(&self) -> bool {
        matches!(self.act, Some(Act::Wait { .. }))
    }
}

/// What an action writes.
pub(crate) fn text_of(act: &Act) -> Option<&str> {
    match act {
        Act::Type { text, .. } => Some(text),
        Act::SetValue { value, .. } => Some(value),
        _ => None,
    }
}
