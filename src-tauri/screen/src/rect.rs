//! Rectangles: left and top inside, right and bottom outside.

use protocol::Bounds;

/// What two rectangles share; empty rectangles share nothing.
#[must_use]
pub fn intersect(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        left: a.left.max(b.left),
        top: a.top.max(b.top),
        right: a.right.min(b.right),
        bottom: a.bottom.min(b.bottom),
    }
}

/// Nothing lies in it.
#[must_use]
pub fn is_empty(b: Bounds) -> bool {
    b.right <= b.left || b.bottom <= b.top
}

/// Pixels in it.
#[must_use]
pub fn area(b: Bounds) -> i64 {
    if is_empty(b) {
        return 0;
    }
    // At most 2³² × 2³², and real screens far less.
    (i64::from(b.right) - i64::from(b.left)).saturating_mul(i64::from(b.bottom) - i64::from(b.top))
}

/// Whether a pixel lies in it.
#[must_use]
pub fn holds(b: Bounds, x: i32, y: i32) -> bool {
    b.left <= x && x < b.right && b.top <= y && y < b.bottom
}

/// Whether `inner` lies wholly in `outer`.
#[must_use]
pub fn covers(outer: Bounds, inner: Bounds) -> bool {
    outer.left <= inner.left
        && outer.top <= inner.top
        && outer.right >= inner.right
        && outer.bottom >= inner.bottom
}

/// Whether two rectangles have a pixel in common.
#[must_use]
pub fn overlap(a: Bounds, b: Bounds) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/// The pixel in the middle; of an even number of pixels, the later one.
#[must_use]
pub fn centre(b: Bounds) -> (i32, i32) {
    let middle = |low: i32, high: i32| {
        let sum = i64::from(low) + i64::from(high);
        i32::try_from(sum.div_euclid(2)).unwrap_or(low)
    };
    (middle(b.left, b.right), middle(b.top, b.bottom))
}

/// A screen's own rectangle.
#[must_use]
pub fn screen(width: u32, height: u32) -> Bounds {
    Bounds {
        left: 0,
        top: 0,
        right: i32::try_from(width).unwrap_or(i32::MAX),
        bottom: i32::try_from(height).unwrap_or(i32::MAX),
    }
}
