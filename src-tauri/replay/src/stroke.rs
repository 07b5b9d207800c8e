//! A straight stroke of a finger as the scroll it is: on another screen a stroke's numbers mean nothing.

use crate::recording::RecordedStep;
use protocol::{Act, Bounds, Direction, Element, Role};
use screen::rect::{area, covers};

/// What scrolls under a point; the smallest.
pub(crate) fn region(shown: &RecordedStep, (x, y): (f64, f64)) -> Option<(&Element, &RecordedStep)> {
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
    let point = Bounds {
        left: x as i32,
        top: y as i32,
        right: x as i32 + 1,
        bottom: y as i32 + 1,
    };
    let scrolls = |element: &&Element| {
        matches!(
            element.role,
            Role::List | Role::ScrollArea | Role::Pager | Role::Web
        ) && covers(element.bounds, point)
    };
    let region = shown.elements.iter().filter(scrolls);
    region
        .min_by_key(|element| area(element.bounds))
        .map(|element| (element, shown))
}

/// A straight stroke of a finger as the scroll it is.
pub(crate) fn scroll(region: &Element, (dx, dy): (f64, f64)) -> Option<Act> {
    let bounds = region.bounds;
    let (direction, way, size) = if dy.abs() >= 2.0 * dx.abs() {
        let direction = if dy < 0.0 { Direction::Down } else { Direction::Up };
        (direction, dy.abs(), bounds.bottom - bounds.top)
    } else if dx.abs() >= 2.0 * dy.abs() {
        let direction = if dx < 0.0 {
            Direction::Right
        } else {
            Direction::Left
        };
        (direction, dx.abs(), bounds.right - bounds.left)
    } else {
        return None;
    };
    (size > 0 && way > 0.0).then(|| Act::Scroll {
        direction,
        amount: (8.0 * way / f64::from(size)).clamp(1.0, 24.0),
        x: None,
        y: None,
        target: None,
    })
}
