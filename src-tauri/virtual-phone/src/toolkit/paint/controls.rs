//! Switches, boxes, sliders, bars.

use super::{Brush, Fill};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use tiny_skia::PathBuilder;

impl Brush<'_> {
    pub(super) fn switch(&mut self, area: Rect, on: bool, enabled: bool) {
        let theme = self.theme;
        let dim = |color: Color| {
            if enabled {
                color
            } else {
                color.mix(theme.background, 0.6)
            }
        };
        let radius = area.height() as f32 / 2.0;
        let track = match (on, theme.dark) {
            (true, false) => Color::rgb(0x4A5AA8),
            (true, true) => theme.accent,
            (false, _) => theme.fill,
        };
        self.canvas.rounded(area, [radius; 4], &Fill::Color(dim(track)));
        if !on {
            let width = self.metrics.px(2.0) as f32;
            self.canvas
                .rounded_edge(area, [radius; 4], width, dim(theme.outline));
        }
        let (size, color) = if on {
            (0.375, theme.on_accent)
        } else {
            (0.25, theme.outline)
        };
        let x = if on {
            area.right as f32 - radius
        } else {
            area.left as f32 + radius
        };
        let y = (area.top + area.bottom) as f32 / 2.0;
        self.canvas
            .circle((x, y), area.height() as f32 * size, &Fill::Color(dim(color)));
    }

    pub(super) fn checkbox(&mut self, area: Rect, on: bool) {
        let side = self.metrics.px(20.0);
        let box_ = centered(area, side);
        let radius = self.metrics.px(4.0) as f32;
        if on {
            self.canvas
                .rounded(box_, [radius; 4], &Fill::Color(self.theme.accent));
            self.tick(box_, self.theme.on_accent);
        } else {
            let width = self.metrics.px(2.0) as f32;
            self.canvas
                .rounded_edge(box_, [radius; 4], width, self.theme.outline);
        }
    }

    fn tick(&mut self, area: Rect, color: Color) {
        let side = area.width() as f32;
        let at = |x: f32, y: f32| (area.left as f32 + x * side, area.top as f32 + y * side);
        let mut path = PathBuilder::new();
        let (start, knee, end) = (at(0.25, 0.52), at(0.43, 0.70), at(0.77, 0.32));
        path.move_to(start.0, start.1);
        path.line_to(knee.0, knee.1);
        path.line_to(end.0, end.1);
        if let Some(path) = path.finish() {
            self.canvas.stroke(&path, side * 0.11, color);
        }
    }

    pub(super) fn radio(&mut self, area: Rect, on: bool) {
        let side = self.metrics.px(20.0);
        let ring = centered(area, side);
        let color = if on { self.theme.accent } else { self.theme.outline };
        let width = self.metrics.px(2.0) as f32;
        self.canvas
            .rounded_edge(ring, [side as f32 / 2.0; 4], width, color);
        if on {
            let (x, y) = (
                ring.left as f32 + side as f32 / 2.0,
                ring.top as f32 + side as f32 / 2.0,
            );
            self.canvas
                .circle((x, y), side as f32 * 0.26, &Fill::Color(color));
        }
    }

    pub(super) fn slider(&mut self, area: Rect, value: f32) {
        let value = value.clamp(0.0, 1.0);
        let (thumb, half) = (self.metrics.px(10.0) as f32, self.metrics.px(2.0));
        let middle = (area.top + area.bottom) / 2;
        let track = Rect::new(area.left, middle - half, area.right, middle + half);
        let x = area.left as f32 + thumb + value * (area.width() as f32 - 2.0 * thumb);
        self.canvas.rounded(
            track,
            [half as f32; 4],
            &Fill::Color(self.theme.accent.alpha(0.24)),
        );
        let done = Rect {
            right: x as i32,
            ..track
        };
        self.canvas
            .rounded(done, [half as f32; 4], &Fill::Color(self.theme.accent));
        self.canvas
            .circle((x, middle as f32), thumb, &Fill::Color(self.theme.accent));
    }

    pub(super) fn progress(&mut self, area: Rect, value: f32) {
        let radius = area.height() as f32 / 2.0;
        self.canvas
            .rounded(area, [radius; 4], &Fill::Color(self.theme.accent.alpha(0.2)));
        let right = area.left + (area.width() as f32 * value.clamp(0.0, 1.0)) as i32;
        self.canvas.rounded(
            Rect { right, ..area },
            [radius; 4],
            &Fill::Color(self.theme.accent),
        );
    }

    pub(super) fn spinner(&mut self, area: Rect, turn: f32) {
        let width = self.metrics.px(4.0) as f32;
        let radius = (area.width().min(area.height()) as f32 - width) / 2.0;
        let (x, y) = (
            (area.left + area.right) as f32 / 2.0,
            (area.top + area.bottom) as f32 / 2.0,
        );
        let mut path = PathBuilder::new();
        for step in 0..=24 {
            let angle = (turn + step as f32 / 24.0 * 0.7) * std::f32::consts::TAU;
            let point = (x + radius * angle.cos(), y + radius * angle.sin());
            if step == 0 {
                path.move_to(point.0, point.1)
            } else {
                path.line_to(point.0, point.1)
            }
        }
        if let Some(path) = path.finish() {
            self.canvas.stroke(&path, width, self.theme.accent);
        }
    }
}

fn centered(area: Rect, side: i32) -> Rect {
    let (left, top) = (
        area.left + (area.width() - side) / 2,
        area.top + (area.height() - side) / 2,
    );
    Rect::sized(left, top, side, side)
}
