//! A thing by its picture, in 64 bits.

use protocol::{Bounds, Frame, Screen};
use screen::picture::{Scale, crop};
use serde::{Deserialize, Serialize};

/// Cells in a row: each but the last is compared with the next.
const COLUMNS: u32 = 9;
/// Rows.
const ROWS: u32 = 8;
/// Bits that may differ where two patches are of one thing.
const ALIKE: u32 = 6;

/// What a thing looked like: where it lay, and its difference hash (each bit: a cell is brighter than the next). In dark mode
/// every bit is the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// In pixels of its screen.
    pub bounds: Bounds,
    /// Row after row.
    pub hash: u64,
}

impl Patch {
    /// Of a rectangle of a screen; none without a picture, where it lies beside it, or where nothing is drawn in it.
    #[must_use]
    pub fn of(screen: &Screen, bounds: Bounds) -> Option<Self> {
        let frame = screen.frame.as_ref()?;
        let on_picture = Scale::of((screen.width, screen.height), frame).on_picture(bounds);
        let hash = hash(&crop(frame, on_picture).ok()?)?;
        Some(Self { bounds, hash })
    }

    /// The same thing, as far as a picture tells.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let apart = (self.hash ^ other.hash).count_ones();
        apart.min(u64::BITS - apart) <= ALIKE
    }
}

/// None of a picture too small, or of one colour: any other would be like it.
fn hash(frame: &Frame) -> Option<u64> {
    if frame.width < COLUMNS || frame.height < ROWS {
        return None;
    }
    let mut bits = 0_u64;
    let mut seen = (u64::MAX, 0);
    for row in 0..ROWS {
        let mut before = None;
        for column in 0..COLUMNS {
            let bright = brightness(frame, column, row)?;
            seen = (seen.0.min(bright), seen.1.max(bright));
            if let Some(before) = before {
                bits = bits << 1 | u64::from(before > bright);
            }
            before = Some(bright);
        }
    }
    // Of 255 × 256; a twentieth is more than noise.
    (seen.1 - seen.0 > 255 * 256 / 20).then_some(bits)
}

/// The mean of a cell, 0 to 255 × 256 (Rec. 601).
fn brightness(frame: &Frame, column: u32, row: u32) -> Option<u64> {
    let (mut sum, mut pixels) = (0_u64, 0_u64);
    for y in frame.height * row / ROWS..frame.height * (row + 1) / ROWS {
        for x in frame.width * column / COLUMNS..frame.width * (column + 1) / COLUMNS {
            let at = usize::try_from((u64::from(y) * u64::from(frame.width) + u64::from(x)) * 4).ok()?;
            let [r, g, b, ..] = *frame.rgba.get(at..at + 4)? else {
                return None;
            };
            sum += u64::from(r) * 77 + u64::from(g) * 150 + u64::from(b) * 29;
            pixels += 1;
        }
    }
    sum.checked_div(pixels)
}
