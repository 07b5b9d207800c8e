//! A picture of the screen, from the bytes `screencap` prints.
//!
//! Raw output is a header (width, height, pixel format, since Android 9 also a colour space; 32-bit little-endian each)
//! and the pixels. A picture counts only when it is whole: the length must fit the header to the byte. Phones with
//! several displays print a warning in front of either form.

use crate::connect::shell::Output;
use crate::error::AdbError;
use image::{ImageFormat, ImageReader, Limits};
use protocol::Frame;
use std::io::Cursor;
use std::sync::Arc;

/// A side longer than this is no phone's.
const LONGEST_SIDE: u32 = 16_384;
/// How far into the output a warning may reach.
const WARNING: usize = 4096;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Pixel formats of `android.graphics.PixelFormat` and `HardwareBuffer` that a screen is captured in.
#[derive(Clone, Copy)]
enum Pixels {
    Rgba,
    Rgbx,
    Rgb,
    Rgb565,
    Bgra,
}

impl Pixels {
    fn known(number: u32) -> Option<Self> {
        Some(match number {
            1 => Self::Rgba,
            2 => Self::Rgbx,
            3 => Self::Rgb,
            4 => Self::Rgb565,
            5 => Self::Bgra,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::Rgba | Self::Rgbx | Self::Bgra => 4,
            Self::Rgb => 3,
            Self::Rgb565 => 2,
        }
    }
}

/// Reads raw output.
///
/// # Errors
/// [`AdbError::Picture`] when it is no picture, not whole, or of an unknown format.
pub fn read_raw(bytes: &[u8]) -> Result<Frame, AdbError> {
    let mut why = None;
    for start in starts(bytes) {
        match raw_at(&bytes[start..]) {
            Ok(frame) => return Ok(frame),
            // The first place is the likeliest: its complaint is the one to tell.
            Err(error) => why = why.or(Some(error)),
        }
    }
    Err(why.unwrap_or_else(|| picture("nothing came")))
}

/// Reads PNG output.
///
/// # Errors
/// As [`read_raw`].
pub fn read_png(bytes: &[u8]) -> Result<Frame, AdbError> {
    let head = &bytes[..bytes.len().min(WARNING)];
    let start = head
        .windows(PNG.len())
        .position(|eight| eight == PNG)
        .ok_or_else(|| {
            let said = String::from_utf8_lossy(head);
            picture(&format!(
                "no PNG in {} bytes: {}",
                bytes.len(),
                crate::error::clip(said.trim())
            ))
        })?;
    let mut reader = ImageReader::with_format(Cursor::new(&bytes[start..]), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    reader.limits(limits);
    let mut rgba = reader
        .decode()
        .map_err(|error| picture(&error.to_string()))?
        .into_rgba8();
    make_opaque(rgba.as_mut());
    Ok(Frame {
        width: rgba.width(),
        height: rgba.height(),
        rgba: rgba.into_raw().into(),
    })
}

/// Whether the phone said that it has several displays; on either output, as its version has it.
pub(crate) fn tells_of_several(output: &Output) -> bool {
    const WORDS: &[u8] = b"Multiple displays were found";
    [&output.stdout, &output.stderr].iter().any(|bytes| {
        let head = &bytes[..bytes.len().min(WARNING)];
        head.windows(WORDS.len()).any(|words| words == WORDS)
    })
}

/// Where a header may begin: at once, or behind each line of a warning.
fn starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let head = &bytes[..bytes.len().min(WARNING)];
    let text = head.iter().position(|byte| *byte == 0).unwrap_or(head.len());
    let lines = head[..text]
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1);
    std::iter::once(0).chain(lines)
}

fn raw_at(bytes: &[u8]) -> Result<Frame, AdbError> {
    let word = |index: usize| -> Option<u32> {
        let four = bytes.get(index * 4..index * 4 + 4)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let (Some(width), Some(height), Some(format)) = (word(0), word(1), word(2)) else {
        return Err(picture(&format!("{} bytes are no header", bytes.len())));
    };
    if !(1..=LONGEST_SIDE).contains(&width) || !(1..=LONGEST_SIDE).contains(&height) {
        return Err(picture(&format!("a header of {width}×{height}")));
    }
    let pixels = Pixels::known(format).ok_or_else(|| picture(&format!("pixel format {format}")))?;
    let body = width as usize * height as usize * pixels.bytes();
    let header = match bytes.len().checked_sub(body) {
        // The older header; but a picture with the newer one, four bytes short at its end, is as long.
        Some(12) if !word(3).is_some_and(is_color_space) => 12,
        Some(16) => 16,
        _ => {
            return Err(picture(&format!(
                "{} bytes where {width}×{height} needs {body} and a header",
                bytes.len()
            )));
        }
    };
    Ok(Frame {
        width,
        height,
        rgba: to_rgba(&bytes[header..], pixels),
    })
}

/// Whether the fourth word is a colour space, not a first pixel: `screencap` writes 1 (sRGB) or 2 (Display P3); some
/// builds write `android.hardware.DataSpace`, which keeps its facts in bits 16 to 29 (sRGB is 0x0881_0000). An opaque
/// pixel has 0xff in the highest byte.
fn is_color_space(word: u32) -> bool {
    matches!(word, 1 | 2) || (word != 0 && word & 0xc000_ffff == 0)
}

/// Copied once, to where they stay: ten megabytes more of each capture would be ten of each phone.
fn to_rgba(bytes: &[u8], pixels: Pixels) -> Arc<[u8]> {
    match pixels {
        Pixels::Rgba | Pixels::Rgbx => copied(bytes, make_opaque),
        Pixels::Bgra => copied(bytes, |rgba| {
            for pixel in rgba.as_chunks_mut::<4>().0 {
                pixel.swap(0, 2);
                pixel[3] = u8::MAX;
            }
        }),
        Pixels::Rgb => bytes
            .chunks_exact(3)
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX])
            .collect(),
        Pixels::Rgb565 => bytes
            .chunks_exact(2)
            .flat_map(|pixel| {
                let bits = u16::from_le_bytes([pixel[0], pixel[1]]);
                let red = (bits >> 11) & 0x1f;
                let green = (bits >> 5) & 0x3f;
                let blue = bits & 0x1f;
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "five and six bits, widened to eight"
                )]
                let wide = |value: u16, bits: u16| ((value << (8 - bits)) | (value >> (2 * bits - 8))) as u8;
                [wide(red, 5), wide(green, 6), wide(blue, 5), u8::MAX]
            })
            .collect(),
    }
}

