//! A thing by its picture, in 64 bits.

use protocol::{Bounds, Frame, Screen};
use screen::picture::{Scale, crop};
use serde::{Deserialize, Serialize};

/// Cells in a row, and rows.
const SIDE: u32 = 8;
/// Bits that may differ where two patches are of one thing.
const ALIKE: u32 = 6;

/// What a thing looked like: where it lay, and its average hash (each bit: a cell is brighter than the whole). In dark mode
/// every bit is the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AverageHash {
    /// In pixels of its screen.
    pub bounds: Bounds,
    /// Row after row.
    pub hash: u64,
}

impl AverageHash {
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
    if frame.width < SIDE || frame.height < SIDE {
        return None;
    }
    let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
    let cells: Option<Vec<u64>> = places
        .map(|(column, row)| brightness(frame, column, row))
        .collect();
    let cells = cells?;
    let (darkest, brightest) = (cells.iter().min()?, cells.iter().max()?);
    // Of 255 × 256; a twentieth is more than noise.
    if brightest - darkest <= 255 * 256 / 20 {
        return None;
    }
    let mean = cells.iter().sum::<u64>() / u64::from(SIDE * SIDE);
    Some(
        cells
            .iter()
            .fold(0, |bits, cell| bits << 1 | u64::from(*cell > mean)),
    )
}

/// The mean of a cell, 0 to 255 × 256 (Rec. 601).
fn brightness(frame: &Frame, column: u32, row: u32) -> Option<u64> {
    let (mut sum, mut pixels) = (0_u64, 0_u64);
    for y in frame.height * row / SIDE..frame.height * (row + 1) / SIDE {
        for x in frame.width * column / SIDE..frame.width * (column + 1) / SIDE {
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
