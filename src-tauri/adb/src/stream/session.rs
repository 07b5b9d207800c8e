//! One running stream, whatever its rung: what it tells, and what it can be asked for.

use super::packet::{Rung, StreamRequest, Why};
use super::silence::Silence;
use super::{record, server};
use crate::error::AdbError;
use crate::scrcpy;
use crate::server::Device;
use protocol::Millis;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;
use video::avcc::{Configuration, Packed, Packer, Sample};

/// How long a session may take from its start to its first picture.
pub(super) const FIRST: Duration = Duration::from_secs(5);
/// Nothing for so long in the middle of a picture: the rest will not come.
pub(super) const STALLED: Duration = Duration::from_secs(5);
/// What one read of a socket gives at most.
pub(super) const PIECE: usize = 64 * 1024;
/// Pictures on their way to the runner.
const ON_THE_WAY: usize = 32;

/// What a session tells.
#[derive(Debug)]
pub(super) enum Event {
    /// The phone's screen as it is turned now.
    Screen((u16, u16)),
    /// A picture.
    Picture {
        configuration: Option<Arc<Configuration>>,
        sample: Sample,
        time: u64,
        at: Millis,
        arrived: Instant,
    },
    /// It will end soon, or shows the screen turned, or cannot go on before the next key frame: another should take over.
    Renew,
    /// It is over.
    Ended(End),
}

/// How a session ended.
#[derive(Debug)]
pub(super) struct End {
    pub(super) why: Why,
    pub(super) error: AdbError,
}

/// One running stream. Dropping it ends it, on the phone too.
pub(super) struct Session {
    pub(super) rung: Rung,
    pub(super) request: StreamRequest,
    pub(super) since: Instant,
    pub(super) events: mpsc::Receiver<Event>,
    keys: mpsc::Sender<()>,
    _task: AbortOnDropHandle<()>,
}

/// What a session is started with.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) device: Device,
    pub(super) request: StreamRequest,
    /// The screen's size as last known.
    pub(super) screen: Option<(u16, u16)>,
    pub(super) scrcpy: Arc<scrcpy::Shared>,
    /// How long `screenrecord` is silent when a picture is whole.
    pub(super) silence: Arc<Silence>,
}

impl Session {
    /// Starts one; what becomes of it is told by its events.
    pub(super) fn start(rung: Rung, start: Start) -> Self {
        let (out, events) = mpsc::channel(ON_THE_WAY);
        let (keys, asked) = mpsc::channel(1);
        let request = start.request;
        let task = tokio::spawn(async move {
            let out = Out {
                sender: out,
                packer: Packer::default(),
            };
            let (out, end) = match rung {
                Rung::Scrcpy => server::run(start, out, asked).await,
                Rung::Screenrecord | Rung::Captures => record::run(start, out).await,
            };
            let _ = out.sender.send(Event::Ended(end)).await;
        });
        Self {
            rung,
            request,
            since: Instant::now(),
            events,
            keys,
            _task: AbortOnDropHandle::new(task),
        }
    }

    /// Asks for a key frame; false where that is not possible without a new session.
    pub(super) fn ask_for_key(&self) -> bool {
        if self.rung != Rung::Scrcpy {
            return false;
        }
        // One that is asked for already will do.
        let _ = self.keys.try_send(());
        true
    }
}

/// Where a session's pictures go.
pub(super) struct Out {
    sender: mpsc::Sender<Event>,
    pub(super) packer: Packer,
}

impl Out {
    /// Packs a unit and passes it on; true when it was a picture.
    ///
    /// # Errors
    /// What cannot be read of it, and that nobody listens any more.
    pub(super) async fn unit(&mut self, unit: &[u8], time: u64, arrived: Instant) -> Result<bool, End> {
        let Packed {
            configuration,
            sample,
        } = self.packer.pack(unit).map_err(|error| End {
            why: Why::Ended,
            error: AdbError::Garbled(error.to_string()),
        })?;
        let Some(sample) = sample else { return Ok(false) };
        self.tell(Event::Picture {
            configuration,
            sample,
            time,
            at: now(),
            arrived,
        })
        .await?;
        Ok(true)
    }

    /// Passes something on.
    ///
    /// # Errors
    /// That nobody listens any more.
    pub(super) async fn tell(&self, event: Event) -> Result<(), End> {
        self.sender.send(event).await.map_err(|_| End {
            why: Why::Ended,
            error: AdbError::Cut("nobody looks".to_owned()),
        })
    }
}

impl End {
    pub(super) fn new(why: Why, error: AdbError) -> Self {
        Self { why, error }
    }
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}
