//! The toolkit the phone's screens are made of: views, their layout, their pictures, their accessibility.
//!
//! A screen is a tree of [`view::View`]s, made new whenever something changed. `layout` gives every view its place
//! (`scene`), `paint` draws the result, `tree` writes it as `uiautomator` does, `memory` keeps what must outlive a
//! tree: scroll positions, focus, carets.

pub(crate) mod color;
pub(crate) mod geometry;
pub(crate) mod layout;
pub(crate) mod memory;
pub(crate) mod paint;
pub(crate) mod scene;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod theme;
pub(crate) mod tree;
pub(crate) mod view;
