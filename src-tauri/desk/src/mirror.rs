//! The live picture of a phone, scaled and packed for a window: newest only, as fast as the window takes them.

use crate::{Desk, DeskError};
use adb::Picture;
use bytes::Bytes;
use protocol::{CaptureResult, Failure, Millis, PhoneId};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// JPEG quality of the live picture: text stays legible, a frame stays small.
const QUALITY: u8 = 80;
/// An unchanged picture is shown again this often, so that a still screen and a dead one differ.
const STILL: Duration = Duration::from_secs(1);

/// One phone's live picture, for one reader. Dropping it ends the captures when nobody else looks.
pub struct Mirror {
    pictures: watch::Receiver<Option<Arc<Picture>>>,
    longest_side: u32,
    last: Option<MirrorPicture>,
    sent: u32,
}

/// One picture, packed.
#[derive(Clone, Debug)]
pub struct MirrorPicture {
    /// Counts this mirror's pictures, from 1.
    pub seq: u32,
    /// When it was taken.
    pub at: Millis,
    /// What there is to see.
    pub shown: Shown,
}

/// What there is to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A picture.
    Jpeg {
        /// Pixels of this picture.
        width: u16,
        /// Pixels of this picture.
        height: u16,
        /// The JPEG file.
        bytes: Bytes,
    },
    /// The screen is black: off, most often.
    Black,
    /// The app hides its screen.
    Protected,
    /// No whole picture came.
    Failed,
}

impl Desk {
    /// Begins to look at a phone. `longest_side` in pixels.
    ///
    /// # Errors
    /// When there is no such phone.
    pub fn mirror(&self, phone: &PhoneId, longest_side: u32) -> Result<Mirror, Failure> {
        let mut pictures = self.phone(phone)?.eye().watch();
        pictures.mark_changed();
        Ok(Mirror {
            pictures,
            longest_side: longest_side.clamp(64, 4096),
            last: None,
            sent: 0,
        })
    }
}

impl Mirror {
    /// The newest picture, once there is one this reader has not had; `None` when the phone is gone for good.
    pub async fn next(&mut self) -> Option<MirrorPicture> {
        loop {
            match tokio::time::timeout(STILL, self.pictures.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return None,
                // Nothing came for a while: whoever looks must see that too, so nothing is sent.
                Err(_) => continue,
            }
            let newest = self.pictures.borrow_and_update().clone();
            let Some(picture) = newest else { continue };
            if let Some(last) = &self.last
                && !picture.changed
            {
                if picture.at.saturating_sub(last.at) < u64::try_from(STILL.as_millis()).unwrap_or(u64::MAX) {
                    continue;
                }
                let again = last.shown.clone();
                return Some(self.send(picture.at, again));
            }
            let longest_side = self.longest_side;
            let packing = Arc::clone(&picture);
            let packed = tokio::task::spawn_blocking(move || pack(&packing, longest_side)).await;
            let shown = match packed {
                Ok(Ok(shown)) => shown,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "a picture could not be packed");
                    Shown::Failed
                }
                Err(error) => {
                    tracing::error!(%error, "packing a picture did not end well");
                    Shown::Failed
                }
            };
            return Some(self.send(picture.at, shown));
        }
    }

    fn send(&mut self, at: Millis, shown: Shown) -> MirrorPicture {
        self.sent = self.sent.wrapping_add(1);
        let picture = MirrorPicture {
            seq: self.sent,
            at,
            shown,
        };
        self.last = Some(picture.clone());
        picture
    }
}

fn pack(picture: &Picture, longest_side: u32) -> Result<Shown, DeskError> {
    match picture.capture {
        CaptureResult::Black => return Ok(Shown::Black),
        CaptureResult::Protected => return Ok(Shown::Protected),
        CaptureResult::Failed => return Ok(Shown::Failed),
        CaptureResult::Ok => {}
    }
    let Some(frame) = &picture.frame else {
        return Ok(Shown::Failed);
    };
    let scaled = screen::picture::scale(frame, longest_side)?;
    let bytes = screen::picture::encode_jpeg(&scaled, QUALITY)?;
    let side = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    Ok(Shown::Jpeg {
        width: side(scaled.width),
        height: side(scaled.height),
        bytes: bytes.into(),
    })
}
