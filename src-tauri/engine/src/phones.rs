//! Following the phones: the list goes to the hub, and a run whose phone is back hears of it.
//!
//! A phone with a task stays on the list when its cable comes out, as offline: its task is paused, and a person wants to
//! see that. Each keeps its place: adb lists them by serial number, and tiles that change places are tapped wrongly. The
//! person's own names and order ([`PhoneLabel`]) go before what the phones say.

use crate::event_hub::EventHub;
use crate::phone_retry::RetryReason;
use crate::phone_session::PhoneSessions;
use adb::Listing;
use agent::Handle;
use futures::future::{FutureExt as _, pending, select_all};
use protocol::{Failure, Op, Phone, PhoneId, PhoneLabel, PhoneState, Server};
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
        let mut schedule = hub.retry.schedule();
        let mut settings = hub.settings();
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
            for (phone, what) in schedule.now(|phone| there.contains(phone)) {
                let Some(run) = sessions.at(&phone).live() else {
                    continue;
                };
                match what {
                    RetryReason::Phone => run.phone_is_back(),
                    // It is sent at once: nothing is waited for.
                    RetryReason::Journal => hub.retry.unless_held(&phone, || {
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
            shown.clone_from(&phones);
            let labels = settings.borrow_and_update().phones.clone();
            places.sort(&mut phones, &labels);
            phones.iter_mut().for_each(|phone| call(phone, &labels));
            hub.set_phones(phones, now.looking);
            tokio::select! {
                changed = listing.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                changed = settings.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                // A run waits for a phone that is on the list: it is tried again.
                () = schedule.next(|phone| there.contains(phone)) => {}
                // The task of a phone that is gone is over: so is its place on the list.
                () = any_over(&missed) => {}
            }
        }
    }))
}

/// Characters of a name a person gives: more would push everything else out of a tile.
const LONGEST_NAME: usize = 60;

/// The phone by the name the person gave it, where they gave one.
pub(crate) fn call(phone: &mut Phone, labels: &[PhoneLabel]) {
    let name = labels
        .iter()
        .find(|label| label.phone == phone.id)
        .map(|label| label.name.trim());
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        phone.name = name.chars().take(LONGEST_NAME).collect();
    }
}

/// Where each phone stands: where the person put it, else by when it was first seen.
#[derive(Default)]
struct Places(Vec<PhoneId>);

impl Places {
    fn sort(&mut self, phones: &mut [Phone], labels: &[PhoneLabel]) {
        for phone in phones.iter() {
            if !self.0.contains(&phone.id) {
                self.0.push(phone.id.clone());
            }
        }
        phones.sort_by_key(|phone| {
            let own = labels.iter().position(|label| label.phone == phone.id);
            (
                own.unwrap_or(labels.len()),
                self.0.iter().position(|id| *id == phone.id),
            )
        });
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    #[test]
    fn the_persons_names_and_order_go_first() {
        let phone = |id: &str| -> Phone {
            let told = serde_json::json!({
                "id": id, "name": id.to_uppercase(), "state": "device", "transport": "usb", "demo": false,
            });
            serde_json::from_value(told).unwrap()
        };
        let check = |labels: &[(&str, &str)], expected: &[&str]| {
            let labels: Vec<PhoneLabel> = labels
                .iter()
                .map(|&(id, name)| PhoneLabel {
                    phone: id.into(),
                    name: name.to_owned(),
                })
                .collect();
            let mut places = Places::default();
            places.sort(&mut [phone("c")], &[]);
            let mut phones = vec![phone("a"), phone("b"), phone("c")];
            places.sort(&mut phones, &labels);
            phones.iter_mut().for_each(|phone| call(phone, &labels));
            let names: Vec<&str> = phones.iter().map(|phone| phone.name.as_str()).collect();
            assert_eq!(names, expected, "{labels:?}");
        };
        // As they were first seen.
        check(&[], &["C", "A", "B"]);
        check(&[("b", ""), ("c", "")], &["B", "C", "A"]);
        check(&[("a", " Mum’s "), ("b", "  ")], &["Mum’s", "B", "C"]);
        // Of a phone that is not here, nothing is said.
        check(&[("d", "Away"), ("b", "Shop")], &["Shop", "C", "A"]);
        let long = "x".repeat(100);
        check(&[("a", &long)], &["x".repeat(60).as_str(), "C", "B"]);
    }
}
