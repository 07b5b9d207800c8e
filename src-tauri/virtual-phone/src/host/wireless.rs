//! Wireless debugging: what phones offer on the network, who is paired (`adb_wifi.cpp`, `adb_mdns.h`).

use super::shared::{Shared, Transport};
use crate::phone::Phone;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What a phone that is being paired announces, and how its guid ends (six letters; Android draws them once).
const PAIRING: &str = "_adb-tls-pairing._tcp";
const CONNECT: &str = "_adb-tls-connect._tcp";

/// "Pair device with pairing code" (or with a QR code) is open on the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The six digits, or the password of the QR code.
    pub code: String,
    /// Where it listens, `192.168.1.20:37241`. What it connects by lies at the next port.
    pub address: String,
    /// The instance name it announces: the QR code's own; none: the phone's guid.
    pub service: Option<String>,
    /// The page is open so long; none: until it is paired.
    pub lasts: Option<Duration>,
}

#[derive(Debug)]
struct Offer {
    phone: Arc<Phone>,
    pairing: Pairing,
    until: Option<Instant>,
}

#[derive(Debug)]
struct Paired {
    phone: Arc<Phone>,
    guid: String,
    address: String,
}

/// What phones offer, and those that are paired.
#[derive(Debug, Default)]
pub(crate) struct Wireless {
    offers: Vec<Offer>,
    paired: Vec<Paired>,
}

fn guid(phone: &Phone) -> String {
    format!("adb-{}-vWgJpq", phone.profile.serial)
}

/// The port after the pairing's. Invented: a phone draws both.
fn connect_address(pairing: &str) -> String {
    let (host, port) = pairing.rsplit_once(':').unwrap_or((pairing, "37240"));
    let port = port
        .parse::<u16>()
        .map_or(37241, |port| port.wrapping_add(1).max(1));
    format!("{host}:{port}")
}

impl Wireless {
    pub(super) fn add(&mut self, phone: &Arc<Phone>, pairing: Pairing) {
        self.close(phone);
        let until = pairing.lasts.map(|time| Instant::now() + time);
        self.offers.push(Offer {
            phone: Arc::clone(phone),
            pairing,
            until,
        });
    }

    pub(super) fn close(&mut self, phone: &Arc<Phone>) {
        self.offers.retain(|offer| !Arc::ptr_eq(&offer.phone, phone));
    }

    /// What is open at an address.
    pub(crate) fn offer(&mut self, address: &str) -> Option<Pairing> {
        let now = Instant::now();
        self.offers
            .retain(|offer| offer.until.is_none_or(|until| until > now));
        let found = self
            .offers
            .iter()
            .find(|offer| offer.pairing.address == address)?;
        Some(found.pairing.clone())
    }

    /// The code was right: the page closes, and the phone knows this computer. Gives its guid.
    pub(crate) fn pair(&mut self, address: &str) -> String {
        let Some(at) = self
            .offers
            .iter()
            .position(|offer| offer.pairing.address == address)
        else {
            return String::new();
        };
        let offer = self.offers.remove(at);
        let guid = guid(&offer.phone);
        self.paired.retain(|paired| paired.guid != guid);
        self.paired.push(Paired {
            phone: offer.phone,
            guid: guid.clone(),
            address: connect_address(address),
        });
        guid
    }

    /// Connects to a paired phone by its address. False: none is there.
    pub(crate) fn connect(&self, shared: &Shared, address: &str) -> bool {
        let Some(paired) = self.paired.iter().find(|paired| paired.address == address) else {
            return false;
        };
        shared.attach(&paired.phone, address.to_owned(), Transport::Network);
        true
    }

    /// Connects to a paired phone by what it announces.
    pub(crate) fn connect_by_name(&self, shared: &Shared, guid: &str) -> bool {
        let Some(paired) = self.paired.iter().find(|paired| paired.guid == guid) else {
            return false;
        };
        let serial = format!("{guid}.{CONNECT}");
        let known = shared.slots().into_iter().find(|slot| slot.serial == serial);
        match known {
            Some(slot) => slot.plug(),
            None => {
                shared.attach(&paired.phone, serial, Transport::Network);
            }
        }
        true
    }

    /// Wireless debugging was turned off and on again, perhaps in another network: it listens at another address.
    pub(super) fn relocate(&mut self, shared: &Shared, phone: &Arc<Phone>, address: &str) {
        for paired in self
            .paired
            .iter_mut()
            .filter(|one| Arc::ptr_eq(&one.phone, phone))
        {
            address.clone_into(&mut paired.address);
        }
        let cut = shared.slots().into_iter();
        cut.filter(|slot| slot.transport == Transport::Network && Arc::ptr_eq(&slot.phone, phone))
            .for_each(|slot| slot.unplug());
    }

    /// Whether a paired phone listens at another address than this.
    pub(crate) fn has_left(&self, phone: &Arc<Phone>, address: &str) -> bool {
        self.paired.iter().any(|paired| {
            Arc::ptr_eq(&paired.phone, phone) && paired.address != address && address.contains(':')
        })
    }

    /// Whether a phone's connect port lies there, paired or not.
    pub(crate) fn answers(&self, address: &str) -> bool {
        let mut ports = self.offers.iter().map(|offer| &offer.pairing.address);
        ports.any(|pairing| connect_address(pairing) == address)
    }

    /// Instance, type, address of everything announced.
    pub(crate) fn services(&mut self) -> Vec<(String, &'static str, String)> {
        let now = Instant::now();
        self.offers
            .retain(|offer| offer.until.is_none_or(|until| until > now));
        let offered = self.offers.iter().map(|offer| {
            let name = offer.pairing.service.clone();
            (
                name.unwrap_or_else(|| guid(&offer.phone)),
                PAIRING,
                offer.pairing.address.clone(),
            )
        });
        let paired = self
            .paired
            .iter()
            .map(|paired| (paired.guid.clone(), CONNECT, paired.address.clone()));
        offered.chain(paired).collect()
    }
}
