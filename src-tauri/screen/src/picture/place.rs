//! Where a number may stand on a picture, and what it would hide there.

use crate::rect;
use protocol::{Bounds, Frame};

/// Neighbouring pixels this far apart in any channel (of 255) are an edge: the rim of a letter or an icon, and no
/// gradient, shadow or video noise.
const EDGE: u8 = 28;

/// The side of the squares digits are made of.
pub(super) fn digit_dot(frame: &Frame) -> i32 {
    let longer = frame.width.max(frame.height);
    i32::try_from(longer.saturating_add(320) / 640)
        .unwrap_or(2)
        .clamp(2, 64)
}

/// What is left free around the digits, the hairline included.
pub(super) fn pad(dot: i32) -> i32 {
    (dot * 3).div_euclid(2).max(2)
}

/// Width and height of a number with its margin.
pub(super) fn chip_size(number: u32, dot: i32) -> (i32, i32) {
    let digits = i32::try_from(number.checked_ilog10().unwrap_or(0)).unwrap_or(0) + 1;
    (digits * 6 * dot - dot + 2 * pad(dot), 7 * dot + 2 * pad(dot))
}

/// Where a number may stand, the best places first: inside at the corners and edges, outside around, then anywhere
/// inside.
pub(super) fn spots(b: Bounds, (w, h): (i32, i32), dot: i32) -> Vec<Bounds> {
    let line = dot;
    let (right, bottom) = (b.right - w, b.bottom - h);
    let (middle_x, middle_y) = ((b.left + b.right - w) / 2, (b.top + b.bottom - h) / 2);
    let mut places = Vec::with_capacity(64);
    let room = b.right - b.left >= w + 2 * line && b.bottom - b.top >= h + 2 * line;
    let (near_left, near_top, near_right, near_bottom) =
        (b.left + line, b.top + line, right - line, bottom - line);
    if room {
        places.extend([
            (near_left, near_top),
            (near_right, near_top),
            (near_right, near_bottom),
            (near_left, near_bottom),
            (near_right, middle_y),
            (near_left, middle_y),
            (middle_x, near_top),
            (middle_x, near_bottom),
        ]);
    }
    places.extend([
        (b.left, b.top - h),
        (right, b.top - h),
        (b.left - w, b.top),
        (b.right, b.top),
        (b.left - w, middle_y),
        (b.right, middle_y),
        (b.left, b.bottom),
        (right, b.bottom),
        (middle_x, b.top - h),
        (middle_x, b.bottom),
        (b.left - w, b.top - h),
        (b.right, b.top - h),
        (b.left - w, b.bottom),
        (b.right, b.bottom),
    ]);
    if room {
        let part = |low: i32, high: i32, n: i32| low + (high - low) / 7 * n;
        for row in 0..8 {
            for column in 0..8 {
                places.push((
                    part(near_left, near_right, column),
                    part(near_top, near_bottom, row),
                ));
            }
        }
    }
    places
        .into_iter()
        .map(|(left, top)| Bounds {
            left,
            top,
            right: left + w,
            bottom: top + h,
        })
        .collect()
}

/// What is on a picture: writing, elements, and the numbers placed so far.
pub(super) struct OccupancyMap {
    /// For each pixel, how many edges lie above and left of it: one more than the picture each way.
    edges: Vec<u32>,
    stride: usize,
    whole: Bounds,
    boxes: Vec<Bounds>,
    chips: Vec<Bounds>,
}

impl OccupancyMap {
    /// A spot that costs this much hides writing of its own element, or another number.
    pub(super) const HIDES: i64 = 1_000_000_000;

