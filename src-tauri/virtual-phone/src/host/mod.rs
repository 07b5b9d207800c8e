//! The interface for others: phones, and the ways to reach them.

#[cfg(feature = "test-support")]
mod console;
mod handle;
mod listen;
mod running;
mod shared;
mod wireless;

pub use handle::PhoneHandle;
pub(crate) use running::RequestFate;
pub use shared::Transport;
pub(crate) use shared::{AttachedPhone, Shared};
pub use wireless::Pairing;

use crate::android::Android;
use crate::clock::{Speed, Times};
use crate::fault::Fault;
use crate::phone::Phone;
use crate::server;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::DuplexStream;
use tokio::net::TcpListener;

/// So many bytes lie between a client in this process and the server before the writer waits.
const BUFFER: usize = 1024 * 1024;

/// 9:41 on 14 May 2024.
const MORNING: Duration = Duration::from_secs(1_715_679_660);

/// How a phone is added.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long it takes for what it does.
    pub speed: Speed,
    /// How long that is, where it takes any.
    pub times: Times,
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
            times: Times::default(),
            faults: Vec::new(),
            serial: None,
            transport: Transport::Usb("1-1".to_owned()),
            born: UNIX_EPOCH + MORNING,
        }
    }
}

/// An adb server with its phones, and every task that belongs to them. Dropping it ends them all.
#[derive(Debug)]
pub struct Host {
    shared: Arc<Shared>,
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
            shared: Arc::new(Shared::new()),
        }
    }

    /// Plugs a phone in.
    pub fn add(&self, android: Box<dyn Android>, options: Options) -> PhoneHandle {
        let stopped = self.shared.stopped.child_token();
        let programs: Vec<&'static str> = crate::programs::names().collect();
        let phone = Arc::new(Phone::new(
            android,
            (options.speed, options.times),
            options.born,
            &programs,
            self.shared.hub.clone(),
            stopped,
        ));
        phone.begin_with(&options.faults);
        let serial = options.serial.unwrap_or_else(|| phone.profile.serial.clone());
        let slot = self.shared.enter(phone, serial, options.transport);
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
        self.shared.tasks.spawn(listen::listen(shared, listener, address));
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
