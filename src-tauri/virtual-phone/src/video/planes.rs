//! The display's pixels as an encoder takes them: scaled, and in luma and chroma (I420, BT.601, limited range).

use crate::android::PixelView;
use openh264::formats::YUVSource;

/// Where the display stands in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Projection {
    /// How much of the display is shown, from its corner: width and height.
    pub(crate) source: (u32, u32),
    /// Left, top, width and height in the picture; round it everything is black.
    pub(crate) target: (u32, u32, u32, u32),
}

impl Projection {
    /// All of the display over all of the picture.
    pub(crate) fn stretched(display: (u32, u32), picture: (u32, u32)) -> Self {
        Self {
            source: display,
            target: (0, 0, picture.0, picture.1),
        }
    }

    /// All of the display, as large as its shape allows, in the middle (`screenrecord.cpp`: `setDisplayProjection`).
    pub(crate) fn letterboxed(display: (u32, u32), (width, height): (u32, u32)) -> Self {
        let aspect = display.1 as f32 / display.0.max(1) as f32;
        let tall = (width as f32 * aspect) as u32;
        let (w, h) = if height > tall {
            (width, tall)
        } else {
            ((height as f32 / aspect) as u32, height)
        };
        Self {
            source: display,
            target: ((width - w.min(width)) / 2, (height - h.min(height)) / 2, w, h),
        }
    }
}

/// Samples taken for one pixel, across and down.
#[derive(Clone, Debug, Default)]
enum Taps {
    #[default]
    None,
    One(Vec<[u32; 1]>),
    Two(Vec<[u32; 2]>),
    Four(Vec<[u32; 4]>),
}

/// Where the samples of each of `to` pixels lie among `from`.
fn taps<const N: usize>(from: u32, to: u32) -> Vec<[u32; N]> {
    let place = |at: u32| u64::from(at) * u64::from(from) / u64::from(to.max(1));
    (0..to)
        .map(|at| {
            let start = place(at);
            let length = place(at + 1).saturating_sub(start).max(1);
            std::array::from_fn(|tap| (start + length * (2 * tap as u64 + 1) / (2 * N as u64)) as u32)
        })
        .collect()
}

type Pixel = [u8; 4];
const BLACK: Pixel = [0, 0, 0, 255];

/// A picture as an encoder takes it.
#[derive(Clone, Debug)]
pub(crate) struct Planes {
    width: usize,
    height: usize,
    luma: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
    /// How the display lies in it, and the display's size; none while it is black.
    lain: Option<(Projection, (u32, u32))>,
    across: Taps,
    down: Taps,
    /// Two rows of the picture, scaled.
    rows: [Vec<Pixel>; 2],
}

/// Four channels side by side with room above each, so that they can be summed at once.
#[inline(always)]
fn spread(pixel: Pixel) -> u64 {
    let all = u32::from_le_bytes(pixel) as u64;
    (all & 0x00ff_00ff) | ((all & 0xff00_ff00) << 24)
}

/// One row of the picture: each pixel is the mean of its samples.
///
/// Counted by hand, here and in [`Planes::convert`]: at this room's level of optimisation each step of an iterator is a
/// call, and these loops were half of what a phone that is mirrored costs.
fn sample<const N: usize>(rows: [&[Pixel]; N], places: &[[u32; N]], out: &mut [Pixel]) {
    const { assert!(N == 1 || N == 2 || N == 4, "sums are divided by shifting") };
    let (shift, half) = (
        (N * N).trailing_zeros(),
        (N * N / 2) as u64 * 0x0001_0001_0001_0001,
    );
    let (mut at, end) = (0, out.len().min(places.len()));
    while at < end {
        let mut sum = half;
        let mut down = 0;
        while down < N {
            let row = rows[down];
            let mut across = 0;
            while across < N {
                let place = places[at][across] as usize;
                sum += spread(if place < row.len() { row[place] } else { BLACK });
                across += 1;
            }
            down += 1;
        }
        let mean = (sum >> shift) & 0x00ff_00ff_00ff_00ff;
        out[at] = (((mean & 0x00ff_00ff) | ((mean >> 24) & 0xff00_ff00)) as u32).to_le_bytes();
        at += 1;
    }
}

