//! Text and icons on a canvas.

use super::Canvas;
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::text::{self, Block, Span, TextStyle};
use cosmic_text::{SwashContent, SwashImage};

impl Canvas {
    /// Draws a laid-out text with its top left corner at (`x`, `y`), lines aligned in `width` pixels.
    pub(crate) fn block(
        &mut self,
        block: &Block,
        spans: &[Span],
        style: &TextStyle,
        at: (i32, i32),
        width: f32,
    ) {
        if style.halo > 0.0 {
            let dark = Color::BLACK.alpha(style.halo * 0.14);
            for (dx, dy) in [(0, 1), (0, 3), (-2, 2), (2, 2), (-3, 3), (3, 3), (0, 5)] {
                text::with_glyphs(
                    block,
                    (at.0 + dx, at.1 + dy),
                    width,
                    style.align,
                    |image, x, y, _| {
                        self.glyph(image, x, y, dark);
                    },
                );
            }
        }
        text::with_glyphs(block, at, width, style.align, |image, x, y, span| {
            let color = spans.get(span).and_then(|span| span.color).unwrap_or(style.color);
            self.glyph(image, x, y, color);
        });
    }

    /// Draws a text in a box: its lines aligned in it, its height in the middle.
    pub(crate) fn text(&mut self, words: &str, style: &TextStyle, metrics: &Metrics, area: Rect) {
        let spans = [Span::plain(words)];
        let block = text::lay_out(&spans, style, metrics, Some(area.width() as f32));
        let top = area.top + (area.height() - block.height as i32) / 2;
        self.block(&block, &spans, style, (area.left, top), area.width() as f32);
    }

    /// Draws an icon in the middle of a box, `size` pixels wide and high.
    pub(crate) fn icon(&mut self, icon: char, size: f32, color: Color, area: Rect) {
        let x = area.left as f32 + (area.width() as f32 - size) / 2.0;
        let y = area.top as f32 + (area.height() as f32 - size) / 2.0;
        text::draw_icon(icon, size, (x, y), |image, x, y| self.glyph(image, x, y, color));
    }

    fn glyph(&mut self, image: &SwashImage, x: i32, y: i32, color: Color) {
        let width = image.placement.width as i32;
        let area = Rect::sized(x, y, width, image.placement.height as i32).intersection(&self.clip);
        let stride = self.pixmap.width() as usize * 4;
        let depth = if image.content == SwashContent::Mask { 1 } else { 4 };
        let data = self.pixmap.data_mut();
        for row in area.top..area.bottom {
            let to = row as usize * stride + area.left as usize * 4;
            let from = ((row - y) * width + area.left - x) as usize * depth;
            let length = area.width() as usize;
            let Some(source) = image.data.get(from..from + length * depth) else {
                return;
            };
            let target = &mut data[to..to + length * 4];
            if depth == 1 {
                blend_mask(target, source, color);
            } else {
                blend_color(target, source);
            }
        }
    }
}

/// Puts a colour over the pixel that begins at `from`. Counted by hand, as its callers: at this room's level of optimisation
/// each step of an iterator is a call, and letters are most of what is drawn.
#[inline(always)]
fn blend(target: &mut [u8], from: usize, over: [u32; 4], alpha: u32) {
    let mut channel = 0;
    while alpha > 0 && channel < 4 {
        let under = target[from + channel] as u32;
        target[from + channel] = ((over[channel] * alpha + under * (255 - alpha) + 127) / 255) as u8;
        channel += 1;
    }
}

fn blend_mask(target: &mut [u8], mask: &[u8], color: Color) {
    let tint = [color.red as u32, color.green as u32, color.blue as u32, 255];
    let opacity = color.alpha as u32;
    let (mut at, end) = (0, mask.len().min(target.len() / 4));
    while at < end {
        blend(target, 4 * at, tint, mask[at] as u32 * opacity / 255);
        at += 1;
    }
}

fn blend_color(target: &mut [u8], source: &[u8]) {
    let (mut at, end) = (0, target.len().min(source.len()) / 4);
    while at < end {
        let [red, green, blue, alpha] = [0, 1, 2, 3].map(|channel| source[4 * at + channel] as u32);
        blend(target, 4 * at, [red, green, blue, 255], alpha);
        at += 1;
    }
}
