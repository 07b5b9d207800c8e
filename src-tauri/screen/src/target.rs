//! Where a finger goes: targets and points become pixels, or a typed refusal.

mod error;
mod find;
mod place;
mod region;

pub use error::{Candidate, TargetError};
pub use find::is_actionable;
pub use place::place;
pub use region::region;

use crate::rect;
use crate::text::collapse;
use find::{by_number, by_text, by_track};
use protocol::{Bounds, Element, LocatorStrategy, Screen, Target};
use region::{middle, round_half_up};

/// Where the finger goes, and what lies there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Pixels from the left, on the screen.
    pub x: i32,
    /// Pixels from the top, on the screen.
    pub y: i32,
    /// The number of the element that is meant: for a box or point, of what lies under it.
    pub element: Option<u32>,
    /// That element's rectangle; without one, the box, or the single pixel of a point.
    pub bounds: Bounds,
    /// What found it.
    pub found_by: LocatorStrategy,
}

/// Finds a target on a screen: track id, else element, else text, else box. What is not found hands over to the next
/// that is given; the first refusal is the one reported. Element numbers are this screen's own.
///
/// Text: exactly as written, else without regard to case, else contained, on labels, descriptions and what fields hold; each
/// time tappable elements come before others. Among several, the innermost of nested ones is meant, or the one the
/// target's box points into; else it is refused with the candidates.
///
/// # Errors
/// [`TargetError`], which says why.
pub fn resolve(target: &Target, screen: &Screen) -> Result<Hit, TargetError> {
    resolve_shown(target, screen, screen)
}

/// The same for a model that was shown an earlier screen: element numbers are those of `shown`, found again on `now`
/// by track id, with the same role and label; else by number, if the same thing still stands in the same place. A
/// track id on `shown` must mean the same kind of thing with the same words on `now`, running numbers aside. Where
/// several things are alike and only their order tells them apart, the place must be the same, too.
///
/// # Errors
/// [`TargetError`]; [`TargetError::Stale`] when a number or track id no longer means what it meant.
pub fn resolve_shown(target: &Target, shown: &Screen, now: &Screen) -> Result<Hit, TargetError> {
    let mut first: Option<TargetError> = None;
    let mut missed = |miss: TargetError| {
        first.get_or_insert(miss);
    };
    let wants_elements = target.track_id.is_some() || target.element.is_some() || target.text.is_some();
    if wants_elements && !now.tree_read && now.elements.is_empty() {
        missed(TargetError::Unread);
    } else {
        if let Some(id) = target.track_id.as_deref().filter(|id| !id.is_empty()) {
            match by_track(id, shown, now) {
                Ok(element) => return Ok(on(element, LocatorStrategy::TrackId, now)),
                Err(stale @ TargetError::Stale { .. }) => return Err(stale),
                Err(miss) => missed(miss),
            }
        }
        if let Some(number) = target.element {
            match by_number(number, shown, now) {
                Ok(element) => return Ok(on(element, LocatorStrategy::Element, now)),
                // A number that has come to mean something else is no reason to try another way of finding it.
                Err(stale @ TargetError::Stale { .. }) => return Err(stale),
                Err(miss) => missed(miss),
            }
        }
        if let Some(text) = target.text.as_deref().filter(|text| !collapse(text).is_empty()) {
            match by_text(text, target.region, now) {
                Ok((element, found_by)) => return Ok(on(element, found_by, now)),
                Err(ambiguous @ TargetError::Ambiguous { .. }) => return Err(ambiguous),
                Err(miss) => missed(miss),
            }
        }
    }
    if let Some(region) = target.region {
        return by_box(region, now);
    }
    Err(first.unwrap_or(TargetError::Nothing))
}

/// The whole order: track id, element, text, box, and last a point in pixels of the screen, which counts where there is
/// no target or nothing of it is found. A target that is stale or fits several is refused: the point is not tried.
///
/// # Errors
/// [`TargetError`]: the target's, where there is one; else the point's.
pub fn resolve_aim(
    target: Option<&Target>,
    point: Option<(f64, f64)>,
    shown: &Screen,
    now: &Screen,
) -> Result<Hit, TargetError> {
    let by_target = target.map(|target| resolve_shown(target, shown, now));
    match (by_target, point) {
        (Some(Ok(hit)), _) => Ok(hit),
        (
            Some(Err(
                miss @ (TargetError::Stale { .. }
                | TargetError::Ambiguous { .. }
                | TargetError::NotThousandths),
            )),
            _,
        )
        | (Some(Err(miss)), None) => Err(miss),
        (None | Some(Err(_)), Some((x, y))) => resolve_point(x, y, now),
        (None, None) => Err(TargetError::Nothing),
    }
}

