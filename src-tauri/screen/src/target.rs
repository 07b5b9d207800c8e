//! Where a finger goes: targets and points become pixels, or a typed refusal.

mod find;

use crate::rect;
use crate::text::collapse;
use find::{by_number, by_text, by_track};
use protocol::{Bounds, Element, Place, Role, Screen, State, Target};

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
    pub rule: Rule,
}

/// What found a target, in the order they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "a target's own words")]
pub enum Rule {
    TrackId,
    Element,
    TextExact,
    TextAnyCase,
    TextContains,
    Box,
    Point,
}

impl Rule {
    /// A stable word for outcomes and logs: `track_id`, `element`, `text_exact`, …
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TrackId => "track_id",
            Self::Element => "element",
            Self::TextExact => "text_exact",
            Self::TextAnyCase => "text_any_case",
            Self::TextContains => "text_contains",
            Self::Box => "box",
            Self::Point => "point",
        }
    }
}

/// Why a target gives no pixel. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Miss {
    /// The target names nothing.
    #[error("the target names nothing to find")]
    Nothing,
    /// Elements are asked for, but the screen's could not be read.
    #[error("this screen's elements could not be read; point by coordinates")]
    Unread,
    /// No such track id on this screen.
    #[error("no element with track id {0} on this screen")]
    NoTrackId(String),
    /// No such number on this screen.
    #[error("there is no element {number}: this screen has {count}")]
    NoElement {
        /// The number asked for.
        number: u32,
        /// How many there are.
        count: usize,
    },
    /// The number was good on the screen the model was shown; on the newest one that element is gone or another.
    #[error("element {number} is not what it was: the screen changed; look again")]
    Stale {
        /// The number asked for.
        number: u32,
    },
    /// No such text.
    #[error("no element says {0:?}")]
    NoText(String),
    /// Several elements fit equally well.
    #[error(
        "{count} elements fit equally well: {}; name one by its number",
        named(candidates)
    )]
    Ambiguous {
        /// How many.
        count: usize,
        /// At most 20 of them.
        candidates: Vec<Candidate>,
    },
    /// A box whose numbers are not thousandths of the screen.
    #[error("a box is four numbers from 0 to 1000, in thousandths of the screen")]
    NotThousandths,
    /// A point beside the screen.
    #[error("the point {x}, {y} is not on the screen of {width} × {height}")]
    OffScreen {
        /// From the left, whole pixels.
        x: i64,
        /// From the top, whole pixels.
        y: i64,
        /// The screen's.
        width: u32,
        /// The screen's.
        height: u32,
    },
    /// Not a number, or infinite.
    #[error("a coordinate is not a number")]
    NotANumber,
}

/// One of several elements that fit. What stands on it is left out on purpose: this goes to the model and into the
/// journal, and the screen it was found on is the one where nothing is masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its number on the newest screen.
    pub number: u32,
    /// What it is.
    pub role: Role,
    /// Roughly where it is.
    pub place: Place,
}

impl Candidate {
    fn of(element: &Element, screen: &Screen) -> Self {
        let (x, y) = rect::centre(element.bounds);
        Self {
            number: element.index,
            role: element.role,
            place: place(x, y, screen.width, screen.height),
        }
    }
}

/// `4 (button, left), 5 (button, middle)`.
fn named(candidates: &[Candidate]) -> String {
    let name = |one: &Candidate| {
        let place = match one.place {
            Place::TopLeft => "top left",
            Place::Top => "top",
            Place::TopRight => "top right",
            Place::Left => "left",
            Place::Middle => "middle",
            Place::Right => "right",
            Place::BottomLeft => "bottom left",
            Place::Bottom => "bottom",
            Place::BottomRight => "bottom right",
            Place::ThisComputer => "elsewhere",
        };
        format!("{} ({}, {place})", one.number, one.role)
    };
    let names: Vec<String> = candidates.iter().map(name).collect();
    names.join(", ")
}

/// Finds a target on a screen: track id, else element, else text, else box. What is not found hands over to the next
/// that is given; the first refusal is the one reported. Element numbers are this screen's own.
///
/// Text: exactly as written, else without regard to case, else contained, on labels, descriptions and what fields hold; each
/// time tappable elements come before others. Among several, the innermost of nested ones is meant, or the one the
/// target's box points into; else it is refused with the candidates.
///
/// # Errors
/// [`Miss`], which says why.
pub fn resolve(target: &Target, screen: &Screen) -> Result<Hit, Miss> {
    resolve_shown(target, screen, screen)
}

/// The same for a model that was shown an earlier screen: element numbers are those of `shown`, found again on `now`
/// by track id, with the same role and label; else by number, if the same thing still stands in the same place. A
/// track id on `shown` must mean the same kind of thing with the same words on `now`, running numbers aside. Where
/// several things are alike and only their order tells them apart, the place must be the same, too.
///
/// # Errors
/// [`Miss`]; [`Miss::Stale`] when a number or track id no longer means what it meant.
pub fn resolve_shown(target: &Target, shown: &Screen, now: &Screen) -> Result<Hit, Miss> {
    let mut first: Option<Miss> = None;
    let mut missed = |miss: Miss| {
        first.get_or_insert(miss);
    };
    let wants_elements = target.track_id.is_some() || target.element.is_some() || target.text.is_some();
    if wants_elements && !now.tree_read && now.elements.is_empty() {
        missed(Miss::Unread);
    } else {
        if let Some(id) = target.track_id.as_deref().filter(|id| !id.is_empty()) {
            match by_track(id, shown, now) {
                Ok(element) => return Ok(on(element, Rule::TrackId, now)),
                Err(stale @ Miss::Stale { .. }) => return Err(stale),
                Err(miss) => missed(miss),
            }
        }
        if let Some(number) = target.element {
            match by_number(number, shown, now) {
                Ok(element) => return Ok(on(element, Rule::Element, now)),
                // A number that has come to mean something else is no reason to try another way of finding it.
                Err(stale @ Miss::Stale { .. }) => return Err(stale),
                Err(miss) => missed(miss),
            }
        }
        if let Some(text) = target.text.as_deref().filter(|text| !collapse(text).is_empty()) {
            match by_text(text, target.region, now) {
                Ok((element, rule)) => return Ok(on(element, rule, now)),
                Err(ambiguous @ Miss::Ambiguous { .. }) => return Err(ambiguous),
                Err(miss) => missed(miss),
            }
        }
    }
    if let Some(region) = target.region {
        return by_box(region, now);
    }
    Err(first.unwrap_or(Miss::Nothing))
}

