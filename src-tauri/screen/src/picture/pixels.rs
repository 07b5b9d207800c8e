//! Pixels as phones hand them out → 8-bit RGBA, and how dark a picture is.

use protocol::Frame;
use std::sync::Arc;

/// Pixel formats of `android.graphics.PixelFormat` and `HardwareBuffer` that a screen is captured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelFormat {
    /// Four bytes.
    Rgba,
    /// Four bytes; the last says nothing.
    Rgbx,
    /// Three bytes.
    Rgb,
    /// Sixteen bits, little-endian: five, six and five.
    Rgb565,
    /// Four bytes, blue first.
    Bgra,
}

impl PixelFormat {
    /// By its number; none where it is another.
    #[must_use]
    pub fn known(number: u32) -> Option<Self> {
        Some(match number {
            1 => Self::Rgba,
            2 => Self::Rgbx,
            3 => Self::Rgb,
            4 => Self::Rgb565,
            5 => Self::Bgra,
            _ => return None,
        })
    }

    /// Bytes of a pixel.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Rgba | Self::Rgbx | Self::Bgra => 4,
            Self::Rgb => 3,
            Self::Rgb565 => 2,
        }
    }

    /// Opaque RGBA, copied once, to where it stays: ten megabytes more of each capture would be ten of each phone.
    #[must_use]
    pub fn to_rgba(self, bytes: &[u8]) -> Arc<[u8]> {
        match self {
            Self::Rgba | Self::Rgbx => copied(bytes, make_opaque),
            Self::Bgra => copied(bytes, |rgba| {
                for pixel in rgba.as_chunks_mut::<4>().0 {
                    pixel.swap(0, 2);
                    pixel[3] = u8::MAX;
                }
            }),
            Self::Rgb => bytes
                .chunks_exact(3)
                .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX])
                .collect(),
            Self::Rgb565 => bytes
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
                    let wide =
                        |value: u16, bits: u16| ((value << (8 - bits)) | (value >> (2 * bits - 8))) as u8;
                    [wide(red, 5), wide(green, 6), wide(blue, 5), u8::MAX]
                })
                .collect(),
        }
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
pub fn make_opaque(rgba: &mut [u8]) {
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
