//! The pictures behind the home screen, as drawn: a sky, a sun or moon, waves, dunes or mountains.

use crate::system::Wallpaper;
use crate::toolkit::color::Color;
use crate::toolkit::paint::{Canvas, Fill};
use crate::toolkit::view::{View, picture};
use tiny_skia::PathBuilder;

/// A wallpaper as a view.
pub(crate) fn wallpaper(wallpaper: Wallpaper) -> View {
    picture(wallpaper as u32, draw)
}

fn draw(name: u32, canvas: &mut Canvas) {
    let mut canvas = NormalizedCanvas::new(canvas);
    match name {
        n if n == Wallpaper::Mountains as u32 => mountains(&mut canvas),
        n if n == Wallpaper::Meadow as u32 => meadow(&mut canvas),
        n if n == Wallpaper::Waves as u32 => waves(&mut canvas),
        n if n == Wallpaper::Dunes as u32 => dunes(&mut canvas),
        _ => slate(&mut canvas),
    }
}

/// A canvas whose points are parts of the picture, 0…1 across and down.
struct NormalizedCanvas<'a> {
    target: &'a mut Canvas,
    width: f32,
    height: f32,
}

type Point = (f32, f32);

impl<'a> NormalizedCanvas<'a> {
    fn new(canvas: &'a mut Canvas) -> Self {
        let size = canvas.size();
        Self {
            target: canvas,
            width: size.width() as f32,
            height: size.height() as f32,
        }
    }

    fn sky(&mut self, top: u32, bottom: u32, reach: f32) {
        let stops = vec![(0.0, Color::rgb(top)), (reach, Color::rgb(bottom))];
        let size = self.target.size();
        self.target.rect(
            size,
            &Fill::Linear {
                from: (0.0, 0.0),
                to: (0.0, 1.0),
                stops,
            },
        );
    }

    fn slant(&mut self, from: (Point, u32), to: (Point, u32)) {
        let size = self.target.size();
        self.target.rect(size, &gradient(from, to));
    }

    // The radius is a part of the shorter side, so that a disc stays one in landscape.
    fn disc(&mut self, center: Point, radius: f32, fill: &Fill) {
        let radius = radius * self.width.min(self.height);
        self.target
            .circle((center.0 * self.width, center.1 * self.height), radius, fill);
    }

    /// Land from a line down to the bottom: the line begins at the first point, each three points are a cubic.
    fn land(&mut self, start: Point, curves: &[[Point; 3]], fill: &Fill) {
        let at = |(x, y): Point| (x * self.width, y * self.height);
        let mut path = PathBuilder::new();
        let first = at(start);
        path.move_to(first.0, first.1);
        for [one, two, end] in curves {
            let (one, two, end) = (at(*one), at(*two), at(*end));
            path.cubic_to(one.0, one.1, two.0, two.1, end.0, end.1);
        }
        path.line_to(self.width, self.height);
        path.line_to(0.0, self.height);
        path.close();
        self.shape(path, fill);
    }

    fn ridge(&mut self, points: &[Point], color: u32) {
        let mut path = PathBuilder::new();
        path.move_to(0.0, self.height);
        for (x, y) in points {
            path.line_to(x * self.width, y * self.height);
        }
        path.line_to(self.width, self.height);
        path.close();
        self.shape(path, &Fill::Color(Color::rgb(color)));
    }

    fn shape(&mut self, path: PathBuilder, fill: &Fill) {
        if let Some(path) = path.finish() {
            let area = self.target.size();
            self.target.path(&path, fill, &area);
        }
    }
}

fn gradient(from: (Point, u32), to: (Point, u32)) -> Fill {
    Fill::Linear {
        from: from.0,
        to: to.0,
        stops: vec![(0.0, Color::rgb(from.1)), (1.0, Color::rgb(to.1))],
    }
}

