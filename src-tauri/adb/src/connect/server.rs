//! One adb server, asked over its smart socket; and one phone behind it.

use crate::connect::command_line::CommandLine;
use crate::connect::devices::{self, DeviceLine};
use crate::connect::link::{Link, Stream};
use crate::connect::shell::{Framing, Output, Running};
use crate::connect::wire;
use crate::error::AdbError;
use protocol::PhoneState;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::sync::{Mutex, OnceCell};
use tokio::time::timeout;

/// How often a server is asked what became of a phone, and the pause between: it takes a second to list one that asks for
/// Allow.
const ASKED: usize = 4;
const AGAIN: Duration = Duration::from_millis(400);

/// One adb server.
#[derive(Clone, Debug)]
pub struct AdbServer {
    link: Link,
}

impl AdbServer {
    /// A server behind a link; nothing is opened yet.
    #[must_use]
    pub fn new(link: Link) -> Self {
        Self { link }
    }

    /// The way to it.
    #[must_use]
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Its protocol version (41 for every adb of the last years).
    ///
    /// # Errors
    /// When it cannot be asked, or answers with something else than four hexadecimal digits.
    pub async fn version(&self) -> Result<u32, AdbError> {
        let text = self.ask("host:version").await?;
        u32::from_str_radix(text.trim(), 16).map_err(|_| AdbError::Garbled(format!("{text:?} is no version")))
    }

    /// Its list, once.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn devices(&self) -> Result<Vec<DeviceLine>, AdbError> {
        Ok(devices::read_list(&self.ask("host:devices-l").await?))
    }

    /// What the phone's daemon can do: `shell_v2`, `cmd`, …
    ///
    /// # Errors
    /// When it cannot be asked, or knows no such phone.
    pub async fn features(&self, serial: &str) -> Result<Vec<String>, AdbError> {
        self.features_of(&Name::Serial(serial.into())).await
    }

    async fn features_of(&self, name: &Name) -> Result<Vec<String>, AdbError> {
        let text = match self.ask(&name.features()).await {
            // A server that takes the phone by `host:transport:` only.
            Err(AdbError::Refused(_)) => {
                let mut stream = self.open(name).await?;
                wire::request(&mut stream, "host:features").await?;
                String::from_utf8_lossy(&wire::counted(&mut stream).await?).into_owned()
            }
            asked => asked?,
        };
        let features = text.split([',', '\n', ' ']).map(str::trim);
        Ok(features
            .filter(|one| !one.is_empty())
            .map(str::to_owned)
            .collect())
    }

    /// Its list, now and at every change.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn track(&self) -> Result<Tracker, AdbError> {
        let mut stream = self.link.connect().await?;
        self.named(wire::request(&mut stream, "host:track-devices-l").await)?;
        Ok(Tracker { stream, first: true })
    }

    /// A connection that speaks with one phone: the next request goes to it.
    ///
    /// # Errors
    /// When the server knows no such phone, or it cannot be used.
    async fn open(&self, name: &Name) -> Result<Box<dyn Stream>, AdbError> {
        let mut stream = self.link.connect().await?;
        self.named(wire::request(&mut stream, &name.transport()).await)?;
        Ok(stream)
    }

    async fn ask(&self, request: &str) -> Result<String, AdbError> {
        let mut stream = self.link.connect().await?;
        self.named(wire::request(&mut stream, request).await)?;
        let text = self.named(wire::counted(&mut stream).await)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Before a phone is involved, slow means that the server is silent, and so does a connection that ends without a word;
    /// what makes no sense is no server's.
    fn named<T>(&self, answer: Result<T, AdbError>) -> Result<T, AdbError> {
        let address = || self.link.address().to_owned();
        answer.map_err(|error| match error {
            AdbError::Slow(_) | AdbError::Cut(_) => AdbError::Silent { address: address() },
            AdbError::Garbled(said) => AdbError::NotAdb {
                address: address(),
                said,
            },
            other => other,
        })
    }
}

/// The lists of one server, one after the other.
pub struct Tracker {
    stream: Box<dyn Stream>,
    first: bool,
}

impl Tracker {
    /// The next list. The first comes within 5 s; the others whenever something changes.
    ///
    /// # Errors
    /// [`AdbError::Cut`] when the server is gone.
    pub async fn next(&mut self) -> Result<Vec<DeviceLine>, AdbError> {
        let mut digits = [0; 4];
        let reading = self.stream.read_exact(&mut digits);
        let read = if self.first {
            timeout(wire::REPLY, reading)
                .await
                .map_err(|_| AdbError::Slow("the list of phones".to_owned()))?
        } else {
            reading.await
        };
        read.map_err(|error| AdbError::Cut(format!("the list of phones: {error}")))?;
        self.first = false;
        let text = wire::body(&mut self.stream, digits).await?;
        Ok(devices::read_list(&String::from_utf8_lossy(&text)))
    }
}

