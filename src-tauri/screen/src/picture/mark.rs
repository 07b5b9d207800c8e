//! Numbered marks: a frame around each element and its number beside it.

use super::compare::brightness;
use super::draw::{fill, rows};
use super::{Colour, PictureError, Scale, shape};
use crate::rect;
use protocol::{Bounds, Element, Frame};

/// White digits are readable on each of these, and each is seen on white and on black.
const COLOURS: [Colour; 6] = [
    [200, 30, 45],
    [25, 90, 210],
    [20, 120, 60],
    [150, 45, 170],
    [176, 82, 0],
    [0, 112, 128],
];
const WHITE: Colour = [255, 255, 255];

/// The digits 0–9, five dots wide and seven high; the highest of five bits is the left dot.
const DIGITS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/// Draws the number of each element on a copy of the picture. The picture may be a smaller one than the screen:
/// `scale` says how they lie to each other; drawing on the picture that is sent keeps the digits sharp.
///
/// A number stands where it covers no writing: beside its element or on a plain spot of it, and on no other number.
/// Where every spot is written on, it covers a neighbour rather than its own element. Numbers are never cut off; on
/// a picture too small for one it is left out.
///
/// # Errors
/// [`PictureError::Shape`].
pub fn marks(frame: &Frame, elements: &[Element], scale: Scale) -> Result<Frame, PictureError> {
    shape(frame)?;
    let whole = rect::screen(frame.width, frame.height);
    let longer = frame.width.max(frame.height);
    let dot = i32::try_from((longer + 320) / 640).unwrap_or(2).max(2);
    let line = (dot / 2).max(1);
    let boxes: Vec<(u32, Bounds)> = elements
        .iter()
        .map(|e| (e.index, rect::intersect(on_picture(e.bounds, scale), whole)))
        .filter(|(_, bounds)| !rect::is_empty(*bounds))
        .collect();
    let mut chips: Vec<(u32, Bounds)> = Vec::with_capacity(boxes.len());
    for (number, bounds) in &boxes {
        let spots = spots(*bounds, chip_size(*number, dot), line);
        let best = spots
            .into_iter()
            .filter(|spot| rect::covers(whole, *spot))
            .min_by_key(|spot| cost(frame, *spot, *bounds, &chips));
        if let Some(spot) = best {
            chips.push((*number, spot));
        }
    }
    let mut marked = frame.clone();
    for (number, bounds) in &boxes {
        outline(&mut marked, *bounds, line, colour(*number));
    }
    for (number, chip) in &chips {
        fill(&mut marked, *chip, WHITE);
        fill(&mut marked, grown(*chip, -1), colour(*number));
        write(&mut marked, *number, *chip, dot);
    }
    Ok(marked)
}

fn colour(number: u32) -> Colour {
    COLOURS[usize::try_from(number).unwrap_or(0) % COLOURS.len()]
}

/// A rectangle of the screen on the picture, grown to whole pixels.
fn on_picture(b: Bounds, scale: Scale) -> Bounds {
    let (left, top) = scale.to_picture(f64::from(b.left), f64::from(b.top));
    let (right, bottom) = scale.to_picture(f64::from(b.right), f64::from(b.bottom));
    #[expect(
        clippy::cast_possible_truncation,
        reason = "saturates; clipped to the picture next"
    )]
    Bounds {
        left: left.floor() as i32,
        top: top.floor() as i32,
        right: right.ceil() as i32,
        bottom: bottom.ceil() as i32,
    }
}

/// Width and height of a number with its margin.
fn chip_size(number: u32, dot: i32) -> (i32, i32) {
    let digits = i32::try_from(number.checked_ilog10().unwrap_or(0)).unwrap_or(0) + 1;
    (digits * 6 * dot + dot, 9 * dot)
}

