//! What a text field shows: text or hint, selection, caret.

use super::{Brush, Fill};
use crate::toolkit::geometry::Rect;
use crate::toolkit::memory::Caret;
use crate::toolkit::text::{self, Block, Span, TextStyle};
use crate::toolkit::view::Field;

impl Brush<'_> {
    pub(super) fn write(&mut self, field: &Field, inner: Rect, caret: Option<Caret>) {
        if field.unseen {
            return;
        }
        let shown = field.shown();
        let hint = shown.is_empty();
        let color = if hint { field.hint_color } else { field.style.color };
        let style = TextStyle {
            color,
            ..field.style.clone()
        };
        let spans = [Span::plain(if hint { field.hint.clone() } else { shown.clone() })];
        let wrap = field.multiline.then_some(inner.width() as f32);
        let block = text::lay_out(&spans, &style, &self.metrics, wrap);
        let empty = Block {
            width: 0.0,
            height: 0.0,
            lines: Vec::new(),
        };
        let written = if hint { &empty } else { &block };
        let byte = |character: usize| {
            shown
                .char_indices()
                .nth(character)
                .map_or(shown.len(), |(at, _)| at)
        };
        let (x, y, height) = caret.map_or((0.0, 0.0, 0.0), |caret| written.caret(byte(caret.at)));
        // A single line longer than its box is moved so that the caret can be seen.
        let air = self.metrics.px(2.0) as f32;
        let moved = if field.multiline {
            0.0
        } else {
            (x + air - inner.width() as f32).max(0.0)
        };
        let top = if field.multiline {
            inner.top
        } else {
            inner.top + (inner.height() - block.height as i32) / 2
        };
        let at = (inner.left - moved as i32, top);
        if let Some(caret) = caret {
            let (first, last) = caret.range(shown.chars().count());
            self.select(written, (byte(first), byte(last)), at, &style);
        }
        self.canvas
            .block(&block, &spans, &style, at, inner.width() as f32);
        if caret.is_some() {
            let height = if hint { block.height } else { height };
            let left = at.0 + x as i32;
            let inset = (height * 0.08) as i32;
            let bar = Rect::new(
                left,
                at.1 + y as i32 + inset,
                left + self.metrics.px(1.6).max(1),
                at.1 + (y + height) as i32 - inset,
            );
            self.canvas.rect(bar, &Fill::Color(field.caret));
        }
    }

    fn select(&mut self, block: &Block, (first, last): (usize, usize), at: (i32, i32), style: &TextStyle) {
        if first == last {
            return;
        }
        let color = self.theme.accent.alpha(if self.theme.dark { 0.35 } else { 0.22 });
        for line in &block.lines {
            if line.bytes.1 < first || line.bytes.0 > last {
                continue;
            }
            let from = if line.bytes.0 >= first {
                0.0
            } else {
                block.caret(first).0
            };
            let to = if line.bytes.1 <= last {
                line.width
            } else {
                block.caret(last).0
            };
            let left = at.0 as f32 + line.left(style.align, line.width);
            let bar = Rect::new(
                (left + from) as i32,
                at.1 + line.top as i32,
                (left + to) as i32,
                at.1 + (line.top + line.height) as i32,
            );
            self.canvas.rect(bar, &Fill::Color(color));
        }
    }
}
