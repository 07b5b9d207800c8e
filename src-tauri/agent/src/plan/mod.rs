//! From an action to what is done: pixels, commands, or an honest refusal. Pure.
//!
//! Targets are resolved on the screen as it is *now*; element numbers are those of the screen the model was shown.

mod aim;
mod app_name;
mod doing;
mod follow;
mod gesture;
mod keys;
mod launch;
mod read;
mod shell;
mod touch;
mod values;

use crate::ports::App;
use aim::{find, guard_app};
pub use app_name::FILLERS;
use doing::refusal;
pub use doing::{CaptureView, Plan, PlannedEffect, Refusal};
pub(crate) use doing::{bare, warning};
pub use follow::FollowUp;
pub(crate) use follow::FollowUpStep;
pub(crate) use gesture::turn_page;
use gesture::{scroll, set_value};
use judge::Input;
pub(crate) use launch::nearest_told;
use launch::{launch, open_url};
use protocol::{Act, Action, ElementState, OutcomeCode, RefusalCode, Screen, Target, Warning, WarningCode};
pub(crate) use read::{Pages, lines};
use screen::Hit;
use shell::shell;
use std::time::Duration;
use touch::{LONGEST_MS, focus, key, milliseconds, push, stroke, text_of, touch};

/// Longest wait.
const LONGEST_WAIT_MS: f64 = 60_000.0;

/// The action as it is judged, asked about, written down and done: keys by Android's names, addresses with a scheme.
/// Whatever a model calls the key that confirms, it is judged as that key.
#[must_use]
pub fn canonical(mut action: Action) -> Action {
    match &mut action.act {
        Act::Keyevent { keycode } => *keycode = keys::canonical(keycode),
        Act::KeyCombination { keys } => keys.iter_mut().for_each(|key| *key = keys::canonical(key)),
        Act::OpenUrl { url } => *url = launch::address(url),
        // What is asked about is what is done: the time a script really gets.
        Act::RunScript { timeout_sec, .. } if timeout_sec.is_finite() => {
            *timeout_sec = timeout_sec.clamp(1.0, 600.0);
        }
        _ => {}
    }
    action
}

/// Plans one action.
///
/// # Errors
/// [`Refusal`] when it cannot be done on this screen or on any phone.
pub fn plan(action: &Action, shown: &Screen, now: &Screen, apps: &[App]) -> Result<Plan, Refusal> {
    guard_app(action, now, apps)?;
    let mut plan = plan_act(action, Screens { shown, now }, apps)?;
    if !action.modifiers.is_empty() {
        let message = "a touch screen has no modifier keys; they were left out";
        plan.warnings
            .push(warning(WarningCode::ModifiersIgnored, Some("modifiers"), message));
    }
    plan.warnings.extend(shortened(&action.act));
    Ok(plan)
}

/// That an action takes less time than it was asked to: a model that waits for ten minutes must know that they are not over.
fn shortened(act: &Act) -> Option<Warning> {
    let (asked, most) = match act {
        Act::Wait { duration_ms } => (duration_ms, LONGEST_WAIT_MS),
        Act::LongPress { duration_ms, .. }
        | Act::Swipe { duration_ms, .. }
        | Act::Drag { duration_ms, .. } => (duration_ms, LONGEST_MS),
        _ => return None,
    };
    let message = format!("it took {} seconds, the most there is", most / 1000.0);
    (*asked > most).then(|| warning(WarningCode::Clamped, Some("durationMs"), message))
}

/// The screens an action is planned on: the one the model was shown, whose numbers it uses, and the one that is there now.
#[derive(Clone, Copy)]
struct Screens<'a> {
    shown: &'a Screen,
    now: &'a Screen,
}

impl Screens<'_> {
    fn at(&self, target: Option<&Target>, x: Option<f64>, y: Option<f64>) -> Result<Hit, Refusal> {
        find(target, x, y, self.shown, self.now)
    }
}

