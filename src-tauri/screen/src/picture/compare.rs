//! Pictures compared: alike, changed where.

use super::draw::rows;
use super::shape::shape;
use crate::rect;
use protocol::{Bounds, Frame};

/// The side of the squares that are compared, in pixels.
const BLOCK: usize = 4;
/// A square has changed when its pixels differ by more than this on average (of 255). Video coding stays below; one
/// pixel of sixteen turning from white to black is above.
pub const NOISE: u32 = 8;
/// The same, where one of the pictures was scaled, or is a key frame beside a refined one. A digit that became another
/// stands farther apart, in small and pale letters too.
pub const CODING_NOISE: u32 = 28;
/// A fingerprint has this many cells across and down.
const CELLS: usize = 32;
/// Cells this far apart (of 255) differ.
const CELL_NOISE: u8 = 6;

/// What changed between two pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// How much of what was compared, from 0 to 1.
    pub share: f64,
    /// The smallest rectangle around it, to within 4 pixels; absent when nothing changed.
    pub bounds: Option<Bounds>,
}

impl Difference {
    /// Nothing changed.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.bounds.is_none()
    }

    /// A thin upright line and nothing else: a text cursor that blinked. Thinner and taller than any digit.
    #[must_use]
    pub fn is_caret(&self) -> bool {
        self.bounds.is_some_and(|b| {
            let (width, height) = (b.right - b.left, b.bottom - b.top);
            width <= 8 && height >= 5 * width
        })
    }
}

/// Where two pictures differ, what lies in `ignoring` aside. Noise as video coding makes it does not count; pictures
/// of different size differ wholly.
#[must_use]
pub fn difference(a: &Frame, b: &Frame, ignoring: &[Bounds]) -> Difference {
    difference_beyond(a, b, ignoring, NOISE)
}

/// The same, where squares of pixels may differ by `noise` (of 255) on average.
#[must_use]
pub fn difference_beyond(a: &Frame, b: &Frame, ignoring: &[Bounds], noise: u32) -> Difference {
    let whole = rect::screen(a.width, a.height);
    let Ok((width, height)) = shape(a) else {
        return if a == b { Difference::default() } else { all(whole) };
    };
    if a.width != b.width || a.height != b.height || shape(b).is_err() {
        return all(whole);
    }
    let stride = width * 4;
    let (mut compared, mut changed) = (0_usize, 0_usize);
    let mut around: Option<Bounds> = None;
    for top in (0..height).step_by(BLOCK) {
        let bottom = (top + BLOCK).min(height);
        let (strip_a, strip_b) = (
            &a.rgba[top * stride..bottom * stride],
            &b.rgba[top * stride..bottom * stride],
        );
        let same = strip_a == strip_b;
        let row = ignoring
            .iter()
            .filter(|i| meets(i.top, i.bottom, top, bottom))
            .collect::<Vec<_>>();
        if same && row.is_empty() {
            compared += width.div_ceil(BLOCK);
            continue;
        }
        for left in (0..width).step_by(BLOCK) {
            let right = (left + BLOCK).min(width);
            if row.iter().any(|i| meets(i.left, i.right, left, right)) {
                continue;
            }
            compared += 1;
            if same || !differs(strip_a, strip_b, stride, (left * 4, right * 4), noise) {
                continue;
            }
            changed += 1;
            let block = edges(left, top, right, bottom);
            around = Some(around.map_or(block, |old| Bounds {
                left: old.left.min(block.left),
                top: old.top.min(block.top),
                right: old.right.max(block.right),
                bottom: old.bottom.max(block.bottom),
            }));
        }
    }
    Difference {
        share: share(changed, compared),
        bounds: around,
    }
}

fn all(bounds: Bounds) -> Difference {
    Difference {
        share: 1.0,
        bounds: Some(bounds),
    }
}

/// Whether one square of a strip changed; `from..to` are bytes in each row.
fn differs(a: &[u8], b: &[u8], stride: usize, (from, to): (usize, usize), noise: u32) -> bool {
    let (mut sum, mut channels) = (0_u32, 0_u32);
    for (row_a, row_b) in a.chunks_exact(stride).zip(b.chunks_exact(stride)) {
        let (a, b) = (&row_a[from..to], &row_b[from..to]);
        channels += 3 * u32::try_from(a.len() / 4).unwrap_or(u32::MAX);
        // Most of a strip in which something changed did not.
        if a == b {
            continue;
        }
        for (pa, pb) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
            for channel in 0..3 {
                // At most 255 for each of 48 channels: looked after each time, it takes a third longer.
                sum = sum.wrapping_add(u32::from(pa[channel].abs_diff(pb[channel])));
            }
        }
    }
    sum > noise * channels
}

