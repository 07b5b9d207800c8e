//! The parts plans are made of: a touch of something found, the focus, typing, a key by its name, a time within bounds.

use super::doing::{Plan, PlannedEffect, Refusal, refusal};
use judge::{Input, Key, typed};
use protocol::{Element, ElementState, RefusalCode, Screen};
use screen::Hit;

/// Longest gesture.
pub(super) const LONGEST_MS: f64 = 10_000.0;
/// How long one stroke of a scroll takes.
pub(super) const STROKE_MS: u64 = 350;

pub(super) fn touch(hit: Hit, now: &Screen, input: impl Fn(i32, i32) -> Input) -> Plan {
    let element = hit
        .element
        .and_then(|index| now.elements.iter().find(|e| e.index == index))
        .cloned();
    Plan {
        doing: PlannedEffect::Phone(vec![input(hit.x, hit.y)]),
        touches: vec![(hit.x, hit.y)],
        element,
        found_by: vec![hit.found_by],
        ring: Some(hit.bounds),
        place: Some(screen::place(hit.x, hit.y, now.width, now.height)),
        app_label: None,
        warnings: Vec::new(),
        follow: None,
    }
}

pub(super) fn stroke(
    from: &Hit,
    to: &Hit,
    now: &Screen,
    input: impl Fn((i32, i32), (i32, i32)) -> Input,
) -> Plan {
    let (a, b) = ((from.x, from.y), (to.x, to.y));
    let mut plan = touch(*from, now, |_, _| input(a, b));
    plan.touches.push(b);
    plan.found_by.push(to.found_by);
    plan
}

pub(super) fn push(plan: &mut Plan, more: Vec<Input>) {
    if let PlannedEffect::Phone(inputs) = &mut plan.doing {
        inputs.extend(more);
    }
}

/// A tap that brings the focus to a field, left out where it has it: a tap into a field moves its caret.
pub(super) fn focus(hit: Hit, now: &Screen) -> Plan {
    let mut plan = touch(hit, now, |x, y| Input::Tap { at: (x, y) });
    let focused = |element: &Element| {
        element.states.contains(&ElementState::Focused) && element.states.contains(&ElementState::Editable)
    };
    if plan.element.as_ref().is_some_and(focused) {
        plan.doing = PlannedEffect::Phone(Vec::new());
    }
    plan
}

/// What typing comes down to: printable text and the keys in between.
pub(super) fn text_of(text: &str) -> Result<Vec<Input>, Refusal> {
    typed(text).ok_or_else(|| {
        refusal(
            RefusalCode::NoSuchKey,
            "no keyboard types this: there is a control character in the text",
        )
    })
}

pub(super) fn key(name: &str) -> Result<Key, Refusal> {
    Key::read(name).ok_or_else(|| {
        refusal(
            RefusalCode::NoSuchKey,
            &format!("Android has no key called {name:?}"),
        )
    })
}

pub(super) fn milliseconds(ms: f64, least: f64, most: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a positive range"
    )]
    let ms = if ms.is_finite() {
        ms.clamp(least, most) as u64
    } else {
        least as u64
    };
    ms
}
