//! The town, drawn: river, bridge, park, streets, blocks.

use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::paint::{Canvas, Fill};
use crate::toolkit::text::{Align, TextStyle};
use tiny_skia::PathBuilder;

/// What is marked on the map.
pub(super) struct Marks {
    pub(super) dark: bool,
    pub(super) here: bool,
    pub(super) chosen: Option<(f32, f32)>,
    pub(super) route: bool,
}

/// Where the phone is.
const HERE: (f32, f32) = (0.46, 0.62);

struct Sheet<'a> {
    canvas: &'a mut Canvas,
    area: Rect,
}

impl Sheet<'_> {
    fn at(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (
            self.area.left as f32 + x * self.area.width() as f32,
            self.area.top as f32 + y * self.area.height() as f32,
        )
    }

    fn line(&mut self, points: &[(f32, f32)], width: f32, color: Color) {
        let mut path = PathBuilder::new();
        for (index, point) in points.iter().enumerate() {
            let (x, y) = self.at(*point);
            if index == 0 {
                path.move_to(x, y)
            } else {
                path.line_to(x, y)
            }
        }
        if let Some(path) = path.finish() {
            self.canvas.stroke(&path, width, color);
        }
    }

    fn block(&mut self, left: f32, top: f32, right: f32, bottom: f32, radius: f32, color: Color) {
        let ((x0, y0), (x1, y1)) = (self.at((left, top)), self.at((right, bottom)));
        self.canvas.rounded(
            Rect::new(x0 as i32, y0 as i32, x1 as i32, y1 as i32),
            [radius; 4],
            &Fill::Color(color),
        );
    }
}

/// Draws the town into a box.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, metrics: &Metrics, marks: &Marks) {
    let pick = |light, dark| Color::rgb(if marks.dark { dark } else { light });
    let px = |dp: f32| metrics.px(dp) as f32;
    canvas.rect(area, &Fill::Color(pick(0xF1EFEA, 0x1F2126)));
    let mut sheet = Sheet { canvas, area };
    let houses = pick(0xE4E0D8, 0x2B2E35);
    for row in 0..7u8 {
        for column in 0..5u8 {
            if (row * 5 + column) % 7 == 3 {
                continue;
            }
            let (x, y) = (0.03 + 0.2 * f32::from(column), 0.03 + 0.14 * f32::from(row));
            sheet.block(x, y, x + 0.14, y + 0.095, px(6.0), houses);
        }
    }
    sheet.block(0.62, 0.72, 0.98, 0.95, px(26.0), pick(0xCFE6C4, 0x23362A));
    sheet.block(0.05, 0.06, 0.34, 0.17, px(20.0), pick(0xCFE6C4, 0x23362A));
    let river = [
        (-0.05, 0.36),
        (0.2, 0.42),
        (0.42, 0.5),
        (0.62, 0.56),
        (0.84, 0.56),
        (1.06, 0.63),
    ];
    sheet.line(&river, px(54.0), pick(0xA9D3E8, 0x1E3D52));
    let street = pick(0xFFFFFF, 0x3A3E47);
    let streets: [&[(f32, f32)]; 7] = [
        &[(-0.05, 0.2), (0.5, 0.22), (1.05, 0.18)],
        &[(-0.05, 0.76), (0.4, 0.72), (1.05, 0.7)],
        &[(0.18, -0.05), (0.2, 0.4), (0.17, 1.05)],
        &[(0.46, -0.05), (0.46, 1.05)],
        &[(0.8, -0.05), (0.78, 0.5), (0.82, 1.05)],
        &[(-0.05, 0.9), (1.05, 0.9)],
        &[(0.46, 0.35), (0.8, 0.33), (1.05, 0.4)],
    ];
    for points in streets {
        sheet.line(points, px(15.0), street);
    }
    sheet.line(&[(0.46, 0.44), (0.46, 0.6)], px(20.0), pick(0xF3D9A0, 0x6A5730));
    if let (Some(to), true) = (marks.chosen, marks.route) {
        sheet.line(&[HERE, (0.46, to.1), to], px(7.0), pick(0x3D6FD9, 0x8DB4F5));
    }
    let style = |size: f32| {
        let mut style = TextStyle::new(size, pick(0x6A6862, 0xA9ACB5));
        style.align = Align::Center;
        style
    };
    for (words, (x, y)) in [
        ("Alder Street", (0.46, 0.79)),
        ("River", (0.16, 0.405)),
        ("Park", (0.8, 0.84)),
        ("Bridge", (0.56, 0.475)),
    ] {
        let (x, y) = sheet.at((x, y));
        let label = Rect::sized(x as i32 - 160, y as i32 - 30, 320, 60);
        sheet.canvas.text(words, &style(13.0), metrics, label);
    }
    if marks.here {
        let center = sheet.at(HERE);
        sheet
            .canvas
            .circle(center, px(22.0), &Fill::Color(Color::rgb(0x3D6FD9).alpha(0.2)));
        sheet.canvas.circle(center, px(9.0), &Fill::Color(Color::WHITE));
        sheet
            .canvas
            .circle(center, px(6.5), &Fill::Color(Color::rgb(0x3D6FD9)));
    }
    if let Some(place) = marks.chosen {
        let (x, y) = sheet.at(place);
        let mut path = PathBuilder::new();
        path.move_to(x, y);
        path.line_to(x - px(12.0), y - px(22.0));
        path.line_to(x + px(12.0), y - px(22.0));
        path.close();
        let red = Fill::Color(Color::rgb(0xD9412F));
        if let Some(path) = path.finish() {
            sheet.canvas.path(&path, &red, &area);
        }
        sheet.canvas.circle((x, y - px(28.0)), px(15.0), &red);
        sheet
            .canvas
            .circle((x, y - px(28.0)), px(5.5), &Fill::Color(Color::WHITE));
    }
}
