//! The person begins an automation.

use super::begin::{AutomationStart, waits_for};
use super::filled_task::FilledTask;
use super::state::identity;
use crate::runs::{ReservedPhone, new_run};
use crate::{Engine, EngineError, ModelChoice};
use protocol::{
    Automation, AutomationHold, AutomationId, AutomationPhones, Failure, Millis, Occurrence, OccurrenceState,
    PhoneId, PlanFault, RunId, StartedBy, WaitReason,
};
use schedule::{FillError, decide};
use std::collections::BTreeMap;
use store::KeptAutomation;

/// A phone's seat, and the occurrence that begins there.
type ReservedOccurrence = (ReservedPhone, Occurrence);

impl Engine {
    /// Begins an automation on its phones, at once; gives the runs that began. `values`: what the person said in the place
    /// of names. On a phone that cannot be used yet it waits where automations begin by themselves; elsewhere that is a
    /// failure, and nothing begins. Where the person began it already, with the same said, and it waits or runs, it is not
    /// begun again: a button is pressed twice before it shows that it was pressed.
    ///
    /// # Errors
    /// [`protocol::FailureCode::PlanFault`] where a value is missing or does not fit, [`protocol::FailureCode::PhoneGone`]
    /// where none of its phones is there; as [`Engine::run`].
    pub async fn run_automation(
        &self,
        id: &AutomationId,
        values: &BTreeMap<String, String>,
        choice: &ModelChoice,
    ) -> Result<Vec<RunId>, Failure> {
        let automations = &self.inner.automations;
        let _turn = automations.turn.lock().await;
        let automation = self.kept_automation(id).await?.automation;
        let task = schedule::fill(&automation.plan.task, &automation.plan.variables, values);
        let task = task.map_err(unfilled)?;
        let model = self.model(choice).await?;
        let (now, due) = self.due_by_hand(id).await?;
        let zone = automations.time.zone();
        let pressed = self.pressed(id, &task).await?;
        let (reserved, mut occurrences) = self.reserve_phones(&automation, &pressed, now, due)?;
        occurrences.extend(reserved.iter().map(|(_, one)| one.clone()));
        if let Err(error) = self.name_phones(&mut occurrences).await {
            give_back(reserved);
            return Err(error.into());
        }
        let first_time = move |kept: &mut KeptAutomation| {
            if kept.automation.held == Some(AutomationHold::Imported) {
                kept.automation.held = None;
                kept.since = decide::since_hold(&kept.automation.plan, kept.since, now, &zone);
                kept.failures = 0;
            }
        };
        let written = self
            .inner
            .store
            .write_occurrences(id, &occurrences, first_time)
            .await;
        let written = match written {
            Ok(written) => written,
            Err(error) => {
                give_back(reserved);
                return Err(EngineError::from(error).into());
            }
        };
        for one in &written {
            automations.asked().insert(
                identity(one),
                FilledTask {
                    task: task.clone(),
                    values: values.clone(),
                },
            );
        }
        let mut runs = Vec::new();
        for (place, one) in reserved {
            // One of this very moment is there already: it is not begun a second time.
            let OccurrenceState::Running { run } = one.state.clone() else {
                continue;
            };
            if !written.iter().any(|other| identity(other) == identity(&one)) {
                place.session.unreserve();
                continue;
            }
            let about_to = AutomationStart {
                automation: &automation,
                by: one.by,
                task: &task,
                run,
                model: model.clone(),
                replaying: self.replaying(&automation, values).await,
            };
            runs.push(self.start_automation(place, about_to));
        }
        self.tell_automations().await;
        automations.tell();
        Ok(runs)
    }

    /// What the person's earlier presses of the same, with the same said, left open.
    async fn pressed(&self, id: &AutomationId, task: &str) -> Result<Vec<Occurrence>, EngineError> {
        let mut open = self.inner.store.open_occurrences().await?;
        let asked = self.inner.automations.asked();
        let is_same = |one: &Occurrence| asked.get(&identity(one)).is_some_and(|asked| asked.task == task);
        open.retain(|one| one.automation == *id && one.by == StartedBy::Person && is_same(one));
        Ok(open)
    }

