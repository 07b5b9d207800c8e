//! Drawing: shapes (tiny-skia), glyphs, and whole scenes.

mod canvas;
mod controls;
mod fields;
mod glyphs;
mod picture_cache;
mod scenes;
mod shadow;

pub(crate) use canvas::{Canvas, Fill};
pub(crate) use picture_cache::PictureCache;
pub(crate) use scenes::Brush;
