//! Drawing: shapes (tiny-skia), glyphs, and whole scenes.

mod canvas;
mod controls;
mod fields;
mod glyphs;
mod pictures;
mod scenes;
mod shadow;

pub(crate) use canvas::{Canvas, Fill};
pub(crate) use pictures::Pictures;
pub(crate) use scenes::Brush;