/// By what a server is asked for a phone.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Serial(Arc<str>),
    /// The number of its line, where its serial is another phone's too (since adb 1.0.40).
    Line(u64),
}

impl Name {
    fn transport(&self) -> String {
        match self {
            Self::Serial(serial) => format!("host:transport:{serial}"),
            Self::Line(number) => format!("host:transport-id:{number}"),
        }
    }

    fn features(&self) -> String {
        match self {
            Self::Serial(serial) => format!("host-serial:{serial}:features"),
            Self::Line(number) => format!("host-transport-id:{number}:features"),
        }
    }
}

/// One phone over one server. Clones share what was learnt of it.
#[derive(Clone, Debug)]
pub struct Device {
    server: AdbServer,
    serial: Arc<str>,
    name: Name,
    /// The phone is not known to be the one that answers there.
    lost: Arc<AtomicBool>,
    shell_v2: Arc<Mutex<Option<bool>>>,
    sdk: Arc<OnceCell<Option<u32>>>,
}

impl Device {
    /// A phone by the serial its server lists.
    #[must_use]
    pub fn new(server: AdbServer, serial: &str) -> Self {
        let serial: Arc<str> = serial.into();
        Self {
            server,
            name: Name::Serial(Arc::clone(&serial)),
            serial,
            lost: Arc::default(),
            shell_v2: Arc::default(),
            sdk: Arc::default(),
        }
    }

    /// One of several phones of one serial, by the number of its line.
    pub(crate) fn of_line(server: AdbServer, serial: &str, number: u64) -> Self {
        Self {
            name: Name::Line(number),
            ..Self::new(server, serial)
        }
    }

    /// Whether its serial alone names it.
    pub(crate) fn has_own_serial(&self) -> bool {
        matches!(self.name, Name::Serial(_))
    }

    /// The same way with a mark of its own: it may be lost to one phone while another is reached over it.
    pub(crate) fn apart(&self) -> Self {
        Self {
            lost: Arc::default(),
            ..self.clone()
        }
    }

    /// The same way, lost when that one is.
    pub(crate) fn marked_as(&self, other: &Self) -> Self {
        Self {
            lost: Arc::clone(&other.lost),
            ..self.clone()
        }
    }

    /// Whether both are one line of one server's list.
    pub(crate) fn is_same_way(&self, other: &Self) -> bool {
        self.name == other.name && self.serial == other.serial && self.server.link.is_same(&other.server.link)
    }

    /// Whether another copy shares its mark.
    pub(crate) fn is_held_elsewhere(&self) -> bool {
        Arc::strong_count(&self.lost) > 1
    }

    /// While it is lost nothing is asked over it, whoever answers there.
    pub(crate) fn mark_lost(&self, lost: bool) {
        self.lost.store(lost, Ordering::Release);
    }

    /// As its server lists it.
    #[must_use]
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Whether a cable leads to it, or nothing at all (an emulator, the demo): Wi-Fi's serials are addresses, or the names
    /// phones announce themselves by.
    pub(crate) fn has_cable(&self) -> bool {
        !self.serial.contains(':') && !self.serial.starts_with("adb-")
    }

    /// The server that lists it.
    #[must_use]
    pub fn server(&self) -> &AdbServer {
        &self.server
    }

