//! Coded samples → pixels: luma and chroma of a 4:2:0 picture as 8-bit RGBA, in whole numbers.
//!
//! The numbers are those of ITU-T H.264, annex E (table E-5: `Kr` and `Kb` of each matrix; limited range is 16 to 235 and 16 to
//! 240). Each two by two pixels share one sample of chroma, as decoders without a filter have it.

/// Fractions are counted in so many bits: a sample times a factor stays well within 32.
const BITS: u32 = 14;
const HALF: i32 = 1 << (BITS - 1);

/// How red and blue weigh in luma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matrix {
    Bt601,
    Bt709,
    Bt2020,
    Fcc,
    Smpte240,
}

impl Matrix {
    /// `Kr` and `Kb`.
    fn weights(self) -> (f64, f64) {
        match self {
            Self::Bt601 => (0.299, 0.114),
            Self::Bt709 => (0.2126, 0.0722),
            Self::Bt2020 => (0.2627, 0.0593),
            Self::Fcc => (0.30, 0.11),
            Self::Smpte240 => (0.212, 0.087),
        }
    }
}

/// What a picture's samples mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colours {
    pub(crate) matrix: Matrix,
    /// All 256 values; else 16 to 235, chroma 16 to 240.
    pub(crate) full: bool,
}

/// One plane: its samples, and bytes from row to row.
#[derive(Clone, Copy)]
pub(crate) struct Plane<'a> {
    pub(crate) samples: &'a [u8],
    pub(crate) stride: usize,
}

impl<'a> Plane<'a> {
    fn row(self, at: usize, width: usize) -> Option<&'a [u8]> {
        let start = at.checked_mul(self.stride)?;
        self.samples.get(start..start.checked_add(width)?)
    }
}

/// What one sample adds to red, green and blue.
struct Factors {
    black: i32,
    luma: i32,
    red: i32,
    green: (i32, i32),
    blue: i32,
}

impl Factors {
    fn of(colours: Colours) -> Self {
        let (kr, kb) = colours.matrix.weights();
        let (luma, chroma) = if colours.full {
            (1.0, 1.0)
        } else {
            (255.0 / 219.0, 255.0 / 224.0)
        };
        #[expect(clippy::cast_possible_truncation, reason = "between -3 and 3, in 14 bits")]
        let fixed = |factor: f64| (factor * f64::from(1 << BITS)).round() as i32;
        let kg = 1.0 - kr - kb;
        Self {
            black: if colours.full { 0 } else { 16 },
            luma: fixed(luma),
            red: fixed(2.0 * (1.0 - kr) * chroma),
            green: (
                fixed(-2.0 * kb * (1.0 - kb) / kg * chroma),
                fixed(-2.0 * kr * (1.0 - kr) / kg * chroma),
            ),
            blue: fixed(2.0 * (1.0 - kb) * chroma),
        }
    }

    /// What a sample of chroma adds, half a step for rounding with it.
    fn chroma(&self, u: u8, v: u8) -> [i32; 3] {
        let (u, v) = (i32::from(u) - 128, i32::from(v) - 128);
        [
            self.red * v + HALF,
            self.green.0 * u + self.green.1 * v + HALF,
            self.blue * u + HALF,
        ]
    }

    fn pixel(&self, y: u8, chroma: [i32; 3]) -> [u8; 4] {
        // A sample times a factor stays within 32 bits; looked after, each of millions of sums would be one of its own.
        let luma = i32::from(y).wrapping_sub(self.black).wrapping_mul(self.luma);
        #[expect(clippy::cast_sign_loss, reason = "held within a byte")]
        let byte = |chroma: i32| (luma.wrapping_add(chroma) >> BITS).clamp(0, 255) as u8;
        [byte(chroma[0]), byte(chroma[1]), byte(chroma[2]), u8::MAX]
    }
}