    /// A seat on each phone that can be used, with the occurrence that begins there, and the occurrences that wait.
    fn reserve_phones(
        &self,
        automation: &Automation,
        pressed: &[Occurrence],
        now: Millis,
        due: Millis,
    ) -> Result<(Vec<ReservedOccurrence>, Vec<Occurrence>), EngineError> {
        let mut reserved: Vec<ReservedOccurrence> = Vec::new();
        let mut waiting = Vec::new();
        for (phone, name) in self.wanted_phones(&automation.plan.phones)? {
            let occurrence = |state| Occurrence {
                automation: automation.id.clone(),
                phone: phone.clone(),
                phone_name: name.clone(),
                due,
                by: StartedBy::Person,
                state,
                at: now,
            };
            let mut here = pressed.iter().filter(|one| one.phone == phone);
            let waits = |one: &Occurrence| matches!(one.state, OccurrenceState::Waiting { .. });
            match self.reserve(&phone) {
                Ok(place) if here.any(waits) => place.session.unreserve(),
                // Whatever ran here is over, though it may not be written down yet.
                Ok(place) => reserved.push((place, occurrence(decide::running(new_run())))),
                Err(error) => match waits_for(&error).filter(|_| self.inner.automations.by_themselves) {
                    Some(_) if here.next().is_some() => {}
                    Some(because) => waiting.push(occurrence(OccurrenceState::Waiting { because })),
                    None => {
                        give_back(reserved);
                        return Err(error);
                    }
                },
            }
        }
        Ok((reserved, waiting))
    }

    /// Now, and a moment that no other time of the automation has.
    async fn due_by_hand(&self, id: &AutomationId) -> Result<(u64, u64), EngineError> {
        let now = self.inner.automations.time.now();
        let taken = self.inner.store.occurrences(id, 100).await?;
        let mut due = now;
        while taken.iter().any(|one| one.due == due) {
            due += 1;
        }
        Ok((now, due))
    }

    /// The phones of a plan with their names; those that are not there too, unless none is.
    fn wanted_phones(&self, wanted: &AutomationPhones) -> Result<Vec<(PhoneId, String)>, EngineError> {
        let now = self.phones_now();
        let is_there = |id: &PhoneId| {
            now.iter()
                .any(|phone| phone.id == *id && phone.in_the_way != Some(WaitReason::Missing))
        };
        let name = |id: &PhoneId| {
            let known = now.iter().find(|phone| phone.id == *id);
            known.map(|phone| phone.name.clone()).unwrap_or_default()
        };
        let mut phones: Vec<(PhoneId, String)> = Vec::new();
        match wanted {
            AutomationPhones::These { phones: ids } => {
                for id in ids {
                    if !phones.iter().any(|(seen, _)| seen == id) {
                        phones.push((id.clone(), name(id)));
                    }
                }
            }
            AutomationPhones::All => phones.extend(
                now.iter()
                    .filter(|phone| is_there(&phone.id))
                    .map(|phone| (phone.id.clone(), phone.name.clone())),
            ),
        }
        if !phones.iter().any(|(id, _)| is_there(id)) {
            return Err(EngineError::NoPhone);
        }
        Ok(phones)
    }
}

fn give_back(reserved: Vec<ReservedOccurrence>) {
    for (place, _) in reserved {
        place.session.unreserve();
    }
}

/// Why a task cannot be filled in, as a fault of its plan or of what was said.
fn unfilled(error: FillError) -> EngineError {
    let (fault, variable) = match error {
        FillError::Unknown(name) => (PlanFault::Variables, name),
        FillError::Secret(name) => (PlanFault::SecretValue, name),
        FillError::Missing(name) | FillError::NotANumber(name) => (PlanFault::ValueMissing, name),
    };
    EngineError::Plan {
        fault,
        what: Some(("variable", variable)),
    }
}
