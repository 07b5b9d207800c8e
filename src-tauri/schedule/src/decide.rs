//! What is to be done now: from what the journal says and what the phones are like to what is written and begun.
//!
//! The steps, in the order they are taken:
//! 1. [`recover`] settles what an earlier program left open.
//! 2. [`fall_due`] makes an occurrence of each time that came, on each phone. They are written together with the moment up
//!    to which the schedule was looked at; one whose identity is written down already is left as it is.
//! 3. [`advance`] looks at those that wait: which begins, which goes on waiting and for what, which waited too long. One that
//!    begins is written as running, under its run's name, before the run is.

use crate::times::{self, DueTimes};
use jiff::tz::TimeZone;
use protocol::{
    Automation, AutomationPhones, AutomationPlan, Ending, FailureCode, Millis, MissedRun, Occurrence,
    OccurrenceState, PhoneId, RunEndKind, RunId, Schedule, SkipReason, StartedBy, WaitReason,
};
use std::collections::BTreeSet;

/// How long a phone that cannot be used is waited for.
pub const WAIT: Millis = 30 * 60 * 1_000;

/// Failures in a row after which an automation does not begin by itself any more.
pub const FAILURES: u32 = 3;

/// A battery with less than this, in percent, is nearly empty.
pub const LOW_BATTERY: u8 = 10;

/// What stands in the place of the moment up to which a schedule was looked at where it has one time and no other: that time
/// is to come, or it is over. Where a clock shows it depends on the zone, which may be another tomorrow: as a moment it would
/// come a second time, or have passed before it came.
const TO_COME: Millis = 0;
/// As a number of 64 bits with a sign, as it is kept.
const OVER: Millis = i64::MAX.cast_unsigned();

/// How long a run may be written as running and not have begun: another program may be about to.
const ABOUT_TO: Millis = 60 * 1_000;

/// A phone, as far as automations mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneNow {
    /// The phone.
    pub id: PhoneId,
    /// What it is called.
    pub name: String,
    /// Why nothing can begin there; absent where it can.
    pub in_the_way: Option<WaitReason>,
}

/// What fell due of one automation.
#[derive(Clone, Debug, PartialEq)]
pub struct FallsDue {
    /// To be written down where nothing of their identity is.
    pub occurrences: Vec<Occurrence>,
    /// Up to which moment the schedule was looked at.
    pub since: Millis,
}

/// What becomes of one that waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Transition {
    /// It begins: to be written as running, then begun.
    Begin(Occurrence),
    /// This is how far it is from now on.
    Become(Occurrence, OccurrenceState),
}

/// What is known of a run that an occurrence names.
#[derive(Clone, Debug, PartialEq)]
pub enum RunKnown {
    /// It goes on, in this program or another.
    Going,
    /// It is over.
    Over {
        /// How, by its code.
        end: RunEndKind,
        /// How, in full.
        ending: Option<Ending>,
        /// Milliseconds it took.
        took: Millis,
    },
    /// It never began, or is erased.
    Nowhere,
}

/// From when on the times of a plan count that is written, or let go, now.
#[must_use]
pub fn since(plan: &AutomationPlan, now: Millis, zone: &TimeZone) -> Millis {
    match &plan.schedule {
        Some(schedule) if times::is_once(schedule) => to_come(schedule, now, zone),
        _ => now,
    }
}

/// From when on the times of an automation count that was held until now. One whose only time is over stays so.
#[must_use]
pub fn since_hold(plan: &AutomationPlan, before: Millis, now: Millis, zone: &TimeZone) -> Millis {
    if is_over(plan, before) {
        before
    } else {
        since(plan, now, zone)
    }
}

/// Whether the only time of a schedule comes after a moment.
fn to_come(schedule: &Schedule, after: Millis, zone: &TimeZone) -> Millis {
    times::next(schedule, after, zone).map_or(OVER, |_| TO_COME)
}

fn is_over(plan: &AutomationPlan, since: Millis) -> bool {
    since == OVER && plan.schedule.as_ref().is_some_and(times::is_once)
}

