//! An occurrence becomes a run: the phone is reserved, the occurrence written as running, and only then the run begins.

use super::filled_task::{FilledTask, Values};
use super::find;
use super::replay_session::Replaying;
use super::replaying::attention;
use super::state::identity;
use crate::runs::{ReservedPhone, RunRequest, new_run};
use crate::{Engine, EngineError, ModelChoice};
use agent::ports::Model;
use protocol::{
    Attention, Automation, AutomationRun, FailureCode, Millis, Occurrence, OccurrenceState, RunId,
    SkipReason, StartedBy, WaitReason,
};
use schedule::decide;
use std::sync::Arc;
use store::KeptAutomation;

/// A run of an automation, about to begin.
pub(super) struct AutomationStart<'a> {
    pub(super) automation: &'a Automation,
    pub(super) by: StartedBy,
    /// The task, with values in the place of names.
    pub(super) task: &'a str,
    pub(super) run: RunId,
    pub(super) model: Arc<dyn Model>,
    /// What is repeated; absent where the AI does it.
    pub(super) replaying: Option<Replaying>,
}

impl Engine {
    /// Begins an occurrence that waited. What is in the way is written down in its place.
    pub(super) async fn begin(
        &self,
        one: &Occurrence,
        kept: &[KeptAutomation],
        now: Millis,
    ) -> Result<(), EngineError> {
        // One that cannot be read is not begun.
        let Some(automation) = find(kept, &one.automation) else {
            return Ok(());
        };
        let Some(asked) = self.wanted_of(one, automation) else {
            self.settle(one, could_not_begin(None), now).await?;
            return Ok(());
        };
        let model = match self.model(&ModelChoice::Settings).await {
            Ok(model) => model,
            Err(failure) => {
                self.settle(one, could_not_begin(Some(failure.code)), now).await?;
                return Ok(());
            }
        };
        let place = match self.reserve(&one.phone) {
            Ok(place) => place,
            Err(error) => {
                let state = match waits_for(&error) {
                    Some(because) => OccurrenceState::Waiting { because },
                    None => could_not_begin(Some(protocol::Failure::from(error).code)),
                };
                self.settle(one, state, now).await?;
                return Ok(());
            }
        };
        let replaying = self.replaying(automation, &asked.values).await;
        let run = new_run();
        let session = Arc::clone(&place.session);
        match self.settle(one, decide::running(run.clone()), now).await {
            Ok(true) => {
                let about_to = AutomationStart {
                    automation,
                    by: one.by,
                    task: &asked.task,
                    run,
                    model,
                    replaying,
                };
                self.start_automation(place, about_to);
                Ok(())
            }
            // Another program begins it, or nobody knows: this one does not.
            other => {
                session.unreserve();
                other.map(drop)
            }
        }
    }

    /// Begins the run whose occurrence is written as running.
    pub(super) fn start_automation(&self, place: ReservedPhone, about_to: AutomationStart<'_>) -> RunId {
        let replayer = about_to.replaying.as_ref().map(Replaying::replayer);
        if let Some(replaying) = about_to.replaying {
            let mut all = self.inner.automations.replaying();
            all.insert(about_to.run.clone(), replaying);
        }
        let wanted = RunRequest {
            goal: about_to.task,
            note: None,
            earlier: None,
            run: about_to.run,
            automation: Some(AutomationRun {
                id: about_to.automation.id.clone(),
                name: about_to.automation.plan.name.clone(),
                by: about_to.by,
                replay: replayer.is_some(),
                attention: if replayer.is_some() {
                    attention(about_to.automation)
                } else {
                    Attention::Usual
                },
            }),
            replayer,
        };
        self.start_by_settings(place, wanted, about_to.model)
    }

    /// What the person asked for, or the task with the plan's own values.
    fn wanted_of(&self, one: &Occurrence, automation: &Automation) -> Option<FilledTask> {
        let asked = self.inner.automations.asked().get(&identity(one)).cloned();
        let plan = &automation.plan;
        asked.or_else(|| {
            let values = Values::new();
            let task = schedule::fill(&plan.task, &plan.variables, &values).ok()?;
            Some(FilledTask { task, values })
        })
    }
}

/// What is waited for where a phone cannot be reserved; none where waiting does not help.
pub(super) fn waits_for(error: &EngineError) -> Option<WaitReason> {
    match error {
        EngineError::RunLives | EngineError::Busy(_) => Some(WaitReason::Busy),
        EngineError::NoPhone | EngineError::NotUsable(_) => Some(WaitReason::Missing),
        _ => None,
    }
}

fn could_not_begin(failure: Option<FailureCode>) -> OccurrenceState {
    OccurrenceState::Skipped {
        because: SkipReason::CouldNotBegin,
        failure,
    }
}
