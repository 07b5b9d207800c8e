//! What the person changes about automations: saved, held, deleted, imported and exported.

use super::find;
use super::replaying::{CLEAN, is_same_recording};
use crate::{Engine, EngineError};
use jiff::tz::TimeZone;
use protocol::{
    Automation, AutomationCard, AutomationHold, AutomationId, AutomationPlan, AutomationProposal, Failure,
    FailureCode, Millis, PlanFault, RunId,
};
use schedule::ExchangeError;
use schedule::decide;
use schedule::exchange::is_same_name;
use store::KeptAutomation;

/// Numbers tried behind a name that is taken.
const MOST: u32 = 1_000;

impl Engine {
    /// Keeps a plan: a new automation, or in the place of what the one of this id says. What fell due before is written down
    /// first; the new plan's times count from now on.
    ///
    /// # Errors
    /// [`FailureCode::PlanFault`] where it cannot be kept (`values.fault`), [`FailureCode::NotFound`] where there is none of
    /// this id.
    pub async fn save_automation(
        &self,
        id: Option<&AutomationId>,
        plan: AutomationPlan,
    ) -> Result<AutomationCard, Failure> {
        let automations = &self.inner.automations;
        let mut looked = automations.turn.lock().await;
        self.tick(&mut looked).await?;
        let kept = self.inner.store.automations().await.map_err(EngineError::from)?;
        schedule::check(&plan).map_err(fault)?;
        let is_other = |one: &&KeptAutomation| Some(&one.automation.id) != id;
        let mut others = kept.iter().filter(is_other);
        if others.any(|one| is_same_name(&one.automation.plan.name, &plan.name)) {
            return Err(fault(PlanFault::NameTaken).into());
        }
        let (now, zone) = (automations.time.now(), automations.time.zone());
        let id = match id {
            Some(id) => {
                let before = find(&kept, id).map(|before| &before.plan);
                let is_changed = before.is_some_and(|before| !is_same_recording(before, &plan));
                if is_changed {
                    // Before the edit: nothing is left between the two that repeats what the person changed.
                    let forgotten = self.inner.store.forget_recording(id).await;
                    forgotten.map_err(EngineError::from)?;
                }
                let edit = move |kept: &mut KeptAutomation| {
                    kept.automation.plan = plan;
                    if is_changed {
                        kept.automation.clean_replays = 0;
                        kept.automation.quiet = false;
                    }
                    kept.since = decide::since(&kept.automation.plan, now, &zone);
                };
                let edited = self.inner.store.change_automation(id, edit).await;
                edited.map_err(EngineError::from)?.automation.id
            }
            None => {
                let new = begun(plan, None, now, &zone);
                self.keep(std::slice::from_ref(&new)).await?;
                new.automation.id
            }
        };
        self.tell_changed().await;
        Ok(self.card(&id).await?)
    }

    /// Deletes an automation and all the times it was due. A run of it goes on.
    ///
    /// # Errors
    /// [`FailureCode::NotFound`].
    pub async fn delete_automation(&self, id: &AutomationId) -> Result<(), Failure> {
        let _turn = self.inner.automations.turn.lock().await;
        let deleted = self.inner.store.delete_automation(id).await;
        deleted.map_err(EngineError::from)?;
        self.inner.automations.asked().retain(|(of, ..), _| of != id);
        self.tell_changed().await;
        Ok(())
    }

    /// Lets an automation begin by itself, or not any more. Times while it was held do not count.
    ///
    /// # Errors
    /// [`FailureCode::NotNow`] for an imported one that the person has not begun yet: a run by hand lets it go;
    /// [`FailureCode::NotFound`].
    pub async fn hold_automation(&self, id: &AutomationId, is_held: bool) -> Result<(), Failure> {
        let automations = &self.inner.automations;
        let mut looked = automations.turn.lock().await;
        self.tick(&mut looked).await?;
        if !is_held && self.kept_automation(id).await?.automation.held == Some(AutomationHold::Imported) {
            return Err(FailureCode::NotNow.into());
        }
        let (now, zone) = (automations.time.now(), automations.time.zone());
        let hold = move |kept: &mut KeptAutomation| match (is_held, kept.automation.held) {
            (true, None) => kept.automation.held = Some(AutomationHold::Person),
            (true, Some(_)) | (false, None) => {}
            (false, Some(_)) => {
                kept.automation.held = None;
                kept.since = decide::since_hold(&kept.automation.plan, kept.since, now, &zone);
                kept.failures = 0;
            }
        };
        let changed = self.inner.store.change_automation(id, hold).await;
        changed.map_err(EngineError::from)?;
        self.tell_changed().await;
        Ok(())
    }

