//! The door for others: phones, and the ways to reach them.

mod console;
mod handle;
mod running;
mod wireless;

pub use handle::PhoneHandle;
pub(crate) use running::Heed;
pub use wireless::Pairing;
pub(crate) use wireless::Wireless;

use crate::android::Android;
use crate::clock::Speed;
use crate::fault::Fault;
use crate::phone::{Hub, Link, Phone};
use crate::server;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// So many bytes lie between a client in this process and the server before the writer waits.
const BUFFER: usize = 1024 * 1024;

/// 9:41 on 14 May 2024.
const MORNING: Duration = Duration::from_secs(1_715_679_660);

/// How a phone is attached to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By cable, at a port of the bus: `1-4` is listed as `usb:1-4`. Where a phone is at that port already, the next one
    /// that is free.
    Usb(String),
    /// Over the network: its serial is its address, and `host:disconnect:` takes it away.
    Network,
}

/// How a phone is added.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long it takes for what it does.
    pub speed: Speed,
    /// What is wrong with it from the start.
    pub faults: Vec<Fault>,
    /// Its serial in the server's list; `None`: its own (`ro.serialno`).
    pub serial: Option<String>,
    /// How it is attached.
    pub transport: Transport,
    /// Its date and time of day (UTC) when it is added: by default what the system's screens show, 9:41 on Tuesday, 14 May
    /// 2024.
    pub born: SystemTime,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            speed: Speed::Phone,
            faults: Vec::new(),
            serial: None,
            transport: Transport::Usb("1-1".to_owned()),
            born: UNIX_EPOCH + MORNING,
        }
    }
}

/// A phone, as the server knows it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) phone: Arc<Phone>,
    /// The way to it: its own cable, or another.
    pub(crate) link: Arc<Link>,
    pub(crate) serial: String,
    pub(crate) transport: Transport,
}

impl Slot {
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

/// An adb server with its phones, and every task that belongs to them. Dropping it ends them all.
#[derive(Debug)]
pub struct Host {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    slots: Mutex<Vec<Slot>>,
    pub(crate) hub: Hub,
    wireless: Mutex<Wireless>,
    /// Ends every session when the server goes down; none while it is down.
    running: watch::Sender<Option<CancellationToken>>,
    requests: AtomicU32,
    pub(crate) stopped: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

impl Shared {
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
    fn attach(&self, phone: &Arc<Phone>, serial: String, transport: Transport) -> Slot {
        let slot = {
            let mut slots = self.lock();
            let slot = Slot {
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

    fn lock(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every phone, plugged in or not, in the order they were added.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.lock().clone()
    }
}

/// The transport that is wished, at a port nobody is at.
fn free(slots: &[Slot], wished: Transport) -> Transport {
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

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// A server without phones.
    #[must_use]
    pub fn new() -> Self {
        let stopped = CancellationToken::new();
        Self {
            shared: Arc::new(Shared {
                slots: Mutex::default(),
                hub: Hub::default(),
                wireless: Mutex::default(),
                running: watch::Sender::new(Some(stopped.child_token())),
                requests: AtomicU32::new(0),
                stopped,
                tasks: TaskTracker::new(),
            }),
        }
    }

    /// Plugs a phone in.
    pub fn add(&self, android: Box<dyn Android>, options: Options) -> PhoneHandle {
        let stopped = self.shared.stopped.child_token();
        let phone = Arc::new(Phone::new(
            android,
            options.speed,
            options.born,
            self.shared.hub.clone(),
            stopped,
        ));
        phone.begin_with(&options.faults);
        let serial = options.serial.unwrap_or_else(|| phone.profile.serial.clone());
        let slot = {
            let mut slots = self.shared.lock();
            let slot = Slot {
                link: Arc::clone(&phone.link),
                phone,
                serial,
                transport: free(&slots, options.transport),
            };
            slots.push(slot.clone());
            slot
        };
        self.shared.hub.tell();
        PhoneHandle::new(slot, Arc::clone(&self.shared))
    }

    /// Every phone that was added, plugged in or not.
    #[must_use]
    pub fn phones(&self) -> Vec<PhoneHandle> {
        self.shared
            .slots()
            .into_iter()
            .map(|slot| PhoneHandle::new(slot, Arc::clone(&self.shared)))
            .collect()
    }

    /// A connection to the server's smart socket inside this process. Must be called on a tokio runtime.
    #[must_use]
    pub fn open(&self) -> DuplexStream {
        let (near, far) = tokio::io::duplex(BUFFER);
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.spawn(server::serve(shared, far));
        near
    }

    /// Answers as an adb server on `listener`. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// When the listener does not tell its address.
    pub fn serve(&self, listener: TcpListener) -> io::Result<SocketAddr> {
        let address = listener.local_addr()?;
        let shared = Arc::clone(&self.shared);
        self.shared
            .tasks
            .spawn(running::listen(shared, listener, address));
        Ok(address)
    }

    /// Takes the server down: every connection ends, and none is taken.
    pub fn stop_server(&self) {
        self.shared.go_down();
    }

    /// Brings the server up again, with new numbers for its transports. Nothing when it is up.
    pub fn start_server(&self) {
        self.shared.come_up();
    }

    /// Ends everything and waits until it has ended.
    pub async fn stop(self) {
        self.shared.stopped.cancel();
        for slot in self.shared.slots() {
            slot.phone.tasks.close();
            slot.phone.tasks.wait().await;
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.shared.stopped.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::{Host, Options, Transport};

    #[test]
    fn two_cables_never_share_a_port() {
        let host = Host::new();
        for (wished, given) in [
            ("1-1", "1-1"),
            ("1-1", "1-2"),
            ("2-1.4", "2-1.4"),
            ("2-1.4", "2-1.5"),
            ("1-1", "1-3"),
        ] {
            let options = Options {
                transport: Transport::Usb(wished.to_owned()),
                ..Options::default()
            };
            let _ = host.add(crate::testing::Fake::boxed(), options);
            let last = host.shared.slots().pop().map(|slot| slot.transport);
            assert_eq!(last, Some(Transport::Usb(given.to_owned())));
        }
    }
}
