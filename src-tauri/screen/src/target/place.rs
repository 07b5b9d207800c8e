//! Roughly where on the screen.

use protocol::Place;

/// Roughly where a pixel lies, in thirds of the screen.
#[must_use]
pub fn place(x: i32, y: i32, width: u32, height: u32) -> Place {
    let third = |n: i32, size: u32| (i64::from(n) * 3).div_euclid(i64::from(size.max(1))).clamp(0, 2);
    match (third(x, width), third(y, height)) {
        (0, 0) => Place::TopLeft,
        (1, 0) => Place::Top,
        (_, 0) => Place::TopRight,
        (0, 1) => Place::Left,
        (1, 1) => Place::Middle,
        (_, 1) => Place::Right,
        (0, _) => Place::BottomLeft,
        (1, _) => Place::Bottom,
        (_, _) => Place::BottomRight,
    }
}
