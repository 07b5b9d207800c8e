//! Automations: kept, begun by themselves, and told of.
//!
//! What is to be done is decided in room `schedule`; here it is written down (room `store`) and then done. One decision is
//! made at a time ([`Automations::turn`]): by the scheduler's task, by an edit, by the person's own press. Only the window's
//! engine begins automations by itself ([`crate::Options::scheduler`]); in `deck` the person does.
//!
//! Start reading at `scheduler.rs`, then `tick.rs`.

mod begin;
mod by_hand;
mod edit;
mod notifications;
mod phones;
mod replaying;
mod scheduler;
mod tick;
mod time;

pub use time::{ComputerTime, TimeOfDay};

use crate::{Engine, EngineError};
use phones::Connected;
use protocol::{
    Automation, AutomationCard, AutomationId, Failure, Millis, Occurrence, OccurrenceState, PhoneId, RunId,
};
use replaying::Replaying;
use schedule::decide;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::KeptAutomation;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

/// Times of an automation that are listed.
const LISTED: u32 = 100;

/// What of automations is true while the program runs.
pub(crate) struct Automations {
    pub(crate) time: Arc<dyn TimeOfDay>,
    /// Whether they begin by themselves in this program.
    by_themselves: bool,
    turn: Arc<tokio::sync::Mutex<Looked>>,
    /// What is read to be told is told before it is read again: older cards never replace newer ones.
    telling: tokio::sync::Mutex<()>,
    /// Something is to be decided anew.
    told: Arc<Notify>,
    /// Those that the person began and that are open: what was asked for at the start is kept nowhere else.
    asked: Mutex<BTreeMap<Identity, Asked>>,
    /// What the runs that go on repeat.
    replaying: Mutex<BTreeMap<RunId, Replaying>>,
    /// What phones told of, until the next look.
    happened: Mutex<Vec<Happened>>,
    /// The scheduler's tasks.
    tasks: Mutex<Vec<AbortOnDropHandle<()>>>,
}

/// What stands for the names in braces.
type Values = BTreeMap<String, String>;

/// What is to be done this time.
#[derive(Clone)]
struct Asked {
    /// The task, with values in the place of names.
    task: String,
    /// What the person said in the place of names.
    values: Values,
}

/// Something on a phone that an automation waited for.
struct Happened {
    automation: AutomationId,
    phone: PhoneId,
}

/// What an earlier look leaves for the next.
#[derive(Default)]
struct Looked {
    /// What an earlier program left open is settled.
    is_recovered: bool,
    connected: Connected,
    /// Phones that came, and when, as long as what that makes due is not written down.
    came: BTreeMap<PhoneId, Millis>,
    /// What they notified of, in the same way.
    happened: BTreeMap<(AutomationId, PhoneId), Millis>,
}

/// What an occurrence is told apart by.
type Identity = (AutomationId, PhoneId, Millis);

fn identity(one: &Occurrence) -> Identity {
    (one.automation.clone(), one.phone.clone(), one.due)
}

impl Automations {
    /// By a clock, or only when the person begins them.
    pub(crate) fn new(scheduler: Option<Arc<dyn TimeOfDay>>) -> Self {
        Self {
            by_themselves: scheduler.is_some(),
            time: scheduler.unwrap_or_else(|| Arc::new(ComputerTime)),
            turn: Arc::default(),
            telling: tokio::sync::Mutex::default(),
            told: Arc::default(),
            asked: Mutex::default(),
            replaying: Mutex::default(),
            happened: Mutex::default(),
            tasks: Mutex::default(),
        }
    }

    /// None begins by itself any more.
    pub(crate) fn stop(&self) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Something happened that may let one begin.
    pub(crate) fn tell(&self) {
        self.told.notify_one();
    }

    fn happened(&self) -> MutexGuard<'_, Vec<Happened>> {
        self.happened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked(&self) -> MutexGuard<'_, BTreeMap<Identity, Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replaying(&self) -> MutexGuard<'_, BTreeMap<RunId, Replaying>> {
        self.replaying.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
