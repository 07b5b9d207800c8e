//! Remembered phones over Wi-Fi, connected again whenever they are there.
//!
//! A phone changes its port each time its wireless debugging is turned on, and its address with the network; the name it
//! announces stays. Where it is now is told by the adb server, which searches by itself, and by a pairing page while one is
//! open; nothing is searched for here.

use crate::Engine;
use crate::engine::Inner;
use adb::wireless::{Announcement, AnnouncementKind, BY_NAME};
use adb::{AdbError, AdbServer, Listing};
use futures::future::join_all;
use protocol::{Connection, PhoneId, PhoneState, Server, WirelessPhone};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Weak;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

/// Before a remembered phone is tried again, doubled to the last.
const SOONEST: Duration = Duration::from_secs(5);
const LATEST: Duration = Duration::from_secs(120);

/// What [`keep`] follows.
pub(crate) struct ReconnectInputs {
    /// The phones to keep connected.
    pub(crate) wanted: watch::Receiver<Vec<WirelessPhone>>,
    pub(crate) listing: watch::Receiver<Listing>,
    /// What an open pairing page sees.
    pub(crate) around: watch::Receiver<Vec<Announcement>>,
    /// What is learned of them, to be written down.
    pub(crate) updates: mpsc::UnboundedSender<(WirelessPhone, WirelessPhoneUpdate)>,
}

/// What is learned of a remembered phone.
pub(crate) enum WirelessPhoneUpdate {
    /// It is at another address now.
    Address(String),
    /// Which phone it is.
    Identity(PhoneId),
}

/// Whether a serial is a phone's name on the network, and no address.
pub(crate) fn is_name(serial: &str) -> bool {
    serial.contains("._adb")
}

/// What a remembered phone may be listed under.
pub(crate) fn serials(phone: &WirelessPhone) -> Vec<String> {
    let mut all = vec![phone.address.clone()];
    if !phone.service.is_empty() {
        all.push(format!("{}.{BY_NAME}", phone.service));
    }
    all.retain(|one| !one.is_empty());
    all.dedup();
    all
}

/// The connections to a remembered phone.
fn lines<'a>(listing: &'a Listing, phone: &'a WirelessPhone) -> impl Iterator<Item = &'a Connection> {
    listing.connections.iter().filter(|line| {
        matches!(line.server, Server::Local { .. })
            && (line.serial == phone.address
                || !phone.service.is_empty() && line.serial.starts_with(phone.service.as_str()))
    })
}

/// How a remembered phone stands on the list: `None` when it is not on it.
fn listed(listing: &Listing, phone: &WirelessPhone) -> Option<PhoneState> {
    lines(listing, phone)
        .map(|line| line.state)
        .min_by_key(|state| u8::from(*state == PhoneState::Offline))
}

/// Which phone a remembered one is, where that is not known yet. Addresses are given out anew: another that is remembered may
/// be at one's address, and is not taken for it.
fn identity(listing: &Listing, phone: &WirelessPhone, all: &[WirelessPhone]) -> Option<PhoneId> {
    if phone.phone.is_some() {
        return None;
    }
    let is_usable = |line: &&Connection| line.state == PhoneState::Device;
    let is_free = |id: &&PhoneId| all.iter().all(|one| one.phone.as_ref() != Some(id));
    let mut ids = lines(listing, phone).filter(is_usable).map(|line| &line.phone);
    ids.find(is_free).cloned()
}

/// Where a name is announced just now.
fn announced_at<'a>(found: &'a [Announcement], service: &'a str) -> impl Iterator<Item = String> + 'a {
    let ours = found.iter().filter(move |one| {
        one.kind == AnnouncementKind::Connects && !service.is_empty() && one.service == service
    });
    ours.flat_map(|one| one.addresses.iter().map(ToString::to_string))
}

/// The name a phone announces at an address, as the server or an open pairing page sees it; empty where nobody does.
pub(crate) async fn service_at(server: &AdbServer, serial: &str, around: &[Announcement]) -> String {
    if let Some((service, _)) = serial.split_once("._adb") {
        return service.to_owned();
    }
    let told = server.announced().await.unwrap_or_default();
    let all = around.iter().chain(&told);
    all.filter(|one| one.kind == AnnouncementKind::Connects)
        .find(|one| one.addresses.iter().any(|address| address.to_string() == serial))
        .map(|one| one.service.clone())
        .unwrap_or_default()
}