/// The whole order: track id, element, text, box, and last a point in pixels of the screen, which counts where there is
/// no target or nothing of it is found. A target that is stale or fits several is refused: the point is not tried.
///
/// # Errors
/// [`Miss`]: the target's, where there is one; else the point's.
pub fn resolve_aim(
    target: Option<&Target>,
    point: Option<(f64, f64)>,
    shown: &Screen,
    now: &Screen,
) -> Result<Hit, Miss> {
    let by_target = target.map(|target| resolve_shown(target, shown, now));
    match (by_target, point) {
        (Some(Ok(hit)), _) => Ok(hit),
        (Some(Err(miss @ (Miss::Stale { .. } | Miss::Ambiguous { .. } | Miss::NotThousandths))), _)
        | (Some(Err(miss)), None) => Err(miss),
        (None | Some(Err(_)), Some((x, y))) => resolve_point(x, y, now),
        (None, None) => Err(Miss::Nothing),
    }
}

/// A point in pixels of the screen, rounded half up. It must lie on the screen; the far edge itself (`width`,
/// `height`), which models that count to the end write, is the last pixel. Anything further off is refused, never
/// moved.
///
/// # Errors
/// [`Miss::NotANumber`], [`Miss::OffScreen`].
pub fn resolve_point(x: f64, y: f64, screen: &Screen) -> Result<Hit, Miss> {
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
    let off = Miss::OffScreen {
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
    Ok(at(x, y, None, Rule::Point, screen))
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

/// Whether a touch on it does something: it can be tapped, pressed, checked or typed into.
#[must_use]
pub fn is_actionable(element: &Element) -> bool {
    element.states.iter().any(|state| {
        matches!(
            state,
            State::Clickable | State::LongClickable | State::Checkable | State::Editable
        )
    })
}

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

/// A box in thousandths as pixels: edges rounded half up.
///
/// # Errors
/// [`Miss::NotThousandths`] when a number is not one from 0 to 1000.
pub fn region(thousandths: [f64; 4], width: u32, height: u32) -> Result<Bounds, Miss> {
    if thousandths.iter().any(|n| !(0.0..=1000.0).contains(n)) {
        return Err(Miss::NotThousandths);
    }
    let [x1, y1, x2, y2] = thousandths;
    let edge = |n: f64, size: u32| {
        round_half_up(n / 1000.0 * f64::from(size)).map(|n| i32::try_from(n).unwrap_or(i32::MAX))
    };
    Ok(Bounds {
        left: edge(x1.min(x2), width)?,
        top: edge(y1.min(y2), height)?,
        right: edge(x1.max(x2), width)?,
        bottom: edge(y1.max(y2), height)?,
    })
}

fn by_box(thousandths: [f64; 4], screen: &Screen) -> Result<Hit, Miss> {
    let (x, y) = middle(thousandths, screen)?;
    let bounds = region(thousandths, screen.width, screen.height)?;
    Ok(at(x, y, Some(bounds), Rule::Box, screen))
}

/// The centre of a box, rounded half up and kept on the screen.
fn middle(thousandths: [f64; 4], screen: &Screen) -> Result<(i32, i32), Miss> {
    region(thousandths, screen.width, screen.height)?;
    let [x1, y1, x2, y2] = thousandths;
    let pixel = |a: f64, b: f64, size: u32| {
        let last = i64::from(size.max(1)) - 1;
        let n = round_half_up((a + b) / 2000.0 * f64::from(size))?.clamp(0, last);
        i32::try_from(n).map_err(|_| Miss::NotANumber)
    };
    Ok((pixel(x1, x2, screen.width)?, pixel(y1, y2, screen.height)?))
}

fn at(x: i32, y: i32, region: Option<Bounds>, rule: Rule, screen: &Screen) -> Hit {
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
        rule,
    }
}

/// The pixel of an element: its middle, or where something else that takes taps lies over the middle, the free spot
/// nearest to it.
fn on(element: &Element, rule: Rule, screen: &Screen) -> Hit {
    let (x, y) = free_spot(element, &screen.elements).unwrap_or_else(|| rect::centre(element.bounds));
    Hit {
        x,
        y,
        element: Some(element.index),
        bounds: element.bounds,
        rule,
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

/// 0.5 becomes 1, -0.5 becomes 0.
fn round_half_up(n: f64) -> Result<i64, Miss> {
    if !n.is_finite() {
        return Err(Miss::NotANumber);
    }
    // `as` saturates, and no screen reaches that far.
    #[expect(clippy::cast_possible_truncation, reason = "whole after floor; saturates")]
    Ok((n + 0.5).floor() as i64)
}
