//! A picture being drawn, and the part of it that may be drawn on.

use crate::toolkit::color::Color;
use crate::toolkit::geometry::Rect;
use tiny_skia::{
    FillRule, GradientStop, IntSize, LineCap, LineJoin, LinearGradient, Mask, Paint, Path, PathBuilder,
    Pattern, Pixmap, PixmapMut, Point, PremultipliedColorU8, Shader, SpreadMode, Stroke, Transform,
};

/// What a shape is filled with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fill {
    Color(Color),
    /// Straight from one point to another, both in parts (0…1) of the shape's box.
    Linear {
        from: (f32, f32),
        to: (f32, f32),
        stops: Vec<(f32, Color)>,
    },
}

impl From<Color> for Fill {
    fn from(color: Color) -> Self {
        Self::Color(color)
    }
}

impl Fill {
    pub(crate) fn vertical(top: Color, bottom: Color) -> Self {
        Self::Linear {
            from: (0.0, 0.0),
            to: (0.0, 1.0),
            stops: vec![(0.0, top), (1.0, bottom)],
        }
    }

    pub(crate) fn diagonal(start: Color, end: Color) -> Self {
        Self::Linear {
            from: (0.0, 0.0),
            to: (1.0, 1.0),
            stops: vec![(0.0, start), (1.0, end)],
        }
    }

    fn shader(&self, area: &Rect) -> Option<Shader<'static>> {
        let point = |(x, y): (f32, f32)| {
            Point::from_xy(
                area.left as f32 + x * area.width() as f32,
                area.top as f32 + y * area.height() as f32,
            )
        };
        let colors = |stops: &[(f32, Color)]| {
            stops
                .iter()
                .map(|(at, color)| GradientStop::new(*at, color.skia()))
                .collect::<Vec<_>>()
        };
        match self {
            Self::Color(color) => Some(Shader::SolidColor(color.skia())),
            Self::Linear { from, to, stops } => LinearGradient::new(
                point(*from),
                point(*to),
                colors(stops),
                SpreadMode::Pad,
                Transform::identity(),
            ),
        }
    }
}

/// A picture being drawn.
#[derive(Debug)]
pub(crate) struct Canvas {
    pub(super) pixmap: Pixmap,
    pub(super) clip: Rect,
}

impl Canvas {
    /// A transparent picture; sizes below one pixel become one.
    pub(crate) fn new(width: i32, height: i32) -> Option<Self> {
        let pixmap = Pixmap::new(width.max(1) as u32, height.max(1) as u32)?;
        let clip = Rect::sized(0, 0, width.max(1), height.max(1));
        Some(Self { pixmap, clip })
    }

    pub(crate) fn size(&self) -> Rect {
        Rect::sized(0, 0, self.pixmap.width() as i32, self.pixmap.height() as i32)
    }

    /// Premultiplied RGBA; where everything is opaque, plain RGBA.
    pub(crate) fn pixels(&self) -> &[u8] {
        self.pixmap.data()
    }

    pub(crate) fn into_pixmap(self) -> Pixmap {
        self.pixmap
    }

    pub(crate) fn clip(&self) -> Rect {
        self.clip
    }

    /// Sets the part that may be drawn on; gives the one before.
    pub(crate) fn set_clip(&mut self, clip: Rect) -> Rect {
        let clip = clip.intersection(&self.size());
        std::mem::replace(&mut self.clip, clip)
    }

    /// Fills a rectangle.
    pub(crate) fn rect(&mut self, rect: Rect, fill: &Fill) {
        let visible = rect.intersection(&self.clip);
        if visible.is_empty() {
            return;
        }
        if let Fill::Color(color) = fill
            && color.alpha == 255
        {
            self.flood(visible, *color);
            return;
        }
        let Some(shape) = skia_rect(&visible) else { return };
        if let Some(paint) = paint(fill, &rect, false) {
            self.pixmap.fill_rect(shape, &paint, Transform::identity(), None);
        }
    }