impl Planes {
    /// A black picture; its sides are even.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width as usize & !1, height as usize & !1);
        Self {
            width,
            height,
            luma: vec![16; width * height],
            blue: vec![128; width * height / 4],
            red: vec![128; width * height / 4],
            lain: None,
            across: Taps::None,
            down: Taps::None,
            rows: [vec![BLACK; width], vec![BLACK; width]],
        }
    }

    /// Makes it black.
    pub(crate) fn darken(&mut self) {
        self.luma.fill(16);
        self.blue.fill(128);
        self.red.fill(128);
        self.lain = None;
    }

    /// Takes what changed on the display over; everything, where the display lies otherwise than before.
    pub(crate) fn take(&mut self, sight: &PixelView<'_>, projection: &Projection) {
        let lain = Some((*projection, (sight.width, sight.height)));
        let (left, top, wide, high) = projection.target;
        let (width, height) = projection.source;
        let all = self.lain != lain;
        if all {
            self.darken();
            for row in &mut self.rows {
                row.fill(BLACK);
            }
            self.lain = lain;
            let most = (width / wide.max(1)).max(height / high.max(1));
            (self.across, self.down) = match most {
                0 | 1 if (width, height) == (wide, high) => {
                    (Taps::One(taps(width, wide)), Taps::One(taps(height, high)))
                }
                0..=2 => (Taps::Two(taps(width, wide)), Taps::Two(taps(height, high))),
                _ => (Taps::Four(taps(width, wide)), Taps::Four(taps(height, high))),
            };
        }
        let changed = if all { (0, 0, width, height) } else { sight.changed };
        // In pixels of the picture, one more on each side: a sample may belong to a neighbour.
        let range = |start: u32, end: u32, from: u32, to: u32, offset: u32, most: usize| {
            let from = u64::from(from.max(1));
            let start = (u64::from(start) * u64::from(to) / from).saturating_sub(1) as usize;
            let end = (u64::from(end) * u64::from(to)).div_ceil(from) as usize + 1;
            let (start, end) = (start + offset as usize, end.min(to as usize) + offset as usize);
            ((start & !1).min(most), ((end + 1) & !1).min(most))
        };
        if changed.0 >= changed.2 || changed.1 >= changed.3 {
            return;
        }
        let columns = range(changed.0, changed.2, width, wide, left, self.width);
        let lines = range(changed.1, changed.3, height, high, top, self.height);
        for pair in (lines.0..lines.1).step_by(2) {
            for line in [pair, pair + 1] {
                self.scale(sight, line, columns, (left, top, wide));
            }
            self.convert(pair, columns);
        }
    }

    /// Scales one line of the picture, between two columns.
    fn scale(
        &mut self,
        sight: &PixelView<'_>,
        line: usize,
        columns: (usize, usize),
        target: (u32, u32, u32),
    ) {
        let (left, top, wide) = (target.0 as usize, target.1 as usize, target.2 as usize);
        let (start, end) = (columns.0.max(left), columns.1.min(left + wide));
        let Some(out) = self
            .rows
            .get_mut(line % 2)
            .and_then(|row| row.get_mut(start..end))
        else {
            return;
        };
        let (pixels, _) = sight.rgba.as_chunks::<4>();
        let stride = sight.width as usize;
        let row = |at: u32| {
            let from = at as usize * stride;
            pixels.get(from..from + stride).unwrap_or_default()
        };
        let Some(at) = line.checked_sub(top) else {
            out.fill(BLACK);
            return;
        };
        macro_rules! sampled {
            ($across:expr, $down:expr) => {
                match ($down.get(at), $across.get(start - left..end - left)) {
                    (Some(down), Some(across)) => sample(down.map(row), across, out),
                    _ => out.fill(BLACK),
                }
            };
        }
        match (&self.across, &self.down) {
            (Taps::One(across), Taps::One(down)) => sampled!(across, down),
            (Taps::Two(across), Taps::Two(down)) => sampled!(across, down),
            (Taps::Four(across), Taps::Four(down)) => sampled!(across, down),
            _ => out.fill(BLACK),
        }
    }

    /// Makes luma and chroma of the two rows, between two even columns.
    fn convert(&mut self, line: usize, (start, end): (usize, usize)) {
        let chroma = line / 2 * (self.width / 2);
        let [first, second] = &self.rows;
        let (Some(upper), Some(lower)) = (first.get(start..end), second.get(start..end)) else {
            return;
        };
        for (row, at) in [(upper, line), (lower, line + 1)] {
            let from = at * self.width;
            let Some(luma) = self.luma.get_mut(from + start..from + end) else {
                continue;
            };
            let mut column = 0;
            while column < luma.len() {
                let pixel = row[column];
                let sum = 66 * pixel[0] as u32 + 129 * pixel[1] as u32 + 25 * pixel[2] as u32;
                luma[column] = ((sum + 128 + (16 << 8)) >> 8) as u8;
                column += 1;
            }
        }
        let part = chroma + start / 2..chroma + end / 2;
        let (Some(blues), Some(reds)) = (self.blue.get_mut(part.clone()), self.red.get_mut(part)) else {
            return;
        };
        let mut at = 0;
        while at < blues.len() {
            let quad = [upper[2 * at], upper[2 * at + 1], lower[2 * at], lower[2 * at + 1]];
            let mut mean = [2_i32; 3];
            let mut channel = 0;
            while channel < 3 {
                let mut pixel = 0;
                while pixel < 4 {
                    mean[channel] += quad[pixel][channel] as i32;
                    pixel += 1;
                }
                mean[channel] >>= 2;
                channel += 1;
            }
            let [red, green, blue] = mean;
            blues[at] = ((-38 * red - 74 * green + 112 * blue + 128 + (128 << 8)) >> 8) as u8;
            reds[at] = ((112 * red - 94 * green - 18 * blue + 128 + (128 << 8)) >> 8) as u8;
            at += 1;
        }
    }
}

