//! Text: fonts, shaping and line breaking (cosmic-text), glyph pictures.

mod engine;
mod long;
mod style;
#[cfg(test)]
mod tests;

pub(crate) use engine::{Block, draw_icon, lay_out, with_glyphs};
pub(crate) use long::measure;
pub(crate) use style::{Align, Span, TextStyle, Weight};