    /// Whether it tells outputs apart and says how a command ended (Android 7 and newer). Asked once.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub async fn has_shell_v2(&self) -> Result<bool, AdbError> {
        let mut known = self.shell_v2.lock().await;
        match *known {
            Some(has) => Ok(has),
            None => self.ask_shell_v2(&mut known).await,
        }
    }

    async fn ask_shell_v2(&self, known: &mut Option<bool>) -> Result<bool, AdbError> {
        let features = self.server.features_of(&self.name).await?;
        let has = features.iter().any(|one| one == "shell_v2");
        *known = Some(has);
        Ok(has)
    }

    /// The phone refused what it is known to have: whether it has it no more (another server, or another system, is there
    /// by now).
    async fn lost_shell_v2(&self) -> bool {
        let mut known = self.shell_v2.lock().await;
        matches!(self.ask_shell_v2(&mut known).await, Ok(false))
    }

    /// Its API level (31 is Android 12), where it tells. Asked once.
    pub async fn sdk(&self) -> Option<u32> {
        let asked = self.sdk.get_or_try_init(|| async {
            let output = self.look("getprop ro.build.version.sdk", wire::REPLY).await?;
            Ok::<_, AdbError>(output.answer().parse().ok())
        });
        asked.await.ok().copied().flatten()
    }

    /// Runs a command that only looks, to its end, at most `limit`. Nothing is left open when this is dropped.
    ///
    /// # Errors
    /// When the phone cannot be asked; [`AdbError::Slow`] after `limit`. A code other than 0 is no error here.
    pub async fn look(&self, line: &str, limit: Duration) -> Result<Output, AdbError> {
        self.within(line, limit, "shell:").await
    }

    /// The same for a command that prints bytes, not text.
    ///
    /// # Errors
    /// As [`Device::look`].
    pub async fn look_at_bytes(&self, line: &str, limit: Duration) -> Result<Output, AdbError> {
        // An older phone's `shell:` is a terminal and turns every LF into CR LF; its `exec:` leaves bytes alone.
        self.within(line, limit, "exec:").await
    }

    async fn within(&self, line: &str, limit: Duration, older: &str) -> Result<Output, AdbError> {
        let line = CommandLine::plain(line);
        let work = async {
            let stream = self.connect().await?;
            self.start(stream, &line, older).await?.finish().await
        };
        match timeout(limit, work).await {
            Ok(Ok(output)) => Ok(output),
            Ok(Err(error)) => Err(self.explained(error).await),
            Err(_) => Err(AdbError::Slow(line.verb().to_owned())),
        }
    }

    /// The same error, or what its server says instead: a phone that was cut off in mid-sentence may be waiting for the person
    /// to tap Allow, or stand in its recovery, and is listed so a moment later.
    pub(crate) async fn explained(&self, mut error: AdbError) -> AdbError {
        let is_open = |error: &AdbError| {
            matches!(
                error,
                AdbError::Gone(_) | AdbError::Cut(_) | AdbError::Unusable(PhoneState::Connecting)
            )
        };
        if !is_open(&error) {
            return error;
        }
        for asked in 0..ASKED {
            if asked > 0 {
                tokio::time::sleep(AGAIN).await;
            }
            let list = match self.server.devices().await {
                Ok(list) => list,
                // The server itself went, and took the connection with it: the phone may be well.
                Err(server) => return server,
            };
            let state = list
                .iter()
                .find(|line| self.is_listed_as(line))
                .map(|line| line.state);
            match state {
                Some(PhoneState::Unauthorized | PhoneState::Authorizing) => return AdbError::Unauthorized,
                Some(PhoneState::Device) => return error,
                Some(PhoneState::Offline) if matches!(error, AdbError::Gone(_)) => {
                    error = AdbError::Gone("device offline".to_owned());
                }
                None | Some(PhoneState::Offline | PhoneState::Unknown) => {}
                // On its way to another state, most of the time.
                Some(PhoneState::Connecting) => error = AdbError::Unusable(PhoneState::Connecting),
                Some(state) => return AdbError::Unusable(state),
            }
        }
        error
    }

    fn is_listed_as(&self, line: &DeviceLine) -> bool {
        match self.name {
            Name::Serial(_) => line.serial == self.serial(),
            Name::Line(number) => line.transport_id == Some(number),
        }
    }

    /// A connection to the phone on which nothing was asked yet: nothing has reached the phone.
    ///
    /// # Errors
    /// When the phone cannot be reached.
    pub(crate) async fn connect(&self) -> Result<Box<dyn Stream>, AdbError> {
        self.is_its_own()?;
        self.has_shell_v2().await?;
        self.open().await
    }

    /// The same, whatever its shell is like.
    ///
    /// # Errors
    /// As [`Device::connect`].
    pub(crate) async fn open(&self) -> Result<Box<dyn Stream>, AdbError> {
        self.is_its_own()?;
        let stream = self.server.open(&self.name).await?;
        // Who answers there may have changed meanwhile.
        self.is_its_own()?;
        Ok(stream)
    }

    /// Whether the phone is known to be the one that answers there.
    ///
    /// # Errors
    /// [`AdbError::Gone`] when it is not.
    pub(crate) fn is_its_own(&self) -> Result<(), AdbError> {
        if self.lost.load(Ordering::Acquire) {
            // In the server's own words for one that is not there.
            return Err(AdbError::Gone(format!("device '{}' not found", self.serial)));
        }
        Ok(())
    }

    /// Sends the command. From the first byte on it may reach the phone.
    ///
    /// # Errors
    /// When it was refused or its answer did not come.
    pub(crate) async fn start(
        &self,
        mut stream: Box<dyn Stream>,
        line: &CommandLine,
        older: &str,
    ) -> Result<Running, AdbError> {
        tracing::debug!(serial = &*self.serial, command = line.verb(), "to the phone");
        let has_v2 = self.has_shell_v2().await?;
        if has_v2 {
            wire::send(&mut stream, &line.framed("shell,v2,raw:")?).await?;
            match wire::status(&mut stream).await {
                Ok(()) => return Ok(Running::new(stream, Framing::V2)),
                // Refused, so not begun: the older service may have it.
                Err(AdbError::Gone(_) | AdbError::Refused(_)) if self.lost_shell_v2().await => {
                    stream = self.open().await?;
                }
                Err(error) => return Err(error),
            }
        }
        wire::send(&mut stream, &line.framed_short(older)?).await?;
        wire::status(&mut stream).await?;
        Ok(Running::new(stream, Framing::Bare))
    }
}
