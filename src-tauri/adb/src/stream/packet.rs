//! What the stream of a phone is made of.

use protocol::Millis;
use std::sync::Arc;
use tokio::time::Instant;
use video::avcc::{Configuration, Sample};

/// Which way the pictures come, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamSource {
    /// No stream: captures, one at a time ([`crate::CaptureFeed`]).
    Captures,
    /// Android's own `screenrecord`.
    Screenrecord,
    /// scrcpy's server.
    Scrcpy,
}

/// Why this source and no better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FallbackReason {
    /// There is no better one, or it is not known yet.
    #[default]
    Nothing,
    /// This computer has no scrcpy server.
    NoServer,
    /// scrcpy's server did not start on this phone.
    NotStarted,
    /// scrcpy's server ended.
    Ended,
    /// The phone has no `screenrecord`, or it fails.
    NoScreenrecord,
    /// It was started and sent no picture.
    NoStream,
}

/// How the stream is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamStatus {
    /// The source in use; none while the first stream is being started.
    pub source: Option<StreamSource>,
    /// Why no better one.
    pub why: FallbackReason,
}

/// What whoever looks would like to see. Of several requests the largest values are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamRequest {
    /// Pixels of the picture's longer side, at most.
    pub longest_side: u16,
    /// Pictures a second, at most.
    pub fps: u16,
}

/// One piece of the stream, shared by all readers.
#[derive(Debug)]
pub struct Packet {
    /// What it is.
    pub content: Content,
    /// When the phone showed it, microseconds on a clock of its own; 0 where it does not tell.
    pub time: u64,
    /// When it arrived here.
    pub at: Millis,
    /// The same, for measuring.
    pub arrived: Instant,
    /// Pixels of the picture.
    pub picture: (u16, u16),
    /// Pixels of the phone's screen as it is turned now; (0, 0) where not known.
    pub screen: (u16, u16),
    /// The source it came by, and why by no better one.
    pub source: StreamSource,
    /// See [`StreamStatus::why`].
    pub why: FallbackReason,
}

/// What a piece of the stream is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// From the next unit on, which is a key frame, decoders need this.
    Configuration(Arc<Configuration>),
    /// One picture.
    Unit(Sample),
}

impl Packet {
    /// Decoding can begin with it.
    #[must_use]
    pub fn is_key(&self) -> bool {
        matches!(&self.content, Content::Unit(sample) if sample.key)
    }

    /// Bytes that are kept with it.
    pub(super) fn size(&self) -> usize {
        match &self.content {
            Content::Configuration(configuration) => configuration.record.len(),
            Content::Unit(sample) => sample.data.len(),
        }
    }
}