/// Whether an ignored span touches a span of pixels.
fn meets(low: i32, high: i32, from: usize, to: usize) -> bool {
    let edge = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    low < edge(to) && edge(from) < high
}

fn edges(left: usize, top: usize, right: usize, bottom: usize) -> Bounds {
    let edge = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    Bounds {
        left: edge(left),
        top: edge(top),
        right: edge(right),
        bottom: edge(bottom),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "pixels of one picture")]
    let share = part as f64 / whole as f64;
    share
}

/// A picture in a thousand numbers: enough to tell whether two are of the same screen, small enough to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    size: (u32, u32),
    /// Row after row; absent where something ignored lies.
    cells: Vec<Option<u8>>,
}

impl Fingerprint {
    /// How much of two fingerprints differs, from 0 (alike) to 1. What either ignored does not count; pictures of
    /// different size differ wholly.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        if self.size != other.size {
            return 1.0;
        }
        let both = || {
            self.cells
                .iter()
                .zip(&other.cells)
                .filter_map(|(a, b)| Some(((*a)?, (*b)?)))
        };
        share(
            both().filter(|(a, b)| a.abs_diff(*b) > CELL_NOISE).count(),
            both().count(),
        )
    }
}

/// The mean brightness of 32 × 32 cells, those that `ignoring` touches left out.
#[must_use]
pub fn fingerprint(frame: &Frame, ignoring: &[Bounds]) -> Fingerprint {
    let size = (frame.width, frame.height);
    let cells = grid(frame, CELLS).map(|cell| {
        let ignored = ignoring
            .iter()
            .any(|i| !rect::is_empty(rect::intersect(*i, cell)));
        if ignored { None } else { mean(frame, cell) }
    });
    Fingerprint {
        size,
        cells: cells.collect(),
    }
}

/// The mean brightness of `across` × `across` cells, row after row, 0 to 255; absent where a cell is less than a pixel. Nothing
/// where the frame is none.
pub fn cells(frame: &Frame, across: usize) -> impl Iterator<Item = Option<u8>> {
    grid(frame, across).map(|cell| mean(frame, cell))
}

fn grid(frame: &Frame, across: usize) -> impl Iterator<Item = Bounds> {
    let (width, height) = shape(frame).unwrap_or_default();
    let all = if width == 0 { 0 } else { across * across };
    (0..all).map(move |n| {
        let (row, column) = (n / across, n % across);
        edges(
            width * column / across,
            height * row / across,
            width * (column + 1) / across,
            height * (row + 1) / across,
        )
    })
}

/// The mean brightness inside; absent when nothing is inside.
fn mean(frame: &Frame, inside: Bounds) -> Option<u8> {
    let (mut sum, mut pixels) = (0_u64, 0_u64);
    for row in rows(&frame.rgba, frame.width, inside) {
        for p in row.chunks_exact(4) {
            sum += u64::from(brightness(p));
            pixels += 1;
        }
    }
    u8::try_from(sum.checked_div(pixels)?).ok()
}

/// How bright a pixel looks, 0 to 255 (Rec. 601, in whole numbers).
pub(super) fn brightness(pixel: &[u8]) -> u8 {
    let [r, g, b, ..] = *pixel else { return 0 };
    let sum = u32::from(r) * 77 + u32::from(g) * 150 + u32::from(b) * 29;
    u8::try_from(sum >> 8).unwrap_or(u8::MAX)
}

/// Where a phone shows the time: what changes there says nothing about the screen. About 50 dp of a screen whose
/// shorter side is about 400 dp, which covers the tall bars around camera holes too.
#[must_use]
pub fn status_bar(width: u32, height: u32) -> Bounds {
    let (shorter, longer) = (width.min(height), width.max(height));
    let deep = (shorter / 100 * 12).min(longer / 100 * 6);
    Bounds {
        bottom: i32::try_from(deep).unwrap_or(0),
        ..rect::screen(width, height)
    }
}
