//! One connection: the handshake, then streams.

use super::key;
use super::message::{
    BadMessage, Command, MAX_PAYLOAD, MAX_PAYLOAD_V1, Message, Outgoing, VERSION, VERSION_MIN,
};
use super::stream::{Ids, Stream, carry};
use crate::fault::Fault;
use crate::phone::Phone;
use crate::services;
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Semaphore, mpsc};

/// So many messages wait to be sent.
const QUEUE: usize = 64;
/// `AUTH`'s first number: a token to be signed, a signature, a public key.
const AUTH_TOKEN: u32 = 1;
const AUTH_KEY: u32 = 3;
/// `TOKEN_SIZE`.
const TOKEN: usize = 20;
/// A host may have so many streams open.
const STREAMS: usize = 1024;

/// Serves one host until it goes away or the cable comes out.
pub(super) async fn serve(phone: Arc<Phone>, stream: TcpStream) {
    let streams = phone.link.streams();
    let _connected = phone.connect();
    let (from, to) = stream.into_split();
    let (queue, waiting) = mpsc::channel(QUEUE);
    let mut connection = Connection {
        phone: Arc::clone(&phone),
        outgoing: Outgoing::new(queue),
        streams: HashMap::new(),
        next: 1,
        most: usize::try_from(MAX_PAYLOAD_V1).unwrap_or(4096),
        greeted: None,
        online: false,
        asked: false,
    };
    tokio::select! {
        () = streams.cancelled() => {}
        () = send(to, waiting) => {}
        ended = connection.receive(from) => {
            if let Err(problem) = ended {
                tracing::debug!(%problem, "a connection to the virtual phone's daemon ended");
            }
        }
    }
}

async fn send(mut to: OwnedWriteHalf, mut waiting: mpsc::Receiver<Bytes>) {
    while let Some(bytes) = waiting.recv().await {
        if to.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

struct Connection {
    phone: Arc<Phone>,
    outgoing: Outgoing,
    streams: HashMap<u32, Stream>,
    next: u32,
    most: usize,
    /// The host's version and largest payload, once it said `CNXN`.
    greeted: Option<(u32, u32)>,
    online: bool,
    /// The host has shown its key: the person is being asked.
    asked: bool,
}

impl Connection {
    async fn receive(&mut self, mut from: OwnedReadHalf) -> Result<(), BadMessage> {
        let mut changes = self.phone.link.changes();
        // Messages are read in a task of their own: a read may not be given up half way.
        let (queue, mut messages) = mpsc::channel(1);
        let outgoing = self.outgoing.clone();
        let reading = async move {
            loop {
                let message = Message::read(&mut from, || outgoing.is_checked()).await;
                let ended = message.is_err();
                if queue.send(message).await.is_err() || ended {
                    return;
                }
            }
        };
        let handling = async {
            loop {
                tokio::select! {
                    message = messages.recv() => match message {
                        Some(message) => self.handle(message?).await,
                        None => return Ok(()),
                    },
                    // Somebody pressed Allow, or the phone answers again.
                    _ = changes.changed() => self.greet().await,
                }
            }
        };
        let ((), result) = tokio::join!(reading, handling);
        result
    }

    async fn say(&self, command: Command, first: u32, second: u32, payload: impl Into<Bytes> + Send) {
        self.outgoing
            .send(&Message::new(command, first, second, payload))
            .await;
    }

    /// Answers `CNXN` as far as the phone lets it.
    async fn greet(&mut self) {
        let Some((version, payload)) = self.greeted else {
            return;
        };
        if self.online || self.phone.has(Fault::Offline) {
            return;
        }
        if self.phone.has(Fault::Unauthorized) {
            if !self.asked {
                self.say(Command::AUTH, AUTH_TOKEN, 0, token(self.next)).await;
            }
            return;
        }
        self.online = true;
        let banner = banner(&self.phone);
        self.say(Command::CONNECT, VERSION, MAX_PAYLOAD, banner).await;
        self.most = usize::try_from(payload.clamp(MAX_PAYLOAD_V1, MAX_PAYLOAD)).unwrap_or(4096);
        self.outgoing.set_checked(version < VERSION);
    }

    async fn handle(&mut self, message: Message) {
        match message.command {
            Command::CONNECT => {
                self.streams.clear();
                self.online = false;
                self.asked = false;
                self.greeted = Some((message.first.max(VERSION_MIN), message.second));
                self.greet().await;
            }
            Command::AUTH if self.greeted.is_some() && !self.online => {
                if message.first == AUTH_KEY {
                    // Now it is the person's turn: nothing is said until Allow.
                    self.asked = true;
                    self.phone.ask_debugging(&key::fingerprint(&message.payload));
                }
                self.greet().await;
            }
            _ if !self.online => {}
            Command::OPEN => self.open(message.first, &message.payload).await,
            Command::OKAY => {
                if let Some(stream) = self.streams.get(&message.second) {
                    stream
                        .ready
                        .add_permits(usize::from(stream.ready.available_permits() == 0));
                }
            }
            Command::WRITE => {
                if let Some(stream) = self.streams.get(&message.second)
                    && stream.incoming.send(message.payload).await.is_err()
                {
                    self.streams.remove(&message.second);
                }
            }
            Command::CLOSE => {
                self.streams.remove(&message.second);
            }
            _ => {}
        }
    }

    async fn open(&mut self, remote: u32, name: &[u8]) {
        self.streams.retain(|_, stream| !stream.incoming.is_closed());
        let name = String::from_utf8_lossy(name);
        let name = name.trim_end_matches('\0');
        let service = if remote == 0 || self.streams.len() >= STREAMS {
            None
        } else {
            services::open(&self.phone, &self.phone.link, name)
        };
        let Some(service) = service else {
            self.say(Command::CLOSE, 0, remote, Bytes::new()).await;
            return;
        };
        let local = self.next;
        self.next = self.next.checked_add(1).unwrap_or(1);
        self.say(Command::OKAY, local, remote, Bytes::new()).await;
        let (incoming, received) = mpsc::channel(1);
        let ready = Arc::new(Semaphore::new(1));
        self.streams.insert(
            local,
            Stream {
                incoming,
                ready: Arc::clone(&ready),
            },
        );
        let ids = Ids { local, remote };
        let carrying = carry(service, ids, received, ready, self.outgoing.clone(), self.most);
        let streams = self.phone.link.streams();
        self.phone.tasks.spawn(async move {
            tokio::select! {
                () = streams.cancelled() => {}
                () = carrying => {}
            }
        });
    }
}

/// `device::name=value;…;features=…` (`adb.cpp`: `get_connection_string`); the word before the colons is what the
/// server lists it as (`parse_banner`).
fn banner(phone: &Phone) -> Bytes {
    let word = phone.standing().map_or("device", crate::server::word);
    let mut properties: Vec<String> = ["ro.product.name", "ro.product.model", "ro.product.device"]
        .into_iter()
        .map(|name| format!("{name}={}", phone.properties.get(name).unwrap_or_default()))
        .collect();
    let features = services::features(phone);
    if !features.is_empty() {
        properties.push(format!("features={}", features.join(",")));
    }
    Bytes::from(format!("{word}::{}", properties.join(";")))
}

/// A token: what it says matters to nobody, for no signature is ever right.
fn token(seed: u32) -> Bytes {
    (0..TOKEN)
        .map(|at| {
            seed.wrapping_mul(2_654_435_761)
                .rotate_left(u32::try_from(at).unwrap_or(0))
                .to_le_bytes()[0]
        })
        .collect()
}
