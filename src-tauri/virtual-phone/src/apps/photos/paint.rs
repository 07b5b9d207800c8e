//! The pictures themselves: simple scenes of shapes and gradients.

use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use crate::toolkit::paint::{Canvas, Fill};
use tiny_skia::PathBuilder;

/// Paints a picture into a canvas of any size.
pub(crate) fn paint(name: u32, canvas: &mut Canvas) {
    let size = canvas.size();
    let mut canvas = NormalizedCanvas {
        target: canvas,
        width: size.width() as f32,
        height: size.height() as f32,
    };
    match name {
        0 => tulips(&mut canvas),
        1 => bridge(&mut canvas),
        2 => fern(&mut canvas),
        3 => sunset(&mut canvas),
        4 => stall(&mut canvas),
        5 => lemons(&mut canvas),
        6 => lake(&mut canvas),
        7 => houses(&mut canvas),
        8 => coffee(&mut canvas),
        9 => balloons(&mut canvas),
        10 => window(&mut canvas),
        _ => shelf(&mut canvas),
    }
}

/// A canvas whose points are parts of the picture, 0…1 across and down.
struct NormalizedCanvas<'a> {
    target: &'a mut Canvas,
    width: f32,
    height: f32,
}

impl NormalizedCanvas<'_> {
    fn ground(&mut self, top: u32, bottom: u32) {
        let size = self.target.size();
        self.target
            .rect(size, &Fill::vertical(Color::rgb(top), Color::rgb(bottom)));
    }

    fn bar(&mut self, (left, top, right, bottom): (f32, f32, f32, f32), radius: f32, fill: impl Into<Fill>) {
        let x = |part: f32| (part * self.width).round() as i32;
        let y = |part: f32| (part * self.height).round() as i32;
        let rect = Rect::new(x(left), y(top), x(right), y(bottom));
        let radius = radius * self.width;
        self.target.rounded(rect, [radius; 4], &fill.into());
    }

    fn disc(&mut self, x: f32, y: f32, radius: f32, fill: impl Into<Fill>) {
        self.target.circle(
            (x * self.width, y * self.height),
            radius * self.width,
            &fill.into(),
        );
    }

    fn shape(&mut self, points: &[(f32, f32)], fill: impl Into<Fill>) {
        let mut path = PathBuilder::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let (x, y) = (x * self.width, y * self.height);
            if index == 0 {
                path.move_to(x, y)
            } else {
                path.line_to(x, y)
            }
        }
        path.close();
        if let Some(path) = path.finish() {
            let area = self.target.size();
            self.target.path(&path, &fill.into(), &area);
        }
    }

    fn line(&mut self, points: &[(f32, f32)], thick: f32, color: u32) {
        let mut path = PathBuilder::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let (x, y) = (x * self.width, y * self.height);
            if index == 0 {
                path.move_to(x, y)
            } else {
                path.line_to(x, y)
            }
        }
        if let Some(path) = path.finish() {
            self.target.stroke(&path, thick * self.width, Color::rgb(color));
        }
    }
}

fn tulips(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0x9CCBEA, 0xE8F1E0);
    canvas.bar((0.0, 0.36, 1.0, 1.0), 0.0, Color::rgb(0x5F9B4E));
    for row in 0..9u8 {
        let depth = f32::from(row) / 8.0;
        let y = 0.4 + 0.58 * depth * depth;
        let radius = 0.006 + 0.04 * depth;
        let color = [0xE0455A, 0xF2B53A, 0xE889B0][usize::from(row) % 3];
        for column in 0..24u8 {
            let x = 0.5 + (f32::from(column) - 11.5) * (0.03 + 0.07 * depth);
            canvas.bar(
                (x - radius * 0.12, y, x + radius * 0.12, y + radius * 2.4),
                0.0,
                Color::rgb(0x3F7A38),
            );
            canvas.disc(x, y, radius, Color::rgb(color));
        }
    }
}

fn bridge(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0xBFD9EE, 0xF6EBDD);
    canvas.bar(
        (0.0, 0.62, 1.0, 1.0),
        0.0,
        Fill::vertical(Color::rgb(0x6FA3B8), Color::rgb(0x2F6478)),
    );
    canvas.bar((0.0, 0.4, 1.0, 0.64), 0.0, Color::rgb(0xB58B63));
    for arch in 0..3u8 {
        let x = 0.17 + 0.33 * f32::from(arch);
        canvas.disc(
            x,
            0.66,
            0.13,
            Fill::vertical(Color::rgb(0xDCE9EE), Color::rgb(0x5D95AB)),
        );
        canvas.bar((x - 0.13, 0.66, x + 0.13, 0.8), 0.0, Color::rgb(0x5488A0));
    }
    canvas.bar((0.0, 0.38, 1.0, 0.42), 0.0, Color::rgb(0x8F6A47));
    for ripple in 0..6u8 {
        let y = 0.82 + 0.03 * f32::from(ripple);
        let x = 0.1 + 0.13 * f32::from(ripple % 4);
        canvas.bar((x, y, x + 0.3, y + 0.005), 0.0, Color::WHITE.alpha(0.25));
    }
}

