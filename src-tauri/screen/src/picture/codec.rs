//! PNG and JPEG, both ways.

use super::shape::{PictureError, shape};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageFormat, ImageReader};
use protocol::Frame;
use std::io::Cursor;

/// 64 million pixels: twice the largest phone screen there is, four times over.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// As PNG, quickly, without the alpha a screen does not have.
///
/// # Errors
/// [`PictureError::Shape`], [`PictureError::Unwritable`].
pub fn encode_png(frame: &Frame) -> Result<Vec<u8>, PictureError> {
    shape(frame)?;
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&rgb(frame), frame.width, frame.height, ExtendedColorType::Rgb8)
        .map_err(|error| PictureError::Unwritable(error.to_string()))?;
    Ok(out)
}

/// As JPEG; quality 1 to 100, others are brought into that range.
///
/// # Errors
/// [`PictureError::Shape`], [`PictureError::TooLarge`] beyond 65,535 pixels on a side.
pub fn encode_jpeg(frame: &Frame, quality: u8) -> Result<Vec<u8>, PictureError> {
    shape(frame)?;
    let side = |n: u32| u16::try_from(n).map_err(|_| PictureError::TooLarge);
    let mut out = Vec::new();
    jpeg_encoder::Encoder::new(&mut out, quality.clamp(1, 100))
        .encode(
            &frame.rgba,
            side(frame.width)?,
            side(frame.height)?,
            jpeg_encoder::ColorType::Rgba,
        )
        .map_err(|error| PictureError::Unwritable(error.to_string()))?;
    Ok(out)
}

/// A whole PNG. One that is cut off is refused, never filled up.
///
/// # Errors
/// [`PictureError::Broken`], [`PictureError::TooLarge`].
pub fn decode_png(bytes: &[u8]) -> Result<Frame, PictureError> {
    decode(bytes, "PNG", ImageFormat::Png)
}

/// A whole JPEG. One that is cut off is refused, never filled up.
///
/// # Errors
/// [`PictureError::Broken`], [`PictureError::TooLarge`].
pub fn decode_jpeg(bytes: &[u8]) -> Result<Frame, PictureError> {
    // The decoder paints what is missing grey, so the end mark must be there; a few bytes may follow it. It cannot
    // stand inside the picture's data, where every 0xff is followed by 0.
    let tail = &bytes[bytes.len().saturating_sub(64)..];
    if !tail.windows(2).any(|two| two == [0xff, 0xd9]) {
        return Err(PictureError::Broken {
            kind: "JPEG",
            why: "its end is missing".to_owned(),
        });
    }
    decode(bytes, "JPEG", ImageFormat::Jpeg)
}

fn decode(bytes: &[u8], kind: &'static str, format: ImageFormat) -> Result<Frame, PictureError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let image = reader.decode().map_err(|error| match error {
        image::ImageError::Limits(_) => PictureError::TooLarge,
        other => PictureError::Broken {
            kind,
            why: other.to_string(),
        },
    })?;
    let image = image.into_rgba8();
    Ok(Frame {
        width: image.width(),
        height: image.height(),
        rgba: image.into_raw().into(),
    })
}

fn rgb(frame: &Frame) -> Vec<u8> {
    let mut out = Vec::with_capacity(frame.rgba.len() / 4 * 3);
    for pixel in frame.rgba.chunks_exact(4) {
        out.extend_from_slice(&pixel[..3]);
    }
    out
}
