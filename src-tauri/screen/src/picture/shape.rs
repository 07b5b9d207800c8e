//! A picture's size and bytes, and what can be wrong with one.

use protocol::Frame;

/// What can be wrong with a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Its bytes do not match its size, or it has no pixels.
    #[error("the picture's bytes do not match its size")]
    Shape,
    /// Larger than any phone's screen (64 million pixels, or 65,535 on a side for JPEG).
    #[error("the picture is too large")]
    TooLarge,
    /// Nothing of it lies where it should be cut.
    #[error("there is nothing to cut out there")]
    Nothing,
    /// Not a whole picture of that kind.
    #[error("not a whole {kind} picture: {why}")]
    Broken {
        /// `PNG` or `JPEG`.
        kind: &'static str,
        /// The decoder's words.
        why: String,
    },
    /// It could not be packed or scaled.
    #[error("the picture could not be written: {0}")]
    Unwritable(String),
}

/// The sizes as `usize`, if the bytes match them.
pub(super) fn shape(frame: &Frame) -> Result<(usize, usize), PictureError> {
    let width = usize::try_from(frame.width).map_err(|_| PictureError::TooLarge)?;
    let height = usize::try_from(frame.height).map_err(|_| PictureError::TooLarge)?;
    let bytes = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(4));
    if width == 0 || height == 0 || bytes != Some(frame.rgba.len()) {
        return Err(PictureError::Shape);
    }
    Ok((width, height))
}