fn fern(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0x2B4A36, 0x14241B);
    for (turn, (base, color)) in [(0.15, 0x3F7D4C), (0.5, 0x66AE5E), (0.85, 0x4A8F53)]
        .into_iter()
        .enumerate()
    {
        let lean = (turn as f32 - 1.0) * 0.22;
        for leaf in 0..22u8 {
            let part = f32::from(leaf) / 22.0;
            let (x, y) = (base * 0.4 + 0.3 + lean * part * 1.6, 1.0 - part * 0.9);
            let reach = 0.2 * (1.0 - part) + 0.02;
            canvas.line(&[(x, y), (x - reach, y - 0.05)], 0.022 * (1.1 - part), color);
            canvas.line(&[(x, y), (x + reach, y - 0.05)], 0.022 * (1.1 - part), color);
        }
    }
}

fn sunset(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0xF6A15B, 0xFBD9A2);
    canvas.disc(0.5, 0.5, 0.17, Color::rgb(0xFFF3CF));
    canvas.bar(
        (0.0, 0.52, 1.0, 1.0),
        0.0,
        Fill::vertical(Color::rgb(0xC9704F), Color::rgb(0x472C4E)),
    );
    for glint in 0..9u8 {
        let part = f32::from(glint) / 9.0;
        let half = 0.15 - 0.012 * f32::from(glint % 5) + 0.05 * part;
        canvas.bar(
            (0.5 - half, 0.54 + part * 0.4, 0.5 + half, 0.552 + part * 0.4),
            0.006,
            Color::rgb(0xFFE3B0).alpha(0.7 - part * 0.5),
        );
    }
}

fn stall(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0xD9E6EC, 0xEFE4D2);
    for stripe in 0..8u8 {
        let left = 0.08 + 0.105 * f32::from(stripe);
        let color = if stripe % 2 == 0 { 0xD9534A } else { 0xFBF3E6 };
        canvas.shape(
            &[
                (left + 0.02, 0.2),
                (left + 0.105, 0.2),
                (left + 0.105, 0.42),
                (left, 0.42),
            ],
            Color::rgb(color),
        );
        canvas.disc(left + 0.052, 0.42, 0.052, Color::rgb(color));
    }
    canvas.bar((0.1, 0.62, 0.9, 0.95), 0.01, Color::rgb(0x9C7550));
    let colors = [0xE25B4B, 0xF0B542, 0x6AA84F, 0xE88B3C, 0x8E5AA8];
    for crate_ in 0..5u8 {
        for fruit in 0..6u8 {
            let x = 0.155 + 0.15 * f32::from(crate_) + 0.035 * f32::from(fruit % 3);
            let y = 0.62 - 0.028 * f32::from(fruit / 3);
            canvas.disc(x, y, 0.022, Color::rgb(colors[usize::from(crate_)]));
        }
    }
}

fn lemons(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0x6C8FA3, 0x4D6E84);
    canvas.disc(0.5, 0.52, 0.42, Color::rgb(0xF3F0E9));
    canvas.disc(0.5, 0.52, 0.33, Color::rgb(0xE7E2D7));
    for (x, y) in [(0.4, 0.46), (0.6, 0.44), (0.5, 0.6)] {
        canvas.disc(
            x,
            y,
            0.14,
            Fill::diagonal(Color::rgb(0xFBE36A), Color::rgb(0xE3B420)),
        );
        canvas.disc(x - 0.04, y - 0.03, 0.03, Color::WHITE.alpha(0.4));
    }
}

fn lake(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0x7FB4E0, 0xE6F0F4);
    canvas.shape(&[(0.0, 0.58), (0.28, 0.22), (0.52, 0.58)], Color::rgb(0x5E7690));
    canvas.shape(
        &[(0.3, 0.58), (0.68, 0.14), (1.0, 0.5), (1.0, 0.58)],
        Color::rgb(0x4A6079),
    );
    canvas.shape(
        &[
            (0.6, 0.235),
            (0.68, 0.14),
            (0.765, 0.235),
            (0.7, 0.27),
            (0.66, 0.24),
        ],
        Color::rgb(0xF4F7FA),
    );
    canvas.bar(
        (0.0, 0.57, 1.0, 1.0),
        0.0,
        Fill::vertical(Color::rgb(0x6F9DB8), Color::rgb(0x21455E)),
    );
    for tree in 0..12u8 {
        let x = 0.02 + 0.088 * f32::from(tree);
        let high = 0.06 + 0.02 * f32::from(tree * 7 % 4);
        canvas.shape(
            &[(x - 0.035, 0.6), (x, 0.6 - high), (x + 0.035, 0.6)],
            Color::rgb(0x274B3A),
        );
    }
}

