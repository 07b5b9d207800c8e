//! The cable, and everything that runs over it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The connection between the phone's daemon and whoever asks.
#[derive(Debug)]
pub(crate) struct Link {
    state: Mutex<State>,
    hub: Hub,
    stopped: CancellationToken,
}

#[derive(Debug)]
struct State {
    plugged: bool,
    streams: CancellationToken,
    transport: u64,
}

/// What the phones of one host share: news of plugging, and transport numbers.
#[derive(Clone, Debug)]
pub(crate) struct Hub {
    changed: Arc<watch::Sender<u64>>,
    transports: Arc<AtomicU64>,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            changed: Arc::new(watch::Sender::new(0)),
            transports: Arc::new(AtomicU64::new(1)),
        }
    }
}

impl Hub {
    fn next_transport(&self) -> u64 {
        self.transports.fetch_add(1, Ordering::Relaxed)
    }

    /// Counts up whenever a device list may be another.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn tell(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }
}

impl Link {
    pub(crate) fn new(stopped: &CancellationToken, hub: Hub) -> Self {
        let transport = hub.next_transport();
        Self {
            state: Mutex::new(State {
                plugged: true,
                streams: stopped.child_token(),
                transport,
            }),
            hub,
            stopped: stopped.clone(),
        }
    }

    /// The server's number for this connection: another after each plugging.
    pub(crate) fn transport(&self) -> u64 {
        self.state().transport
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_plugged(&self) -> bool {
        self.state().plugged
    }

    /// Cancelled when every stream open now must close.
    pub(crate) fn streams(&self) -> CancellationToken {
        self.state().streams.clone()
    }

    /// Closes every stream, as when the daemon dies and is started again.
    pub(crate) fn reset(&self) {
        let old = {
            let mut state = self.state();
            let fresh = self.stopped.child_token();
            state.transport = self.hub.next_transport();
            std::mem::replace(&mut state.streams, fresh)
        };
        old.cancel();
        self.tell();
    }

    /// Takes the cable out. False when it was out.
    pub(crate) fn unplug(&self) -> bool {
        let was = std::mem::replace(&mut self.state().plugged, false);
        if was {
            self.reset();
        }
        was
    }

    /// Puts the cable in. False when it was in.
    pub(crate) fn replug(&self) -> bool {
        let was = std::mem::replace(&mut self.state().plugged, true);
        if !was {
            self.tell();
        }
        !was
    }

    /// Counts up whenever the link's or the daemon's state may be another.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.hub.changes()
    }

    pub(crate) fn tell(&self) {
        self.hub.tell();
    }
}