/// Where a number may stand, the best places first: outside at the corners, then inside.
fn spots(b: Bounds, (w, h): (i32, i32), line: i32) -> Vec<Bounds> {
    let (right, bottom) = (b.right - w, b.bottom - h);
    let (middle_x, middle_y) = ((b.left + b.right - w) / 2, (b.top + b.bottom - h) / 2);
    [
        (b.left, b.top - h),
        (right, b.top - h),
        (b.left - w, b.top),
        (b.right, b.top),
        (b.left, b.bottom),
        (right, b.bottom),
        (b.left - w, middle_y),
        (b.right, middle_y),
        (right - line, b.top + line),
        (right - line, middle_y),
        (right - line, bottom - line),
        (b.left + line, b.top + line),
        (b.left + line, middle_y),
        (b.left + line, bottom - line),
        (middle_x, b.top + line),
        (middle_x, bottom - line),
    ]
    .into_iter()
    .map(|(left, top)| Bounds {
        left,
        top,
        right: left + w,
        bottom: top + h,
    })
    .collect()
}

/// What a spot would hide: other numbers count most, then writing on its own element, then other writing.
fn cost(frame: &Frame, spot: Bounds, own: Bounds, chips: &[(u32, Bounds)]) -> i64 {
    let hidden: i64 = chips
        .iter()
        .map(|(_, chip)| rect::area(rect::intersect(*chip, spot)))
        .sum();
    let mine = rect::intersect(spot, own);
    let written = writing(frame, spot);
    let own_written = if rect::is_empty(mine) {
        0
    } else {
        writing(frame, mine)
    };
    // A faint texture is not writing.
    let faint = rect::area(spot) / 50;
    hidden * 100
        + if written <= faint { 0 } else { written }
        + if own_written <= faint { 0 } else { own_written * 8 }
}

/// How many pixels are not as bright as the ground, which is what most of them are: strokes of writing.
fn writing(frame: &Frame, inside: Bounds) -> i64 {
    let mut seen = [0_i64; 8];
    let mut total = 0;
    for row in rows(&frame.rgba, frame.width, inside) {
        for pixel in row.chunks_exact(4) {
            seen[usize::from(brightness(pixel) >> 5)] += 1;
            total += 1;
        }
    }
    // The ground may lie on the border between two steps of brightness.
    let ground = (0..8)
        .map(|n| seen[n] + seen.get(n + 1).copied().unwrap_or(0))
        .max()
        .unwrap_or(0);
    total - ground
}

fn grown(b: Bounds, by: i32) -> Bounds {
    Bounds {
        left: b.left - by,
        top: b.top - by,
        right: b.right + by,
        bottom: b.bottom + by,
    }
}

/// A coloured frame inside the element, with a white hairline inside that: seen on any ground.
fn outline(frame: &mut Frame, b: Bounds, line: i32, colour: Colour) {
    ring(frame, b, line, colour);
    ring(frame, grown(b, -line), 1, WHITE);
}

fn ring(frame: &mut Frame, b: Bounds, line: i32, colour: Colour) {
    if rect::is_empty(b) {
        return;
    }
    for side in [
        Bounds {
            bottom: b.top + line,
            ..b
        },
        Bounds {
            top: b.bottom - line,
            ..b
        },
        Bounds {
            right: b.left + line,
            ..b
        },
        Bounds {
            left: b.right - line,
            ..b
        },
    ] {
        fill(frame, rect::intersect(side, b), colour);
    }
}

fn write(frame: &mut Frame, number: u32, chip: Bounds, dot: i32) {
    let mut left = chip.left + dot;
    for digit in number.to_string().bytes() {
        let rows = DIGITS[usize::from(digit.wrapping_sub(b'0')) % 10];
        for (y, bits) in (0_i32..).zip(rows) {
            for x in (0_i32..5).filter(|x| bits & (0b1_0000 >> x) != 0) {
                let (left, top) = (left + x * dot, chip.top + dot + y * dot);
                let square = Bounds {
                    left,
                    top,
                    right: left + dot,
                    bottom: top + dot,
                };
                fill(frame, square, WHITE);
            }
        }
        left += 6 * dot;
    }
}