/// Connects a phone where it is: gives the serial it is listed under then.
///
/// # Errors
/// Why not, where it was last.
pub(crate) async fn connect(
    server: &AdbServer,
    phone: &WirelessPhone,
    around: &[Announcement],
) -> Result<String, AdbError> {
    let mut ways: Vec<String> = announced_at(around, &phone.service).collect();
    if !phone.service.is_empty() {
        let told = server.announced().await.unwrap_or_default();
        ways.extend(announced_at(&told, &phone.service));
    }
    ways.extend(serials(phone));
    let mut tried = BTreeSet::new();
    let mut why = None;
    for way in ways {
        if !tried.insert(way.clone()) {
            continue;
        }
        match server.connect_phone(&way).await {
            Ok(_) => return Ok(way),
            Err(error) => {
                tracing::debug!(%error, "a phone is not there");
                if why.is_none() || way == phone.address {
                    why = Some(error);
                }
            }
        }
    }
    Err(why.unwrap_or_else(|| AdbError::BadAddress(String::new())))
}

/// Connects remembered phones whenever they are missing.
pub(crate) async fn keep(server: AdbServer, follow: ReconnectInputs) {
    let ReconnectInputs {
        mut wanted,
        mut listing,
        mut around,
        updates,
    } = follow;
    let mut due: BTreeMap<String, (Instant, Duration)> = BTreeMap::new();
    let mut seen: Vec<Announcement> = Vec::new();
    loop {
        let list = listing.borrow_and_update().clone();
        let phones = wanted.borrow_and_update().clone();
        let found = around.borrow_and_update().clone();
        // A server that cannot be asked cannot connect; when it is back, the list changes.
        let deaf = list.looking
            || list
                .troubles
                .iter()
                .any(|(server, _)| matches!(server, Server::Local { .. }));
        let now = Instant::now();
        let mut tries = Vec::new();
        for phone in phones.iter().filter(|_| !deaf) {
            let state = listed(&list, phone);
            let key = key(phone);
            // One that shows up is not kept waiting.
            let is_new = announced_at(&found, &phone.service)
                .any(|one| announced_at(&seen, &phone.service).all(|before| before != one));
            if is_new || state.is_some_and(|state| state != PhoneState::Offline) {
                due.remove(&key);
            }
            if state.is_some_and(|state| state != PhoneState::Offline) {
                if let Some(id) = identity(&list, phone, &phones) {
                    let _ = updates.send((phone.clone(), WirelessPhoneUpdate::Identity(id)));
                }
                continue;
            }
            let (at, wait) = due.entry(key).or_insert((now, SOONEST));
            if *at <= now {
                *at = now + *wait;
                *wait = (*wait * 2).min(LATEST);
                tries.push(again(&server, phone, &found, state.is_some(), &updates));
            }
        }
        due.retain(|name, _| phones.iter().any(|phone| key(phone) == *name));
        join_all(tries).await;
        seen = found;
        let soonest = due.values().map(|(at, _)| *at).min().filter(|_| !deaf);
        let later = async {
            match soonest {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = listing.changed() => if changed.is_err() { return },
            changed = wanted.changed() => if changed.is_err() { return },
            changed = around.changed() => if changed.is_err() { return },
            () = later => {}
        }
    }
}

/// What a remembered phone is told apart by.
pub(crate) fn key(phone: &WirelessPhone) -> String {
    let name = if phone.service.is_empty() {
        &phone.address
    } else {
        &phone.service
    };
    name.clone()
}

async fn again(
    server: &AdbServer,
    phone: &WirelessPhone,
    around: &[Announcement],
    hangs: bool,
    updates: &mpsc::UnboundedSender<(WirelessPhone, WirelessPhoneUpdate)>,
) {
    if hangs {
        // A connection that hangs is kept by the server until it is told to let go.
        for serial in serials(phone) {
            let _ = server.disconnect_phone(&serial).await;
        }
    }
    if let Ok(serial) = connect(server, phone, around).await
        && serial != phone.address
        && !is_name(&serial)
    {
        let _ = updates.send((phone.clone(), WirelessPhoneUpdate::Address(serial)));
    }
}

/// Writes down what is learned of phones, as long as the engine is there.
pub(crate) async fn write_down(
    engine: Weak<Inner>,
    mut updates: mpsc::UnboundedReceiver<(WirelessPhone, WirelessPhoneUpdate)>,
) {
    while let Some((phone, what)) = updates.recv().await {
        let Some(inner) = engine.upgrade() else { return };
        if let Err(failure) = (Engine { inner }).update_remembered(&phone, what).await {
            tracing::warn!(?failure, "what was learned of a phone is not written down");
        }
    }
}
