//! Who uses which phone: a run, the person's hand, or nobody. One session a phone, and one lock a phone for every process
//! of the product.

use crate::EngineError;
use crate::ongoing_touch::OngoingTouch;
use agent::{Grip, Handle, Lease};
use protocol::{Phone, PhoneId, RunId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::phone_lock::{self, PhoneLock};

/// Every session. Clones are the same sessions.
#[derive(Clone, Default)]
pub(crate) struct PhoneSessions {
    sessions: Arc<Mutex<BTreeMap<PhoneId, Arc<PhoneSession>>>>,
}

/// One phone's session.
#[derive(Default)]
pub(crate) struct PhoneSession {
    pub(crate) lease: Lease,
    /// A person's touches go one after another.
    pub(crate) turns: Arc<tokio::sync::Mutex<()>>,
    /// The finger that is followed just now.
    pub(crate) touch: Mutex<Option<OngoingTouch>>,
    held: Mutex<SessionState>,
}

#[derive(Default)]
struct SessionState {
    run: Option<Handle>,
    /// A run is to come: the phone is kept for it.
    reserved: bool,
    /// The person's grip while a run is taken over.
    person: Option<Grip>,
    lock: Option<PhoneLock>,
    /// The grip and the lock of the person's hand while no run lives, and how many hold it.
    hand: Option<(Grip, Option<PhoneLock>)>,
    holds: usize,
}

/// The right of the person's hand. Dropped, it is given back: a run, or another window of the product, may have the
/// phone next.
pub(crate) struct HandControl {
    pub(crate) grip: Grip,
    /// Nothing where the grip is a run's that was taken over.
    session: Option<Arc<PhoneSession>>,
}

impl Drop for HandControl {
    fn drop(&mut self) {
        let Some(session) = &self.session else { return };
        let mut held = session.held();
        // Another hand, or a run, has it by now.
        if !held
            .hand
            .as_ref()
            .is_some_and(|(grip, _)| grip.is_same(&self.grip))
        {
            return;
        }
        held.holds = held.holds.saturating_sub(1);
        if held.holds == 0 {
            held.hand = None;
            self.grip.release();
        }
    }
}

impl PhoneSessions {
    fn sessions(&self) -> MutexGuard<'_, BTreeMap<PhoneId, Arc<PhoneSession>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn at(&self, phone: &PhoneId) -> Arc<PhoneSession> {
        Arc::clone(self.sessions().entry(phone.clone()).or_default())
    }

    /// Every run that lives, or is over and not wholly written down yet.
    pub(crate) fn unwritten(&self) -> Vec<Handle> {
        self.sessions()
            .values()
            .filter_map(|session| session.held().run.clone())
            .collect()
    }

    pub(crate) fn of_run(&self, run: &RunId) -> Option<(Arc<PhoneSession>, Handle)> {
        let sessions = self.sessions();
        sessions.values().find_map(|session| {
            let handle = session.live().filter(|handle| handle.run == *run)?;
            Some((Arc::clone(session), handle))
        })
    }
}

impl PhoneSession {
    fn held(&self) -> MutexGuard<'_, SessionState> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run that lives here.
    pub(crate) fn live(&self) -> Option<Handle> {
        self.held().run.clone().filter(|handle| !handle.is_over())
    }

    /// Locks the phone for a run to come, against every process and every other run of this one: until [`Self::begin`] or
    /// [`Self::unreserve`], whatever is waited for in between.
    pub(crate) fn reserve(&self, phone: &Phone) -> Result<(), EngineError> {
        let mut held = self.held();
        if held.reserved || held.run.as_ref().is_some_and(|handle| !handle.is_over()) {
            return Err(EngineError::RunLives);
        }
        held.person = None;
        // One that is over may not have left yet: it has nothing here any more.
        held.run = None;
        // What the hand had under way ends when the run takes the lease; its lock is the run's from now on.
        let guard = held.hand.take().and_then(|(_, guard)| guard);
        held.lock = held.lock.take().or(guard);
        if held.lock.is_none() {
            held.lock = lock(phone)?;
        }
        held.reserved = true;
        Ok(())
    }

    /// The run that the phone was reserved for.
    pub(crate) fn begin(&self, handle: Handle) {
        let mut held = self.held();
        held.run = Some(handle);
        held.reserved = false;
    }

    /// The run has left. The session is free again, unless another run has it by now: one is over before its end is
    /// written down.
    pub(crate) fn end(&self, run: &RunId) {
        let mut held = self.held();
        if held.run.as_ref().is_some_and(|handle| handle.run == *run) {
            held.run = None;
            held.person = None;
            held.lock = None;
        }
    }

    /// No run will come after all.
    pub(crate) fn unreserve(&self) {
        let mut held = self.held();
        held.reserved = false;
        if held.run.is_none() {
            held.lock = None;
        }
    }

    /// The person takes the phone from the run.
    pub(crate) fn take_over(&self, handle: &Handle) {
        let grip = handle.take_over();
        self.held().person = Some(grip);
    }

    pub(crate) fn hand_back(&self) {
        self.held().person = None;
    }

    /// The person's hold: that of a run taken over, or a new one where no run lives. Several at a time are one: a touch
    /// does not end a file that is on its way.
    pub(crate) fn person(self: &Arc<Self>, phone: &Phone) -> Result<HandControl, EngineError> {
        let mut held = self.held();
        if held.run.as_ref().is_some_and(|handle| !handle.is_over()) {
            // A run that took over by way of a question has no grip for the person yet.
            let grip = held.person.clone().filter(Grip::holds);
            let session = None;
            return grip
                .map(|grip| HandControl { grip, session })
                .ok_or(EngineError::RunLives);
        }
        let current = held
            .hand
            .as_ref()
            .map(|(grip, _)| grip.clone())
            .filter(Grip::holds);
        let grip = if let Some(grip) = current {
            grip
        } else {
            let guard = if held.lock.is_some() { None } else { lock(phone)? };
            held.person = None;
            held.holds = 0;
            let grip = self.lease.take();
            held.hand = Some((grip.clone(), guard));
            grip
        };
        held.holds += 1;
        let session = Some(Arc::clone(self));
        Ok(HandControl { grip, session })
    }

    /// The person said "Take over" in a question: the run gave the lease up already.
    pub(crate) fn taken_over_by_answer(&self) {
        let grip = self.lease.take();
        self.held().person = Some(grip);
    }
}

/// The lock every process shares. A demo phone lives in this process alone, and another's bears the same name.
fn lock(phone: &Phone) -> Result<Option<PhoneLock>, EngineError> {
    if phone.demo {
        return Ok(None);
    }
    Ok(Some(phone_lock::try_lock(&phone.id)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_phone_is_kept_for_one_run_at_a_time() {
        let phone = json!({
            "id": "p", "name": "p", "state": "device", "transport": "usb", "demo": true, "remote": null,
        });
        let phone: Phone = serde_json::from_value(phone).unwrap();
        let session = PhoneSession::default();
        session.reserve(&phone).unwrap();
        assert!(matches!(session.reserve(&phone), Err(EngineError::RunLives)));
        session.unreserve();
        session.reserve(&phone).unwrap();
    }
}
