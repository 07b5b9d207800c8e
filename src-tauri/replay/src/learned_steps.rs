//! What a replay finds in other ways than recorded: kept when the act was done, given out when the run ended well.

use crate::approval::Approval;
use crate::recording::{RecordedAction, Recording, Step};
use crate::target::RecordedTarget;
use protocol::ReplayedBy;
use std::collections::BTreeMap;

/// Steps as they are to be recorded from now on.
#[derive(Clone, Debug, Default)]
pub(crate) struct LearnedSteps {
    /// By place in the recording; their acts were done.
    learned: BTreeMap<usize, Step>,
    /// The step at hand.
    at_hand: Option<Step>,
}

impl LearnedSteps {
    /// The step at hand begins, done in this way.
    pub(crate) fn begin(&mut self, step: Option<Step>) {
        self.at_hand = step;
    }

    /// Its target was found; where it could have been found on a surer one, it is recorded anew.
    pub(crate) fn found(
        &mut self,
        step: &Step,
        target: &RecordedTarget,
        by: ReplayedBy,
        anew: impl FnOnce() -> Option<RecordedTarget>,
    ) {
        if by == target.surest() || by == ReplayedBy::Patch {
            return;
        }
        let Some(anew) = anew() else {
            return;
        };
        let at_hand = self.at_hand.get_or_insert_with(|| step.clone());
        if let RecordedAction::Act { target, .. } = &mut at_hand.deed {
            *target = Some(anew);
        }
    }

    /// The person let go on what was another.
    pub(crate) fn accepted(&mut self, step: &Step, approval: Approval) {
        self.at_hand.get_or_insert_with(|| step.clone()).approval = Some(approval);
    }

    /// The act of the step at hand was done.
    pub(crate) fn confirm(&mut self, at: usize) {
        if let Some(step) = self.at_hand.take() {
            self.learned.insert(at, step);
        }
    }

    /// The recording with them; none where there are none.
    pub(crate) fn recording(&self, old: &Recording) -> Option<Recording> {
        if self.learned.is_empty() {
            return None;
        }
        let mut recording = old.clone();
        for (at, step) in &self.learned {
            if let Some(old) = recording.steps.get_mut(*at) {
                old.clone_from(step);
            }
        }
        Some(recording)
    }
}
