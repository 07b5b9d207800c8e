//! Scrolling, and setting a value: gestures worked out from what is on the screen.

use super::doing::{Plan, PlannedEffect, Refusal, bare, refusal};
use super::follow::FollowUp;
use super::touch::{STROKE_MS, focus, push, text_of, touch};
use judge::Input;
use protocol::{
    Action, Bounds, Direction, Element, ElementState, LocatorStrategy, OutcomeCode, RefusalCode, Role, Screen,
};
use screen::{Hit, rect};

pub(super) fn scroll(
    direction: Direction,
    amount: f64,
    anchor: Option<Hit>,
    now: &Screen,
) -> Result<Plan, Refusal> {
    let whole = read(now);
    let region = anchor.map_or(whole, |hit| scrollable_around(&hit, now).unwrap_or(whole));
    let strokes = screen::scroll(direction, amount, region, now.width, now.height);
    if strokes.is_empty() {
        return Err(refusal(
            RefusalCode::NothingToScroll,
            "there is no room to scroll there, or the amount is not above zero",
        ));
    }
    let strokes = strokes
        .iter()
        .map(|stroke| Input::Swipe {
            from: stroke.from,
            to: stroke.to,
            ms: STROKE_MS,
        })
        .collect();
    Ok(Plan {
        ring: Some(region),
        found_by: anchor.map(|hit| hit.found_by).into_iter().collect(),
        ..bare(PlannedEffect::Scroll { strokes, region })
    })
}

/// What was read of the screen: a stroke beside it would move the other half of a split screen.
fn read(now: &Screen) -> Bounds {
    let whole = whole(now);
    let Some(read) = now.tree_bounds else { return whole };
    let both = Bounds {
        left: read.left.max(whole.left),
        top: read.top.max(whole.top),
        right: read.right.min(whole.right),
        bottom: read.bottom.min(whole.bottom),
    };
    let is_some = both.left < both.right && both.top < both.bottom;
    if is_some { both } else { whole }
}

pub(super) fn whole(now: &Screen) -> Bounds {
    Bounds {
        left: 0,
        top: 0,
        right: i32::try_from(now.width).unwrap_or(i32::MAX),
        bottom: i32::try_from(now.height).unwrap_or(i32::MAX),
    }
}

/// The stroke that shows the next page of a region that is read: slow, so that nothing is flung past the reader, and
/// shorter than the region, so that two pages have lines in common. None where there is no room.
pub(crate) fn turn_page(region: Bounds, now: &Screen) -> Option<Input> {
    let middle = (
        i32::midpoint(region.left, region.right),
        i32::midpoint(region.top, region.bottom),
    );
    let within = scrollable_at(middle.0, middle.1, now).unwrap_or(region);
    let stroke = screen::scroll(Direction::Down, PAGE, within, now.width, now.height)
        .first()
        .copied()?;
    Some(Input::Swipe {
        from: stroke.from,
        to: stroke.to,
        ms: PAGE_MS,
    })
}

/// Eighths of a region in one page that is turned, and how long the finger takes.
const PAGE: f64 = 4.0;
const PAGE_MS: u64 = 1200;

/// The smallest thing that scrolls under the hit; for a box, the box.
fn scrollable_around(hit: &Hit, now: &Screen) -> Option<Bounds> {
    scrollable_at(hit.x, hit.y, now).or_else(|| (hit.found_by == LocatorStrategy::Box).then_some(hit.bounds))
}

/// The smallest thing that scrolls and holds this pixel.
fn scrollable_at(x: i32, y: i32, now: &Screen) -> Option<Bounds> {
    let scrolls = |e: &&Element| e.states.contains(&ElementState::Scrollable) && rect::holds(e.bounds, x, y);
    let bounds = now.elements.iter().filter(scrolls).map(|e| e.bounds);
    bounds.min_by_key(|b| rect::area(*b))
}

