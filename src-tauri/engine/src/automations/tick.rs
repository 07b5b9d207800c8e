//! One look at everything: what fell due is written down, then what waits is begun.

use super::find;
use super::state::TickState;
use crate::{Engine, EngineError};
use jiff::tz::TimeZone;
use protocol::{
    Millis, MissedRun, Occurrence, OccurrenceState, RunEndKind, RunId, SkipReason, StartedBy, Trigger,
};
use schedule::decide::{self, PhoneNow, RunKnown, Transition};
use store::{KeptAutomation, StoreError};

/// How long nothing is written where nothing fell due. Up to when a schedule was looked at may lag behind by so much: what
/// lies between is looked at again, and nothing is due in it.
const LAG: Millis = 10 * 60 * 1_000;

/// When it is looked again where the database does not open.
const AGAIN: Millis = 5_000;

impl Engine {
    /// Looks once; gives the moment to look again at the latest, or none where nothing will happen by itself.
    pub(super) async fn look_at_automations(&self) -> Option<Millis> {
        let automations = &self.inner.automations;
        let mut looked = automations.turn.lock().await;
        match self.tick(&mut looked).await {
            Ok(wake) => wake,
            Err(error) => {
                tracing::warn!(%error, "automations could not be looked at");
                Some(automations.time.now().saturating_add(AGAIN))
            }
        }
    }

    /// The same, by who has the turn already.
    pub(super) async fn tick(&self, looked: &mut TickState) -> Result<Option<Millis>, EngineError> {
        let automations = &self.inner.automations;
        if !automations.by_themselves {
            return Ok(None);
        }
        let store = &self.inner.store;
        let kept = store.automations().await?;
        // Both are of one moment: a phone that came while the database was read would have come before it was away.
        let mut phones = self.phones_now();
        let (now, zone) = (automations.time.now(), automations.time.zone());
        for phone in looked.connected.came(&phones, now) {
            looked.came.insert(phone, now);
        }
        for one in std::mem::take(&mut *automations.happened()) {
            looked.happened.insert((one.automation, one.phone), now);
        }
        let mut news = self.recover(&kept, looked, now).await?;
        news |= self.write_due(&kept, &phones, now, &zone).await?;
        news |= self.write_triggered(&kept, &phones, looked).await?;
        let open = self.without_held(&kept, &mut news).await?;
        self.see_locks(&mut phones, &open).await;
        for step in decide::advance(&open, &phones, now) {
            news = true;
            match step {
                Transition::Become(one, state) => {
                    self.settle(&one, state, now).await?;
                }
                Transition::Begin(one) => self.begin(&one, &kept, now).await?,
            }
        }
        if news {
            self.tell_automations().await;
        }
        let open = store.open_occurrences().await?;
        let since = kept.iter().map(|one| (&one.automation, one.since));
        let wake = decide::wake(since, &open, now, &zone);
        // Nobody says that a phone was unlocked or charged, or that another program let go of it.
        let waits = (!open.is_empty()).then_some(Millis::MAX);
        Ok(wake.or(waits))
    }

    /// Settles what an earlier program left open, and what another program's run became. What this program has in hand stays.
    async fn recover(
        &self,
        kept: &[KeptAutomation],
        looked: &mut TickState,
        now: Millis,
    ) -> Result<bool, EngineError> {
        let mut news = false;
        let mut is_closed = false;
        for one in self.inner.store.open_occurrences().await? {
            let missed =
                find(kept, &one.automation).map_or(MissedRun::Late, |automation| automation.plan.missed);
            let state = match &one.state {
                OccurrenceState::Running { run } if self.inner.sessions.of_run(run).is_some() => continue,
                OccurrenceState::Running { run } => {
                    if !is_closed {
                        // Another program's runs end with it.
                        self.inner.store.close_interrupted().await?;
                        is_closed = true;
                    }
                    decide::recover(&one, missed, self.run_known(run).await?, now)
                }
                _ if looked.is_recovered => continue,
                // What the person said at its start went with that program.
                _ if one.by == StartedBy::Person => Some(decide::skipped(SkipReason::Interrupted)),
                _ => decide::recover(&one, missed, RunKnown::Nowhere, now),
            };
            if let Some(state) = state {
                news |= self.settle(&one, state, now).await?;
            }
        }
        looked.is_recovered = true;
        Ok(news)
    }

