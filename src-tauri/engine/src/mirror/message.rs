//! What a window is told of a phone's live picture.

use adb::stream::{FallbackReason, StreamSource};
use bytes::Bytes;
use protocol::Millis;

/// One message to the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorMessage {
    /// What there is to see.
    pub shown: MirrorContent,
    /// The way it came.
    pub source: StreamSource,
    /// Why by no better one.
    pub why: FallbackReason,
    /// It came as a stream and was decoded here, because the window cannot.
    pub decoded_here: bool,
    /// Pixels of the picture; (0, 0) where there is none.
    pub picture: (u16, u16),
    /// Pixels of the phone's screen as it is turned now; (0, 0) where not known.
    pub screen: (u16, u16),
    /// When it arrived at this computer.
    pub at: Millis,
    /// The stream's own time, in microseconds.
    pub time: u64,
}

/// What there is to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MirrorContent {
    /// A picture: a JPEG file.
    Jpeg(Bytes),
    /// What a decoder needs before the next unit: an `AVCDecoderConfigurationRecord`.
    Configuration(Bytes),
    /// The next picture of a stream: NAL units, each behind its length.
    Unit {
        /// Decoding can begin with it.
        key: bool,
        /// Itself.
        data: Bytes,
    },
    /// What was shown last is still so.
    Still,
    /// The screen is black: off, most often.
    Black,
    /// The app hides its screen.
    Protected,
    /// No whole picture came.
    Failed,
}
