//! One stream of a connection: a service on this side, the host on the other.

use super::message::{Command, Message, Outgoing};
use bytes::{Bytes, BytesMut};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::{Semaphore, mpsc};

/// The connection's side of a stream.
#[derive(Debug)]
pub(super) struct Stream {
    /// What the host wrote.
    pub(super) incoming: mpsc::Sender<Bytes>,
    /// One permit: the host has taken what it was sent, and may be sent more.
    pub(super) ready: Arc<Semaphore>,
}

/// A stream's numbers: this side's and the host's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    pub(super) local: u32,
    pub(super) remote: u32,
}

/// Carries bytes both ways until the service ends or the host closes, then says `CLSE`.
pub(super) async fn carry(
    service: DuplexStream,
    ids: Ids,
    mut incoming: mpsc::Receiver<Bytes>,
    ready: Arc<Semaphore>,
    outgoing: Outgoing,
    most: usize,
) {
    let (mut from_service, mut to_service) = tokio::io::split(service);
    let write = async {
        while let Some(bytes) = incoming.recv().await {
            // A service that reads no more may still be talking: its end is heard below.
            let _ = to_service.write_all(&bytes).await;
            let okay = Message::new(Command::OKAY, ids.local, ids.remote, Bytes::new());
            if !outgoing.send(&okay).await {
                return;
            }
        }
    };
    let read = async {
        let mut buffer = BytesMut::with_capacity(64 * 1024);
        loop {
            buffer.reserve(64 * 1024);
            match from_service.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            while !buffer.is_empty() {
                let Ok(permit) = ready.acquire().await else { return };
                permit.forget();
                let part = buffer.split_to(buffer.len().min(most)).freeze();
                let message = Message::new(Command::WRITE, ids.local, ids.remote, part);
                if !outgoing.send(&message).await {
                    return;
                }
            }
        }
    };
    tokio::select! {
        // Ends when the host has closed.
        () = write => {}
        () = read => {}
    }
    outgoing
        .send(&Message::new(Command::CLOSE, ids.local, ids.remote, Bytes::new()))
        .await;
}
