//! Numbered marks: a frame around each element that can be acted on, and its number on it.

use super::draw::{Colour, fill};
use super::place::{OccupancyMap, chip_size, digit_dot, spots};
use super::scale::Scale;
use super::shape::{PictureError, shape};
use crate::rect;
use crate::target::is_actionable;
use protocol::{Bounds, CaptureMode, Element, ElementState, Frame, Role};

/// Grounds of numbers, dark ones and bright ones. Which one a number gets depends on what is behind it.
const COLOURS: [Colour; 8] = [
    [200, 30, 45],
    [25, 90, 210],
    [20, 120, 60],
    [150, 45, 170],
    [176, 82, 0],
    [0, 112, 128],
    [255, 214, 10],
    [90, 230, 250],
];
/// A ground must stand out this much from what is behind it, as WCAG measures contrast between parts of a page.
const STANDS_OUT: f64 = 3.0;
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
/// What lies over a secret: a colour no app's field has, and no pixel of the field.
const COVER: Colour = [0x8b, 0x85, 0x7b];

/// The digits 0–9, five dots wide and seven high; the highest of five bits is the left dot.
const DIGITS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
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

/// One mark, in pixels of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its element's number.
    pub number: u32,
    /// The frame around the element: what of it lies on the picture.
    pub frame: Bounds,
    /// Where the number stands.
    pub chip: Bounds,
    /// The colour of the frame and behind the digits.
    pub ground: Colour,
    /// The colour of the digits and of the hairlines around.
    pub ink: Colour,
    /// The side of the squares the digits are made of.
    dot: i32,
}

/// The picture a capture shows: none (`ax`), the picture alone (`vision`), or with its marks (`som`). Every password
/// field and every rectangle of `secrets` (pixels of the screen) is covered by one flat colour first, whatever the mode:
/// nothing of what was there is left.
///
/// # Errors
/// [`PictureError::Shape`].
pub fn captured(
    mode: CaptureMode,
    frame: &Frame,
    elements: &[Element],
    secrets: &[Bounds],
    scale: Scale,
) -> Result<Option<Frame>, PictureError> {
    if mode == CaptureMode::Ax {
        return Ok(None);
    }
    shape(frame)?;
    let mut picture = frame.clone();
    let passwords = elements
        .iter()
        .filter(|e| e.states.contains(&ElementState::Password))
        .map(|e| e.bounds);
    for secret in passwords.chain(secrets.iter().copied()) {
        // One pixel more: scaling mixes neighbours.
        fill(&mut picture, grown(scale.on_picture(secret), 1), COVER);
    }
    if mode == CaptureMode::Vision {
        return Ok(Some(picture));
    }
    marks(&picture, elements, scale).map(Some)
}

/// Draws the marks of [`place_marks`] on a copy of the picture.
///
/// # Errors
/// [`PictureError::Shape`].
pub fn marks(frame: &Frame, elements: &[Element], scale: Scale) -> Result<Frame, PictureError> {
    let placed = place_marks(frame, elements, scale)?;
    let mut marked = frame.clone();
    for mark in &placed {
        let line = (digit_dot(frame) / 2).max(1);
        ring(&mut marked, mark.frame, line, mark.ground);
        ring(&mut marked, grown(mark.frame, -line), 1, mark.ink);
    }
    for mark in &placed {
        fill(&mut marked, mark.chip, mark.ink);
        fill(&mut marked, grown(mark.chip, -1), mark.ground);
        write(&mut marked, mark);
    }
    Ok(marked)
}