fn waves(canvas: &mut NormalizedCanvas<'_>) {
    canvas.slant(((0.1, 0.0), 0x0E526C), ((0.9, 0.6), 0x28727F));
    canvas.land(
        (0.0, 0.247),
        &[
            [(0.12, 0.215), (0.33, 0.2), (0.49, 0.24)],
            [(0.76, 0.31), (0.75, 0.49), (1.0, 0.566)],
            [(1.0, 0.566), (1.0, 0.566), (1.0, 0.566)],
        ],
        &Fill::Linear {
            from: (0.1, 0.2),
            to: (1.0, 0.86),
            stops: vec![
                (0.0, Color::rgb(0x18707F)),
                (0.42, Color::rgb(0x27979D)),
                (0.6, Color::rgb(0x4FABA6)),
                (1.0, Color::rgb(0xA0DEB9)),
            ],
        },
    );
    canvas.disc(
        (0.327, 0.495),
        0.182,
        &Fill::diagonal(Color::rgb(0xF3E0AF), Color::rgb(0xEFA06F)),
    );
    canvas.land(
        (0.0, 0.693),
        &[
            [(0.14, 0.622), (0.38, 0.615), (0.55, 0.678)],
            [(0.70, 0.735), (0.73, 0.86), (0.95, 0.855)],
            [(0.97, 0.855), (0.985, 0.854), (1.0, 0.852)],
        ],
        &gradient(((0.0, 0.65), 0x1E7C84), ((1.0, 0.9), 0x35918E)),
    );
    canvas.land(
        (0.0, 0.866),
        &[
            [(0.13, 0.812), (0.33, 0.808), (0.47, 0.842)],
            [(0.62, 0.88), (0.70, 0.97), (1.0, 0.944)],
            [(1.0, 0.944), (1.0, 0.944), (1.0, 0.944)],
        ],
        &Fill::Color(Color::rgb(0x0D495D)),
    );
}

fn dunes(canvas: &mut NormalizedCanvas<'_>) {
    canvas.sky(0xF3B49B, 0xF7D0B3, 0.5);
    canvas.disc((0.729, 0.336), 0.1735, &Fill::Color(Color::rgb(0xFFF0DA)));
    canvas.land(
        (0.0, 0.469),
        &[
            [(0.15, 0.435), (0.3, 0.478), (0.5, 0.484)],
            [(0.68, 0.487), (0.78, 0.412), (1.0, 0.434)],
        ],
        &gradient(((0.0, 0.45), 0xE5836D), ((1.0, 0.6), 0xC56468)),
    );
    canvas.land(
        (0.0, 0.603),
        &[
            [(0.14, 0.64), (0.34, 0.567), (0.55, 0.571)],
            [(0.74, 0.575), (0.86, 0.65), (1.0, 0.622)],
        ],
        &gradient(((0.0, 0.58), 0xA94C6A), ((1.0, 0.85), 0x74325D)),
    );
    canvas.land(
        (0.0, 0.819),
        &[
            [(0.2, 0.735), (0.4, 0.77), (0.55, 0.813)],
            [(0.72, 0.86), (0.88, 0.84), (1.0, 0.781)],
        ],
        &gradient(((0.2, 0.78), 0x562857), ((0.8, 1.0), 0x321943)),
    );
}

fn mountains(canvas: &mut NormalizedCanvas<'_>) {
    let size = canvas.target.size();
    let stops = [
        (0.0, 0x2B2D61),
        (0.28, 0x3C3D76),
        (0.48, 0x5D4F86),
        (0.66, 0x8C6A92),
    ];
    let stops = stops.map(|(at, hex)| (at, Color::rgb(hex))).to_vec();
    canvas.target.rect(
        size,
        &Fill::Linear {
            from: (0.0, 0.0),
            to: (0.0, 1.0),
            stops,
        },
    );
    for (x, y, radius) in [
        (0.14, 0.11, 1.4),
        (0.31, 0.2, 1.0),
        (0.52, 0.15, 1.2),
        (0.87, 0.1, 1.1),
        (0.22, 0.34, 1.3),
        (0.62, 0.36, 1.0),
        (0.43, 0.28, 0.9),
        (0.91, 0.42, 1.2),
    ] {
        canvas.disc((x, y), radius * 0.0024, &Fill::Color(Color::WHITE.alpha(0.65)));
    }
    moon(canvas);
    canvas.ridge(
        &[
            (0.0, 0.655),
            (0.24, 0.5),
            (0.4, 0.612),
            (0.63, 0.42),
            (0.8, 0.55),
            (1.0, 0.7),
        ],
        0x443A7D,
    );
    canvas.ridge(
        &[
            (0.0, 0.79),
            (0.3, 0.643),
            (0.535, 0.765),
            (0.715, 0.69),
            (1.0, 0.83),
        ],
        0x312A63,
    );
    canvas.ridge(&[(0.0, 0.9), (0.25, 0.825), (0.58, 0.917), (1.0, 0.83)], 0x211B4A);
}

