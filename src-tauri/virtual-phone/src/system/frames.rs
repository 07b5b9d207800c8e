//! The picture of the display.

use super::System;
use super::bars;
use super::window_stack::{LayerKind, NAVIGATION, STATUS, WindowStack};
use crate::android::{Picture, PixelView};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use crate::toolkit::paint::{Brush, Canvas, Fill};
use std::collections::VecDeque;
use std::sync::Arc;

/// Of so many drawings it is known where they differ.
const REMEMBERED: usize = 64;

/// The picture as it was drawn last, and what was drawn before it.
#[derive(Debug, Default)]
pub(super) struct Frame {
    canvas: Option<Canvas>,
    generation: u64,
    /// The canvas shows the windows as they are laid out, but for what moves by itself.
    pub(super) laid: bool,
    /// Something was left black.
    secure: bool,
    /// A copy, for those who asked for one.
    picture: Option<Picture>,
    /// The newest last.
    drawings: VecDeque<Drawing>,
}

/// From one generation to another: where they differ.
#[derive(Clone, Copy, Debug)]
struct Drawing {
    from: u64,
    to: u64,
    area: Rect,
}

impl Frame {
    /// Where the newest picture differs from that of a generation.
    fn changed(&self, since: u64, whole: Rect) -> Rect {
        let mut area: Option<Rect> = None;
        for drawing in self.drawings.iter().rev() {
            if drawing.to <= since {
                return area.unwrap_or_default();
            }
            area = Some(area.map_or(drawing.area, |area| area.union(&drawing.area)));
            if drawing.from <= since {
                return area.unwrap_or_default();
            }
        }
        whole
    }
}

impl System {
    /// A copy of the display as it stands.
    pub(super) fn take_picture(&mut self) -> Picture {
        self.draw_frame();
        let (width, height) = (self.world.display.width, self.world.display.height);
        let frame = &mut self.frame;
        match (&frame.picture, &frame.canvas) {
            (Some(picture), _) => picture.clone(),
            (None, Some(canvas)) => {
                let picture = Picture {
                    width,
                    height,
                    rgba: Arc::from(canvas.pixels()),
                    secure: frame.secure,
                };
                frame.picture.insert(picture).clone()
            }
            (None, None) => Picture {
                width: 0,
                height: 0,
                rgba: Arc::from([].as_slice()),
                secure: false,
            },
        }
    }