/// Where the marks of a picture go. The picture may be a smaller one than the screen: `scale` says how they lie to each
/// other; marks made for the picture that is sent keep their digits sharp.
///
/// What can be tapped, pressed, checked, typed into, scrolled or set gets a mark; words alone do not. A number stands
/// inside its element where nothing is written, else beside it; never on its own element's writing, not inside a
/// neighbour where that can be avoided, and on another number only where there is no other spot. Numbers lie wholly on
/// the picture: on one too small for any, the mark is left out. Only an element that fills the picture and is written
/// over all of it has its number on its least written spot.
///
/// The ground behind the digits is one that stands out from what is around it, the digits are black or white, whichever
/// is seen better on that, and a hairline of their colour runs around.
///
/// # Errors
/// [`PictureError::Shape`].
pub fn place_marks(frame: &Frame, elements: &[Element], scale: Scale) -> Result<Vec<Mark>, PictureError> {
    shape(frame)?;
    let whole = rect::screen(frame.width, frame.height);
    let mut boxes: Vec<(u32, Bounds)> = elements
        .iter()
        .filter(|e| can_be_worked(e))
        .map(|e| (e.index, rect::intersect(scale.on_picture(e.bounds), whole)))
        .filter(|(_, bounds)| !rect::is_empty(*bounds))
        .collect();
    // The smallest have the least choice; of equal ones the first.
    boxes.sort_by_key(|(number, bounds)| (rect::area(*bounds), *number));
    let mut occupancy = OccupancyMap::of(frame, boxes.iter().map(|(_, bounds)| *bounds).collect());
    let most = digit_dot(frame);
    let mut placed = Vec::with_capacity(boxes.len());
    for (at, (number, own)) in boxes.iter().enumerate() {
        // Smaller digits where the usual ones would hide something.
        let sizes = [most, (most - 1).max(1), 1];
        let best = sizes
            .iter()
            .filter_map(|dot| {
                let spots = spots(*own, chip_size(*number, *dot), *dot).into_iter();
                let fits = spots.filter(|spot| rect::covers(whole, *spot)).enumerate();
                fits.map(|(rank, spot)| (occupancy.cost(at, spot, rank), spot, *dot))
                    .min_by_key(|(cost, ..)| *cost)
            })
            // Hiding nothing, the largest will do.
            .scan(false, |enough, found| {
                let go_on = !*enough;
                *enough = found.0 < OccupancyMap::HIDES;
                go_on.then_some(found)
            })
            .min_by_key(|(cost, ..)| *cost);
        if let Some((_, chip, dot)) = best {
            occupancy.take(chip);
            let near: Vec<Colour> = placed
                .iter()
                .filter(|mark: &&Mark| beside(mark, *own, chip))
                .map(|mark| mark.ground)
                .collect();
            let (colour, ink) = colours(*number, occupancy.around(frame, chip), &near);
            placed.push(Mark {
                number: *number,
                frame: *own,
                chip,
                ground: colour,
                ink,
                dot,
            });
        }
    }
    placed.sort_by_key(|mark| mark.number);
    Ok(placed)
}

/// Something can be done to it.
fn can_be_worked(element: &Element) -> bool {
    is_actionable(element)
        || element.states.contains(&ElementState::Scrollable)
        || matches!(element.role, Role::Slider | Role::Rating)
}

/// Near enough for two of one colour to be taken for each other.
fn beside(mark: &Mark, own: Bounds, chip: Bounds) -> bool {
    let by = chip.bottom - chip.top;
    let touches = |a: Bounds, b: Bounds| !rect::is_empty(rect::intersect(grown(a, by), b));
    touches(chip, mark.chip) || touches(chip, mark.frame) || touches(own, mark.chip)
}

/// A ground that stands out from what is around, and the ink for it: a colour no mark near has, where there is one.
fn colours(number: u32, around: Colour, near: &[Colour]) -> (Colour, Colour) {
    let number = usize::try_from(number).unwrap_or(0);
    let seen: Vec<Colour> = COLOURS
        .into_iter()
        .filter(|colour| contrast(*colour, around) >= STANDS_OUT)
        .collect();
    let turn = || (0..seen.len()).map(|n| seen[(number + n) % seen.len()]);
    // On a middling ground nothing stands out but black or white, which are in no list of colours.
    let strongest = if contrast(WHITE, around) > contrast(BLACK, around) {
        WHITE
    } else {
        BLACK
    };
    let free = turn().find(|colour| !near.contains(colour));
    let ground = free.or_else(|| turn().next()).unwrap_or(strongest);
    let ink = if contrast(ground, WHITE) >= contrast(ground, BLACK) {
        WHITE
    } else {
        BLACK
    };
    (ground, ink)
}

/// The contrast of two colours as WCAG 2 defines it: 1 (none) to 21.
#[must_use]
pub fn contrast(a: Colour, b: Colour) -> f64 {
    let light = |colour: Colour| {
        let [r, g, b] = colour.map(|channel| {
            let part = f64::from(channel) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (light(a), light(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn grown(b: Bounds, by: i32) -> Bounds {
    Bounds {
        left: b.left - by,
        top: b.top - by,
        right: b.right + by,
        bottom: b.bottom + by,
    }
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

fn write(frame: &mut Frame, mark: &Mark) {
    let (dot, pad) = (mark.dot, super::place::pad(mark.dot));
    let mut left = mark.chip.left + pad;
    for digit in mark.number.to_string().bytes() {
        let rows = DIGITS[usize::from(digit.wrapping_sub(b'0')) % 10];
        for (y, bits) in (0_i32..).zip(rows) {
            for x in (0_i32..5).filter(|x| bits & (0b1_0000 >> x) != 0) {
                let (left, top) = (left + x * dot, mark.chip.top + pad + y * dot);
                let square = Bounds {
                    left,
                    top,
                    right: left + dot,
                    bottom: top + dot,
                };
                fill(frame, square, mark.ink);
            }
        }
        left += 6 * dot;
    }
}