// A disc of which another, moved disc leaves a sickle: out along the one's edge, back along the other's.
fn moon(canvas: &mut NormalizedCanvas<'_>) {
    let radius = 0.105 * canvas.width.min(canvas.height);
    let center = (0.72 * canvas.width, 0.275 * canvas.height);
    // The biting disc, a little smaller, stands to the lower left.
    let (bite, way, turn) = (radius * 0.9, radius * 0.42, 2.6f32);
    let bite_center = (center.0 + way * turn.cos(), center.1 + way * turn.sin());
    // Half the angle under which each disc sees the two points where they meet.
    let half = ((radius * radius + way * way - bite * bite) / (2.0 * radius * way))
        .clamp(-1.0, 1.0)
        .acos();
    let other = ((bite * bite + way * way - radius * radius) / (2.0 * bite * way))
        .clamp(-1.0, 1.0)
        .acos();
    let tau = std::f32::consts::TAU;
    let mut path = PathBuilder::new();
    let steps = 64;
    for step in 0..=steps {
        let angle = turn + half + (tau - 2.0 * half) * step as f32 / steps as f32;
        let (x, y) = (center.0 + radius * angle.cos(), center.1 + radius * angle.sin());
        if step == 0 {
            path.move_to(x, y)
        } else {
            path.line_to(x, y)
        }
    }
    let back = turn + std::f32::consts::PI;
    for step in 0..=steps {
        let angle = back + other - 2.0 * other * step as f32 / steps as f32;
        path.line_to(
            bite_center.0 + bite * angle.cos(),
            bite_center.1 + bite * angle.sin(),
        );
    }
    path.close();
    canvas.shape(path, &Fill::Color(Color::rgb(0xF3E6CC)));
}

fn meadow(canvas: &mut NormalizedCanvas<'_>) {
    canvas.sky(0x4B9C96, 0xCDE6BD, 0.52);
    canvas.disc((0.26, 0.31), 0.15, &Fill::Color(Color::rgb(0xFFF4CF)));
    canvas.land(
        (0.0, 0.452),
        &[
            [(0.2, 0.4), (0.38, 0.415), (0.56, 0.462)],
            [(0.73, 0.505), (0.86, 0.47), (1.0, 0.44)],
        ],
        &gradient(((0.0, 0.42), 0x8CC98B), ((1.0, 0.62), 0x5FAE74)),
    );
    canvas.land(
        (0.0, 0.632),
        &[
            [(0.16, 0.66), (0.3, 0.57), (0.52, 0.566)],
            [(0.74, 0.563), (0.86, 0.63), (1.0, 0.612)],
        ],
        &gradient(((0.0, 0.58), 0x4E9E68), ((1.0, 0.85), 0x2C7A55)),
    );
    canvas.land(
        (0.0, 0.79),
        &[
            [(0.18, 0.75), (0.36, 0.775), (0.53, 0.82)],
            [(0.7, 0.862), (0.86, 0.845), (1.0, 0.775)],
        ],
        &gradient(((0.2, 0.78), 0x256B4C), ((0.8, 1.0), 0x124032)),
    );
}

fn slate(canvas: &mut NormalizedCanvas<'_>) {
    canvas.slant(((0.0, 0.0), 0x262B35), ((1.0, 1.0), 0x485466));
    canvas.disc(
        (0.76, 0.3),
        0.24,
        &Fill::diagonal(Color::rgb(0x7D8CA5), Color::rgb(0x46526A)),
    );
    for (index, color) in [0x3A4454, 0x323B49, 0x2A323F, 0x212833].into_iter().enumerate() {
        let down = 0.42 + 0.145 * index as f32;
        canvas.land(
            (0.0, down + 0.14),
            &[[(0.34, down + 0.1), (0.62, down + 0.02), (1.0, down - 0.03)]],
            &Fill::Color(Color::rgb(color)),
        );
    }
}