/// A point in pixels of the screen, rounded half up. It must lie on the screen; the far edge itself (`width`,
/// `height`), which models that count to the end write, is the last pixel. Anything further off is refused, never
/// moved.
///
/// # Errors
/// [`TargetError::NotANumber`], [`TargetError::OffScreen`].
pub fn resolve_point(x: f64, y: f64, screen: &Screen) -> Result<Hit, TargetError> {
    let (px, py) = (round_half_up(x)?, round_half_up(y)?);
    let keep = |n: i64, size: u32| {
        let size = i64::from(size);
        if n == size && size > 0 { n - 1 } else { n }
    };
    let inside = |n: i64, size: u32| {
        i32::try_from(n)
            .ok()
            .filter(|_| (0..i64::from(size)).contains(&n))
    };
    let off = TargetError::OffScreen {
        x: px,
        y: py,
        width: screen.width,
        height: screen.height,
    };
    let (Some(x), Some(y)) = (
        inside(keep(px, screen.width), screen.width),
        inside(keep(py, screen.height), screen.height),
    ) else {
        return Err(off);
    };
    Ok(at(x, y, None, LocatorStrategy::Point, screen))
}

/// What a finger at a pixel touches: the smallest tappable element there (of equal ones the later, which lies on
/// top); where nothing takes taps, the smallest of all.
#[must_use]
pub fn element_at(elements: &[Element], x: i32, y: i32) -> Option<&Element> {
    let under = || elements.iter().filter(|e| rect::holds(e.bounds, x, y));
    let smallest = |acts: bool| {
        under()
            .filter(|e| !acts || is_actionable(e))
            // `min_by_key` keeps the first of equals: from the back that is the later.
            .rev()
            .min_by_key(|e| rect::area(e.bounds))
    };
    smallest(true).or_else(|| smallest(false))
}

fn by_box(thousandths: [f64; 4], screen: &Screen) -> Result<Hit, TargetError> {
    let (x, y) = middle(thousandths, screen)?;
    let bounds = region(thousandths, screen.width, screen.height)?;
    Ok(at(x, y, Some(bounds), LocatorStrategy::Box, screen))
}

fn at(x: i32, y: i32, region: Option<Bounds>, found_by: LocatorStrategy, screen: &Screen) -> Hit {
    let element = element_at(&screen.elements, x, y);
    let pixel = Bounds {
        left: x,
        top: y,
        right: x + 1,
        bottom: y + 1,
    };
    Hit {
        x,
        y,
        element: element.map(|e| e.index),
        bounds: element.map(|e| e.bounds).or(region).unwrap_or(pixel),
        found_by,
    }
}

/// The pixel of an element: its middle, or where something else that takes taps lies over the middle, the free spot
/// nearest to it.
fn on(element: &Element, found_by: LocatorStrategy, screen: &Screen) -> Hit {
    let (x, y) = free_spot(element, &screen.elements).unwrap_or_else(|| rect::centre(element.bounds));
    Hit {
        x,
        y,
        element: Some(element.index),
        bounds: element.bounds,
        found_by,
    }
}

/// The middle first, then a grid of 7 × 7 from the middle outwards.
fn free_spot(element: &Element, elements: &[Element]) -> Option<(i32, i32)> {
    let b = element.bounds;
    let over: Vec<Bounds> = elements
        .iter()
        .filter(|e| e.index > element.index && is_actionable(e) && !rect::covers(e.bounds, b))
        .map(|e| rect::intersect(e.bounds, b))
        .filter(|shared| !rect::is_empty(*shared))
        .collect();
    let free = |(x, y): &(i32, i32)| !over.iter().any(|o| rect::holds(*o, *x, *y));
    let (cx, cy) = rect::centre(b);
    if free(&(cx, cy)) {
        return Some((cx, cy));
    }
    let spots = |low: i32, high: i32| {
        let size = i64::from(high) - i64::from(low);
        (0..7_i64).map(move |n| i32::try_from(i64::from(low) + size * (2 * n + 1) / 14).unwrap_or(low))
    };
    spots(b.top, b.bottom)
        .flat_map(|y| spots(b.left, b.right).map(move |x| (x, y)))
        .filter(free)
        .min_by_key(|(x, y)| {
            let (dx, dy) = (i64::from(*x) - i64::from(cx), i64::from(*y) - i64::from(cy));
            dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
        })
}