    /// `boxes` are the frames of the elements, in the order they are asked for. The frame's bytes match its size.
    pub(super) fn of(frame: &Frame, boxes: Vec<Bounds>) -> Self {
        let width = usize::try_from(frame.width).unwrap_or(0);
        let stride = width + 1;
        let rows: Vec<&[u8]> = frame.rgba.chunks_exact((width * 4).max(1)).collect();
        let mut edges = vec![0_u32; stride * (rows.len() + 1)];
        let far = |a: &[u8], b: &[u8]| (0..3).any(|c| a[c].abs_diff(b[c]) >= EDGE);
        for (y, row) in rows.iter().enumerate() {
            let below = rows.get(y + 1).copied().unwrap_or(row);
            let mut in_row = 0;
            let mut last: Option<&[u8]> = None;
            for (x, (pixel, under)) in row.chunks_exact(4).zip(below.chunks_exact(4)).enumerate() {
                let beside = last.is_some_and(|last| far(last, pixel));
                in_row += u32::from(beside || far(pixel, under));
                last = Some(pixel);
                edges[(y + 1) * stride + x + 1] = edges[y * stride + x + 1] + in_row;
            }
        }
        Self {
            edges,
            stride,
            whole: rect::screen(frame.width, frame.height),
            boxes,
            chips: Vec::new(),
        }
    }

    /// Edges inside a rectangle, which must lie on the picture.
    fn written(&self, b: Bounds) -> i64 {
        if rect::is_empty(b) {
            return 0;
        }
        let at = |x: i32, y: i32| {
            let place = usize::try_from(y).unwrap_or(0) * self.stride + usize::try_from(x).unwrap_or(0);
            i64::from(self.edges.get(place).copied().unwrap_or(0))
        };
        at(b.right, b.bottom) + at(b.left, b.top) - at(b.left, b.bottom) - at(b.right, b.top)
    }

    /// What a number at a spot would hide of its element (the `own`th box), of others and of other numbers; of spots
    /// that hide as much, the earlier `rank` is better.
    pub(super) fn cost(&self, own: usize, spot: Bounds, rank: usize) -> i64 {
        let mine = self.boxes[own];
        let chips: i64 = self
            .chips
            .iter()
            .map(|chip| rect::area(rect::intersect(*chip, spot)))
            .sum();
        let own_written = self.written(rect::intersect(spot, mine));
        // Inside a neighbour a number would be read as the neighbour's. What holds the element is no neighbour.
        let strange: i64 = self
            .boxes
            .iter()
            .filter(|other| !rect::covers(**other, mine))
            .map(|other| rect::area(rect::intersect(*other, spot)))
            .sum();
        let written = self.written(spot) - own_written;
        // Right beside other digits a number would be read as one with them.
        let by = (spot.bottom - spot.top) / 4;
        let wide = Bounds {
            left: spot.left - by,
            top: spot.top - by / 2,
            right: spot.right + by,
            bottom: spot.bottom + by / 2,
        };
        let close = self.written(rect::intersect(wide, self.whole)) - self.written(spot);
        let hides = chips * 4 + own_written;
        let rank = i64::try_from(rank).unwrap_or(i64::MAX / 4);
        hides.saturating_mul(Self::HIDES)
            + (strange.min(4 * rect::area(spot)) * 20 + written * 100 + close * 50 + rank)
                .min(Self::HIDES - 1)
    }

    /// A number stands there now.
    pub(super) fn take(&mut self, chip: Bounds) {
        self.chips.push(chip);
    }

    /// The mean colour of what a number will be seen against: the spot and a little more around.
    pub(super) fn around(&self, frame: &Frame, chip: Bounds) -> [u8; 3] {
        let by = (chip.bottom - chip.top) / 4;
        let wide = Bounds {
            left: chip.left - by,
            top: chip.top - by,
            right: chip.right + by,
            bottom: chip.bottom + by,
        };
        let inside = rect::intersect(wide, rect::screen(frame.width, frame.height));
        let (mut sum, mut pixels) = ([0_u64; 3], 0_u64);
        for row in super::draw::rows(&frame.rgba, frame.width, inside) {
            for pixel in row.chunks_exact(4) {
                for (channel, sum) in sum.iter_mut().enumerate() {
                    *sum += u64::from(pixel[channel]);
                }
                pixels += 1;
            }
        }
        sum.map(|sum| u8::try_from(sum / pixels.max(1)).unwrap_or(u8::MAX))
    }
}
