//! What of automations is true while the program runs.

use super::connection_tracker::ConnectionTracker;
use super::filled_task::FilledTask;
use super::replay_session::Replaying;
use super::time::{ComputerTime, TimeOfDay};
use protocol::{AutomationId, Millis, Occurrence, PhoneId, RunId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

/// What of automations is true while the program runs.
pub(crate) struct Automations {
    pub(crate) time: Arc<dyn TimeOfDay>,
    /// Whether they begin by themselves in this program.
    pub(super) by_themselves: bool,
    pub(super) turn: Arc<tokio::sync::Mutex<TickState>>,
    /// What is read to be told is told before it is read again: older cards never replace newer ones.
    pub(super) telling: tokio::sync::Mutex<()>,
    /// Something is to be decided anew.
    pub(super) told: Arc<Notify>,
    /// Those that the person began and that are open: what was asked for at the start is kept nowhere else.
    pub(super) asked: Mutex<BTreeMap<Identity, FilledTask>>,
    /// What the runs that go on repeat.
    pub(super) replaying: Mutex<BTreeMap<RunId, Replaying>>,
    /// What phones told of, until the next look.
    pub(super) happened: Mutex<Vec<TriggerEvent>>,
    /// The scheduler's tasks.
    pub(super) tasks: Mutex<Vec<AbortOnDropHandle<()>>>,
}

/// Something on a phone that an automation waited for.
pub(super) struct TriggerEvent {
    pub(super) automation: AutomationId,
    pub(super) phone: PhoneId,
}

/// What an earlier look leaves for the next.
#[derive(Default)]
pub(super) struct TickState {
    /// What an earlier program left open is settled.
    pub(super) is_recovered: bool,
    pub(super) connected: ConnectionTracker,
    /// Phones that came, and when, as long as what that makes due is not written down.
    pub(super) came: BTreeMap<PhoneId, Millis>,
    /// What they notified of, in the same way.
    pub(super) happened: BTreeMap<(AutomationId, PhoneId), Millis>,
}

/// What an occurrence is told apart by.
pub(super) type Identity = (AutomationId, PhoneId, Millis);

pub(super) fn identity(one: &Occurrence) -> Identity {
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

    pub(super) fn happened(&self) -> MutexGuard<'_, Vec<TriggerEvent>> {
        self.happened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn asked(&self) -> MutexGuard<'_, BTreeMap<Identity, FilledTask>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn replaying(&self) -> MutexGuard<'_, BTreeMap<RunId, Replaying>> {
        self.replaying.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
