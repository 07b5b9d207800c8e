//! A laid-out scene on a canvas.

use super::{Canvas, Fill, PictureCache};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::memory::Memory;
use crate::toolkit::scene::{Node, Scene};
use crate::toolkit::text;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{Content, Field};

/// The longest side a picture is drawn with, in pixels.
const LARGEST_PICTURE: i32 = 2500;

/// Draws scenes.
pub(crate) struct Brush<'a> {
    pub(crate) canvas: &'a mut Canvas,
    pub(crate) theme: &'a Theme,
    pub(crate) metrics: Metrics,
    pub(crate) memory: &'a Memory,
    /// The window has the input focus: carets and the focus of the keys are shown.
    pub(crate) focused: bool,
}

impl Brush<'_> {
    /// Draws every node that can be seen.
    pub(crate) fn draw(&mut self, scene: &Scene) {
        let before = self.canvas.clip();
        let mut melting: Vec<(usize, &Node)> = Vec::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            while let Some((end, list)) = melting.last()
                && *end <= index
            {
                let list: &Node = list;
                self.melt(list, before);
                melting.pop();
            }
            if node.view.skin.melt.is_some() {
                melting.push((node.end, node));
            }
            if self.reaches(node).intersection(&node.clip).is_empty() {
                continue;
            }
            self.canvas.set_clip(node.clip.intersection(&before));
            self.skin(node);
            self.content(node);
            self.press(node);
        }
        while let Some((_, list)) = melting.pop() {
            self.melt(list, before);
        }
        self.canvas.set_clip(before);
    }

    fn reaches(&self, node: &Node) -> Rect {
        let extra = self.metrics.px(node.view.skin.lift * 2.0);
        node.rect.inset(-extra, -extra, -extra, -extra)
    }

    fn radii(&self, node: &Node) -> [f32; 4] {
        node.view.skin.radii.map(|dp| self.metrics.px(dp) as f32)
    }

    fn skin(&mut self, node: &Node) {
        let skin = &node.view.skin;
        let radii = self.radii(node);
        if skin.lift > 0.0 {
            let lift = skin.lift * self.metrics.density;
            self.canvas
                .shadow(node.rect, radii[0], lift * 2.0, (lift * 0.5) as i32, 0.16);
        }
        if let Some(fill) = &skin.fill {
            self.canvas.rounded(node.rect, radii, fill);
        }
        if let Some((width, color)) = skin.edge {
            let width = (width * self.metrics.density).max(1.0);
            self.canvas.rounded_edge(node.rect, radii, width, color);
        }
    }

    fn press(&mut self, node: &Node) {
        let pressed = self.memory.pressed == Some(node.key);
        let focused = self.focused && self.memory.by_keys && self.memory.focus == Some(node.key);
        if !node.view.enabled {
            return;
        }
        let radii = self.radii(node);
        if pressed {
            let color = node.view.skin.press.unwrap_or(self.theme.press);
            self.canvas.rounded(node.rect, radii, &Fill::Color(color));
        }
        if focused && !node.takes_text() {
            self.focus_ring(node, radii);
        }
    }

    // Round the view where there is room, so that it is seen on a view of the accent's colour too; else inside it.
    fn focus_ring(&mut self, node: &Node, radii: [f32; 4]) {
        let (gap, width) = (self.metrics.px(5.0), self.metrics.px(2.5) as f32);
        let outer = node.rect.inset(-gap, -gap, -gap, -gap);
        let fits = outer.intersection(&node.clip) == outer;
        let (ring, more) = if fits {
            (outer, gap as f32)
        } else {
            (node.rect, 0.0)
        };
        let radii = radii.map(|radius| radius + more);
        self.canvas.rounded_edge(ring, radii, width, self.theme.accent);
    }

    fn melt(&mut self, list: &Node, bounds: Rect) {
        let more = list
            .scrolling
            .is_some_and(|scrolling| scrolling.offset + 1.0 < scrolling.most);
        let Some(color) = list.view.skin.melt.filter(|_| more) else {
            return;
        };
        self.canvas.set_clip(list.clip.intersection(&bounds));
        let height = self.metrics.px(40.0);
        let edge = Rect::new(
            list.rect.left,
            list.rect.bottom - height,
            list.rect.right,
            list.rect.bottom,
        );
        self.canvas
            .rect(edge, &Fill::vertical(Color { alpha: 0, ..color }, color));
    }

    fn content(&mut self, node: &Node) {
        let pad = &node.view.shape.pad;
        let px = |dp| self.metrics.px(dp);
        let inner = node
            .rect
            .inset(px(pad.left), px(pad.top), px(pad.right), px(pad.bottom));
        let enabled = node.view.enabled;
        match &node.view.content {
            Content::Empty => {}
            Content::Text { spans, style } => {
                let width = inner.width() as f32;
                let block = text::lay_out(spans, style, &self.metrics, Some(width));
                let spare = (inner.height() - block.height as i32).max(0);
                let top = inner.top + spare / 2;
                self.canvas.block(&block, spans, style, (inner.left, top), width);
            }
            Content::Icon { icon, size, color } => {
                self.canvas
                    .icon(*icon, self.metrics.px(*size) as f32, *color, inner);
            }
            Content::Field(field) => self.field(node, field, inner),
            Content::Switch { on } => self.switch(inner, *on, enabled),
            Content::Checkbox { on } => self.checkbox(inner, *on),
            Content::Radio { on } => self.radio(inner, *on),
            Content::Slider { value, .. } => self.slider(inner, *value),
            Content::Progress { value } => self.progress(inner, *value),
            Content::Spinner { turn } => self.spinner(inner, *turn),
            Content::Painting(painter) => (painter.0)(self.canvas, inner, &self.metrics),
            Content::Picture(picture) => {
                let radii = self.radii(node);
                // What is larger than a display is drawn smaller, then enlarged: it was zoomed into.
                let share = inner.width().max(inner.height()) / LARGEST_PICTURE + 1;
                if let Some(pixmap) =
                    PictureCache::at_size(picture, inner.width() / share, inner.height() / share)
                {
                    self.canvas.picture(&pixmap, inner, radii);
                }
            }
        }
    }

    fn field(&mut self, node: &Node, field: &Field, inner: Rect) {
        let focus = (self.focused && self.memory.focus == Some(node.key)).then_some(self.memory.caret);
        let clip = self.canvas.clip();
        // Letters such as "j" and the caret may stand a little outside the text's own box.
        let air = self.metrics.px(2.0);
        self.canvas
            .set_clip(inner.inset(-air, -air, -air, -air).intersection(&clip));
        self.write(field, inner, focus);
        self.canvas.set_clip(clip);
    }
}