    /// What is known of a run.
    pub(super) async fn run_known(&self, run: &RunId) -> Result<RunKnown, EngineError> {
        let past = match self.inner.store.past_run(run).await {
            Ok(past) => past,
            Err(StoreError::NotFound(_)) => return Ok(RunKnown::Nowhere),
            Err(error) => return Err(error.into()),
        };
        Ok(match past.end {
            RunEndKind::Going => RunKnown::Going,
            end => RunKnown::Over {
                end,
                took: past.ended_at.unwrap_or_default().saturating_sub(past.started_at),
                ending: past.ending,
            },
        })
    }

    /// Writes the times that came, each automation's together with up to when it was looked at.
    async fn write_due(
        &self,
        kept: &[KeptAutomation],
        phones: &[PhoneNow],
        now: Millis,
        zone: &TimeZone,
    ) -> Result<bool, EngineError> {
        let open = self.inner.store.open_occurrences().await?;
        let mut news = false;
        for one in kept {
            let falls = decide::fall_due(&one.automation, one.since, &open, phones, now, zone);
            let is_current = falls.since == now && one.since <= now && now - one.since < LAG;
            if falls.occurrences.is_empty() && (is_current || falls.since == one.since) {
                continue;
            }
            let mut occurrences = falls.occurrences;
            self.name_phones(&mut occurrences).await?;
            let since = falls.since;
            let written = self
                .inner
                .store
                .write_occurrences(&one.automation.id, &occurrences, move |kept| kept.since = since)
                .await?;
            news |= !written.is_empty();
        }
        Ok(news)
    }

    /// Writes what the phones that came, and what they notified of, make due. What cannot be written is at the next look, as of
    /// when it happened: what is written already is not a second time, then.
    async fn write_triggered(
        &self,
        kept: &[KeptAutomation],
        phones: &[PhoneNow],
        looked: &mut TickState,
    ) -> Result<bool, EngineError> {
        let open = self.inner.store.open_occurrences().await?;
        let mut news = false;
        for one in kept {
            let automation = &one.automation;
            let when = |phone: &PhoneNow| match &automation.plan.trigger {
                Some(Trigger::Connected) => looked.came.get(&phone.id).copied(),
                Some(Trigger::Notification { .. }) => {
                    let place = (automation.id.clone(), phone.id.clone());
                    looked.happened.get(&place).copied()
                }
                None => None,
            };
            let due: Vec<Occurrence> = phones
                .iter()
                .filter_map(|phone| decide::triggered(automation, &open, phone, when(phone)?))
                .collect();
            if !due.is_empty() {
                let written = self
                    .inner
                    .store
                    .write_occurrences(&automation.id, &due, |_| {})
                    .await?;
                news |= !written.is_empty();
            }
        }
        looked.came.clear();
        looked.happened.clear();
        Ok(news)
    }

    /// What is open, without what waits to begin by itself and does not any more, since its automation is held: that is
    /// taken away. What waits of an automation that this version cannot read waits on for one that can, and takes no turn here:
    /// it would keep every other from its phone.
    async fn without_held(
        &self,
        kept: &[KeptAutomation],
        news: &mut bool,
    ) -> Result<Vec<Occurrence>, EngineError> {
        let mut left = Vec::new();
        for one in self.inner.store.open_occurrences().await? {
            let waits = matches!(one.state, OccurrenceState::Waiting { .. });
            match find(kept, &one.automation) {
                None if waits => {}
                Some(automation) if waits && one.by != StartedBy::Person && automation.held.is_some() => {
                    *news |= self.inner.store.withdraw_occurrence(&one).await?;
                }
                _ => left.push(one),
            }
        }
        Ok(left)
    }
}