/// Writes `width × height` pixels; false where a plane is too short for them, or `rgba` is not of that size.
pub(crate) fn write(
    rgba: &mut [u8],
    (width, height): (usize, usize),
    [luma, blue, red]: [Plane<'_>; 3],
    colours: Colours,
) -> bool {
    if width == 0 || rgba.len() != width * height * 4 {
        return false;
    }
    let factors = Factors::of(colours);
    let half = width.div_ceil(2);
    for (at, row) in rgba.chunks_exact_mut(width * 4).enumerate() {
        let (Some(y), Some(u), Some(v)) =
            (luma.row(at, width), blue.row(at / 2, half), red.row(at / 2, half))
        else {
            return false;
        };
        let both = y.chunks(2).zip(u.iter().zip(v));
        for (pixels, (y, (u, v))) in row.chunks_mut(8).zip(both) {
            let chroma = factors.chroma(*u, *v);
            for (pixel, y) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(y) {
                *pixel = factors.pixel(*y, chroma);
            }
        }
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    /// The standard's own formula, in fractions.
    fn exact(colours: Colours, [y, u, v]: [u8; 3]) -> [f64; 3] {
        let (kr, kb) = colours.matrix.weights();
        let (y, u, v) = (f64::from(y), f64::from(u) - 128.0, f64::from(v) - 128.0);
        let (y, u, v) = if colours.full {
            (y, u, v)
        } else {
            ((y - 16.0) * 255.0 / 219.0, u * 255.0 / 224.0, v * 255.0 / 224.0)
        };
        let red = y + 2.0 * (1.0 - kr) * v;
        let blue = y + 2.0 * (1.0 - kb) * u;
        [red, (y - kr * red - kb * blue) / (1.0 - kr - kb), blue]
    }

    fn check(colours: Colours, samples: [u8; 3]) {
        let [y, u, v] = samples;
        let factors = Factors::of(colours);
        let pixel = factors.pixel(y, factors.chroma(u, v));
        for (is, exact) in pixel.iter().zip(exact(colours, samples)) {
            let exact = exact.clamp(0.0, 255.0);
            assert!(
                (f64::from(*is) - exact).abs() <= 0.6,
                "{colours:?} {samples:?}: {pixel:?}, not {exact}"
            );
        }
        assert_eq!(pixel[3], 255);
    }

    #[test]
    fn every_matrix_and_range_is_the_standards() {
        let matrices = [
            Matrix::Bt601,
            Matrix::Bt709,
            Matrix::Bt2020,
            Matrix::Fcc,
            Matrix::Smpte240,
        ];
        for (matrix, full) in matrices
            .into_iter()
            .flat_map(|matrix| [(matrix, false), (matrix, true)])
        {
            for y in (0..=255).step_by(5) {
                for (u, v) in (0..=255)
                    .step_by(15)
                    .flat_map(|u| (0..=255).step_by(15).map(move |v| (u, v)))
                {
                    check(Colours { matrix, full }, [y, u, v]);
                }
            }
        }
    }

    #[test]
    fn a_picture_is_whole_or_refused() {
        let colours = Colours {
            matrix: Matrix::Bt601,
            full: true,
        };
        let plane = |samples: &'static [u8], stride| Plane { samples, stride };
        let grey = [128_u8; 64];
        let planes = |luma| {
            [
                Plane {
                    samples: luma,
                    stride: 4,
                },
                plane(&[128; 64], 3),
                plane(&[128; 64], 3),
            ]
        };
        for ((width, height), luma, bytes, expected) in [
            ((3, 3), 11, 36, true),
            ((4, 2), 8, 32, true),
            ((3, 3), 10, 36, false),
            ((3, 3), 11, 35, false),
            ((0, 3), 11, 0, false),
        ] {
            let mut rgba = vec![0; bytes];
            let is_whole = write(&mut rgba, (width, height), planes(&grey[..luma]), colours);
            assert_eq!(
                is_whole, expected,
                "{width}×{height}, {luma} samples, {bytes} bytes"
            );
            if expected {
                assert_eq!(rgba, [128, 128, 128, 255].repeat(width * height));
            }
        }
    }
}
