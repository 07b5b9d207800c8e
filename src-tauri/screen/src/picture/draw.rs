//! Cutting out and painting over.

use super::shape::{PictureError, shape};
use crate::rect;
use protocol::{Bounds, Frame};
use std::sync::Arc;

/// A colour without transparency: red, green, blue.
pub type Colour = [u8; 3];

/// The part of a picture inside `bounds`.
///
/// # Errors
/// [`PictureError::Nothing`] when they do not meet, [`PictureError::Shape`].
pub fn crop(frame: &Frame, bounds: Bounds) -> Result<Frame, PictureError> {
    shape(frame)?;
    let inside = rect::intersect(bounds, rect::screen(frame.width, frame.height));
    if rect::is_empty(inside) {
        return Err(PictureError::Nothing);
    }
    let mut rgba = Vec::with_capacity(usize::try_from(rect::area(inside)).unwrap_or(0) * 4);
    for row in rows(&frame.rgba, frame.width, inside) {
        rgba.extend_from_slice(row);
    }
    Ok(Frame {
        width: (inside.right - inside.left).unsigned_abs(),
        height: (inside.bottom - inside.top).unsigned_abs(),
        rgba: rgba.into(),
    })
}

/// Paints everything inside `bounds` in one flat colour: no trace of what was there is left. Copies the picture only
/// when somebody else holds it too.
pub fn fill(frame: &mut Frame, bounds: Bounds, colour: Colour) {
    if shape(frame).is_err() {
        return;
    }
    let inside = rect::intersect(bounds, rect::screen(frame.width, frame.height));
    if rect::is_empty(inside) {
        return;
    }
    let width = frame.width;
    let [r, g, b] = colour;
    for row in rows_mut(Arc::make_mut(&mut frame.rgba), width, inside) {
        for pixel in row.chunks_exact_mut(4) {
            pixel.copy_from_slice(&[r, g, b, 255]);
        }
    }
}

/// The rows of `inside`, which must lie on the picture, as slices of RGBA.
pub(super) fn rows(rgba: &[u8], width: u32, inside: Bounds) -> impl Iterator<Item = &[u8]> {
    let (stride, first, count, left, right) = spans(width, inside);
    rgba.chunks_exact(stride)
        .skip(first)
        .take(count)
        .map(move |row| row.get(left..right).unwrap_or(&[]))
}

fn rows_mut(rgba: &mut [u8], width: u32, inside: Bounds) -> impl Iterator<Item = &mut [u8]> {
    let (stride, first, count, left, right) = spans(width, inside);
    rgba.chunks_exact_mut(stride)
        .skip(first)
        .take(count)
        .map(move |row| row.get_mut(left..right).unwrap_or(&mut []))
}

/// Bytes in a row; the first row and how many; the first byte in a row and the one after the last.
fn spans(width: u32, inside: Bounds) -> (usize, usize, usize, usize, usize) {
    let size = |n: i32| usize::try_from(n).unwrap_or(0);
    let stride = usize::try_from(width).unwrap_or(0).max(1) * 4;
    let count = size(inside.bottom.saturating_sub(inside.top));
    (
        stride,
        size(inside.top),
        count,
        size(inside.left) * 4,
        size(inside.right) * 4,
    )
}