    fn flood(&mut self, rect: Rect, color: Color) {
        let width = self.pixmap.width() as usize;
        let pixel = PremultipliedColorU8::from_rgba(color.red, color.green, color.blue, 255);
        let Some(pixel) = pixel else { return };
        for row in self
            .pixmap
            .pixels_mut()
            .chunks_exact_mut(width)
            .take(rect.bottom as usize)
            .skip(rect.top as usize)
        {
            row[rect.left as usize..rect.right as usize].fill(pixel);
        }
    }

    /// Fills a rectangle whose corners are round by `radii` pixels: top left, top right, bottom right, bottom left.
    pub(crate) fn rounded(&mut self, rect: Rect, radii: [f32; 4], fill: &Fill) {
        if radii.iter().all(|radius| *radius < 0.5) {
            self.rect(rect, fill);
            return;
        }
        if let Some(path) = rounded_path(&rect, radii, 0.0) {
            self.path(&path, fill, &rect);
        }
    }

    /// Draws the inside edge of a rounded rectangle.
    pub(crate) fn rounded_edge(&mut self, rect: Rect, radii: [f32; 4], width: f32, color: Color) {
        let Some(outer) = rounded_path(
            &rect,
            radii.map(|radius| (radius - width / 2.0).max(0.0)),
            width / 2.0,
        ) else {
            return;
        };
        self.stroke(&outer, width, color);
    }

    /// Fills a path; the fill's parts are those of `area`.
    pub(crate) fn path(&mut self, path: &Path, fill: &Fill, area: &Rect) {
        let Some(paint) = paint(fill, area, true) else {
            return;
        };
        self.within_clip(path, 0.0, |pixels, shift, mask| {
            pixels.fill_path(path, &paint, FillRule::Winding, shift, mask);
        });
    }

    /// Draws a line of round ends along a path.
    pub(crate) fn stroke(&mut self, path: &Path, width: f32, color: Color) {
        let Some(paint) = paint(&Fill::Color(color), &self.size(), true) else {
            return;
        };
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.within_clip(path, width, |pixels, shift, mask| {
            pixels.stroke_path(path, &paint, &stroke, shift, mask);
        });
    }

    /// Fills a circle.
    pub(crate) fn circle(&mut self, (x, y): (f32, f32), radius: f32, fill: &Fill) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            let area = Rect::new(
                (x - radius) as i32,
                (y - radius) as i32,
                (x + radius).ceil() as i32,
                (y + radius).ceil() as i32,
            );
            self.path(&path, fill, &area);
        }
    }

    /// Copies an opaque picture, clipped, without scaling.
    pub(crate) fn copy(&mut self, picture: &Pixmap, left: i32, top: i32) {
        let area =
            Rect::sized(left, top, picture.width() as i32, picture.height() as i32).intersection(&self.clip);
        let width = self.pixmap.width() as usize;
        let from_width = picture.width() as usize;
        let pixels = self.pixmap.pixels_mut();
        for y in area.top..area.bottom {
            let to = y as usize * width + area.left as usize;
            let from = (y - top) as usize * from_width + (area.left - left) as usize;
            let length = area.width() as usize;
            pixels[to..to + length].copy_from_slice(&picture.pixels()[from..from + length]);
        }
    }

    /// Draws a picture over a rounded rectangle, enlarged or shrunk to cover it.
    pub(crate) fn picture(&mut self, picture: &Pixmap, area: Rect, radii: [f32; 4]) {
        let exact = picture.width() as i32 == area.width() && picture.height() as i32 == area.height();
        if exact
            && radii.iter().all(|radius| *radius < 0.5)
            && picture.pixels().first().is_some_and(|p| p.is_opaque())
        {
            self.copy(picture, area.left, area.top);
            return;
        }
        let scale_x = area.width() as f32 / picture.width() as f32;
        let scale_y = area.height() as f32 / picture.height() as f32;
        let place = Transform::from_row(scale_x, 0.0, 0.0, scale_y, area.left as f32, area.top as f32);
        let quality = if exact {
            tiny_skia::FilterQuality::Nearest
        } else {
            tiny_skia::FilterQuality::Bilinear
        };
        let shader = Pattern::new(picture.as_ref(), SpreadMode::Pad, quality, 1.0, place);
        let paint = Paint {
            shader,
            anti_alias: true,
            ..Paint::default()
        };
        let Some(path) = rounded_path(&area, radii, 0.0) else {
            return;
        };
        self.within_clip(&path, 0.0, |pixels, shift, mask| {
            pixels.fill_path(&path, &paint, FillRule::Winding, shift, mask);
        });
    }

    /// Runs a drawing on the rows of the clip only (they lie together in memory); where the path would also leave the
    /// clip sideways, a mask keeps it in.
    fn within_clip(
        &mut self,
        path: &Path,
        margin: f32,
        draw: impl FnOnce(&mut PixmapMut<'_>, Transform, Option<&Mask>),
    ) {
        let bounds = path.bounds();
        let (clip, size) = (self.clip, self.size());
        let (left, right) = (bounds.left() - margin, bounds.right() + margin);
        if clip.is_empty()
            || bounds.bottom() + margin < clip.top as f32
            || bounds.top() - margin > clip.bottom as f32
            || right < clip.left as f32
            || left > clip.right as f32
        {
            return;
        }
        let leaves =
            left < clip.left as f32 && clip.left > 0 || right > clip.right as f32 && clip.right < size.right;
        let stride = size.width() as usize * 4;
        let rows = &mut self.pixmap.data_mut()[clip.top as usize * stride..clip.bottom as usize * stride];
        let (width, height) = (size.width() as u32, clip.height() as u32);
        let mask = leaves.then(|| clip_mask(width, height, &clip)).flatten();
        if let Some(mut pixels) = PixmapMut::from_bytes(rows, width, height) {
            draw(
                &mut pixels,
                Transform::from_translate(0.0, -clip.top as f32),
                mask.as_ref(),
            );
        }
    }
}

