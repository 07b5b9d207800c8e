//! The picture of the display.

use super::System;
use super::bars;
use super::stage::{Kind, Stage};
use crate::android::Picture;
use crate::toolkit::color::Color;
use crate::toolkit::paint::{Brush, Canvas, Fill};
use std::sync::Arc;

/// The newest picture, and the generation it shows.
#[derive(Debug)]
pub(super) struct Frame {
    generation: u64,
    picture: Picture,
}

impl System {
    /// The display as it stands: drawn when anything changed since the last picture.
    pub(super) fn take_picture(&mut self) -> Picture {
        if let Some(frame) = self
            .frame
            .as_ref()
            .filter(|frame| frame.generation == self.generation)
        {
            return frame.picture.clone();
        }
        self.stage();
        let area = self.area();
        let canvas = self.canvas.take().filter(|canvas| canvas.size() == area);
        let canvas = canvas.or_else(|| Canvas::new(area.width(), area.height()));
        let (Some(mut canvas), Some(stage)) = (canvas, self.stage.take()) else {
            return Picture {
                width: 0,
                height: 0,
                rgba: Arc::from([].as_slice()),
                secure: false,
            };
        };
        let secure = self.awake && self.draw(&mut canvas, &stage);
        if !self.awake {
            canvas.rect(area, &Fill::Color(Color::BLACK));
        }
        let picture = Picture {
            width: self.world.display.width,
            height: self.world.display.height,
            rgba: Arc::from(canvas.pixels()),
            secure,
        };
        self.canvas = Some(canvas);
        self.stage = Some(stage);
        self.frame = Some(Frame {
            generation: self.generation,
            picture: picture.clone(),
        });
        picture
    }

    // True when something was left black.
    fn draw(&self, canvas: &mut Canvas, stage: &Stage) -> bool {
        let mut secure = false;
        for (index, layer) in stage.layers.iter().enumerate() {
            if layer.kind == Kind::HeadsUp {
                self.draw_bars(canvas, stage);
            }
            if layer.dim > 0.0 {
                canvas.rect(self.area(), &Fill::Color(Color::BLACK.alpha(layer.dim)));
            }
            if layer.secure {
                canvas.rect(layer.scene.area, &Fill::Color(Color::BLACK));
                secure = true;
                continue;
            }
            let Some(memory) = self.memory(layer.kind) else {
                continue;
            };
            let focused = stage.focus == Some(index);
            let look = &layer.look;
            Brush {
                canvas,
                look,
                metrics: self.world.metrics,
                memory,
                focused,
            }
            .draw(&layer.scene);
        }
        if stage.layer(Kind::HeadsUp).is_none() {
            self.draw_bars(canvas, stage);
        }
        if self.world.options.camera_hole {
            bars::draw_camera(canvas, &self.world);
        }
        secure
    }

    fn draw_bars(&self, canvas: &mut Canvas, stage: &Stage) {
        let dims: f32 = stage.layers.iter().map(|layer| layer.dim).sum();
        let keyboard = stage.layer(Kind::Keyboard).is_some();
        bars::draw(canvas, &self.world, stage.bars, keyboard, dims);
    }
}
