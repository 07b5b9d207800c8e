//! Abstract sockets on the phone (`localabstract:`): closed unless something listens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::DuplexStream;
use tokio::sync::mpsc;

/// So much lies in a socket before the writer waits.
const BUFFER: usize = 256 * 1024;

/// Who listens on which abstract socket. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct LocalSockets {
    listeners: Arc<Mutex<HashMap<String, mpsc::Sender<DuplexStream>>>>,
}

/// Connections to one abstract socket, in the order they come. Dropping it closes the socket.
#[derive(Debug)]
pub struct Listener {
    connections: mpsc::Receiver<DuplexStream>,
}

impl Listener {
    /// The next connection.
    pub async fn accept(&mut self) -> Option<DuplexStream> {
        self.connections.recv().await
    }
}

impl LocalSockets {
    /// Listens on `localabstract:name`, in place of whoever did.
    #[must_use]
    pub fn listen(&self, name: &str) -> Listener {
        let (sender, connections) = mpsc::channel(16);
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), sender);
        Listener { connections }
    }

    /// Connects to `localabstract:name`; none when nobody listens (or too many wait).
    pub(crate) fn connect(&self, name: &str) -> Option<DuplexStream> {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = listeners.get(name)?;
        let (near, far) = tokio::io::duplex(BUFFER);
        match sender.try_send(far) {
            Ok(()) => Some(near),
            Err(mpsc::error::TrySendError::Full(_)) => None,
            Err(mpsc::error::TrySendError::Closed(_)) => {
                listeners.remove(name);
                None
            }
        }
    }
}