/// What a schedule makes due up to `now`. `since`: up to which moment it was looked at before; later than now where the clock
/// was set back, and then it is looked at from now on: what is written down already is not begun again. The only time of a
/// schedule that has one falls due once, whatever clocks and zones do ([`since`]).
#[must_use]
pub fn fall_due(
    automation: &Automation,
    since: Millis,
    open: &[Occurrence],
    phones: &[PhoneNow],
    now: Millis,
    zone: &TimeZone,
) -> FallsDue {
    let mut falls_due = FallsDue {
        occurrences: Vec::new(),
        since,
    };
    let Some(schedule) = automation
        .plan
        .schedule
        .as_ref()
        .filter(|_| automation.held.is_none() && !is_over(&automation.plan, since))
    else {
        return falls_due;
    };
    let due = times::due(schedule, since, now, zone, automation.plan.missed);
    falls_due.since = match schedule {
        _ if !times::is_once(schedule) => now,
        _ if due != DueTimes::default() => OVER,
        // A moment stands there where an earlier version looked last.
        _ => to_come(schedule, since.min(now), zone),
    };
    let places = places(&automation.plan.phones, phones);
    let mut add = |place: &PhoneNow, due, state| {
        falls_due.occurrences.push(Occurrence {
            automation: automation.id.clone(),
            phone: place.id.clone(),
            phone_name: place.name.clone(),
            due,
            by: StartedBy::Schedule,
            state,
            at: now,
        });
    };
    for place in &places {
        for missed in &due.missed {
            add(place, *missed, skipped(SkipReason::Asleep));
        }
        if let Some(time) = due.begin {
            add(place, time, first_state(automation, place, open));
        }
    }
    falls_due
}

/// Whether an automation is for a phone.
#[must_use]
pub fn covers(automation: &Automation, phone: &PhoneId) -> bool {
    match &automation.plan.phones {
        AutomationPhones::All => true,
        AutomationPhones::These { phones } => phones.contains(phone),
    }
}

/// The occurrence that something on a phone makes due; none where the automation is not for that phone, or held.
#[must_use]
pub fn triggered(
    automation: &Automation,
    open: &[Occurrence],
    phone: &PhoneNow,
    now: Millis,
) -> Option<Occurrence> {
    (covers(automation, &phone.id) && automation.held.is_none()).then(|| Occurrence {
        automation: automation.id.clone(),
        phone: phone.id.clone(),
        phone_name: phone.name.clone(),
        due: now,
        by: StartedBy::Trigger,
        state: first_state(automation, phone, open),
        at: now,
    })
}

/// What becomes of those that wait, oldest first: at most one begins on a phone, and no other way is left without a word.
#[must_use]
pub fn advance(open: &[Occurrence], phones: &[PhoneNow], now: Millis) -> Vec<Transition> {
    let mut taken: BTreeSet<&PhoneId> = open
        .iter()
        .filter(|one| matches!(one.state, OccurrenceState::Running { .. }))
        .map(|one| &one.phone)
        .collect();
    let mut waiting: Vec<(&Occurrence, WaitReason)> = open
        .iter()
        .filter_map(|one| match one.state {
            OccurrenceState::Waiting { because } => Some((one, because)),
            _ => None,
        })
        .collect();
    waiting.sort_by_key(|(one, _)| one.due);
    let mut steps = Vec::new();
    for (one, was) in waiting {
        let phone = phones.iter().find(|phone| phone.id == one.phone);
        let now_waits = match phone {
            None => Some(WaitReason::Missing),
            Some(_) if taken.contains(&one.phone) => Some(WaitReason::Busy),
            Some(phone) => phone.in_the_way,
        };
        match now_waits {
            None => {
                taken.insert(&one.phone);
                steps.push(Transition::Begin(one.clone()));
            }
            Some(because) => {
                let state = still_waits(one, was, because, now);
                if state != one.state {
                    steps.push(Transition::Become(one.clone(), state));
                }
            }
        }
    }
    steps
}

/// What an earlier program left open, settled; none where it stays as it is. `missed`: what the automation wants of late
/// times.
#[must_use]
pub fn recover(one: &Occurrence, missed: MissedRun, run: RunKnown, now: Millis) -> Option<OccurrenceState> {
    match (&one.state, run) {
        // Nothing reached the phone: it is written as running before anything does.
        (OccurrenceState::Waiting { .. }, _) => {
            let is_late = now.saturating_sub(one.due) > times::ON_TIME;
            (missed == MissedRun::Skip && is_late).then(|| skipped(SkipReason::Asleep))
        }
        (OccurrenceState::Running { run }, RunKnown::Over { end, ending, took }) => {
            let run = run.clone();
            Some(OccurrenceState::Ended {
                run,
                end,
                ending,
                took,
            })
        }
        (OccurrenceState::Running { .. }, RunKnown::Nowhere) => {
            (now.saturating_sub(one.at) >= ABOUT_TO).then(|| skipped(SkipReason::Interrupted))
        }
        _ => None,
    }
}

/// How many failures in a row there are once this is so. What says nothing of the automation itself counts nothing.
#[must_use]
pub fn failures(before: u32, state: &OccurrenceState) -> u32 {
    match state {
        OccurrenceState::Ended { end, .. } => match end {
            RunEndKind::Failed => before.saturating_add(1),
            RunEndKind::Finished | RunEndKind::Stopped => 0,
            RunEndKind::Going | RunEndKind::Interrupted | RunEndKind::Unknown => before,
        },
        OccurrenceState::Skipped {
            because: SkipReason::CouldNotBegin,
            ..
        } => before.saturating_add(1),
        _ => before,
    }
}

