//! An automation that repeats a run: what is repeated, and what is learned of it.

use super::filled_task::Values;
use super::replay_session::Replaying;
use crate::{Engine, EngineError};
use protocol::{
    Attention, Automation, AutomationId, AutomationPlan, Event, ReplayedBy, RunEndKind, RunId, Variable,
    VariableKind, What,
};
use replay::{RecordedStep, Recording, Replay, Variables};
use std::sync::{Arc, Mutex, PoisonError};

/// How long a page is waited for, in milliseconds.
const PAGE: u64 = 8_000;

/// Replays in a row that are counted: after so many it may run quietly.
pub(super) const CLEAN: u32 = 3;

/// How much attention a replay of this automation wants.
pub(super) fn attention(automation: &Automation) -> Attention {
    match automation.clean_replays {
        0 => Attention::Watched,
        CLEAN.. if automation.quiet => Attention::Quiet,
        _ => Attention::Usual,
    }
}

/// Whether a recording made for one of two plans is the other's too: of the same run, for the same words with the same names in
/// them. What stands for a name by itself is no part of it.
pub(super) fn is_same_recording(one: &AutomationPlan, other: &AutomationPlan) -> bool {
    let name = |variable: &Variable| (variable.name.clone(), variable.kind);
    let names = |plan: &AutomationPlan| plan.variables.iter().map(name).collect::<Vec<_>>();
    (&one.task, &one.recorded, names(one)) == (&other.task, &other.recorded, names(other))
}

impl Engine {
    /// What an automation repeats with these values; none where the AI does it each time.
    pub(super) async fn replaying(&self, automation: &Automation, values: &Values) -> Option<Replaying> {
        let run = automation.plan.recorded.as_ref()?;
        let recording = match self.recording(automation, run).await {
            Ok(recording) => Some(recording),
            Err(why) => {
                tracing::info!(%why, automation = %automation.id, "nothing can be repeated: the AI does it");
                None
            }
        };
        let variables = Variables::new(&said(automation, values));
        let replay = recording.map(|recording| Replay::new(recording, variables, PAGE));
        Some(Replaying {
            automation: automation.id.clone(),
            plan: automation.plan.clone(),
            recorded: run.clone(),
            replay: replay.map(|replay| Arc::new(Mutex::new(replay))),
        })
    }

    /// What was kept of it, else what its run's journal says. None where the automation's words are not those of the run any
    /// more: it would do what the person changed.
    async fn recording(&self, automation: &Automation, run: &RunId) -> Result<Recording, EngineError> {
        let goal = self.inner.store.past_run(run).await?.goal;
        let then = schedule::values_of(&automation.plan.task, &goal).ok_or(EngineError::OtherTask)?;
        let kept = self.inner.store.recording(&automation.id, run).await?;
        if let Some(recording) = kept.as_deref().and_then(|json| Recording::read(json).ok()) {
            return Ok(recording);
        }
        let story = self.whole_story(run).await?;
        let screens = self.inner.store.recorded_steps(run).await?;
        let screens: Vec<RecordedStep> = screens
            .iter()
            .filter_map(|json| serde_json::from_str(json).ok())
            .collect();
        let values = said(automation, &then);
        let recording = replay::record(&story.events, &screens, &Variables::new(&values))?;
        self.keep_recorded(automation.id.clone(), run, &recording).await?;
        Ok(recording)
    }

    async fn keep_recorded(
        &self,
        automation: AutomationId,
        run: &RunId,
        recording: &Recording,
    ) -> Result<(), EngineError> {
        let json = recording.write()?;
        Ok(self.inner.store.keep_recording(&automation, run, json).await?)
    }

    /// A run that repeated one is over: what it learned is kept where it ended well, and whether it went without the AI counts.
    pub(super) async fn end_replay(&self, run: &RunId) -> Result<(), EngineError> {
        let Some(replaying) = self.inner.automations.replaying().remove(run) else {
            return Ok(());
        };
        let story = self.whole_story(run).await?;
        let is_clean = story.run.end == RunEndKind::Finished && !story.events.iter().any(needed_help);
        let plan = replaying.plan.clone();
        let count = move |kept: &mut store::KeptAutomation| {
            // It was given another run to repeat meanwhile, or other words.
            if is_same_recording(&plan, &kept.automation.plan) {
                let clean = &mut kept.automation.clean_replays;
                *clean = if is_clean { (*clean + 1).min(CLEAN) } else { 0 };
                kept.automation.quiet &= is_clean;
            }
        };
        let counted = self.inner.store.change_automation(&replaying.automation, count);
        if !is_same_recording(&replaying.plan, &counted.await?.automation.plan) {
            return Ok(());
        }
        let replay = replaying
            .replay
            .as_ref()
            .map(|replay| replay.lock().unwrap_or_else(PoisonError::into_inner));
        let learned = replay.and_then(|replay| replay.learned());
        match learned.filter(|_| story.run.end == RunEndKind::Finished) {
            Some(learned) => {
                self.keep_recorded(replaying.automation, &replaying.recorded, &learned)
                    .await
            }
            None => Ok(()),
        }
    }
}

/// Somebody had to help a replay.
fn needed_help(event: &Event) -> bool {
    matches!(
        event.what,
        What::Diverged { .. }
            | What::Replayed {
                by: ReplayedBy::AskedAi,
                ..
            }
            | What::Paused { .. }
    )
}

/// The values of an automation's names: what is said, else its own. What is secret is none of a recording's business.
fn said(automation: &Automation, values: &Values) -> Values {
    let variables = automation.plan.variables.iter();
    let open = variables.filter(|variable| variable.kind != VariableKind::Secret);
    open.map(|variable| {
        let value = values.get(&variable.name).unwrap_or(&variable.value);
        (variable.name.clone(), value.clone())
    })
    .collect()
}