impl YUVSource for Planes {
    fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn strides(&self) -> (usize, usize, usize) {
        (self.width, self.width / 2, self.width / 2)
    }

    fn y(&self) -> &[u8] {
        &self.luma
    }

    fn u(&self) -> &[u8] {
        &self.blue
    }

    fn v(&self) -> &[u8] {
        &self.red
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight<'a>(rgba: &'a [u8], size: (u32, u32), changed: (u32, u32, u32, u32)) -> PixelView<'a> {
        PixelView {
            width: size.0,
            height: size.1,
            rgba,
            generation: 1,
            changed,
        }
    }

    fn painted((width, height): (u32, u32), paint: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        places
            .flat_map(|(x, y)| {
                let [red, green, blue] = paint(x, y);
                [red, green, blue, 255]
            })
            .collect()
    }

    /// The display in a picture: what is asked for is luma at some places.
    fn check(
        display: (u32, u32),
        picture: (u32, u32),
        projection: Projection,
        expected: &[(usize, usize, u8)],
    ) {
        // White on the left half, black on the right.
        let rgba = painted(display, |x, _| if x < display.0 / 2 { [255; 3] } else { [0; 3] });
        let mut planes = Planes::new(picture.0, picture.1);
        planes.take(&sight(&rgba, display, (0, 0, 0, 0)), &projection);
        for (x, y, luma) in expected {
            assert_eq!(
                planes.luma[y * planes.width + x],
                *luma,
                "{x},{y} of {display:?} in {picture:?} by {projection:?}"
            );
        }
    }

    #[test]
    fn the_display_lies_where_it_is_projected() {
        let (white, black) = (235, 16);
        let all = |display, picture| Projection::stretched(display, picture);
        check(
            (8, 8),
            (8, 8),
            all((8, 8), (8, 8)),
            &[(3, 0, white), (4, 7, black)],
        );
        check(
            (60, 60),
            (32, 32),
            all((60, 60), (32, 32)),
            &[(15, 5, white), (16, 5, black)],
        );
        check(
            (300, 300),
            (32, 32),
            all((300, 300), (32, 32)),
            &[(14, 31, white), (17, 0, black)],
        );
        // Upright in a wide picture: bars left and right.
        let upright = Projection::letterboxed((100, 200), (400, 200));
        assert_eq!(upright.target, (150, 0, 100, 200));
        check(
            (100, 200),
            (400, 200),
            upright,
            &[(149, 9, black), (150, 9, white), (199, 9, white), (200, 9, black)],
        );
        // Turned in an upright picture: above and below.
        let turned = Projection::letterboxed((200, 100), (100, 200));
        assert_eq!(turned.target, (0, 75, 100, 50));
        check(
            (200, 100),
            (100, 200),
            turned,
            &[(0, 74, black), (0, 75, white), (0, 124, white), (0, 125, black)],
        );
        // The display has turned, the projection has not: what lies outside is black.
        let late = Projection::letterboxed((100, 200), (100, 200));
        check(
            (200, 100),
            (100, 200),
            late,
            &[(99, 0, white), (0, 99, white), (0, 100, black)],
        );
    }

    #[test]
    fn colours_are_those_of_bt_601() {
        for (rgb, expected) in [
            ([255, 255, 255], (235, 128, 128)),
            ([0, 0, 0], (16, 128, 128)),
            ([255, 0, 0], (82, 90, 240)),
            ([0, 255, 0], (144, 54, 34)),
            ([0, 0, 255], (41, 240, 110)),
        ] {
            let rgba = painted((4, 4), |_, _| rgb);
            let mut planes = Planes::new(4, 4);
            planes.take(
                &sight(&rgba, (4, 4), (0, 0, 0, 0)),
                &Projection::stretched((4, 4), (4, 4)),
            );
            let found = (planes.luma[5], planes.blue[3], planes.red[0]);
            let near = |a: u8, b: u8| a.abs_diff(b) <= 1;
            assert!(
                near(found.0, expected.0) && near(found.1, expected.1) && near(found.2, expected.2),
                "{rgb:?}: {found:?}"
            );
        }
    }

    proptest::proptest! {
        /// Whatever part changed: taking it over gives what taking everything over gives.
        #[test]
        fn a_part_taken_over_is_as_good_as_all(
            (x, y, width, height) in (0_u32..50, 0_u32..90, 1_u32..30, 1_u32..30),
            (wide, high) in (8_u32..70, 8_u32..70),
            boxed in proptest::bool::ANY,
        ) {
            let display = (54, 96);
            let picture = (wide & !1, high & !1);
            let projection = if boxed { Projection::letterboxed(display, picture) } else { Projection::stretched(display, picture) };
            let before = painted(display, |x, y| [(x * 4) as u8, (y * 2) as u8, 90]);
            let end = ((x + width).min(display.0), (y + height).min(display.1));
            let inside = |at: u32, down: u32| (x..end.0).contains(&at) && (y..end.1).contains(&down);
            let after = painted(display, |x, y| if inside(x, y) { [9, 200, 250] } else { [(x * 4) as u8, (y * 2) as u8, 90] });
            let mut planes = Planes::new(picture.0, picture.1);
            planes.take(&sight(&before, display, (0, 0, 0, 0)), &projection);
            planes.take(&sight(&after, display, (x, y, end.0, end.1)), &projection);
            let mut whole = Planes::new(picture.0, picture.1);
            whole.take(&sight(&after, display, (0, 0, 0, 0)), &projection);
            proptest::prop_assert_eq!(planes.luma, whole.luma);
            proptest::prop_assert_eq!(planes.blue, whole.blue);
            proptest::prop_assert_eq!(planes.red, whole.red);
        }
    }
}
