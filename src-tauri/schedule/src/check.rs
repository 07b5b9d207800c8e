//! What a plan may say.

use crate::{fill, times};
use protocol::{AutomationPhones, AutomationPlan, ClockTime, PlanFault, Schedule, VariableKind};
use std::collections::{BTreeMap, BTreeSet};

/// Characters a name may have.
const LONGEST_NAME: usize = 80;

/// The hours after which something can be done again, so that every day has the same times.
const HOURS: [u8; 7] = [1, 2, 3, 4, 6, 8, 12];

/// Whether a plan can be kept. Whether another has its name is not known here.
///
/// # Errors
/// The first fault.
pub fn check(plan: &AutomationPlan) -> Result<(), PlanFault> {
    let name = plan.name.trim();
    if name.is_empty()
        || name != plan.name
        || name.chars().count() > LONGEST_NAME
        || name.contains(char::is_control)
    {
        return Err(PlanFault::Name);
    }
    if plan.task.trim().is_empty() {
        return Err(PlanFault::Task);
    }
    let named: BTreeSet<&str> = fill::names(&plan.task).collect();
    let known: BTreeSet<&str> = plan
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    if named != known || known.len() < plan.variables.len() {
        return Err(PlanFault::Variables);
    }
    let is_kept_secret = plan
        .variables
        .iter()
        .any(|variable| variable.kind == VariableKind::Secret && !variable.value.is_empty());
    if is_kept_secret {
        return Err(PlanFault::SecretValue);
    }
    if matches!(&plan.phones, AutomationPhones::These { phones } if phones.is_empty()) {
        return Err(PlanFault::Phones);
    }
    if plan
        .schedule
        .as_ref()
        .is_some_and(|schedule| !is_schedule(schedule))
    {
        return Err(PlanFault::Schedule);
    }
    let by_itself = plan.schedule.is_some() || plan.trigger.is_some();
    if by_itself && fill::fill(&plan.task, &plan.variables, &BTreeMap::new()).is_err() {
        return Err(PlanFault::ValueMissing);
    }
    Ok(())
}

fn is_schedule(schedule: &Schedule) -> bool {
    match schedule {
        Schedule::Once { date, at } => times::read_date(date).is_some() && is_time(*at),
        Schedule::Week { days, at } => !days.is_empty() && is_time(*at),
        Schedule::Month { day, at } => (1..=31).contains(day) && is_time(*at),
        Schedule::MonthWeekday { at, .. } => is_time(*at),
        Schedule::Hours { hours } => HOURS.contains(hours),
    }
}

fn is_time(at: ClockTime) -> bool {
    at.hour < 24 && at.minute < 60
}
