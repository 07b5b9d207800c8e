//! The phones, as far as automations mind.

use crate::{Engine, EngineError};
use futures::future::join_all;
use protocol::{HistoryQuery, Occurrence, OccurrenceState, Phone, PhoneState, WaitReason};
use schedule::decide::{LOW_BATTERY, PhoneNow};

impl Engine {
    /// Every phone that is listed, and what is in the way there. Whether one is locked is asked apart
    /// ([`Engine::see_locks`]): that takes the phone a moment.
    pub(super) fn phones_now(&self) -> Vec<PhoneNow> {
        let listing = self.inner.roster.listing();
        let listing = listing.borrow();
        let now = |phone: &Phone| PhoneNow {
            id: phone.id.clone(),
            name: phone.name.clone(),
            in_the_way: self.in_the_way(phone),
        };
        listing.phones.iter().map(now).collect()
    }

    fn in_the_way(&self, phone: &Phone) -> Option<WaitReason> {
        let is_low = |battery: &protocol::Battery| battery.percent < LOW_BATTERY && !battery.charging;
        if phone.state != PhoneState::Device {
            Some(WaitReason::Missing)
        } else if self.inner.sessions.at(&phone.id).live().is_some() {
            Some(WaitReason::Busy)
        } else {
            phone
                .battery
                .as_ref()
                .is_some_and(is_low)
                .then_some(WaitReason::LowBattery)
        }
    }

    /// Which of the phones that something waits for only the person can unlock.
    pub(super) async fn see_locks(&self, phones: &mut [PhoneNow], open: &[Occurrence]) {
        let waits = |phone: &PhoneNow| {
            open.iter()
                .any(|one| one.phone == phone.id && matches!(one.state, OccurrenceState::Waiting { .. }))
        };
        let asked = phones
            .iter_mut()
            .filter(|phone| phone.in_the_way.is_none() && waits(phone));
        join_all(asked.map(async |phone| {
            let Ok(device) = self.phone(&phone.id) else { return };
            // A phone that does not say is tried: the run says what is wrong with it.
            let is_locked = device
                .condition()
                .await
                .is_ok_and(|now| now.locked == Some(true) && now.needs_secret == Some(true));
            if is_locked {
                phone.in_the_way = Some(WaitReason::Locked);
            }
        }))
        .await;
    }

    /// What a phone that is not there was called when it last ran something.
    pub(super) async fn name_phones(&self, occurrences: &mut [Occurrence]) -> Result<(), EngineError> {
        let is_nameless = |one: &&mut Occurrence| one.phone_name.is_empty() && !one.phone.0.is_empty();
        if !occurrences.iter_mut().any(|one| is_nameless(&one)) {
            return Ok(());
        }
        let query = HistoryQuery {
            limit: Some(1),
            ..HistoryQuery::default()
        };
        let known = self.inner.store.history(&query).await?.phones;
        for one in occurrences.iter_mut().filter(is_nameless) {
            if let Some(phone) = known.iter().find(|phone| phone.id == one.phone) {
                one.phone_name.clone_from(&phone.name);
            }
        }
        Ok(())
    }
}
