//! The one text engine of the process: the phone's fonts, the texts laid out so far, the glyph pictures made so far.
//!
//! Both stores only remember what can be computed again, and are emptied when they grow too large; nothing in them
//! depends on which phone asked.

use super::style::{Align, Span, TextStyle, Weight};
use crate::toolkit::geometry::Metrics;
use cosmic_text::fontdb::{self, Source};
use cosmic_text::{
    Attrs, Buffer, CacheKey, CacheKeyFlags, Ellipsize, EllipsizeHeightLimit, Fallback, Family, FontSystem,
    LayoutGlyph, Metrics as LineMetrics, Shaping, SwashCache, SwashImage, Wrap,
};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use unicode_script::Script;

const MAX_BLOCKS: usize = 4096;
/// Letters of all of them: a glyph takes some hundred bytes.
const MAX_LETTERS: usize = 400_000;
const MAX_IMAGES: usize = 12_000;
/// Height of a line in the font's own measure (Roboto: ascent 0.927, descent 0.244).
const LINE: f32 = 1.172;

/// A text laid out: lines of glyphs, in pixels from the top left corner.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) lines: Vec<TextLine>,
}

/// One line of a [`Block`].
#[derive(Debug)]
pub(crate) struct TextLine {
    pub(crate) top: f32,
    pub(crate) baseline: f32,
    pub(crate) height: f32,
    pub(crate) width: f32,
    /// First byte of the whole text that belongs to this line, and the byte after the last.
    pub(crate) bytes: (usize, usize),
    pub(super) glyphs: Vec<LayoutGlyph>,
    /// What to add to a glyph's `start` for its byte in the whole text.
    offset: usize,
}

impl TextLine {
    /// Left edge of the line in a box of this width.
    pub(crate) fn left(&self, align: Align, width: f32) -> f32 {
        match align {
            Align::Start => 0.0,
            Align::Center => ((width - self.width) / 2.0).round(),
            Align::End => width - self.width,
        }
    }
}

impl Block {
    /// Where a caret before this byte stands: x, top and height in pixels (lines at their left edge).
    pub(crate) fn caret(&self, byte: usize) -> (f32, f32, f32) {
        let line = self
            .lines
            .iter()
            .rfind(|line| line.bytes.0 <= byte)
            .or(self.lines.first());
        let Some(line) = line else {
            return (0.0, 0.0, self.height);
        };
        let after = line.glyphs.iter().find(|glyph| glyph.start + line.offset >= byte);
        (after.map_or(line.width, |glyph| glyph.x), line.top, line.height)
    }

    /// The byte of the text nearest to a point.
    pub(crate) fn byte_at(&self, x: f32, y: f32) -> usize {
        let line = self
            .lines
            .iter()
            .find(|line| y < line.top + line.height)
            .or(self.lines.last());
        let Some(line) = line else { return 0 };
        let glyph = line.glyphs.iter().find(|glyph| x < glyph.x + glyph.w / 2.0);
        glyph.map_or(line.bytes.1, |glyph| glyph.start + line.offset)
    }
}

struct Engine {
    fonts: FontSystem,
    raster: SwashCache,
    icons: Option<fontdb::ID>,
    blocks: HashMap<u64, Arc<Block>>,
    /// Letters of the texts in `blocks`.
    letters: usize,
}

/// What the build took out of the fonts.
const REGULAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/regular.ttf"));
const MEDIUM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/medium.ttf"));
const BOLD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bold.ttf"));
const EMOJI: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/emoji.ttf"));
const ICONS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/icons.ttf"));

static ENGINE: LazyLock<Mutex<Engine>> = LazyLock::new(|| Mutex::new(Engine::new()));

struct Fallbacks;

impl Fallback for Fallbacks {
    fn common_fallback(&self) -> &[&'static str] {
        &["Noto Color Emoji"]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &["lucide"]
    }

    fn script_fallback(&self, _: Script, _: &str) -> &[&'static str] {
        &[]
    }
}

impl Engine {
    fn new() -> Self {
        let mut fonts = fontdb::Database::new();
        let mut load = |data: &'static [u8]| {
            let loaded = fonts.load_font_source(Source::Binary(Arc::new(data)));
            loaded.first().copied()
        };
        for data in [REGULAR, MEDIUM, BOLD, EMOJI] {
            load(data);
        }
        let icons = load(ICONS);
        fonts.set_sans_serif_family("Roboto");
        Self {
            fonts: FontSystem::new_with_locale_and_db_and_fallback("en-US".to_owned(), fonts, Fallbacks),
            raster: SwashCache::new(),
            icons,
            blocks: HashMap::new(),
            letters: 0,
        }
    }

    fn lay_out(&mut self, spans: &[Span], style: &TextStyle, metrics: &Metrics, width: Option<f32>) -> Block {
        let size = metrics.text_px(style.size);
        let line = if style.line > 0.0 {
            metrics.text_px(style.line)
        } else {
            size * LINE
        }
        .round();
        let base = Attrs::new()
            .family(Family::SansSerif)
            .weight(weight(style.weight))
            .cache_key_flags(CacheKeyFlags::DISABLE_HINTING);
        let mut buffer = Buffer::new_empty(LineMetrics::new(size, line));
        buffer.set_wrap(Wrap::WordOrGlyph);
        if style.max_lines > 0 {
            buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(usize::from(
                style.max_lines,
            ))));
        }
        buffer.set_size(width, None);
        let pieces = spans.iter().enumerate().map(|(index, span)| {
            let attrs = base.clone().metadata(index);
            (
                span.text.as_str(),
                span.weight.map_or(attrs.clone(), |w| attrs.weight(weight(w))),
            )
        });
        buffer.set_rich_text(pieces, &base, Shaping::Advanced, None);
        buffer.shape_until_scroll(&mut self.fonts, false);
        let text: String = spans.iter().map(|span| span.text.as_str()).collect();
        block(&buffer, &text, style)
    }

    fn image(&mut self, key: CacheKey) -> Option<&SwashImage> {
        if self.raster.image_cache.len() > MAX_IMAGES {
            self.raster.image_cache.clear();
        }
        self.raster.get_image(&mut self.fonts, key).as_ref()
    }
}

