//! Text: fonts, shaping and line breaking (cosmic-text), glyph pictures.

mod engine;
mod style;
#[cfg(test)]
mod tests;

pub(crate) use engine::{Block, draw_icon, lay_out, with_glyphs};
pub(crate) use style::{Align, Span, TextStyle, Weight};
