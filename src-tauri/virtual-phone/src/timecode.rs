//! A number that is read from pixels: the app "Motion tests" shows the phone's clock so, and whoever sees the picture at the
//! other end of a stream reads it back, and knows how old the picture is.
//!
//! Cells of a twelfth of the display's shorter side stand in the middle of the display, eight across and four down. White
//! is 1, black 0, the highest bit first: three rows are the number, the fourth is the check
//! `(165 + 3·low + 5·middle + 7·high) mod 256` of its bytes.

/// Numbers count up to here, and begin again.
pub const MODULUS: u64 = 1 << 24;

const ACROSS: usize = 8;
const DOWN: usize = 4;

/// The number of a moment in milliseconds.
#[must_use]
pub fn number(millis: u64) -> u32 {
    (millis % MODULUS) as u32
}

/// How many milliseconds before `millis` a number was (less than [`MODULUS`]).
#[must_use]
pub fn age(number: u32, millis: u64) -> u64 {
    (millis % MODULUS + MODULUS - u64::from(number) % MODULUS) % MODULUS
}

fn check(number: u32) -> u32 {
    let [high, middle, low] = [16, 8, 0].map(|shift| (number >> shift) & 0xff);
    (165 + 3 * low + 5 * middle + 7 * high) & 0xff
}

/// The cells of a number, row after row: whether each is white.
pub(crate) fn cells(number: u32) -> [bool; ACROSS * DOWN] {
    let all = number << 8 | check(number);
    std::array::from_fn(|at| all >> (ACROSS * DOWN - 1 - at) & 1 == 1)
}

/// Left, top and side of a cell, in pixels of a picture of the whole display.
pub(crate) fn cell(width: f32, height: f32, at: usize) -> (f32, f32, f32) {
    let side = width.min(height) / 12.0;
    let left = (width - side * ACROSS as f32) / 2.0 + side * (at % ACROSS) as f32;
    let top = (height - side * DOWN as f32) / 2.0 + side * (at / ACROSS) as f32;
    (left, top, side)
}

/// Reads the number in a picture of the whole display; `luma` tells how light a pixel is. None: there is none, or it
/// cannot be read.
#[must_use]
pub fn read(width: usize, height: usize, luma: impl Fn(usize, usize) -> u8) -> Option<u32> {
    let mut all = 0_u32;
    for at in 0..ACROSS * DOWN {
        let (left, top, side) = cell(width as f32, height as f32, at);
        // The middle half: edges are blurred.
        let range = |from: f32| {
            let start = (from + side * 0.25).ceil() as usize;
            start..((from + side * 0.75) as usize).max(start + 1)
        };
        let (mut sum, mut count) = (0_u32, 0_u32);
        for y in range(top) {
            for x in range(left) {
                sum += u32::from(luma(x.min(width - 1), y.min(height - 1)));
                count += 1;
            }
        }
        let mean = sum / count.max(1);
        // What is neither white nor black is no cell.
        if (80..176).contains(&mean) {
            return None;
        }
        all = all << 1 | u32::from(mean >= 128);
    }
    let number = all >> 8;
    (check(number) == all & 0xff).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn drawn(width: usize, height: usize, number: u32) -> impl Fn(usize, usize) -> u8 {
        let cells = cells(number);
        move |x, y| {
            let inside = (0..cells.len()).find(|at| {
                let (left, top, side) = cell(width as f32, height as f32, *at);
                let within = |value: usize, from: f32| value as f32 >= from && (value as f32) < from + side;
                within(x, left) && within(y, top)
            });
            inside.map_or(128, |at| if cells[at] { 230 } else { 25 })
        }
    }

    proptest! {
        #[test]
        fn every_number_is_read_back(number in 0_u32..1 << 24, tall in proptest::bool::ANY) {
            let (width, height) = if tall { (216, 480) } else { (480, 216) };
            prop_assert_eq!(read(width, height, drawn(width, height, number)), Some(number));
        }

        #[test]
        fn a_cell_that_flips_is_noticed(number in 0_u32..1 << 24, flipped in 0_usize..32) {
            let picture = drawn(216, 480, number);
            let (left, top, side) = cell(216.0, 480.0, flipped);
            let broken = |x: usize, y: usize| {
                let inside = |value: usize, from: f32| value as f32 >= from && (value as f32) < from + side;
                let light = picture(x, y);
                if inside(x, left) && inside(y, top) { 255 - light } else { light }
            };
            prop_assert_eq!(read(216, 480, broken), None);
        }
    }

    #[test]
    fn ages_go_round() {
        assert_eq!(age(number(1_715_679_660_123), 1_715_679_660_150), 27);
        assert_eq!(age(MODULUS as u32 - 10, MODULUS + 5), 15);
        assert_eq!(read(216, 480, |_, _| 128), None);
        assert_eq!(read(216, 480, |_, _| 20), None, "a black screen's check is wrong");
    }
}
