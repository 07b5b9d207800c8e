//! Pictures of the tasks, for recent apps.

use super::System;
use super::window_stack::LayerKind;
use crate::apps::Card;
use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use crate::toolkit::paint::{Brush, Canvas, Fill};
use std::sync::Arc;
use tiny_skia::Pixmap;

const MOST: usize = 8;

impl System {
    /// The tasks a person can go back to, newest first, each with its screen.
    pub(super) fn recent_cards(&self) -> Vec<Card> {
        self.tasks
            .recent()
            .take(MOST)
            .filter_map(|task| {
                let top = task
                    .stack
                    .iter()
                    .rfind(|running| !running.activity.is_floating())?;
                let package = task.root()?.activity.package();
                let picture = (!top.activity.is_secure()).then(|| self.snapshot(top)).flatten();
                Some(Card {
                    task: task.number,
                    package,
                    picture,
                })
            })
            .collect()
    }

    fn snapshot(&self, running: &super::tasks::OpenActivity) -> Option<Arc<Pixmap>> {
        let area = self.area();
        let layer = self.screen(running, area, area.bottom);
        let mut canvas = Canvas::new(area.width(), area.height())?;
        canvas.rect(area, &Fill::Color(Color::BLACK));
        let (memory, theme) = (&running.memory, &layer.theme);
        debug_assert_eq!(layer.kind, LayerKind::Base);
        Brush {
            canvas: &mut canvas,
            theme,
            metrics: self.world.metrics,
            memory,
            focused: false,
        }
        .draw(&layer.scene);
        // Half the size: what a card shows is smaller still.
        let (width, height) = (area.width() / 2, area.height() / 2);
        let mut half = Canvas::new(width, height)?;
        half.picture(&canvas.into_pixmap(), Rect::sized(0, 0, width, height), [0.0; 4]);
        Some(Arc::new(half.into_pixmap()))
    }
}