/// A copy, changed before anybody else has it.
fn copied(bytes: &[u8], change: impl FnOnce(&mut [u8])) -> Arc<[u8]> {
    let mut copy: Arc<[u8]> = bytes.into();
    if let Some(only) = Arc::get_mut(&mut copy) {
        change(only);
    }
    copy
}

/// What is on the screen is opaque, whatever the fourth byte says (where a video shows through, it says 0).
fn make_opaque(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        pixel[3] = u8::MAX;
    }
}

/// How dark a picture is, in shares of 0…1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Darkness {
    /// Pixels that look black.
    pub near_black: f64,
    /// Pixels that are black, as a hidden window's are.
    pub black: f64,
}

impl Darkness {
    /// From this share of pure black on it is asked whether the window is hidden.
    const SUSPICIOUS: f64 = 0.4;
    /// A picture this dark is black.
    const BLACK: f64 = 0.98;

    /// The screen is off, or shows nothing.
    #[must_use]
    pub fn is_black(self) -> bool {
        self.near_black >= Self::BLACK
    }

    /// The screen may be off, or its window hidden: which of them only the phone can tell.
    #[must_use]
    pub fn is_suspicious(self) -> bool {
        self.is_black() || self.black >= Self::SUSPICIOUS
    }
}

/// Judges a picture by a grid of at most some 40,000 of its pixels.
#[must_use]
pub fn darkness(frame: &Frame) -> Darkness {
    let (width, height) = (frame.width as usize, frame.height as usize);
    let step = (width * height / 40_000).isqrt().max(1);
    let (mut seen, mut near, mut black) = (0_u32, 0_u32, 0_u32);
    for row in frame.rgba.chunks_exact((width * 4).max(4)).step_by(step) {
        for pixel in row.chunks_exact(4 * step.min(width.max(1))) {
            let brightest = pixel[0].max(pixel[1]).max(pixel[2]);
            seen += 1;
            near += u32::from(brightest <= 16);
            black += u32::from(brightest <= 2);
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(seen.max(1));
    Darkness {
        near_black: share(near),
        black: share(black),
    }
}

/// Whether two pictures show the same: outside the status bar (the top 3.5 %) nothing differs, or only something as
/// small as a blinking caret.
#[must_use]
pub fn same(one: &Frame, other: &Frame) -> bool {
    if (one.width, one.height) != (other.width, other.height) {
        return false;
    }
    if Arc::ptr_eq(&one.rgba, &other.rgba) {
        return true;
    }
    let (width, height) = (one.width as usize, one.height as usize);
    let bar = (height * 35).div_ceil(1000);
    let caret = ((width / 50).max(4), (height / 20).max(4));
    let mut top = None;
    let (mut left, mut right) = (width, 0);
    let rows = one
        .rgba
        .chunks_exact((width * 4).max(4))
        .zip(other.rgba.chunks_exact((width * 4).max(4)));
    for (y, (a, b)) in rows.enumerate().skip(bar) {
        if a == b {
            continue;
        }
        let differ = |x: &usize| a[x * 4..x * 4 + 4] != b[x * 4..x * 4 + 4];
        let (Some(first), Some(last)) = ((0..width).find(differ), (0..width).rev().find(differ)) else {
            continue;
        };
        left = left.min(first);
        right = right.max(last);
        if y - *top.get_or_insert(y) >= caret.1 || right - left >= caret.0 {
            return false;
        }
    }
    true
}

fn picture(why: &str) -> AdbError {
    AdbError::Picture(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 2×2 with a header of these words.
    fn raw(header: &[u32], pixels: usize) -> Vec<u8> {
        let words = [2, 2, 1].iter().chain(header);
        let mut bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend([7, 8, 9, 255].repeat(pixels));
        bytes
    }

    #[test]
    fn a_raw_picture_counts_only_when_it_is_whole() {
        for (header, pixels, expected) in [
            // Android 8 and older, 9 and newer, and builds that tell the colours in full.
            (&[][..], 4, true),
            (&[0], 4, true),
            (&[1], 4, true),
            (&[2], 4, true),
            (&[0x0881_0000], 4, true),
            // As long as the older form when its last pixel is missing.
            (&[1], 3, false),
            (&[2], 3, false),
            (&[0x0881_0000], 3, false),
            (&[], 3, false),
            (&[1], 5, false),
        ] {
            let read = read_raw(&raw(header, pixels));
            assert_eq!(
                read.is_ok(),
                expected,
                "{header:x?} and {pixels} pixels: {read:?}"
            );
            if let Ok(frame) = read {
                assert_eq!(frame.rgba.as_ref(), [7, 8, 9, 255].repeat(4));
            }
        }
    }
}
