//! Following the phones: the list goes to the hub, and a run whose phone is back hears of it.
//!
//! A phone with a task stays on the list when its cable comes out, as offline: its task is paused, and a person wants to
//! see that. Each keeps its place: adb lists them by serial number, and tiles that change places are tapped wrongly.

use crate::event_hub::EventHub;
use crate::phone_retry::For;
use crate::phone_session::PhoneSessions;
use adb::Listing;
use agent::Handle;
use futures::future::{FutureExt as _, pending, select_all};
use protocol::{Failure, Op, Phone, PhoneId, PhoneState, Server};
use std::collections::BTreeSet;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

pub(crate) fn follow(
    mut listing: watch::Receiver<Listing>,
    hub: EventHub,
    sessions: PhoneSessions,
) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut there: BTreeSet<PhoneId> = BTreeSet::new();
        let mut troubles: Vec<(Server, Failure)> = Vec::new();
        let mut shown: Vec<Phone> = Vec::new();
        let mut places = Places::default();
        let mut tries = hub.retry.tries();
        loop {
            let now = listing.borrow_and_update().clone();
            let usable: BTreeSet<PhoneId> = now
                .phones
                .iter()
                .filter(|p| p.state == PhoneState::Device)
                .map(|p| p.id.clone())
                .collect();
            for back in usable.difference(&there) {
                if let Some(run) = sessions.at(back).live() {
                    run.phone_is_back();
                }
            }
            there = usable;
            for (phone, what) in tries.now(|phone| there.contains(phone)) {
                let Some(run) = sessions.at(&phone).live() else {
                    continue;
                };
                match what {
                    For::Phone => run.phone_is_back(),
                    // It is sent at once: nothing is waited for.
                    For::Journal => hub.retry.unless_held(&phone, || {
                        let _ = run.steer(Op::Resume).now_or_never();
                    }),
                }
            }
            for (server, failure) in &now.troubles {
                if !troubles
                    .iter()
                    .any(|(s, f)| s == server && f.code == failure.code)
                {
                    tracing::info!(?server, ?failure, "an adb server cannot be asked");
                    hub.trouble(failure.clone());
                }
            }
            troubles = now.troubles;
            let (mut phones, missed) = with_missed(now.phones, &shown, &sessions);
            places.sort(&mut phones);
            shown.clone_from(&phones);
            hub.set_phones(phones, now.looking);
            tokio::select! {
                changed = listing.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                // A run waits for a phone that is on the list: it is tried again.
                () = tries.next(|phone| there.contains(phone)) => {}
                // The task of a phone that is gone is over: so is its place on the list.
                () = any_over(&missed) => {}
            }
        }
    }))
}

/// Where each phone stands: by when it was first seen.
#[derive(Default)]
struct Places(Vec<PhoneId>);

impl Places {
    fn sort(&mut self, phones: &mut [Phone]) {
        for phone in phones.iter() {
            if !self.0.contains(&phone.id) {
                self.0.push(phone.id.clone());
            }
        }
        phones.sort_by_key(|phone| self.0.iter().position(|id| *id == phone.id));
    }
}

/// The phones that are there, and those that were and have a task still; with the runs that keep these.
fn with_missed(there: Vec<Phone>, shown: &[Phone], sessions: &PhoneSessions) -> (Vec<Phone>, Vec<Handle>) {
    let mut phones = there;
    let mut runs = Vec::new();
    for phone in shown {
        if phones.iter().any(|p| p.id == phone.id) {
            continue;
        }
        if let Some(run) = sessions.at(&phone.id).live() {
            let mut missed = phone.clone();
            missed.state = PhoneState::Offline;
            phones.push(missed);
            runs.push(run);
        }
    }
    (phones, runs)
}

async fn any_over(runs: &[Handle]) {
    if runs.is_empty() {
        return pending().await;
    }
    select_all(runs.iter().map(|run| Box::pin(run.wait_over()))).await;
}