    /// Lets the replays of an automation run quietly, or not any more.
    ///
    /// # Errors
    /// [`FailureCode::NotFound`]; [`FailureCode::NotNow`] where not enough of its replays were clean.
    pub async fn quiet_automation(&self, id: &AutomationId, quiet: bool) -> Result<(), Failure> {
        let _turn = self.inner.automations.turn.lock().await;
        let automation = self.kept_automation(id).await?.automation;
        if quiet && (automation.plan.recorded.is_none() || automation.clean_replays < CLEAN) {
            return Err(FailureCode::NotNow.into());
        }
        // Counted under the same turn: nothing took it away meanwhile.
        let changed = self
            .inner
            .store
            .change_automation(id, move |kept| kept.automation.quiet = quiet)
            .await;
        changed.map_err(EngineError::from)?;
        self.tell_changed().await;
        Ok(())
    }

    /// The task of a run as an automation may have it, with the words in it that may be other ones next time.
    ///
    /// # Errors
    /// [`FailureCode::NotFound`] where the run is gone.
    pub async fn propose_automation(&self, run: &RunId) -> Result<AutomationProposal, Failure> {
        let story = self.whole_story(run).await?;
        let (task, variables) = replay::propose(&story.run.goal, &story.events);
        Ok(AutomationProposal { task, variables })
    }

    /// Keeps the automations of a file. Each is held until the person begins it once; one whose name is taken has a number
    /// behind it.
    ///
    /// # Errors
    /// [`FailureCode::BadInput`] where it is no such file (`values.why`: `unreadable`, `too_large` or `newer`),
    /// [`FailureCode::PlanFault`] where one of them cannot be kept (`values.fault`, `values.name`). Then none is.
    pub async fn import_automations(&self, text: &str) -> Result<Vec<AutomationCard>, Failure> {
        let automations = &self.inner.automations;
        let _turn = automations.turn.lock().await;
        let plans = schedule::import(text).map_err(unread)?;
        let (now, zone) = (automations.time.now(), automations.time.zone());
        let known = self.inner.store.automations().await.map_err(EngineError::from)?;
        let mut names: Vec<String> = known.into_iter().map(|one| one.automation.plan.name).collect();
        let mut new = Vec::new();
        for mut plan in plans {
            plan.name = free_name(&names, &plan.name);
            names.push(plan.name.clone());
            schedule::check(&plan).map_err(fault)?;
            new.push(begun(plan, Some(AutomationHold::Imported), now, &zone));
        }
        self.keep(&new).await?;
        self.tell_changed().await;
        let is_new = |card: &AutomationCard| new.iter().any(|one| one.automation.id == card.automation.id);
        let mut cards = self.cards().await?;
        cards.retain(is_new);
        Ok(cards)
    }

    /// Automations as the text of a file, in this order.
    ///
    /// # Errors
    /// [`FailureCode::NotFound`] where one of them is gone.
    pub async fn export_automations(&self, ids: &[AutomationId]) -> Result<String, Failure> {
        let mut plans = Vec::new();
        for id in ids {
            plans.push(self.kept_automation(id).await?.automation.plan);
        }
        Ok(schedule::export(&plans))
    }

    async fn keep(&self, new: &[KeptAutomation]) -> Result<(), EngineError> {
        Ok(self.inner.store.save_automations(new).await?)
    }

    async fn card(&self, id: &AutomationId) -> Result<AutomationCard, EngineError> {
        let cards = self.cards().await?;
        let found = cards.into_iter().find(|card| card.automation.id == *id);
        found.ok_or_else(|| store::StoreError::NotFound(format!("automation {id}")).into())
    }

    async fn tell_changed(&self) {
        self.tell_automations().await;
        self.inner.automations.tell();
    }
}

/// A new one, whose times count from now on.
fn begun(plan: AutomationPlan, held: Option<AutomationHold>, now: Millis, zone: &TimeZone) -> KeptAutomation {
    let since = decide::since(&plan, now, zone);
    KeptAutomation {
        automation: Automation {
            id: AutomationId(format!("{now:012x}-{:08x}", fastrand::u32(..))),
            made_at: now,
            plan,
            held,
            clean_replays: 0,
            quiet: false,
        },
        since,
        failures: 0,
    }
}

/// The name, or the first with a number behind it that is not taken.
fn free_name(taken: &[String], name: &str) -> String {
    let is_free = |name: &String| !taken.iter().any(|other| is_same_name(other, name));
    let numbered = (2..MOST).map(|n| format!("{name} {n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_else(|| name.to_owned())
}

fn fault(fault: PlanFault) -> EngineError {
    EngineError::Plan { fault, what: None }
}

fn unread(error: ExchangeError) -> Failure {
    let why = match &error {
        ExchangeError::Plan { name, fault } => {
            let what = Some(("name", name.clone()));
            return EngineError::Plan { fault: *fault, what }.into();
        }
        ExchangeError::Unreadable(_) => "unreadable",
        ExchangeError::TooLarge => "too_large",
        ExchangeError::Newer { .. } => "newer",
    };
    Failure {
        code: FailureCode::BadInput,
        values: [("why".to_owned(), why.to_owned())].into(),
        detail: Some(error.to_string()),
    }
}
