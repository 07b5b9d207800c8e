//! What lies around a thing, and beside it. Elements are a flat list: what encloses what is told by their rectangles.

use crate::words::says_something;
use protocol::{Bounds, Element, Role};
use screen::rect::{area, covers};

/// Those that enclose an element, the smallest first.
pub(crate) fn enclosing<'a>(element: &Element, all: &'a [Element]) -> Vec<&'a Element> {
    let mut around: Vec<&Element> = all
        .iter()
        .filter(|other| covers(other.bounds, element.bounds) && other.bounds != element.bounds)
        .collect();
    around.sort_by_key(|other| area(other.bounds));
    around
}

/// One of several like things, or inside one.
pub(crate) fn within_list(element: &Element, all: &[Element]) -> bool {
    element.role == Role::Item
        || enclosing(element, all)
            .iter()
            .any(|around| matches!(around.role, Role::Item | Role::List))
}

/// The entry of a list an element lies in; the smallest.
pub(crate) fn entry<'a>(element: &Element, all: &'a [Element]) -> Option<&'a Element> {
    enclosing(element, all)
        .into_iter()
        .find(|around| around.role == Role::Item)
}

/// The words beside an element that name it: on its line before it, else right above it.
pub(crate) fn neighbour<'a>(element: &Element, all: &'a [Element]) -> Option<&'a Element> {
    let is_label = |other: &&Element| {
        other.role == Role::Text
            && says_something(&other.label)
            && other.label.chars().any(char::is_alphabetic)
            && !covers(other.bounds, element.bounds)
            && !covers(element.bounds, other.bounds)
    };
    let own = element.bounds;
    let before = all
        .iter()
        .filter(is_label)
        .filter(|other| share(spans(other.bounds).1, spans(own).1) && other.bounds.right <= own.left)
        .min_by_key(|other| i64::from(own.left) - i64::from(other.bounds.right));
    let height = i64::from(own.bottom) - i64::from(own.top);
    let above = || {
        all.iter()
            .filter(is_label)
            .filter(|other| share(spans(other.bounds).0, spans(own).0) && other.bounds.bottom <= own.top)
            .map(|other| (i64::from(own.top) - i64::from(other.bounds.bottom), other))
            .filter(|(gap, _)| *gap <= height)
            .min_by_key(|(gap, _)| *gap)
            .map(|(_, other)| other)
    };
    before.or_else(above)
}

/// From left to right, and from top to bottom.
fn spans(b: Bounds) -> ((i32, i32), (i32, i32)) {
    ((b.left, b.right), (b.top, b.bottom))
}

/// At least half of the shorter one lies in the other.
fn share(a: (i32, i32), b: (i32, i32)) -> bool {
    let common = i64::from(a.1.min(b.1)) - i64::from(a.0.max(b.0));
    let shorter = (i64::from(a.1) - i64::from(a.0)).min(i64::from(b.1) - i64::from(b.0));
    common > 0 && common * 2 >= shorter
}
