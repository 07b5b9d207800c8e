//! What the server, its phones' handles and its sessions share.

use super::wireless::Wireless;
use crate::fault::Fault;
use crate::phone::{Hub, Link, Phone};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How a phone is attached to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By cable, at a port of the bus: `1-4` is listed as `usb:1-4`. Where a phone is at that port already, the next one
    /// that is free.
    Usb(String),
    /// Over the network: its serial is its address, and `host:disconnect:` takes it away.
    Network,
}

/// A phone, as the server knows it.
#[derive(Clone, Debug)]
pub(crate) struct AttachedPhone {
    pub(crate) phone: Arc<Phone>,
    /// The way to it: its own cable, or another.
    pub(crate) link: Arc<Link>,
    pub(crate) serial: String,
    pub(crate) transport: Transport,
}

impl AttachedPhone {
    fn is_first(&self) -> bool {
        Arc::ptr_eq(&self.link, &self.phone.link)
    }

    /// Takes this way away.
    pub(crate) fn unplug(&self) {
        if self.is_first() {
            self.phone.unplug();
        } else {
            self.link.unplug();
        }
    }

    /// Opens it again.
    pub(crate) fn plug(&self) {
        if self.is_first() {
            self.phone.replug();
        } else {
            self.link.replug();
        }
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    slots: Mutex<Vec<AttachedPhone>>,
    pub(crate) hub: Hub,
    wireless: Mutex<Wireless>,
    /// Ends every session when the server goes down; none while it is down.
    pub(super) running: watch::Sender<Option<CancellationToken>>,
    pub(super) requests: AtomicU32,
    pub(crate) stopped: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

impl Shared {
    pub(super) fn new() -> Self {
        let stopped = CancellationToken::new();
        Self {
            slots: Mutex::default(),
            hub: Hub::default(),
            wireless: Mutex::default(),
            running: watch::Sender::new(Some(stopped.child_token())),
            requests: AtomicU32::new(0),
            stopped,
            tasks: TaskTracker::new(),
        }
    }

    /// A phone by its own cable, in the list from now on.
    pub(super) fn enter(&self, phone: Arc<Phone>, serial: String, transport: Transport) -> AttachedPhone {
        let slot = {
            let mut slots = self.lock();
            let slot = AttachedPhone {
                link: Arc::clone(&phone.link),
                phone,
                serial,
                transport: free(&slots, transport),
            };
            slots.push(slot.clone());
            slot
        };
        self.hub.tell();
        slot
    }

    /// Whether anything is wrong with the server: any of its phones can say so.
    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.lock().iter().any(|slot| slot.phone.has(fault))
    }

    /// adb 29, not 36.
    pub(crate) fn is_old(&self) -> bool {
        self.has(Fault::OldServer)
    }

    pub(crate) fn wireless(&self) -> MutexGuard<'_, Wireless> {
        self.wireless.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another way to a phone, in the list from now on.
    pub(super) fn attach(&self, phone: &Arc<Phone>, serial: String, transport: Transport) -> AttachedPhone {
        let slot = {
            let mut slots = self.lock();
            let slot = AttachedPhone {
                phone: Arc::clone(phone),
                link: Arc::new(Link::new(&phone.stopped, self.hub.clone())),
                serial,
                transport: free(&slots, transport),
            };
            slots.push(slot.clone());
            slot
        };
        self.hub.tell();
        slot
    }

    fn lock(&self) -> MutexGuard<'_, Vec<AttachedPhone>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every phone, plugged in or not, in the order they were added.
    pub(crate) fn slots(&self) -> Vec<AttachedPhone> {
        self.lock().clone()
    }
}

/// The transport that is wished, at a port nobody is at.
fn free(slots: &[AttachedPhone], wished: Transport) -> Transport {
    let mut transport = wished;
    while let Transport::Usb(port) = &transport
        && slots.iter().any(|slot| slot.transport == transport)
    {
        // `2-1.4`: port 4 of the hub at port 1 of bus 2.
        let start = port.rfind(['-', '.']).map_or(0, |at| at + 1);
        let next = port[start..]
            .parse::<u32>()
            .map_or(1, |number| number.saturating_add(1));
        transport = Transport::Usb(format!("{}{next}", &port[..start]));
    }
    transport
}