    /// Shows the display as it stands, where it lies.
    pub(super) fn show_picture(&mut self, since: u64, see: &mut dyn FnMut(&PixelView<'_>)) {
        self.draw_frame();
        let changed = self.frame.changed(since, self.area());
        let Some(canvas) = &self.frame.canvas else { return };
        let side = |at: i32| u32::try_from(at).unwrap_or_default();
        see(&PixelView {
            width: self.world.display.width,
            height: self.world.display.height,
            rgba: canvas.pixels(),
            generation: self.frame.generation,
            changed: (
                side(changed.left),
                side(changed.top),
                side(changed.right),
                side(changed.bottom),
            ),
        });
    }

    /// Draws the display, when anything changed since it was drawn.
    fn draw_frame(&mut self) {
        let area = self.area();
        let from = self.frame.generation;
        if from == self.generation && self.frame.canvas.is_some() {
            return;
        }
        if let Some(area) = self.draw_moving() {
            self.drawn(from, area);
            return;
        }
        if self.moved {
            // Its views have the moving part as it was.
            self.window_stack = None;
            self.moved = false;
        }
        self.window_stack();
        let canvas = self.frame.canvas.take().filter(|canvas| canvas.size() == area);
        let canvas = canvas.or_else(|| Canvas::new(area.width(), area.height()));
        let (Some(mut canvas), Some(stack)) = (canvas, self.window_stack.take()) else {
            return;
        };
        let secure = self.awake && self.draw(&mut canvas, &stack);
        if !self.awake {
            canvas.rect(area, &Fill::Color(Color::BLACK));
        }
        self.window_stack = Some(stack);
        self.frame.canvas = Some(canvas);
        self.frame.laid = true;
        self.frame.secure = secure;
        self.drawn(from, area);
    }

    /// The frame shows the newest generation; it differs from another in an area.
    fn drawn(&mut self, from: u64, area: Rect) {
        let frame = &mut self.frame;
        frame.generation = self.generation;
        frame.picture = None;
        if frame.drawings.len() >= REMEMBERED {
            frame.drawings.pop_front();
        }
        frame.drawings.push_back(Drawing {
            from,
            to: self.generation,
            area,
        });
    }

    /// Draws the moving part of the screen in front alone, where nothing else changed and nothing lies over it; tells
    /// where it is.
    fn draw_moving(&mut self) -> Option<Rect> {
        let shown = self.moved && self.awake && self.frame.laid;
        let stack = self.window_stack.as_ref().filter(|_| shown)?;
        let [layer] = stack.layers.as_slice() else {
            return None;
        };
        let (id, painter) = self.tasks.top()?.activity.moving(&self.world)?;
        if layer.kind != LayerKind::Base || layer.secure {
            return None;
        }
        let node = layer.scene.nodes.get(layer.scene.find_id(id)?)?;
        let (rect, visible) = (node.rect, node.visible);
        // The bars are drawn over the screen.
        let metrics = self.world.metrics;
        let free = self
            .area()
            .inset(0, metrics.px(STATUS), 0, metrics.px(NAVIGATION));
        if visible.is_empty() || visible.intersection(&free) != visible {
            return None;
        }
        let canvas = self.frame.canvas.as_mut()?;
        let before = canvas.set_clip(visible);
        (painter.0)(canvas, rect, &metrics);
        canvas.set_clip(before);
        self.moved = false;
        Some(visible)
    }

    // True when something was left black.
    fn draw(&self, canvas: &mut Canvas, stack: &WindowStack) -> bool {
        let mut secure = false;
        if let Some(halves) = &stack.halves {
            self.draw_divider(canvas, halves.divider());
        }
        for (index, layer) in stack.layers.iter().enumerate() {
            if layer.kind == LayerKind::HeadsUp {
                self.draw_bars(canvas, stack);
            }
            if layer.dim > 0.0 {
                canvas.rect(layer.room, &Fill::Color(Color::BLACK.alpha(layer.dim)));
            }
            if layer.secure {
                canvas.rect(layer.scene.area, &Fill::Color(Color::BLACK));
                secure = true;
                continue;
            }
            let Some(memory) = self.memory(layer.kind) else {
                continue;
            };
            let focused = stack.focus == Some(index);
            let theme = &layer.theme;
            Brush {
                canvas,
                theme,
                metrics: self.world.metrics,
                memory,
                focused,
            }
            .draw(&layer.scene);
        }
        if stack.layer(LayerKind::HeadsUp).is_none() {
            self.draw_bars(canvas, stack);
        }
        if self.world.options.camera_hole {
            bars::draw_camera(canvas, &self.world);
        }
        secure
    }

    // The bar between two halves, and the handle it is moved by.
    fn draw_divider(&self, canvas: &mut Canvas, bar: Rect) {
        canvas.rect(bar, &Fill::Color(Color::BLACK));
        let (long, thick) = (self.world.metrics.px(56.0), self.world.metrics.px(4.0));
        let (width, height) = if bar.width() > bar.height() {
            (long, thick)
        } else {
            (thick, long)
        };
        let handle = Rect::sized(
            (bar.left + bar.right - width) / 2,
            (bar.top + bar.bottom - height) / 2,
            width,
            height,
        );
        canvas.rounded(handle, [thick as f32 / 2.0; 4], &Fill::Color(Color::WHITE));
    }

    fn draw_bars(&self, canvas: &mut Canvas, stack: &WindowStack) {
        // A dialog in one half does not darken the bars.
        let all = self.area();
        let whole = stack.layers.iter().filter(|layer| layer.room == all);
        let dims: f32 = whole.map(|layer| layer.dim).sum();
        let keyboard = stack.layer(LayerKind::Keyboard).is_some();
        bars::draw(canvas, &self.world, stack.bars, keyboard, dims);
    }
}
