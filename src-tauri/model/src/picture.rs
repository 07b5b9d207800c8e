//! The picture, as requests carry it.

use crate::error::ModelError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::Frame;
use screen::picture::{PictureError, encode_jpeg, encode_png};

/// Legible text at a fraction of PNG's size.
const QUALITY: u8 = 80;

/// How a picture is packed. WebP would be smaller still, and not every server takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// JPEG or PNG, whichever is smaller: every maker takes both.
    #[default]
    Smaller,
    /// Every pixel as it was, for models trained on such.
    Png,
}

/// One picture, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) media_type: &'static str,
    pub(crate) base64: String,
    /// How closely it is to be looked at, in the maker's word, where it has one.
    pub(crate) detail: Option<&'static str>,
}

impl Picture {
    /// `frame`, packed off the async threads: a large picture takes some milliseconds.
    ///
    /// # Errors
    /// When the frame is not what it says it is.
    pub(crate) async fn pack(frame: Frame, packing: Packing) -> Result<Self, ModelError> {
        let packed = tokio::task::spawn_blocking(move || pack(&frame, packing));
        let (media_type, bytes) = packed
            .await
            .map_err(|e| ModelError::Internal(e.to_string()))?
            .map_err(|e| ModelError::Internal(e.to_string()))?;
        Ok(Self {
            media_type,
            base64: STANDARD.encode(bytes),
            detail: None,
        })
    }

    /// As a data URL.
    pub(crate) fn url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.base64)
    }
}

fn pack(frame: &Frame, packing: Packing) -> Result<(&'static str, Vec<u8>), PictureError> {
    let png = encode_png(frame)?;
    let jpeg = match packing {
        Packing::Png => None,
        Packing::Smaller => Some(encode_jpeg(frame, QUALITY)?).filter(|jpeg| jpeg.len() < png.len()),
    };
    Ok(jpeg.map_or(("image/png", png), |jpeg| ("image/jpeg", jpeg)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of one colour and a few lines is smaller as PNG, a photo as JPEG; each is what it says it is.
    #[tokio::test]
    async fn the_smaller_one_is_sent() {
        let flat = |x: u32, _: u32| if x.is_multiple_of(40) { 0 } else { 250 };
        let noise =
            |x: u32, y: u32| (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).to_le_bytes()[1];
        let check = async |shade: &dyn Fn(u32, u32) -> u8, packing, expected: (&str, &[u8])| {
            let pixel = |n: u32| [shade(n % 120, n / 120), shade(n % 120, n / 120), 200, 255];
            let rgba: Vec<u8> = (0..120 * 240).flat_map(pixel).collect();
            let frame = Frame {
                width: 120,
                height: 240,
                rgba: rgba.into(),
            };
            let picture = Picture::pack(frame, packing).await.unwrap();
            let bytes = STANDARD.decode(&picture.base64).unwrap();
            assert_eq!(picture.media_type, expected.0);
            assert!(bytes.starts_with(expected.1));
        };
        let (png, jpeg) = (("image/png", &b"\x89PNG"[..]), ("image/jpeg", &b"\xff\xd8"[..]));
        check(&flat, Packing::Smaller, png).await;
        check(&noise, Packing::Smaller, jpeg).await;
        check(&noise, Packing::Png, png).await;
    }
}
