//! Pictures scaled and packed for a window.

use super::message::{MirrorContent, MirrorMessage};
use crate::EngineError;
use adb::Picture;
use adb::stream::{FallbackReason, PictureInfo, StreamSource};
use protocol::{CaptureResult, Frame};

/// JPEG quality of the live picture: text stays legible, a frame stays small.
const QUALITY: u8 = 80;
/// A stream that is decoded here is packed no wider: unpacking is what the window has no time for.
const WIDEST: u32 = 720;

/// A capture.
pub(super) fn captured(picture: &Picture, longest_side: u32, why: FallbackReason) -> MirrorMessage {
    let (shown, size) = match (picture.capture, &picture.frame) {
        (CaptureResult::Black, _) => (MirrorContent::Black, (0, 0)),
        (CaptureResult::Protected, _) => (MirrorContent::Protected, (0, 0)),
        (CaptureResult::Ok, Some(frame)) => jpeg(frame, longest_side),
        (CaptureResult::Failed, _) | (CaptureResult::Ok, None) => (MirrorContent::Failed, (0, 0)),
    };
    MirrorMessage {
        shown,
        source: StreamSource::Captures,
        why,
        decoded_here: false,
        picture: size,
        screen: picture.frame.as_ref().map_or((0, 0), size_of),
        at: picture.at,
        time: 0,
    }
}

/// A picture of a stream.
pub(super) fn decoded(
    seen: &PictureInfo,
    frame: &Frame,
    longest_side: u32,
    why: FallbackReason,
) -> MirrorMessage {
    // The same shape with at most so much width.
    let narrow = frame.height.max(frame.width) * WIDEST / frame.width.max(1);
    let (shown, picture) = jpeg(frame, longest_side.min(narrow));
    MirrorMessage {
        shown,
        source: seen.source,
        why,
        decoded_here: true,
        picture,
        screen: seen.screen,
        at: seen.at,
        time: 0,
    }
}

fn jpeg(frame: &Frame, longest_side: u32) -> (MirrorContent, (u16, u16)) {
    let packed = || -> Result<_, EngineError> {
        let scaled = screen::picture::scale(frame, longest_side.clamp(64, 4096))?;
        let bytes = screen::picture::encode_jpeg(&scaled, QUALITY)?;
        Ok((MirrorContent::Jpeg(bytes.into()), size_of(&scaled)))
    };
    packed().unwrap_or_else(|error| {
        tracing::warn!(%error, "a picture could not be packed");
        (MirrorContent::Failed, (0, 0))
    })
}

fn size_of(frame: &Frame) -> (u16, u16) {
    let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    (side(frame.width), side(frame.height))
}