pub(super) fn set_value(action: &Action, hit: &Hit, value: &str, now: &Screen) -> Result<Plan, Refusal> {
    let tap = |x, y| Input::Tap { at: (x, y) };
    let mut plan = touch(*hit, now, tap);
    let Some(element) = plan.element.clone() else {
        return Err(refusal(
            RefusalCode::TargetNotFound,
            "there is nothing at that place whose value could be set",
        ));
    };
    if element.states.contains(&ElementState::Disabled) {
        return Err(refusal(
            RefusalCode::Disabled,
            "it is greyed out and takes no value now",
        ));
    }
    if element.states.contains(&ElementState::Editable) {
        let mut plan = focus(*hit, now);
        push(&mut plan, in_place(text_of(value)?));
        return Ok(plan);
    }
    if element.states.contains(&ElementState::Checkable) {
        let wanted = switch_word(value)
            .ok_or_else(|| refusal(RefusalCode::BadValue, "a switch takes \"on\" or \"off\""))?;
        if wanted == element.states.contains(&ElementState::Checked) {
            already_so(&mut plan);
        }
        return Ok(plan);
    }
    if element.role == Role::Slider {
        let share = share(value)
            .ok_or_else(|| refusal(RefusalCode::BadValue, "a slider takes a number from 0 to 100"))?;
        let b = element.bounds;
        #[expect(clippy::cast_possible_truncation, reason = "between two pixels")]
        let x = (f64::from(b.left) + f64::from(b.right - b.left - 1) * share) as i32;
        let y = i32::midpoint(b.top, b.bottom);
        plan.doing = PlannedEffect::Phone(vec![tap(x, y)]);
        plan.touches = vec![(x, y)];
        plan.follow = Some(FollowUp::slide(action, share, &element));
        return Ok(plan);
    }
    if element.role == Role::Spinner {
        if is_chosen(&element, value, now) {
            already_so(&mut plan);
        } else {
            plan.follow = Some(FollowUp::choose(action, value, now));
        }
        return Ok(plan);
    }
    Err(refusal(
        RefusalCode::NoValue,
        "that element holds no value; tap it instead",
    ))
}

/// Written in place of what the field holds: its first line in one step with the emptying.
fn in_place(mut written: Vec<Input>) -> Vec<Input> {
    if let Some(Input::Text(text)) = written.first().cloned() {
        written.splice(..1, [Input::Replace(text)]);
    } else {
        written.insert(0, Input::ClearText);
    }
    written
}

/// Whether a list of choices shows this one: on itself, or on the text inside it where it has a name of its own.
fn is_chosen(spinner: &Element, value: &str, now: &Screen) -> bool {
    let (outer, wanted) = (spinner.bounds, value.trim());
    let inside = |b: Bounds| {
        b.left >= outer.left && b.top >= outer.top && b.right <= outer.right && b.bottom <= outer.bottom
    };
    let says = |element: &Element| {
        let text = element.value.as_deref().unwrap_or(&element.label).trim();
        !text.is_empty() && text.eq_ignore_ascii_case(wanted)
    };
    now.elements
        .iter()
        .any(|e| says(e) && (e.index == spinner.index || inside(e.bounds)))
}

/// The screen with nothing on it but what holds a value.
pub(super) fn holders(screen: &Screen) -> Screen {
    let mut only = screen.clone();
    only.elements.retain(|e| {
        matches!(e.role, Role::Slider | Role::Spinner)
            || e.states.contains(&ElementState::Editable)
            || e.states.contains(&ElementState::Checkable)
    });
    only
}

/// It is as it is wanted: nothing is touched.
fn already_so(plan: &mut Plan) {
    plan.doing = PlannedEffect::Nothing {
        code: OutcomeCode::AlreadySo,
    };
    plan.touches.clear();
}

fn switch_word(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "on" | "true" | "1" | "yes" | "checked" | "enabled" => Some(true),
        "off" | "false" | "0" | "no" | "unchecked" | "disabled" => Some(false),
        _ => None,
    }
}

/// `50`, `50%` and `0.5` are one half.
fn share(value: &str) -> Option<f64> {
    let text = value.trim();
    let number: f64 = text.trim_end_matches('%').trim().parse().ok()?;
    let share = if number <= 1.0 && text.contains('.') {
        number
    } else {
        number / 100.0
    };
    (0.0..=1.0).contains(&share).then_some(share)
}