fn weight(weight: Weight) -> fontdb::Weight {
    match weight {
        Weight::Regular => fontdb::Weight::NORMAL,
        Weight::Medium => fontdb::Weight::MEDIUM,
        Weight::Bold => fontdb::Weight::BOLD,
    }
}

fn block(buffer: &Buffer, text: &str, style: &TextStyle) -> Block {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let limit = if style.max_lines == 0 {
        usize::MAX
    } else {
        usize::from(style.max_lines)
    };
    let mut lines: Vec<TextLine> = Vec::new();
    for run in buffer.layout_runs().take(limit) {
        let offset = starts.get(run.line_i).copied().unwrap_or(0);
        // A line that goes on from the one above begins with its first word: a shortened text keeps the blank before it.
        let goes_on = lines.last().is_some_and(|line| line.offset == offset);
        let blank = |glyph: &&LayoutGlyph| {
            run.text
                .get(glyph.start..glyph.end)
                .is_some_and(|c| c.trim().is_empty())
        };
        let blanks = if goes_on {
            run.glyphs.iter().take_while(blank).count()
        } else {
            0
        };
        let indent: f32 = run.glyphs.iter().take(blanks).map(|glyph| glyph.w).sum();
        let mut glyphs = run.glyphs.get(blanks..).unwrap_or_default().to_vec();
        for glyph in &mut glyphs {
            glyph.x -= indent;
        }
        let first = run.glyphs.iter().map(|glyph| glyph.start).min().unwrap_or(0);
        let last = run.glyphs.iter().map(|glyph| glyph.end).max().unwrap_or(0);
        lines.push(TextLine {
            top: run.line_top,
            baseline: run.line_y.round(),
            height: run.line_height,
            width: run.line_w - indent,
            bytes: (offset + first, offset + last),
            glyphs,
            offset,
        });
    }
    Block {
        width: lines.iter().fold(0.0, |width: f32, line| width.max(line.width)),
        height: lines.last().map_or(0.0, |line| line.top + line.height),
        lines,
    }
}

fn engine<T>(use_it: impl FnOnce(&mut Engine) -> T) -> T {
    use_it(&mut ENGINE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Breaks a text into lines no wider than `width` pixels. An empty text is one empty line high.
pub(crate) fn lay_out(
    spans: &[Span],
    style: &TextStyle,
    metrics: &Metrics,
    width: Option<f32>,
) -> Arc<Block> {
    let mut hasher = DefaultHasher::new();
    for span in spans {
        (&span.text, span.weight).hash(&mut hasher);
    }
    let lengths = [
        style.size,
        style.line,
        metrics.density,
        metrics.font_scale,
        width.unwrap_or(-1.0),
    ];
    lengths.map(f32::to_bits).hash(&mut hasher);
    (style.weight, style.max_lines).hash(&mut hasher);
    let key = hasher.finish();
    let letters: usize = spans.iter().map(|span| span.text.len()).sum();
    engine(|engine| {
        if let Some(block) = engine.blocks.get(&key) {
            return Arc::clone(block);
        }
        if engine.blocks.len() > MAX_BLOCKS || engine.letters > MAX_LETTERS {
            engine.blocks.clear();
            engine.letters = 0;
        }
        let block = Arc::new(engine.lay_out(spans, style, metrics, width));
        engine.letters += letters;
        engine.blocks.insert(key, Arc::clone(&block));
        block
    })
}

/// Gives every glyph picture of a block standing at (`x`, `y`) in a box `width` wide: its picture, where it goes, and
/// the number of its span.
pub(crate) fn with_glyphs(
    block: &Block,
    (x, y): (i32, i32),
    width: f32,
    align: Align,
    mut draw: impl FnMut(&SwashImage, i32, i32, usize),
) {
    engine(|engine| {
        for line in &block.lines {
            let left = x as f32 + line.left(align, width);
            for glyph in &line.glyphs {
                let physical = glyph.physical((left, y as f32 + line.baseline), 1.0);
                if let Some(image) = engine.image(physical.cache_key) {
                    let at_x = physical.x + image.placement.left;
                    let at_y = physical.y - image.placement.top;
                    draw(image, at_x, at_y, glyph.metadata);
                }
            }
        }
    });
}

/// Gives the picture of an icon whose box of `size` pixels stands at (`x`, `y`).
pub(crate) fn draw_icon(icon: char, size: f32, (x, y): (f32, f32), draw: impl FnOnce(&SwashImage, i32, i32)) {
    engine(|engine| {
        let Some(id) = engine.icons else { return };
        let Some(font) = engine.fonts.get_font(id, fontdb::Weight::NORMAL) else {
            return;
        };
        let glyph = font.as_swash().charmap().map(icon);
        // The icon font's em square is the icon's box, and stands on the base line.
        let at = (x, (y + size).round());
        let (key, at_x, at_y) = CacheKey::new(
            id,
            glyph,
            size,
            at,
            fontdb::Weight::NORMAL,
            CacheKeyFlags::DISABLE_HINTING,
        );
        if let Some(image) = engine.image(key) {
            draw(image, at_x + image.placement.left, at_y - image.placement.top);
        }
    });
}
