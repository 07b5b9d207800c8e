//! What the sessions of all sources are started with and what they tell.

use super::packet::{FallbackReason, StreamRequest};
use super::silence::Silence;
use crate::clock::now;
use crate::connect::server::Device;
use crate::error::AdbError;
use crate::scrcpy;
use protocol::Millis;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use video::avcc::{Configuration, Packed, Packer, Sample};

/// How long a session may take from its start to its first picture.
pub(super) const FIRST: Duration = Duration::from_secs(5);
/// Nothing for so long in the middle of a picture: the rest will not come.
pub(super) const STALLED: Duration = Duration::from_secs(5);
/// What one read of a socket gives at most.
pub(super) const PIECE: usize = 64 * 1024;
/// What a session tells.
#[derive(Debug)]
pub(super) enum SessionEvent {
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
    Ended(SessionEnd),
}

/// How a session ended.
#[derive(Debug)]
pub(super) struct SessionEnd {
    pub(super) why: FallbackReason,
    pub(super) error: AdbError,
}

/// What a session is started with.
#[derive(Clone)]
pub(super) struct SessionStart {
    pub(super) device: Device,
    pub(super) request: StreamRequest,
    /// Its pictures are compared with one another.
    pub(super) exact: bool,
    /// The screen's size as last known.
    pub(super) screen: Option<(u16, u16)>,
    pub(super) scrcpy: Arc<scrcpy::SharedSession>,
    /// How long `screenrecord` is silent when a picture is whole.
    pub(super) silence: Arc<Silence>,
}

/// Where a session's pictures go.
pub(super) struct PictureSink {
    sender: mpsc::Sender<SessionEvent>,
    pub(super) packer: Packer,
}

impl PictureSink {
    pub(super) fn new(sender: mpsc::Sender<SessionEvent>) -> Self {
        Self {
            sender,
            packer: Packer::default(),
        }
    }

    /// Packs a unit and passes it on; true when it was a picture.
    ///
    /// # Errors
    /// What cannot be read of it, and that nobody listens any more.
    pub(super) async fn unit(
        &mut self,
        unit: &[u8],
        time: u64,
        arrived: Instant,
    ) -> Result<bool, SessionEnd> {
        let Packed {
            configuration,
            sample,
        } = self.packer.pack(unit).map_err(|error| SessionEnd {
            why: FallbackReason::Ended,
            error: AdbError::Garbled(error.to_string()),
        })?;
        let Some(sample) = sample else { return Ok(false) };
        self.tell(SessionEvent::Picture {
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
    pub(super) async fn tell(&self, event: SessionEvent) -> Result<(), SessionEnd> {
        self.sender.send(event).await.map_err(|_| SessionEnd {
            why: FallbackReason::Ended,
            error: AdbError::Cut("nobody looks".to_owned()),
        })
    }
}

impl SessionEnd {
    pub(super) fn new(why: FallbackReason, error: AdbError) -> Self {
        Self { why, error }
    }
}
