//! App icons: a sign on a disc.

use super::manifest;
use crate::android::Picture;
use crate::system::{Icon, Sign};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::paint::{Canvas, Fill};
use crate::toolkit::text::{Align, TextStyle, Weight};
use crate::toolkit::view::{View, painting};
use tiny_skia::PathBuilder;

const PLAIN: Icon = Icon {
    sign: Sign::Outline(lucide_icons::Icon::Smartphone),
    disc: Color::rgb(0x59585E),
    ink: Color::WHITE,
};

/// An app's icon in a box of this side, in dp.
pub(crate) fn icon_view(package: &str, side: f32) -> View {
    let icon = manifest(package)
        .and_then(|manifest| manifest.icon)
        .unwrap_or(PLAIN);
    painting(move |canvas, area, metrics| draw(canvas, &icon, area, metrics)).size(side, side)
}

/// The same as a picture of its own, this many pixels wide and high; none for a package that is not known.
pub(crate) fn icon_picture(package: &str, side: u32) -> Option<Picture> {
    let icon = manifest(package)?.icon.unwrap_or(PLAIN);
    let size = i32::try_from(side).ok()?;
    let mut canvas = Canvas::new(size, size)?;
    let metrics = Metrics {
        density: 1.0,
        font_scale: 1.0,
    };
    draw(&mut canvas, &icon, Rect::sized(0, 0, size, size), &metrics);
    let pixmap = canvas.into_pixmap();
    let straight = pixmap.pixels().iter().flat_map(|pixel| {
        let color = pixel.demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    });
    Some(Picture {
        width: pixmap.width(),
        height: pixmap.height(),
        rgba: straight.collect(),
        secure: false,
    })
}

/// Draws an icon into a box.
pub(crate) fn draw(canvas: &mut Canvas, icon: &Icon, area: Rect, metrics: &Metrics) {
    let side = area.width().min(area.height()) as f32;
    let (x, y) = (
        (area.left + area.right) as f32 / 2.0,
        (area.top + area.bottom) as f32 / 2.0,
    );
    canvas.circle((x, y), side / 2.0, &Fill::Color(icon.disc));
    if icon.disc == Color::WHITE {
        // A white disc keeps its shape on a white page.
        canvas.rounded_edge(area, [side / 2.0; 4], 2.0, Color::BLACK.alpha(0.07));
    }
    match icon.sign {
        Sign::Outline(sign) => canvas.icon(sign.into(), side * 0.46, icon.ink, area),
        Sign::Words(words) => {
            let mut style = TextStyle::new(side * 0.36 / metrics.density, icon.ink);
            style.weight = Weight::Bold;
            style.align = Align::Center;
            canvas.text(
                words,
                &style,
                &Metrics {
                    font_scale: 1.0,
                    ..*metrics
                },
                area,
            );
        }
        Sign::Pinwheel => pinwheel(canvas, (x, y), side * 0.22),
        Sign::Sheet => sheet(canvas, (x, y), side * 0.17, icon.ink),
    }
}

// Four half discs round a point, each leaning on the next.
fn pinwheel(canvas: &mut Canvas, (x, y): (f32, f32), size: f32) {
    const HANDLE: f32 = 1.333;
    let radius = size / 2.0;
    for (index, color) in [0xE4553F, 0xF0B429, 0x34A05F, 0x3A6FE0].into_iter().enumerate() {
        // The upper leaf is a half disc open to the left, whose flat side stands on the point; the others are turned.
        let turn = |dx: f32, dy: f32| match index {
            0 => (x + dx, y + dy),
            1 => (x - dy, y + dx),
            2 => (x - dx, y - dy),
            _ => (x + dy, y - dx),
        };
        let mut path = PathBuilder::new();
        let start = turn(0.0, 0.0);
        let end = turn(0.0, -size);
        let (one, two) = (turn(radius * HANDLE, 0.0), turn(radius * HANDLE, -size));
        path.move_to(start.0, start.1);
        path.cubic_to(one.0, one.1, two.0, two.1, end.0, end.1);
        path.close();
        if let Some(path) = path.finish() {
            canvas.path(&path, &Fill::Color(Color::rgb(color)), &canvas.size());
        }
    }
}

// A square sheet whose lower right corner is turned over, with three lines of writing.
fn sheet(canvas: &mut Canvas, (x, y): (f32, f32), half: f32, ink: Color) {
    let mut line = |points: &[(f32, f32)]| {
        let mut path = PathBuilder::new();
        for (index, (dx, dy)) in points.iter().enumerate() {
            let (x, y) = (x + dx * half, y + dy * half);
            if index == 0 {
                path.move_to(x, y)
            } else {
                path.line_to(x, y)
            }
        }
        if let Some(path) = path.finish() {
            canvas.stroke(&path, half * 0.24, ink);
        }
    };
    line(&[
        (1.0, 0.25),
        (1.0, -1.0),
        (-1.0, -1.0),
        (-1.0, 1.0),
        (0.25, 1.0),
        (1.0, 0.25),
        (0.25, 0.25),
        (0.25, 1.0),
    ]);
    line(&[(-0.5, -0.5), (0.5, -0.5)]);
    line(&[(-0.5, -0.02), (0.5, -0.02)]);
    line(&[(-0.5, 0.46), (-0.15, 0.46)]);
}
