//! The door for others: phones, and the ways to reach them.

mod handle;

pub use handle::PhoneHandle;

use crate::android::Android;
use crate::clock::Speed;
use crate::fault::Fault;
use crate::phone::{Hub, Phone};
use crate::server;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// So many bytes lie between a client in this process and the server before the writer waits.
const BUFFER: usize = 1024 * 1024;

/// How a phone is attached to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By cable, at a port of the bus: `1-4` is listed as `usb:1-4`.
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
    /// Its time of day when it is added.
    pub born: SystemTime,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            speed: Speed::Phone,
            faults: Vec::new(),
            serial: None,
            transport: Transport::Usb("1-1".to_owned()),
            born: SystemTime::now(),
        }
    }
}

/// A phone, as the server knows it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) phone: Arc<Phone>,
    pub(crate) serial: String,
    pub(crate) transport: Transport,
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
    pub(crate) stopped: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every phone, plugged in or not, in the order they were added.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.lock().clone()
    }
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
        Self {
            shared: Arc::new(Shared {
                slots: Mutex::default(),
                hub: Hub::default(),
                stopped: CancellationToken::new(),
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
        let slot = Slot {
            phone,
            serial,
            transport: options.transport,
        };
        self.shared.lock().push(slot.clone());
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
        self.shared.tasks.spawn(async move {
            loop {
                let accepted = tokio::select! {
                    () = shared.stopped.cancelled() => return,
                    accepted = listener.accept() => accepted,
                };
                match accepted {
                    Ok((stream, _)) => {
                        // Small answers must not wait for each other.
                        let _ = stream.set_nodelay(true);
                        shared.tasks.spawn(server::serve(Arc::clone(&shared), stream));
                    }
                    // Out of descriptors: somebody will close one.
                    Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
                }
            }
        });
        Ok(address)
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
