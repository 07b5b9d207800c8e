//! Automations: kept, begun by themselves, and told of.
//!
//! What is to be done is decided in room `schedule`; here it is written down (room `store`) and then done. One decision is
//! made at a time ([`Automations::turn`]): by the scheduler's task, by an edit, by the person's own press. Only the window's
//! engine begins automations by itself ([`crate::Options::scheduler`]); in `deck` the person does.
//!
//! Start reading at `scheduler.rs`, then `tick.rs`.

mod begin;
mod by_hand;
mod connection_tracker;
mod edit;
mod filled_task;
mod notifications;
mod phones;
mod replay_session;
mod replaying;
mod scheduler;
mod state;
mod tick;
mod time;

pub(crate) use state::Automations;
pub use time::{ComputerTime, TimeOfDay};

use crate::{Engine, EngineError};
use protocol::{
    Automation, AutomationCard, AutomationId, Failure, Millis, Occurrence, OccurrenceState, RunId,
};
use schedule::decide;
use state::identity;
use store::KeptAutomation;

/// Times of an automation that are listed.
const LISTED: u32 = 100;

impl Engine {
    /// Every automation as its page shows it, by its name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn automations(&self) -> Result<Vec<AutomationCard>, Failure> {
        Ok(self.cards().await?)
    }

    /// The times an automation was due, newest first, at most a hundred.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn automation_occurrences(&self, id: &AutomationId) -> Result<Vec<Occurrence>, Failure> {
        let times = self.inner.store.occurrences(id, LISTED).await;
        Ok(times.map_err(EngineError::from)?)
    }

    /// Whoever listens is told how automations are now.
    pub(crate) async fn tell_automations(&self) {
        let _telling = self.inner.automations.telling.lock().await;
        match self.cards().await {
            Ok(cards) => self.inner.hub.set_automations(cards),
            Err(error) => tracing::warn!(%error, "the automations could not be read"),
        }
    }

    /// A run of an automation is over and written down: so is its occurrence.
    pub(crate) async fn automation_is_over(&self, run: &RunId) {
        let _turn = self.inner.automations.turn.lock().await;
        if let Err(error) = self.end_replay(run).await {
            tracing::warn!(%error, "what a replay learned is not kept");
        }
        if let Err(error) = self.end_occurrence(run).await {
            // The next look finds it.
            tracing::warn!(%error, "how a run of an automation ended is not written down yet");
        }
        self.tell_automations().await;
    }

    async fn end_occurrence(&self, run: &RunId) -> Result<(), EngineError> {
        let now = self.inner.automations.time.now();
        let open = self.inner.store.open_occurrences().await?;
        let is_it =
            |one: &&Occurrence| matches!(&one.state, OccurrenceState::Running { run: of } if of == run);
        if let Some(one) = open.iter().find(is_it) {
            let known = self.run_known(run).await?;
            let missed = protocol::MissedRun::default();
            if let Some(state) = decide::recover(one, missed, known, now) {
                self.settle(one, state, now).await?;
            }
        }
        Ok(())
    }

    async fn cards(&self) -> Result<Vec<AutomationCard>, EngineError> {
        let mut kept = self.inner.store.automations().await?;
        let latest = self.inner.store.latest_occurrences().await?;
        kept.sort_by_key(|one| one.automation.plan.name.to_lowercase());
        let (now, zone) = (
            self.inner.automations.time.now(),
            self.inner.automations.time.zone(),
        );
        let card = |kept: KeptAutomation| AutomationCard {
            next: decide::next(&kept.automation, kept.since, now, &zone),
            latest: latest
                .iter()
                .filter(|one| one.automation == kept.automation.id)
                .cloned()
                .collect(),
            automation: kept.automation,
        };
        Ok(kept.into_iter().map(card).collect())
    }

    async fn kept_automation(&self, id: &AutomationId) -> Result<KeptAutomation, EngineError> {
        let kept = self.inner.store.automations().await?;
        let found = kept.into_iter().find(|one| one.automation.id == *id);
        found.ok_or_else(|| store::StoreError::NotFound(format!("automation {id}")).into())
    }

    /// An occurrence in another state, and what that counts for its automation; whether it was moved.
    async fn settle(
        &self,
        one: &Occurrence,
        state: OccurrenceState,
        now: Millis,
    ) -> Result<bool, EngineError> {
        if state == one.state {
            return Ok(false);
        }
        let moved = decide::becomes(one, state.clone(), now);
        let is_moved = self
            .inner
            .store
            .advance_occurrence(one, &moved, move |kept| count(kept, &state))
            .await?;
        if matches!(
            moved.state,
            OccurrenceState::Ended { .. } | OccurrenceState::Skipped { .. }
        ) {
            self.inner.automations.asked().remove(&identity(one));
        }
        Ok(is_moved)
    }
}

/// Failures in a row hold an automation.
fn count(kept: &mut KeptAutomation, state: &OccurrenceState) {
    let before = kept.failures;
    kept.failures = decide::failures(before, state);
    if kept.failures > before && kept.failures >= decide::FAILURES && kept.automation.held.is_none() {
        kept.automation.held = Some(protocol::AutomationHold::Failures);
    }
}

fn find<'a>(kept: &'a [KeptAutomation], id: &AutomationId) -> Option<&'a Automation> {
    kept.iter()
        .map(|one| &one.automation)
        .find(|automation| automation.id == *id)
}
