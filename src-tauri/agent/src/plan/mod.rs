//! From an action to what is done: pixels, commands, or an honest refusal. Pure.
//!
//! Targets are resolved on the screen as it is *now*; element numbers are those of the screen the model was shown.

mod aim;
mod follow;
mod gesture;
mod keys;
mod launch;
mod read;
mod shell;

use crate::ports::App;
use aim::{find, guard_app, rectangle};
pub use follow::Follow;
pub(crate) use follow::Next;
pub(crate) use gesture::turn_page;
use gesture::{scroll, set_value};
use judge::{Input, Key, typed};
pub(crate) use launch::nearest_told;
use launch::{launch, open_url};
use protocol::{Act, Action, Bounds, CaptureMode, Element, Place, Screen, State, Target, Warning};
pub(crate) use read::{Pages, lines};
use screen::{Hit, Rule};
use shell::shell;
use std::time::Duration;

/// Longest gesture.
const LONGEST_MS: f64 = 10_000.0;
/// Longest wait.
const LONGEST_WAIT_MS: f64 = 60_000.0;
/// How long one stroke of a scroll takes.
const STROKE_MS: u64 = 350;

/// What an action comes down to.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What is done.
    pub doing: Doing,
    /// The pixels it touches, in order, for the judge.
    pub touches: Vec<(i32, i32)>,
    /// What it touches, where that is known.
    pub element: Option<Element>,
    /// What found each place it touches, in order.
    pub found_by: Vec<Rule>,
    /// Where to ring the picture.
    pub ring: Option<Bounds>,
    /// Roughly where, for a sentence without a label.
    pub place: Option<Place>,
    /// The app that is opened, by name.
    pub app_label: Option<String>,
    /// What is done otherwise than it was asked for.
    pub warnings: Vec<Warning>,
    /// What it has to do on the screens that come after.
    pub follow: Option<Follow>,
}

/// What is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Doing {
    /// What the phone receives, in order.
    Phone(Vec<Input>),
    /// Strokes of a finger over a region, as long as it moves.
    Scroll {
        /// The strokes, in order.
        strokes: Vec<Input>,
        /// What should move.
        region: Bounds,
    },
    /// Nothing for a while.
    Wait(Duration),
    /// A script, on the phone or on this computer.
    Script {
        /// Its text.
        script: String,
        /// How long it may take.
        limit: Duration,
    },
    /// The next look is all that was asked for: what of it is shown.
    Look(Show),
    /// The apps that can be opened are told.
    Apps,
    /// The text of a region goes into a variable.
    Read {
        /// Where.
        region: Bounds,
        /// The variable.
        output: String,
        /// Page after page to the end of the list.
        scrolls: bool,
    },
    /// Text that is known goes into a variable.
    Keep {
        /// The variable.
        output: String,
        /// The text.
        text: String,
        /// Who knew it, where that is worth telling: `phone`, `person`.
        rung: Option<&'static str>,
    },
    /// What the phone has copied goes into a variable, once somebody has told it.
    Clipboard {
        /// The variable.
        output: String,
    },
    /// A question to the model, its answer into a variable.
    AskModel {
        /// The question.
        prompt: String,
        /// The variable.
        output: String,
    },
    /// Nothing needs to be done, and that is told.
    Nothing {
        /// Why, as a stable word.
        code: &'static str,
    },
}

/// What of the next look a capture shows the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// Numbered marks and elements, the picture alone, or the elements alone.
    pub mode: CaptureMode,
    /// Elements listed at most.
    pub max_elements: u32,
}

/// Why an action cannot be done. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// A stable word.
    pub code: &'static str,
    /// The reason, in a short English line.
    pub message: String,
}

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
    guard_app(action, now)?;
    let mut plan = plan_act(action, shown, now, apps)?;
    if !action.modifiers.is_empty() {
        let message = "a touch screen has no modifier keys; they were left out";
        plan.warnings
            .push(warning("modifiers_ignored", "modifiers", message));
    }
    Ok(plan)
}