fn clip_mask(width: u32, height: u32, clip: &Rect) -> Option<Mask> {
    let mut row = vec![0; width as usize];
    row[clip.left as usize..clip.right as usize].fill(255);
    Mask::from_vec(row.repeat(height as usize), IntSize::from_wh(width, height)?)
}

fn paint(fill: &Fill, area: &Rect, anti_alias: bool) -> Option<Paint<'static>> {
    Some(Paint {
        shader: fill.shader(area)?,
        anti_alias,
        ..Paint::default()
    })
}

fn skia_rect(rect: &Rect) -> Option<tiny_skia::Rect> {
    tiny_skia::Rect::from_ltrb(
        rect.left as f32,
        rect.top as f32,
        rect.right as f32,
        rect.bottom as f32,
    )
}

/// A rectangle with round corners, drawn in by `inset` pixels.
pub(crate) fn rounded_path(rect: &Rect, radii: [f32; 4], inset: f32) -> Option<Path> {
    // How far the handles of a cubic stand from a quarter circle's ends.
    const HANDLE: f32 = 0.552_285;
    let (left, top) = (rect.left as f32 + inset, rect.top as f32 + inset);
    let (right, bottom) = (rect.right as f32 - inset, rect.bottom as f32 - inset);
    if right <= left || bottom <= top {
        return None;
    }
    let most = ((right - left) / 2.0).min((bottom - top) / 2.0);
    let [tl, tr, br, bl] = radii.map(|radius| radius.clamp(0.0, most));
    let mut path = PathBuilder::new();
    let keep = 1.0 - HANDLE;
    path.move_to(left + tl, top);
    path.line_to(right - tr, top);
    path.cubic_to(right - tr * keep, top, right, top + tr * keep, right, top + tr);
    path.line_to(right, bottom - br);
    path.cubic_to(
        right,
        bottom - br * keep,
        right - br * keep,
        bottom,
        right - br,
        bottom,
    );
    path.line_to(left + bl, bottom);
    path.cubic_to(
        left + bl * keep,
        bottom,
        left,
        bottom - bl * keep,
        left,
        bottom - bl,
    );
    path.line_to(left, top + tl);
    path.cubic_to(left, top + tl * keep, left + tl * keep, top, left + tl, top);
    path.close();
    path.finish()
}
