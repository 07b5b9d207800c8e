//! A replay while it goes on.

use agent::ports::{LastActResult, ReplayStep, ReplayView, Replayer, SharedReplayer};
use protocol::{Action, AutomationId, AutomationPlan, Bounds, Divergence, FrameId, RunId};
use replay::Replay;
use std::sync::{Arc, Mutex};

/// A recording that is about to be repeated, or is.
#[derive(Clone)]
pub(super) struct Replaying {
    pub(super) automation: AutomationId,
    /// What the automation said when it began.
    pub(super) plan: AutomationPlan,
    /// The run it was recorded of.
    pub(super) recorded: RunId,
    /// Absent where nothing can be repeated.
    pub(super) replay: Option<Arc<Mutex<Replay>>>,
}

impl Replaying {
    /// As a run asks it.
    pub(super) fn replayer(&self) -> SharedReplayer {
        match &self.replay {
            Some(replay) => replay.clone(),
            None => Arc::new(Mutex::new(NoRecording)),
        }
    }
}

/// Hands over at once, and says why.
struct NoRecording;

impl Replayer for NoRecording {
    fn next(&mut self, _: &ReplayView<'_>, _: LastActResult) -> ReplayStep {
        ReplayStep::HandOver {
            why: Divergence::NoRecording,
        }
    }

    fn accept(&mut self, _: Option<FrameId>) {}

    fn ai_did(&mut self, _: &ReplayView<'_>, _: &Action, _: &Action, _: Option<Bounds>) {}
}