fn plan_act(action: &Action, shown: &Screen, now: &Screen, apps: &[App]) -> Result<Plan, Refusal> {
    let at = |target: Option<&Target>, x: Option<f64>, y: Option<f64>| find(target, x, y, shown, now);
    match &action.act {
        Act::Tap { x, y, target } => Ok(touch(at(target.as_ref(), *x, *y)?, now, |x, y| Input::Tap {
            at: (x, y),
        })),
        Act::DoubleTap { x, y, target } => Ok(touch(at(target.as_ref(), *x, *y)?, now, |x, y| {
            Input::DoubleTap { at: (x, y) }
        })),
        Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        } => {
            let ms = milliseconds(*duration_ms, 300.0, LONGEST_MS);
            Ok(touch(at(target.as_ref(), *x, *y)?, now, |x, y| Input::Hold {
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
            let from = at(None, Some(*x1), Some(*y1))?;
            let to = at(None, Some(*x2), Some(*y2))?;
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
            let from = at(target.as_ref(), *x1, *y1)?;
            let to = at(to_target.as_ref(), *x2, *y2)?;
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
                Some(at(target.as_ref(), Some(x), Some(y))?)
            } else if target.is_some() {
                // A region that is not there is not the middle of the screen.
                Some(at(target.as_ref(), None, None)?)
            } else {
                None
            };
            scroll(*direction, *amount, anchor, now)
        }
        Act::Type { text, target } => {
            let mut plan = match target {
                Some(target) => focus(at(Some(target), None, None)?, now),
                None => bare(Doing::Phone(Vec::new())),
            };
            if plan.element.is_none() {
                plan.element = now
                    .elements
                    .iter()
                    .find(|e| e.states.contains(&State::Focused))
                    .cloned();
                plan.ring = plan.element.as_ref().map(|element| element.bounds);
            }
            let password = |element: &&Element| element.states.contains(&State::Password);
            match plan.element.as_ref().filter(password) {
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
        Act::SetValue { target, value } => {
            let hit = match at(Some(target), None, None) {
                // A caption reads like what it names: what holds a value is meant.
                Err(refusal) if refusal.code == "ambiguous_target" => find(
                    Some(target),
                    None,
                    None,
                    &gesture::holders(shown),
                    &gesture::holders(now),
                )
                .map_err(|_| refusal)?,
                found => found?,
            };
            set_value(action, &hit, value, now)
        }
        Act::Keyevent { keycode } => Ok(bare(Doing::Phone(vec![Input::Key(key(keycode)?)]))),
        Act::KeyCombination { keys } => match keys.as_slice() {
            [] => Err(refusal("no_keys", "key_combination needs at least one key")),
            [one] => Ok(bare(Doing::Phone(vec![Input::Key(key(one)?)]))),
            keys => {
                let keys = keys.iter().map(|one| key(one)).collect::<Result<_, _>>()?;
                Ok(bare(Doing::Phone(vec![Input::Chord(keys)])))
            }
        },
        Act::LaunchApp { package_name } => launch(package_name, action.app.as_deref(), apps),
        Act::FocusApp { raise_window } => {
            let mut plan = launch("", action.app.as_deref(), apps)?;
            if !raise_window {
                let message = "Android brings an app to the front whenever it gets the focus";
                plan.warnings.push(warning("raised", "raiseWindow", message));
            }
            Ok(plan)
        }
        Act::OpenUrl { url } => open_url(url),
        Act::Shell { command } => shell(command),
        Act::RunScript { script, timeout_sec } => {
            let limit = Duration::from_millis(milliseconds(timeout_sec * 1000.0, 1000.0, 600_000.0));
            Ok(bare(Doing::Script {
                script: script.clone(),
                limit,
            }))
        }
        Act::Wait { duration_ms } => Ok(bare(Doing::Wait(Duration::from_millis(milliseconds(
            *duration_ms,
            100.0,
            LONGEST_WAIT_MS,
        ))))),
        Act::Hover { .. } => Ok(bare(Doing::Nothing {
            code: "no_touch_equivalent",
        })),
        Act::Capture { mode, max_elements } => Ok(bare(Doing::Look(Show {
            mode: *mode,
            max_elements: (*max_elements).clamp(1, 1000),
        }))),
        Act::ListApps => Ok(bare(Doing::Apps)),
        Act::ReadText {
            region,
            x1,
            y1,
            x2,
            y2,
            output,
            auto_scroll,
            result,
        } => {
            let output = output.clone();
            if let Some(text) = result.as_deref().filter(|text| is_whole(text)) {
                let text = text.to_owned();
                let rung = None;
                return Ok(bare(Doing::Keep { output, text, rung }));
            }
            let edges = x1.zip(*y1).zip(x2.zip(*y2));
            let region = rectangle(*region, edges.map(|((l, t), (r, b))| [l, t, r, b]), now)?;
            Ok(Plan {
                ring: Some(region),
                ..bare(Doing::Read {
                    region,
                    output,
                    scrolls: *auto_scroll,
                })
            })
        }
        Act::AskModel {
            prompt,
            output,
            result,
        } => Ok(bare(match result.as_deref().filter(|text| is_whole(text)) {
            Some(text) => Doing::Keep {
                output: output.clone(),
                text: text.to_owned(),
                rung: None,
            },
            None => Doing::AskModel {
                prompt: prompt.clone(),
                output: output.clone(),
            },
        })),
        Act::ReadClipboard { output, result } => {
            let output = output.clone();
            Ok(bare(match result.as_deref().filter(|text| is_whole(text)) {
                Some(text) => Doing::Keep {
                    output,
                    text: text.to_owned(),
                    rung: None,
                },
                None => Doing::Clipboard { output },
            }))
        }
        Act::RequestHumanAuth { .. } | Act::Finish { .. } => Ok(bare(Doing::Nothing { code: "not_a_touch" })),
    }
}

fn touch(hit: Hit, now: &Screen, input: impl Fn(i32, i32) -> Input) -> Plan {
    let element = hit
        .element
        .and_then(|index| now.elements.iter().find(|e| e.index == index))
        .cloned();
    Plan {
        doing: Doing::Phone(vec![input(hit.x, hit.y)]),
        touches: vec![(hit.x, hit.y)],
        element,
        found_by: vec![hit.rule],
        ring: Some(hit.bounds),
        place: Some(screen::place(hit.x, hit.y, now.width, now.height)),
        app_label: None,
        warnings: Vec::new(),
        follow: None,
    }
}

fn stroke(from: &Hit, to: &Hit, now: &Screen, input: impl Fn((i32, i32), (i32, i32)) -> Input) -> Plan {
    let (a, b) = ((from.x, from.y), (to.x, to.y));
    let mut plan = touch(*from, now, |_, _| input(a, b));
    plan.touches.push(b);
    plan.found_by.push(to.rule);
    plan
}

/// A plan that touches nothing the judge would have to look at.
pub(crate) fn bare(doing: Doing) -> Plan {
    Plan {
        doing,
        touches: Vec::new(),
        element: None,
        found_by: Vec::new(),
        ring: None,
        place: None,
        app_label: None,
        warnings: Vec::new(),
        follow: None,
    }
}

fn push(plan: &mut Plan, more: Vec<Input>) {
    if let Doing::Phone(inputs) = &mut plan.doing {
        inputs.extend(more);
    }
}

/// A tap that brings the focus to a field, left out where it has it: a tap into a field moves its caret.
fn focus(hit: Hit, now: &Screen) -> Plan {
    let mut plan = touch(hit, now, |x, y| Input::Tap { at: (x, y) });
    let focused = |element: &Element| {
        element.states.contains(&State::Focused) && element.states.contains(&State::Editable)
    };
    if plan.element.as_ref().is_some_and(focused) {
        plan.doing = Doing::Phone(Vec::new());
    }
    plan
}

/// What typing comes down to: printable text and the keys in between.
fn text_of(text: &str) -> Result<Vec<Input>, Refusal> {
    typed(text).ok_or_else(|| {
        refusal(
            "no_such_key",
            "no keyboard types this: there is a control character in the text",
        )
    })
}

fn key(name: &str) -> Result<Key, Refusal> {
    Key::read(name).ok_or_else(|| refusal("no_such_key", &format!("Android has no key called {name:?}")))
}

/// A quotation that ends in an ellipsis was cut short by the model.
fn is_whole(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.ends_with('…') && !text.ends_with("...")
}

fn milliseconds(ms: f64, least: f64, most: f64) -> u64 {
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

fn refusal(code: &'static str, message: &str) -> Refusal {
    Refusal {
        code,
        message: message.to_owned(),
    }
}

fn warning(code: &str, field: &str, message: &str) -> Warning {
    Warning {
        code: code.to_owned(),
        field: Some(field.to_owned()),
        message: message.to_owned(),
    }
}