fn houses(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0x1B2350, 0x47406F);
    canvas.disc(0.8, 0.18, 0.07, Color::rgb(0xF3E6CC));
    for house in 0..5u8 {
        let left = 0.02 + 0.195 * f32::from(house);
        let top = 0.45 + 0.05 * f32::from(house * 3 % 4);
        let color = [0x2A2F57, 0x343A68, 0x262A4E][usize::from(house) % 3];
        canvas.bar((left, top, left + 0.18, 1.0), 0.0, Color::rgb(color));
        canvas.shape(
            &[(left - 0.01, top), (left + 0.09, top - 0.08), (left + 0.19, top)],
            Color::rgb(0x1A1E3D),
        );
        for light in 0..6u8 {
            let x = left + 0.035 + 0.07 * f32::from(light % 2);
            let y = top + 0.06 + 0.12 * f32::from(light / 2);
            let lit = (light + house) % 3 != 0;
            canvas.bar(
                (x, y, x + 0.04, y + 0.06),
                0.004,
                Color::rgb(if lit { 0xF8D57E } else { 0x3B4170 }),
            );
        }
    }
}

fn coffee(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0xC7A27C, 0x9C7550);
    canvas.disc(0.5, 0.5, 0.4, Color::rgb(0xF5EFE6));
    canvas.disc(0.5, 0.5, 0.27, Color::WHITE);
    canvas.disc(
        0.5,
        0.5,
        0.235,
        Fill::diagonal(Color::rgb(0x8A5A33), Color::rgb(0x4E2F18)),
    );
    canvas.disc(0.47, 0.48, 0.1, Color::rgb(0xD9B48A));
    canvas.disc(0.47, 0.48, 0.06, Color::rgb(0xF0DFC5));
}

fn balloons(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0x6FB1E8, 0xDCEFFA);
    for (x, y, radius, color) in [
        (0.3, 0.3, 0.15, 0xE0455A),
        (0.66, 0.45, 0.19, 0xF2B53A),
        (0.44, 0.72, 0.1, 0x4A8F53),
    ] {
        canvas.shape(
            &[
                (x - radius * 0.7, y + radius * 0.55),
                (x + radius * 0.7, y + radius * 0.55),
                (x, y + radius * 1.15),
            ],
            Color::rgb(color),
        );
        canvas.disc(x, y, radius, Color::rgb(color));
        canvas.disc(
            x - radius * 0.35,
            y - radius * 0.25,
            radius * 0.22,
            Color::WHITE.alpha(0.35),
        );
        canvas.bar(
            (
                x - radius * 0.16,
                y + radius * 1.15,
                x + radius * 0.16,
                y + radius * 1.35,
            ),
            0.006,
            Color::rgb(0x7A5636),
        );
    }
}

fn window(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0xE9DFD1, 0xCDBBA4);
    canvas.bar((0.14, 0.12, 0.86, 0.66), 0.01, Color::rgb(0xFAF6EF));
    canvas.bar(
        (0.17, 0.145, 0.83, 0.635),
        0.0,
        Fill::vertical(Color::rgb(0x8FC2EC), Color::rgb(0xDDEEDC)),
    );
    canvas.shape(
        &[
            (0.17, 0.635),
            (0.17, 0.52),
            (0.4, 0.46),
            (0.62, 0.53),
            (0.83, 0.48),
            (0.83, 0.635),
        ],
        Color::rgb(0x6DA765),
    );
    canvas.bar((0.488, 0.145, 0.512, 0.635), 0.0, Color::rgb(0xFAF6EF));
    canvas.bar((0.1, 0.66, 0.9, 0.69), 0.005, Color::rgb(0xB08A62));
    canvas.shape(
        &[(0.6, 0.57), (0.76, 0.57), (0.73, 0.66), (0.63, 0.66)],
        Color::rgb(0xC0633F),
    );
    for (x, y) in [
        (0.63, 0.54),
        (0.68, 0.51),
        (0.73, 0.54),
        (0.66, 0.48),
        (0.71, 0.475),
    ] {
        canvas.disc(x, y, 0.04, Color::rgb(0x3F7D4C));
    }
}

fn shelf(canvas: &mut NormalizedCanvas<'_>) {
    canvas.ground(0xDDD3E0, 0xB9AABF);
    let colors = [
        0x3A5A8C, 0xB5523F, 0xD9A441, 0x4F7D58, 0x6B4A86, 0xC9C2B4, 0x2F6478,
    ];
    for level in 0..3u8 {
        let base = 0.32 + 0.27 * f32::from(level);
        canvas.bar((0.08, base, 0.92, base + 0.02), 0.0, Color::rgb(0x8A6B4B));
        for book in 0..13u8 {
            let x = 0.11 + 0.06 * f32::from(book);
            let high = 0.13 + 0.018 * f32::from((book * 5 + level * 3) % 4);
            let color = colors[usize::from(book * 3 + level) % colors.len()];
            canvas.bar((x, base - high, x + 0.046, base), 0.004, Color::rgb(color));
        }
    }
}