/// When something is to be decided again, at the latest: the next time of a schedule, or the end of a wait. With each
/// automation, up to which moment its schedule was looked at.
#[must_use]
pub fn wake<'a>(
    automations: impl IntoIterator<Item = (&'a Automation, Millis)>,
    open: &[Occurrence],
    now: Millis,
    zone: &TimeZone,
) -> Option<Millis> {
    let times = automations
        .into_iter()
        .filter_map(|(automation, since)| next(automation, since, now, zone));
    let waits = open.iter().filter_map(|one| match one.state {
        OccurrenceState::Waiting { because } if because != WaitReason::Busy => {
            Some(one.at.saturating_add(WAIT))
        }
        _ => None,
    });
    times.chain(waits).min()
}

/// When an automation begins by itself next. `since`: up to which moment its schedule was looked at.
#[must_use]
pub fn next(automation: &Automation, since: Millis, now: Millis, zone: &TimeZone) -> Option<Millis> {
    let schedule = automation.plan.schedule.as_ref()?;
    let begins = automation.held.is_none() && !is_over(&automation.plan, since);
    begins.then(|| times::next(schedule, now, zone))?
}

/// The occurrence as a run.
#[must_use]
pub fn running(run: RunId) -> OccurrenceState {
    OccurrenceState::Running { run }
}

/// It was not done, for a reason that needs no sentence of its own.
#[must_use]
pub fn skipped(because: SkipReason) -> OccurrenceState {
    OccurrenceState::Skipped {
        because,
        failure: None,
    }
}

/// The phones of a plan, as they are. Where every connected phone is meant and none is, one without a name stands for them,
/// so that the time is not left without a word.
fn places(wanted: &AutomationPhones, phones: &[PhoneNow]) -> Vec<PhoneNow> {
    let missing = |id: PhoneId| PhoneNow {
        name: String::new(),
        id,
        in_the_way: Some(WaitReason::Missing),
    };
    match wanted {
        AutomationPhones::These { phones: wanted } => {
            let mut seen = BTreeSet::new();
            wanted
                .iter()
                .filter(|id| seen.insert(*id))
                .map(|id| {
                    let known = phones.iter().find(|phone| phone.id == *id);
                    known.cloned().unwrap_or_else(|| missing(id.clone()))
                })
                .collect()
        }
        AutomationPhones::All => {
            let is_there = |phone: &&PhoneNow| phone.in_the_way != Some(WaitReason::Missing);
            let there: Vec<_> = phones.iter().filter(is_there).cloned().collect();
            if there.is_empty() {
                vec![missing(PhoneId(String::new()))]
            } else {
                there
            }
        }
    }
}

/// How one begins its life. It waits at first even where nothing is in its way: what waits never touched a phone.
fn first_state(automation: &Automation, place: &PhoneNow, open: &[Occurrence]) -> OccurrenceState {
    if place.id.0.is_empty() {
        return OccurrenceState::Skipped {
            because: SkipReason::PhoneMissing,
            failure: Some(FailureCode::PhoneGone),
        };
    }
    let is_open = open
        .iter()
        .any(|one| one.automation == automation.id && one.phone == place.id);
    if is_open {
        return skipped(SkipReason::StillRunning);
    }
    OccurrenceState::Waiting {
        because: place.in_the_way.unwrap_or(WaitReason::Busy),
    }
}

/// One that cannot begin yet. Another task is waited for as long as it takes, a phone that cannot be used for [`WAIT`].
fn still_waits(one: &Occurrence, was: WaitReason, because: WaitReason, now: Millis) -> OccurrenceState {
    let is_over = was != WaitReason::Busy && now.saturating_sub(one.at) >= WAIT;
    let (reason, failure) = match because {
        WaitReason::Missing => (SkipReason::PhoneMissing, Some(FailureCode::PhoneGone)),
        WaitReason::Locked => (SkipReason::PhoneLocked, Some(FailureCode::PhoneLocked)),
        WaitReason::LowBattery => (SkipReason::LowBattery, None),
        WaitReason::Busy => return OccurrenceState::Waiting { because },
    };
    if is_over {
        return OccurrenceState::Skipped {
            because: reason,
            failure,
        };
    }
    OccurrenceState::Waiting { because }
}

/// The same occurrence in another state. A wait for the phone goes on counting where only its reason is another.
#[must_use]
pub fn becomes(one: &Occurrence, state: OccurrenceState, now: Millis) -> Occurrence {
    let is_same_wait = |state: &OccurrenceState| matches!(state, OccurrenceState::Waiting { because } if *because != WaitReason::Busy);
    let at = if is_same_wait(&one.state) && is_same_wait(&state) {
        one.at
    } else {
        now
    };
    Occurrence {
        state,
        at,
        ..one.clone()
    }
}