fn plan_act(action: &Action, on: Screens<'_>, apps: &[App]) -> Result<Plan, Refusal> {
    match &action.act {
        Act::Tap { .. }
        | Act::DoubleTap { .. }
        | Act::LongPress { .. }
        | Act::Swipe { .. }
        | Act::Drag { .. }
        | Act::Scroll { .. } => finger(&action.act, on),
        Act::Type { text, target } => type_text(text, target.as_ref(), on),
        Act::SetValue { target, value } => {
            let hit = match on.at(Some(target), None, None) {
                // A caption reads like what it names: what holds a value is meant.
                Err(refusal) if refusal.code == RefusalCode::AmbiguousTarget => find(
                    Some(target),
                    None,
                    None,
                    &gesture::holders(on.shown),
                    &gesture::holders(on.now),
                )
                .map_err(|_| refusal)?,
                found => found?,
            };
            set_value(action, &hit, value, on.now)
        }
        Act::Keyevent { keycode } => Ok(bare(PlannedEffect::Phone(vec![Input::Key(key(keycode)?)]))),
        Act::KeyCombination { keys } => match keys.as_slice() {
            [] => Err(refusal(
                RefusalCode::NoKeys,
                "key_combination needs at least one key",
            )),
            [one] => Ok(bare(PlannedEffect::Phone(vec![Input::Key(key(one)?)]))),
            keys => {
                let keys = keys.iter().map(|one| key(one)).collect::<Result<_, _>>()?;
                Ok(bare(PlannedEffect::Phone(vec![Input::Chord(keys)])))
            }
        },
        Act::LaunchApp { package_name } => launch(package_name, action.app.as_deref(), apps),
        Act::FocusApp { raise_window } => {
            let mut plan = launch("", action.app.as_deref(), apps)?;
            if !raise_window {
                let message = "Android brings an app to the front whenever it gets the focus";
                plan.warnings
                    .push(warning(WarningCode::Raised, Some("raiseWindow"), message));
            }
            Ok(plan)
        }
        Act::OpenUrl { url } => open_url(url),
        Act::Shell { command } => shell(command),
        Act::RunScript { script, timeout_sec } => {
            let limit = Duration::from_millis(milliseconds(timeout_sec * 1000.0, 1000.0, 600_000.0));
            Ok(bare(PlannedEffect::Script {
                script: script.clone(),
                limit,
            }))
        }
        Act::Wait { duration_ms } => Ok(bare(PlannedEffect::Wait(Duration::from_millis(milliseconds(
            *duration_ms,
            100.0,
            LONGEST_WAIT_MS,
        ))))),
        Act::Hover { .. } => Ok(bare(PlannedEffect::Nothing {
            code: OutcomeCode::NoTouchEquivalent,
        })),
        Act::Capture { mode, max_elements } => Ok(bare(PlannedEffect::Look(CaptureView {
            mode: *mode,
            max_elements: (*max_elements).clamp(1, 1000),
        }))),
        Act::ListApps => Ok(bare(PlannedEffect::Apps)),
        Act::ReadText { .. } | Act::AskModel { .. } | Act::ReadClipboard { .. } => {
            values::plan(&action.act, on.now)
        }
        Act::RequestHumanAuth { .. } | Act::Finish { .. } => Ok(bare(PlannedEffect::Nothing {
            code: OutcomeCode::NotATouch,
        })),
    }
}

/// What one finger does: touches and strokes.
fn finger(act: &Act, on: Screens<'_>) -> Result<Plan, Refusal> {
    let now = on.now;
    let tap = |at| Input::Tap { at };
    match act {
        Act::Tap { x, y, target } => Ok(touch(on.at(target.as_ref(), *x, *y)?, now, |x, y| tap((x, y)))),
        Act::DoubleTap { x, y, target } => Ok(touch(on.at(target.as_ref(), *x, *y)?, now, |x, y| {
            Input::DoubleTap { at: (x, y) }
        })),
        Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        } => {
            let ms = milliseconds(*duration_ms, 300.0, LONGEST_MS);
            Ok(touch(on.at(target.as_ref(), *x, *y)?, now, |x, y| Input::Hold {
                at: (x, y),
                ms,
            }))
        }
        Act::Swipe {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => {
            let from = on.at(None, Some(*x1), Some(*y1))?;
            let to = on.at(None, Some(*x2), Some(*y2))?;
            let ms = milliseconds(*duration_ms, 100.0, LONGEST_MS);
            Ok(stroke(&from, &to, now, |from, to| Input::Swipe { from, to, ms }))
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
            target,
            to_target,
        } => {
            let from = on.at(target.as_ref(), *x1, *y1)?;
            let to = on.at(to_target.as_ref(), *x2, *y2)?;
            let ms = milliseconds(*duration_ms, 200.0, LONGEST_MS);
            Ok(stroke(&from, &to, now, |from, to| Input::Drag { from, to, ms }))
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            let anchor = if x.is_some() || y.is_some() {
                let middle = (f64::from(now.width) / 2.0, f64::from(now.height) / 2.0);
                let (x, y) = (x.unwrap_or(middle.0), y.unwrap_or(middle.1));
                Some(on.at(target.as_ref(), Some(x), Some(y))?)
            } else if target.is_some() {
                // A region that is not there is not the middle of the screen.
                Some(on.at(target.as_ref(), None, None)?)
            } else {
                None
            };
            scroll(*direction, *amount, anchor, now)
        }
        _ => Ok(bare(PlannedEffect::Nothing {
            code: OutcomeCode::NotATouch,
        })),
    }
}

/// Text into a field: the one named, else the one that has the focus.
fn type_text(text: &str, target: Option<&Target>, on: Screens<'_>) -> Result<Plan, Refusal> {
    let mut plan = match target {
        Some(target) => focus(on.at(Some(target), None, None)?, on.now),
        None => bare(PlannedEffect::Phone(Vec::new())),
    };
    if plan.element.is_none() {
        let mut elements = on.now.elements.iter();
        plan.element = elements
            .find(|e| e.states.contains(&ElementState::Focused))
            .cloned();
        plan.ring = plan.element.as_ref().map(|element| element.bounds);
    }
    let field = plan.element.as_ref();
    match field.filter(|element| element.states.contains(&ElementState::Password)) {
        // Nothing but that a password belongs there: who has one is asked for it.
        Some(field) if text.is_empty() => {
            let b = field.bounds;
            let at = (b.left.midpoint(b.right), b.top.midpoint(b.bottom));
            push(&mut plan, vec![Input::Secret { at }]);
        }
        _ => push(&mut plan, text_of(text)?),
    }
    Ok(plan)
}
